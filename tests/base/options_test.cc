#include "base/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"

namespace plexus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

struct Params {
  bool ponder = true;
  int batch = 64;
  float cpuct = 1.745f;
  std::string fpu = "reduction";
  std::string weights;
  int expert = 1;
  std::string log_file;
};

const OptionRow<Params> kRows[] = {
    {&Params::ponder, "Ponder", "ponder", 0, 0, "think on the opponent's time"},
    {&Params::batch, "MinibatchSize", "minibatch-size", 1, 1024, "positions a batch",
     OptionVisibility::kNormal, "", 'b', "Batch Size|BatchLimit"},
    {&Params::cpuct, "CPuct", "cpuct", 0, 100, "exploration"},
    {&Params::fpu, "FpuStrategy", "fpu-strategy", 0, 0, "first-play urgency",
     OptionVisibility::kNormal, "reduction|absolute"},
    {&Params::weights, "WeightsFile", "weights", 0, 0, "network file"},
    {&Params::expert, "Expert_Knob", "expert-knob", 0, 100000, "for experts",
     OptionVisibility::kExpert},
    {&Params::log_file, "Hidden", "hidden", 0, 0, "command line only",
     OptionVisibility::kCommandLineOnly},
};

class OptionsTest : public ::testing::Test {
 protected:
  void SetUp() override { options.Add(kRows, &params); }
  Params params;
  OptionSet options;
};

TEST_F(OptionsTest, ValuesReachTheFields) {
  options.Set("Ponder", "false");
  options.Set("MinibatchSize", "256");
  options.Set("CPuct", "2.5");
  options.Set("FpuStrategy", "absolute");
  options.Set("WeightsFile", "a file.pb.gz");
  EXPECT_FALSE(params.ponder);
  EXPECT_EQ(params.batch, 256);
  EXPECT_EQ(params.cpuct, 2.5f);
  EXPECT_EQ(params.fpu, "absolute");
  EXPECT_EQ(params.weights, "a file.pb.gz");
}

TEST_F(OptionsTest, NamesIgnoreCaseBlanksAndUnderscores) {
  options.Set("minibatch size", "2");
  EXPECT_EQ(params.batch, 2);
  options.Set("MINIBATCH_SIZE", "3");
  EXPECT_EQ(params.batch, 3);
  options.Set("ExpertKnob", "4");
  EXPECT_EQ(params.expert, 4);
}

TEST_F(OptionsTest, AliasesNameTheSameOption) {
  options.Set("batchsize", "5");
  EXPECT_EQ(params.batch, 5);
  EXPECT_EQ(options.FindByName("BatchLimit"), options.FindByName("MinibatchSize"));
}

TEST_F(OptionsTest, FlagsFindTheirOption) {
  EXPECT_EQ(options.FindByFlag("minibatch-size")->uci_name, "MinibatchSize");
  EXPECT_EQ(options.FindByShortFlag('b')->uci_name, "MinibatchSize");
  EXPECT_EQ(options.FindByFlag("MinibatchSize"), nullptr);
  EXPECT_EQ(options.FindByFlag(""), nullptr);
  EXPECT_EQ(options.FindByShortFlag(0), nullptr);
}

TEST_F(OptionsTest, ARefusedValueIsNamedAndChangesNothing) {
  for (const char* value : {"0", "1025", "64.5", "many", "", "99999999999999999999"}) {
    const std::string error = ErrorOf([&] { options.Set("MinibatchSize", value); });
    EXPECT_THAT(error, HasSubstr("MinibatchSize")) << value;
    EXPECT_THAT(error, HasSubstr("\"" + std::string(value) + "\"")) << value;
  }
  EXPECT_THAT(ErrorOf([&] { options.Set("MinibatchSize", "1025"); }), HasSubstr("1 to 1024"));
  EXPECT_EQ(params.batch, 64);
  EXPECT_THAT(ErrorOf([&] { options.Set("CPuct", "-0.1"); }), HasSubstr("CPuct"));
  EXPECT_THAT(ErrorOf([&] { options.Set("CPuct", "nan"); }), HasSubstr("CPuct"));
  EXPECT_EQ(params.cpuct, 1.745f);
  EXPECT_THAT(ErrorOf([&] { options.Set("Ponder", "perhaps"); }), HasSubstr("Ponder"));
  EXPECT_TRUE(params.ponder);
}

