#include "engine/engine_options.h"

#include <gtest/gtest.h>

#include <set>

#include "base/error_of.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

TEST(EngineOptions, EveryOptionTakesItsOwnDefault) {
  EngineOptions options;
  for (const Option& option : options.set.all()) {
    if (option.type == OptionType::kButton) continue;
    EXPECT_NO_THROW(option.set(option.default_value)) << option.uci_name;
    EXPECT_EQ(option.get(), option.default_value) << option.uci_name;
    EXPECT_FALSE(option.help.empty()) << option.uci_name;
  }
  EXPECT_EQ(options.set.DescribeChanged(), "");
}

TEST(EngineOptions, NamesThatInterfacesSendAreThere) {
  EngineOptions options;
  for (const char* name :
       {"Threads",        "Hash",           "MultiPV",         "Ponder",
        "UCI_Chess960",   "UCI_ShowWDL",    "UCI_AnalyseMode", "WeightsFile",
        "Backend",        "BackendOptions", "MinibatchSize",   "Move Overhead",
        "moveoverheadms", "MOVE OVERHEAD",  "Move_Overhead",   "MoveOverhead",
        "RamLimitMb",     "NNCacheSize",    "LogFile",         "SmartPruningFactor"})
    EXPECT_NE(options.set.FindByName(name), nullptr) << name;
}

TEST(EngineOptions, ARefusedValueKeepsTheFormerOne) {
  EngineOptions options;
  options.set.Set("Threads", "3");
  for (const char* value : {"-1", "999999999", "abc", "", "99999999999999999999", "1.5"})
    EXPECT_THROW(options.set.Set("Threads", value), Exception) << value;
  EXPECT_THROW(options.set.Set("MultiPV", "0"), Exception);
  EXPECT_THROW(options.set.Set("Hash", "99999999999999999999"), Exception);
  EXPECT_EQ(options.search.threads, 3);
  EXPECT_EQ(options.search.multi_pv, 1);
  EXPECT_EQ(options.engine.hash_mb, 0);
}

TEST(EngineOptions, HashSizesTheNetworkCacheAndZeroLeavesItAlone) {
  EngineOptions options;
  const int usual = options.backend.nn_cache_size;
  EXPECT_EQ(options.EffectiveBackend().nn_cache_size, usual);
  options.set.Set("Hash", "112");
  EXPECT_EQ(options.EffectiveBackend().nn_cache_size, 1 << 20);
  options.set.Set("Hash", "33554432");
  EXPECT_EQ(options.EffectiveBackend().nn_cache_size, 999999999);
}

TEST(EngineOptions, ExpertOptionsAreShownOnlyWhenAskedFor) {
  EngineOptions options;
  const auto shows = [&](bool expert, const std::string& name) {
    for (const std::string& line : options.set.UciLines(expert))
      if (line.find("option name " + name + " type") == 0) return true;
    return false;
  };
  EXPECT_FALSE(shows(false, "KLDGainAverageInterval"));
  EXPECT_TRUE(shows(true, "KLDGainAverageInterval"));
  EXPECT_TRUE(shows(false, "Move Overhead"));
  EXPECT_FALSE(shows(true, "ShowHidden"));
}

struct Folders {
  TemporaryFolder working, program;
  ProgramPaths Paths() const { return {working.Path("."), program.Path(".")}; }
};

TEST(LoadOptions, TheConfigFileOfTheWorkingFolderGoesBeforeTheOneBesideTheProgram) {
  Folders folders;
  EngineOptions options;
  folders.program.Write("plexus.config", "threads=2\n");
  LoadOptions({}, folders.Paths(), &options.set);
  EXPECT_EQ(options.search.threads, 2);
  folders.working.Write("plexus.config", "threads=3\n");
  LoadOptions({}, folders.Paths(), &options.set);
  EXPECT_EQ(options.search.threads, 3);
}

TEST(LoadOptions, FlagsWinOverTheConfigFileWhereverTheyStand) {
  Folders folders;
  const std::string file = folders.working.Write("my.config", "# mine\n--threads=2\nMultiPV=4\n");
  EngineOptions options;
  const std::vector<std::string> args = {"-t", "7", "--config=" + file, "rest"};
  EXPECT_EQ(LoadOptions(args, folders.Paths(), &options.set), std::vector<std::string>{"rest"});
  EXPECT_EQ(options.search.threads, 7);
  EXPECT_EQ(options.search.multi_pv, 4);
}

TEST(LoadOptions, AnEmptyConfigFlagReadsNoFile) {
  Folders folders;
  folders.working.Write("plexus.config", "threads=3\n");
  EngineOptions options;
  const std::vector<std::string> args = {"--config="};
  LoadOptions(args, folders.Paths(), &options.set);
  EXPECT_EQ(options.search.threads, 0);
}

TEST(LoadOptions, ABrokenFileThatWasFoundByItselfIsReportedNotFatal) {
  Folders folders;
  const std::string file = folders.program.Write("plexus.config", "threads=3\nthreds=4\n");
  EngineOptions options;
  std::string fault;
  LoadOptions({}, folders.Paths(), &options.set, &fault);
  EXPECT_NE(fault.find("plexus.config:2"), std::string::npos) << fault;
  EXPECT_NE(fault.find("threds"), std::string::npos) << fault;
  EXPECT_EQ(options.search.threads, 3);
  EXPECT_THROW(LoadOptions({}, folders.Paths(), &options.set), Exception);
}

TEST(LoadOptions, AFileThatWasAskedForMustBeThere) {
  Folders folders;
  EngineOptions options;
  std::string fault;
  for (const std::vector<std::string>& args : {std::vector<std::string>{"--config=/nowhere/at.all"},
                                               {"--config", "/nowhere/at.all"},
                                               {"--config"}})
    EXPECT_THROW(LoadOptions(args, folders.Paths(), &options.set, &fault), Exception);
}

TEST(LoadOptions, AnUnknownFlagNamesCloseOnes) {
  Folders folders;
  EngineOptions options;
  const std::vector<std::string> args = {"--minibach-size=3"};
  const std::string error = ErrorOf([&] { LoadOptions(args, folders.Paths(), &options.set); });
  EXPECT_NE(error.find("minibatch-size"), std::string::npos) << error;
}

TEST(ProgramPaths, TheFolderOfThisTestIsFound) {
  EXPECT_TRUE(std::filesystem::is_directory(FindProgramPaths().program_folder));
}

}  // namespace
}  // namespace plexus
