#include "base/options_parser.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Params {
  bool ponder = false;
  int threads = 1;
  float share = 0.5f;
  std::string weights;
};

const OptionRow<Params> kRows[] = {
    {&Params::ponder, "Ponder", "ponder", 0, 0, "", OptionVisibility::kNormal, "", 'p'},
    {&Params::threads, "Threads", "threads", 1, 64, "", OptionVisibility::kNormal, "", 't'},
    {&Params::share, "Share", "share", -1, 1, ""},
    {&Params::weights, "WeightsFile", "weights", 0, 0, "", OptionVisibility::kNormal, "", 'w'},
};

class OptionsParserTest : public ::testing::Test {
 protected:
  void SetUp() override { options.Add(kRows, &params); }
  std::vector<std::string> Parse(const std::vector<std::string>& args) {
    return ParseCommandLine(args, &options);
  }
  Params params;
  OptionSet options;
  TemporaryFolder folder;
};

TEST_F(OptionsParserTest, ValuesStandBehindAnEqualsSignOrFollow) {
  EXPECT_THAT(Parse({"--threads=4", "--weights", "a.pb", "--share=-0.25"}), IsEmpty());
  EXPECT_EQ(params.threads, 4);
  EXPECT_EQ(params.weights, "a.pb");
  EXPECT_EQ(params.share, -0.25f);
}

TEST_F(OptionsParserTest, NegativeNumbersAreValues) {
  Parse({"--share", "-0.5"});
  EXPECT_EQ(params.share, -0.5f);
  EXPECT_THAT(Parse({"-5", "-.5", "-"}), ElementsAre("-5", "-.5", "-"));
}

TEST_F(OptionsParserTest, TrueFalseOptionsNeedNoValue) {
  EXPECT_THAT(Parse({"--ponder", "rest"}), ElementsAre("rest"));
  EXPECT_TRUE(params.ponder);
  Parse({"--no-ponder"});
  EXPECT_FALSE(params.ponder);
  Parse({"-p"});
  EXPECT_TRUE(params.ponder);
  Parse({"--ponder=false"});
  EXPECT_FALSE(params.ponder);
}

TEST_F(OptionsParserTest, ShortFlagsTakeTheirValueWithOrWithoutABlank) {
  Parse({"-t", "4", "-wfile.pb"});
  EXPECT_EQ(params.threads, 4);
  EXPECT_EQ(params.weights, "file.pb");
}

TEST_F(OptionsParserTest, WhatIsNoFlagIsReturnedInOrder) {
  EXPECT_THAT(Parse({"one", "--threads=2", "two", "--", "--threads=3", "-x"}),
              ElementsAre("one", "two", "--threads=3", "-x"));
  EXPECT_EQ(params.threads, 2);
}

TEST_F(OptionsParserTest, UnknownFlagsSuggestCloseOnes) {
  const std::string error = ErrorOf([&] { Parse({"--thread=2"}); });
  EXPECT_THAT(error, HasSubstr("--thread."));
  EXPECT_THAT(error, HasSubstr("Did you mean \"threads\"?"));
  EXPECT_THAT(ErrorOf([&] { Parse({"-x"}); }), HasSubstr("-x"));
  EXPECT_THAT(ErrorOf([&] { Parse({"--no-threads"}); }), HasSubstr("--no-threads"));
}

TEST_F(OptionsParserTest, MissingAndRefusedValuesAreErrors) {
  EXPECT_THAT(ErrorOf([&] { Parse({"--threads"}); }), HasSubstr("--threads needs a value"));
  EXPECT_THAT(ErrorOf([&] { Parse({"-t"}); }), HasSubstr("-t needs a value"));
  EXPECT_THAT(ErrorOf([&] { Parse({"--threads=0"}); }), HasSubstr("Threads: \"0\""));
  EXPECT_THAT(ErrorOf([&] { Parse({"--no-ponder=1"}); }), HasSubstr("takes no value"));
  EXPECT_THAT(ErrorOf([&] { Parse({"-p1"}); }), HasSubstr("takes no value"));
}

TEST_F(OptionsParserTest, ConfigFileSetsOptionsByFlagOrName) {
  const std::string path = folder.Write(
      "my.config", "# a comment\r\n\nthreads = 8\r\n--share=0.25\nWeights File=a b.pb\nponder\n");
  ApplyConfigFile(path, &options);
  EXPECT_EQ(params.threads, 8);
  EXPECT_EQ(params.share, 0.25f);
  EXPECT_EQ(params.weights, "a b.pb");
  EXPECT_TRUE(params.ponder);
}

TEST_F(OptionsParserTest, FlagsWinOverTheConfigFileWhereverTheyStand) {
  const std::string path = folder.Write("my.config", "threads=8\nshare=0.25\n");
  Parse({"--threads=2", "--config=" + path});
  EXPECT_EQ(params.threads, 2);
  EXPECT_EQ(params.share, 0.25f);
}

TEST_F(OptionsParserTest, FaultsInTheConfigFileNameFileAndLine) {
  const std::string path = folder.Write("my.config", "threads=2\n\nthraeds=8\n");
  const std::string error = ErrorOf([&] { Parse({"--config", path}); });
  EXPECT_THAT(error, HasSubstr(path + ":3:"));
  EXPECT_THAT(error, HasSubstr("Did you mean \"threads\"?"));
  const std::string no_value = folder.Write("other.config", "threads\n");
  EXPECT_THAT(ErrorOf([&] { ApplyConfigFile(no_value, &options); }), HasSubstr(":1:"));
  EXPECT_THAT(ErrorOf([&] { Parse({"--config=" + folder.Path("none")}); }), HasSubstr("none"));
  EXPECT_THAT(ErrorOf([&] { Parse({"--config"}); }), HasSubstr("needs a value"));
}

TEST(WantsHelp, LooksForHelpBeforeTheEndOfTheFlags) {
  EXPECT_TRUE(WantsHelp(std::vector<std::string>{"a", "--help"}));
  EXPECT_TRUE(WantsHelp(std::vector<std::string>{"-h"}));
  EXPECT_FALSE(WantsHelp(std::vector<std::string>{"help", "--", "--help"}));
}

}  // namespace
}  // namespace plexus
