#include "backend/specification.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/exception.h"
#include "base/random.h"

namespace plexus {
namespace {

using testing::HasSubstr;

class SomeNames : public BackendNames {
 public:
  std::string Resolve(const std::string& name) const override {
    if (name == "auto" || name == "cpu") return "cpu";
    if (name == "gpu-fp16" || name == "gpufp16") return "gpu-fp16";
    for (const char* known : {"fake", "multiplexing", "demux", "check", "record", "replay"}) {
      if (name == known) return name;
    }
    return "";
  }
  BackendKind KindOf(const std::string& resolved) const override {
    if (resolved == "multiplexing" || resolved == "demux") return BackendKind::kJoin;
    if (resolved == "check") return BackendKind::kPair;
    if (resolved == "record") return BackendKind::kWrap;
    if (resolved == "replay") return BackendKind::kAlone;
    return BackendKind::kDevice;
  }
  [[noreturn]] void Refuse(const std::string& name) const override {
    throw Exception("\"" + name + "\" is unknown.");
  }
};

BackendSpec Parse(const std::string& backend, const std::string& options) {
  return ParseSpecification(backend, options, SomeNames());
}

// "multiplexing[a=cpu{gpu=1} fake]"; keys k and gpu are shown.
std::string Text(const BackendSpec& spec) {
  std::string text = (spec.label.empty() ? "" : spec.label + "=") + spec.backend;
  for (const char* key : {"gpu", "k"}) {
    if (spec.children.empty() && spec.options.Has(key))
      text += std::string("{") + key + "=" + spec.options.GetString(key, "") + "}";
  }
  if (spec.children.empty()) return text;
  text += "[";
  for (const BackendSpec& child : spec.children)
    text += (&child == &spec.children[0] ? "" : " ") + Text(child);
  return text + "]";
}

std::string TextOf(const std::string& backend, const std::string& options) {
  return Text(Parse(backend, options));
}

TEST(SpecificationTest, OneBackendIsItself) {
  EXPECT_EQ(TextOf("cpu", ""), "cpu");
  EXPECT_EQ(TextOf("auto", "k=5"), "cpu{k=5}");
  EXPECT_EQ(TextOf("cpu", "backend=fake,k=1"), "fake{k=1}");
  EXPECT_EQ(TextOf("gpufp16", "gpu=1"), "gpu-fp16{gpu=1}");
}

TEST(SpecificationTest, ParenthesesNameSeveral) {
  EXPECT_EQ(TextOf("multiplexing", "(backend=gpufp16,gpu=0),(backend=gpu-fp16,gpu=1)"),
            "multiplexing[gpu-fp16{gpu=0} gpu-fp16{gpu=1}]");
  EXPECT_EQ(TextOf("demux", "cpu(k=1),fake()"), "demux[cpu{k=1} fake]");
  EXPECT_EQ(TextOf("fake", "(k=1),(k=2)"), "multiplexing[fake{k=1} fake{k=2}]");
  EXPECT_EQ(TextOf("multiplexing", "(k=1)"), "multiplexing[cpu{k=1}]");
}

TEST(SpecificationTest, ANameIsALabelWhereTheBackendIsSaid) {
  EXPECT_EQ(TextOf("multiplexing", "a(backend=fake,gpu=0),fake(backend=cpu)"),
            "multiplexing[a=fake{gpu=0} fake=cpu]");
  EXPECT_EQ(TextOf("multiplexing", "backend=fake,a(gpu=0),cpu(gpu=1)"),
            "multiplexing[a=fake{gpu=0} cpu{gpu=1}]");
  EXPECT_THAT(ErrorOf([] { Parse("multiplexing", "a(gpu=0)"); }), HasSubstr("\"a\" is unknown"));
  EXPECT_THAT(ErrorOf([] { Parse("fake", "fak(gpu=0)"); }), HasSubstr("\"fak\" is unknown"));
}

TEST(SpecificationTest, KeysOutsideAreDefaultsAtEveryDepth) {
  EXPECT_EQ(TextOf("multiplexing", "k=1,(gpu=0),(gpu=1,k=2)"),
            "multiplexing[cpu{gpu=0}{k=1} cpu{gpu=1}{k=2}]");
  EXPECT_EQ(TextOf("multiplexing", "(gpu=0),k=1"), "multiplexing[cpu{gpu=0}{k=1}]");
  EXPECT_EQ(TextOf("multiplexing", "k=1,backend=fake,two(gpu=7,(),(gpu=1))"),
            "multiplexing[two=multiplexing[fake{gpu=7}{k=1} fake{gpu=1}{k=1}]]");
}

TEST(SpecificationTest, CombinersStandInsideOneAnother) {
  EXPECT_EQ(TextOf("check", "cpu(),pair(backend=demux,(backend=fake),(backend=cpu))"),
            "check[cpu pair=demux[fake cpu]]");
  EXPECT_EQ(TextOf("auto", "backend=check,(backend=cpu),(backend=fake)"), "check[cpu fake]");
  EXPECT_EQ(TextOf("check", "replay(k=1),record(k=2,(backend=fake))"),
            "check[replay{k=1} record[fake{k=2}]]");
}

TEST(SpecificationTest, WithoutAListTheBestIsTakenAndThatIsKnown) {
  const BackendSpec spec = Parse("multiplexing", "k=3");
  EXPECT_EQ(Text(spec), "multiplexing[cpu{k=3}]");
  EXPECT_FALSE(spec.listed);
  EXPECT_TRUE(Parse("multiplexing", "backend=fake").listed);
  EXPECT_TRUE(Parse("multiplexing", "()").listed);
  EXPECT_TRUE(Parse("cpu", "").listed);
}

TEST(SpecificationTest, AWrongNumberOfBackendsIsRefused) {
  EXPECT_THAT(ErrorOf([] { Parse("check", ""); }), HasSubstr("needs two backends"));
  EXPECT_THAT(ErrorOf([] { Parse("check", "(),(),()"); }), HasSubstr("not 3"));
  EXPECT_THAT(ErrorOf([] { Parse("record", "(),()"); }), HasSubstr("needs one backend"));
  EXPECT_THAT(ErrorOf([] { Parse("replay", "()"); }), HasSubstr("needs no backends"));
}

TEST(SpecificationTest, AKeyIsReadIfAnyHeirReadsIt) {
  const BackendSpec spec = Parse("multiplexing", "k=1,x=2,(gpu=0),(gpu=1,y=3)");
  const OptionsDict& first = spec.children[0].options;
  const OptionsDict& second = spec.children[1].options;
  first.GetInt("gpu", 0, 0, 9);
  second.GetInt("gpu", 0, 0, 9);
  first.GetInt("k", 0, 0, 9);
  EXPECT_THAT(ErrorOf([&] { CheckAllRead(spec); }), HasSubstr("\"y\""));
  second.GetInt("y", 0, 0, 9);
  EXPECT_THAT(ErrorOf([&] { CheckAllRead(spec); }), HasSubstr("\"x\""));
  second.GetInt("x", 0, 0, 9);
  CheckAllRead(spec);
}

// Whatever the text, it is a tree or an Exception.
TEST(SpecificationTest, AnyMixtureOfWordsIsReadOrRefused) {
  const char* kWords[] = {"backend=", "backend", "fake", "multiplexing", "check", "a",  "k=1", "(",
                          "(",        ")",       ")",    ",",            ",",     "\"", "=",   "auto"};
  Random random(7);
  int accepted = 0;
  for (int i = 0; i < 200000; ++i) {
    std::string text;
    for (uint64_t n = random.Below(12); n > 0; --n) text += kWords[random.Below(std::size(kWords))];
    const std::string error = ErrorOf([&] { TextOf(i % 2 ? "multiplexing" : "fake", text); });
    if (error == "no error") ++accepted;
  }
  EXPECT_GT(accepted, 1000);
}

TEST(SpecificationTest, DeepNestingEndsInAnException) {
  std::string text;
  for (int i = 0; i < 100; ++i) text += "(";
  EXPECT_THAT(ErrorOf([&] { Parse("fake", text); }), HasSubstr("too many parentheses"));
  text = std::string(30, '(') + std::string(30, ')');
  EXPECT_EQ(ErrorOf([&] { Parse("fake", text); }), "no error");
}

}  // namespace
}  // namespace plexus