TEST_F(OptionsTest, AComboTakesItsValuesInAnyCaseAndListsThemOtherwise) {
  options.Set("FpuStrategy", "ABSOLUTE");
  EXPECT_EQ(params.fpu, "absolute");
  const std::string error = ErrorOf([&] { options.Set("FpuStrategy", "none"); });
  EXPECT_THAT(error, HasSubstr("FpuStrategy: \"none\""));
  EXPECT_THAT(error, HasSubstr("reduction, absolute"));
  EXPECT_EQ(params.fpu, "absolute");
}

TEST_F(OptionsTest, EmptyStringsAreWrittenAsTheProtocolSays) {
  options.Set("WeightsFile", "x");
  options.Set("WeightsFile", "<empty>");
  EXPECT_EQ(params.weights, "");
}

TEST_F(OptionsTest, UnknownNamesSuggestCloseOnes) {
  const std::string error = ErrorOf([&] { options.Set("MinibatchSzie", "1"); });
  EXPECT_THAT(error, HasSubstr("\"MinibatchSzie\""));
  EXPECT_THAT(error, HasSubstr("Did you mean \"MinibatchSize\"?"));
}

TEST_F(OptionsTest, ButtonsAreCalledWhenSet) {
  int pressed = 0;
  options.AddButton("Clear Hash", "forget evaluations", [&pressed] { ++pressed; });
  EXPECT_EQ(pressed, 0);
  options.Set("clearhash", "");
  EXPECT_EQ(pressed, 1);
  EXPECT_EQ(options.UciLines(false).back(), "option name Clear Hash type button");
}

TEST_F(OptionsTest, UciLinesShowTypeDefaultAndRange) {
  EXPECT_THAT(options.UciLines(false),
              ElementsAre("option name Ponder type check default true",
                          "option name MinibatchSize type spin default 64 min 1 max 1024",
                          "option name CPuct type string default 1.745",
                          "option name FpuStrategy type combo default reduction var reduction "
                          "var absolute",
                          "option name WeightsFile type string default <empty>"));
  EXPECT_EQ(options.UciLines(true).back(),
            "option name Expert_Knob type spin default 1 min 0 max 100000");
}

TEST_F(OptionsTest, UciLinesKeepTheDefaultAfterAChange) {
  options.Set("MinibatchSize", "2");
  EXPECT_THAT(options.UciLines(false)[1], HasSubstr("default 64"));
}

TEST_F(OptionsTest, HelpListsFlagsRangesAndDefaults) {
  const std::string help = options.Help(false);
  EXPECT_THAT(help, HasSubstr("-b, --minibatch-size=VALUE"));
  EXPECT_THAT(help, HasSubstr("--[no-]ponder"));
  EXPECT_THAT(help, HasSubstr("1 to 1024"));
  EXPECT_THAT(help, HasSubstr("reduction, absolute"));
  EXPECT_THAT(help, HasSubstr("--hidden"));
  EXPECT_THAT(help, Not(HasSubstr("expert-knob")));
  EXPECT_THAT(options.Help(true), HasSubstr("expert-knob"));
}

TEST_F(OptionsTest, OnlyChangedOptionsAreDescribed) {
  EXPECT_EQ(options.DescribeChanged(), "");
  options.Set("CPuct", "3");
  options.Set("WeightsFile", "my net.pb");
  options.Set("MinibatchSize", "64");
  EXPECT_EQ(options.DescribeChanged(), "CPuct=3 WeightsFile=\"my net.pb\"");
}

TEST(OptionSetDeclaration, FaultyRowsAreRefusedWhenAdded) {
  Params params;
  const OptionRow<Params> no_range[] = {{&Params::batch, "A", "a"}};
  EXPECT_THAT(ErrorOf([&] { OptionSet().Add(no_range, &params); }), HasSubstr("without a range"));
  const OptionRow<Params> bad_default[] = {{&Params::batch, "A", "a", 1, 10}};
  EXPECT_THAT(ErrorOf([&] { OptionSet().Add(bad_default, &params); }), HasSubstr("\"64\""));
  const OptionRow<Params> twice[] = {{&Params::batch, "One", "one", 1, 100},
                                     {&Params::weights, "o_ne", "two"}};
  EXPECT_THAT(ErrorOf([&] { OptionSet().Add(twice, &params); }), HasSubstr("Two options"));
  const OptionRow<Params> same_flag[] = {{&Params::batch, "One", "one", 1, 100},
                                         {&Params::weights, "Two", "one"}};
  EXPECT_THAT(ErrorOf([&] { OptionSet().Add(same_flag, &params); }), HasSubstr("--one"));
}

}  // namespace
}  // namespace plexus
