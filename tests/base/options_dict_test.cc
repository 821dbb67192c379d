#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/options.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

TEST(OptionsDict, EmptyTextIsAnEmptyDictionary) {
  const OptionsDict dict = OptionsDict::Parse("  ");
  EXPECT_FALSE(dict.Has("anything"));
  EXPECT_TRUE(dict.children().empty());
}

TEST(OptionsDict, KeysWithAndWithoutValuesAreRead) {
  const OptionsDict dict = OptionsDict::Parse(" gpu=2 , share=0.5,verbose, name = \"a,(b)\" ");
  EXPECT_EQ(dict.GetInt("gpu", 0, 0, 15), 2);
  EXPECT_EQ(dict.GetFloat("share", 1, 0, 1), 0.5);
  EXPECT_TRUE(dict.GetBool("verbose", false));
  EXPECT_EQ(dict.GetString("name", ""), "a,(b)");
}

TEST(OptionsDict, MissingKeysGiveTheFallback) {
  const OptionsDict dict = OptionsDict::Parse("gpu=2");
  EXPECT_EQ(dict.GetInt("batch", 7, 0, 15), 7);
  EXPECT_EQ(dict.GetFloat("share", 0.25, 0, 1), 0.25);
  EXPECT_TRUE(dict.GetBool("fast", true));
  EXPECT_EQ(dict.GetString("name", "x"), "x");
}

TEST(OptionsDict, ParenthesesMakeChildrenInOrder) {
  const OptionsDict dict =
      OptionsDict::Parse("(backend=cudnn,gpu=0,max_batch=512),(backend=cpu),threads=3");
  ASSERT_EQ(dict.children().size(), 2u);
  EXPECT_EQ(dict.children()[0].GetString("backend", ""), "cudnn");
  EXPECT_EQ(dict.children()[0].GetInt("max_batch", 0, 1, 1024), 512);
  EXPECT_EQ(dict.children()[1].GetString("backend", ""), "cpu");
  EXPECT_EQ(dict.children()[1].name(), "");
  EXPECT_EQ(dict.GetInt("threads", 0, 1, 9), 3);
}

TEST(OptionsDict, ChildrenMayHaveNamesAndChildren) {
  const OptionsDict dict = OptionsDict::Parse("multiplexing(cudnn(gpu=0), cpu ( ) ,(x=1))");
  ASSERT_EQ(dict.children().size(), 1u);
  const OptionsDict& outer = dict.children()[0];
  EXPECT_EQ(outer.name(), "multiplexing");
  ASSERT_EQ(outer.children().size(), 3u);
  EXPECT_EQ(outer.children()[0].name(), "cudnn");
  EXPECT_EQ(outer.children()[0].GetInt("gpu", 9, 0, 9), 0);
  EXPECT_EQ(outer.children()[1].name(), "cpu");
  EXPECT_EQ(outer.children()[2].GetInt("x", 0, 0, 9), 1);
}

TEST(OptionsDict, FaultsShowTheTextAndThePlace) {
  const struct {
    const char* text;
    const char* fault;
    const char* position;
  } kCases[] = {
      {"(gpu=0", "\")\" is missing", "position 7"},
      {"gpu=0)", "unexpected \")\"", "position 6"},
      {"a,,b", "a key or a \"(\" is missing", "position 3"},
      {"a,", "a key or a \"(\" is missing", "position 3"},
      {"=5", "a key or a \"(\" is missing", "position 1"},
      {"a=1,a=2", "\"a\" is given twice", "position 5"},
      {"name=\"x", "closing quote", "position 7"},
      {"a=b(c)", "a comma is missing", "position 4"},
      {"(a)(b)", "a comma is missing", "position 4"},
  };
  for (const auto& test : kCases) {
    const std::string error = ErrorOf([&test] { OptionsDict::Parse(test.text); });
    EXPECT_THAT(error, HasSubstr(test.fault)) << test.text;
    EXPECT_THAT(error, HasSubstr(std::string(test.position) + " of \"" + test.text + "\""));
  }
}

TEST(OptionsDict, AnyTextIsReadOrRefusedWithAnException) {
  EXPECT_THAT(ErrorOf([] { OptionsDict::Parse(std::string(100000, '(')); }),
              HasSubstr("too many parentheses"));
  // All texts of up to five characters that mean something to the grammar.
  const std::string alphabet = "a=,()\" ";
  int accepted = 0;
  for (int number = 0; number < 7 * 7 * 7 * 7 * 7; ++number) {
    std::string text;
    for (int rest = number; rest > 0; rest /= 7) text += alphabet[rest % 7];
    if (ErrorOf([&text] { OptionsDict::Parse(text); }) == "no error") ++accepted;
  }
  EXPECT_GT(accepted, 100);
  EXPECT_LT(accepted, 7 * 7 * 7 * 7 * 7 / 2);
}

TEST(OptionsDict, ValuesOfTheWrongTypeNameKeyAndText) {
  const OptionsDict dict = OptionsDict::Parse("gpu=zero,share=2");
  EXPECT_THAT(ErrorOf([&] { dict.GetInt("gpu", 0, 0, 9); }), HasSubstr("gpu: \"zero\""));
  EXPECT_THAT(ErrorOf([&] { dict.GetBool("gpu", false); }), HasSubstr("gpu: \"zero\""));
  EXPECT_THAT(ErrorOf([&] { dict.GetFloat("share", 0, 0, 1); }), HasSubstr("share: \"2\""));
}

TEST(OptionsDict, UnreadKeysAreRefusedAtEveryDepth) {
  const OptionsDict dict = OptionsDict::Parse("threads=1,(gpu=0,max_bacth=5)");
  EXPECT_THAT(ErrorOf([&] { dict.CheckAllRead(); }), HasSubstr("\"threads\""));
  dict.GetInt("threads", 1, 1, 9);
  const OptionsDict& child = dict.children()[0];
  child.GetInt("gpu", 0, 0, 9);
  child.GetInt("max_batch", 0, 0, 9);
  const std::string error = ErrorOf([&] { dict.CheckAllRead(); });
  EXPECT_THAT(error, HasSubstr("\"max_bacth\""));
  EXPECT_THAT(error, HasSubstr("It knows: gpu, max_batch."));
  child.GetString("max_bacth", "");
  dict.CheckAllRead();
}

TEST(OptionsDict, DefaultsFillWhatIsMissingAndAreNotMissedHere) {
  const OptionsDict shared = OptionsDict::Parse("gpu=1,batch=5,odd=2");
  const OptionsDict dict = OptionsDict::Parse("gpu=7").WithDefaults(shared);
  EXPECT_EQ(dict.GetInt("gpu", 0, 0, 9), 7);
  EXPECT_EQ(dict.GetInt("batch", 0, 0, 9), 5);
  EXPECT_TRUE(dict.HasOwn("gpu"));
  EXPECT_FALSE(dict.HasOwn("batch"));
  dict.CheckAllRead();
  shared.MarkRead(dict);
  EXPECT_THAT(ErrorOf([&] { shared.CheckAllRead(); }), HasSubstr("understands \"odd\"."));
}

TEST(OptionsDict, SetAddsAValue) {
  OptionsDict dict = OptionsDict::Parse("gpu=1");
  dict.Set("gpu", "2");
  dict.Set("threads", "3");
  EXPECT_EQ(dict.GetInt("gpu", 0, 0, 9), 2);
  EXPECT_EQ(dict.GetInt("threads", 0, 0, 9), 3);
}

}  // namespace
}  // namespace plexus
