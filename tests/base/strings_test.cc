#include "base/strings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"

namespace plexus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Strings, TrimTakesBlanksFromBothEnds) {
  EXPECT_EQ(Trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(Trim("  "), "");
  EXPECT_EQ(Trim(""), "");
}

TEST(Strings, SplitKeepsEmptyPieces) {
  EXPECT_THAT(Split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(Split("", ','), ElementsAre(""));
}

TEST(Strings, SplitWordsDropsBlanks) {
  EXPECT_THAT(SplitWords("  go \t nodes 5\n"), ElementsAre("go", "nodes", "5"));
  EXPECT_THAT(SplitWords(" \n"), IsEmpty());
}

TEST(Strings, JoinPutsTheSeparatorBetween) {
  EXPECT_EQ(Join({"a", "b", "c"}, ", "), "a, b, c");
  EXPECT_EQ(Join({}, ", "), "");
}

TEST(Strings, CaseIsIgnoredForAsciiOnly) {
  EXPECT_EQ(ToLower("CPuct\xC4"), "cpuct\xC4");
  EXPECT_TRUE(EqualsIgnoringCase("HaSh", "hAsH"));
  EXPECT_FALSE(EqualsIgnoringCase("hash", "hashfull"));
}

TEST(Strings, WholeNumbersAreRead) {
  EXPECT_EQ(ParseInt(" -42 ", "x"), -42);
  EXPECT_EQ(ParseInt("+7", "x"), 7);
  EXPECT_EQ(ParseInt("9223372036854775807", "x"), 9223372036854775807);
}

TEST(Strings, BadWholeNumbersAreNamed) {
  for (const char* text :
       {"", " ", "1x", "x1", "1.5", "1 2", "+-1", "--1", "0x10", "9223372036854775808"}) {
    const std::string error = ErrorOf([text] { ParseInt(text, "movetime"); });
    EXPECT_THAT(error, HasSubstr("movetime: \"" + std::string(text) + "\"")) << text;
  }
}

TEST(Strings, NumbersOutOfRangeNameTheRange) {
  EXPECT_EQ(ParseInt("5", "depth", 1, 5), 5);
  const std::string error = ErrorOf([] { ParseInt("6", "depth", 1, 5); });
  EXPECT_THAT(error, HasSubstr("depth: \"6\""));
  EXPECT_THAT(error, HasSubstr("1 to 5"));
  EXPECT_THAT(ErrorOf([] { ParseFloat("-0.1", "share", 0, 0.5); }), HasSubstr("0 to 0.5"));
}

TEST(Strings, FloatsAreReadWhateverTheLocale) {
  EXPECT_EQ(ParseFloat("1.5", "x"), 1.5);
  EXPECT_EQ(ParseFloat("-2e-3", "x"), -0.002);
  for (const char* text : {"", "1,5", "nan", "inf", "1e999", "1.5.2", "abc"}) {
    EXPECT_THAT(ErrorOf([text] { ParseFloat(text, "cpuct"); }), HasSubstr("cpuct")) << text;
  }
}

TEST(Strings, BoolsHaveSeveralSpellings) {
  EXPECT_TRUE(ParseBool("True", "x"));
  EXPECT_TRUE(ParseBool(" on ", "x"));
  EXPECT_FALSE(ParseBool("0", "x"));
  EXPECT_FALSE(ParseBool("NO", "x"));
  EXPECT_THAT(ErrorOf([] { ParseBool("maybe", "Ponder"); }), HasSubstr("Ponder: \"maybe\""));
}

TEST(Strings, NumbersAreWrittenShortAndReadBack) {
  EXPECT_EQ(FormatNumber(1.745f), "1.745");
  EXPECT_EQ(FormatNumber(0.1), "0.1");
  EXPECT_EQ(FormatNumber(64.0), "64");
  EXPECT_EQ(FormatNumber(100000.0), "100000");
  EXPECT_EQ(FormatNumber(1e9f), "1000000000");
  EXPECT_EQ(FormatNumber(1e30), "1e+30");
  EXPECT_EQ(static_cast<float>(ParseFloat(FormatNumber(0.3f), "x")), 0.3f);
}

TEST(Strings, FormatWritesWhatPrintfWouldWhateverTheLength) {
  EXPECT_EQ(Format("%3d|%.2f|%s", 7, 1.5, "x"), "  7|1.50|x");
  EXPECT_EQ(Format("%s", std::string(5000, 'a').c_str()), std::string(5000, 'a'));
  EXPECT_EQ(Format("%s", ""), "");
}

TEST(Strings, CloseMatchesAreFoundBestFirst) {
  const std::vector<std::string> names = {"threads", "backend", "backend-opts", "batch-size"};
  EXPECT_THAT(CloseMatches("thread", names), ElementsAre("threads"));
  EXPECT_THAT(CloseMatches("bakcend", names), ElementsAre("backend"));
  EXPECT_THAT(CloseMatches("jsno", {"json", "nodes"}), ElementsAre("json"));
  EXPECT_THAT(CloseMatches("opts", names), ElementsAre("backend-opts"));
  EXPECT_THAT(CloseMatches("zzzzzz", names), IsEmpty());
  EXPECT_EQ(DidYouMean("Thread", names), "Did you mean \"threads\"?");
  EXPECT_EQ(DidYouMean("zzzzzz", names, "No."), "No.");
}

}  // namespace
}  // namespace plexus
