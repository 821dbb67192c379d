#include "tools/benchmark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/files.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

class BenchmarkTest : public ::testing::Test {
 protected:
  // Runs with the fake backend and one thread; returns the JSON object.
  nlohmann::json Run(std::vector<std::string> args) {
    const std::string path = folder.Path("benchmark.json");
    for (const char* arg : {"--config=", "--backend=fake", "--threads=1", "--minibatch-size=32"}) {
      args.push_back(arg);
    }
    args.push_back("--json=" + path);
    ::testing::internal::CaptureStdout();
    EXPECT_EQ(RunBenchmark(args), 0);
    output = ::testing::internal::GetCapturedStdout();
    return nlohmann::json::parse(ReadFile(path));
  }
  std::string ErrorWith(const std::string& arg) {
    return ErrorOf([&arg] {
      RunBenchmark(std::vector<std::string>{"--config=", "--backend=fake", "--nodes=10", arg});
    });
  }
  TemporaryFolder folder;
  std::string output;
};

TEST_F(BenchmarkTest, SearchesAsManyPositionsAndVisitsAsAsked) {
  const nlohmann::json json = Run({"--nodes=300", "--num-positions=3"});
  ASSERT_EQ(json.at("positions").size(), 3u);
  for (const auto& position : json.at("positions")) {
    EXPECT_GE(position.at("nodes").get<int>(), 300);
    EXPECT_LT(position.at("nodes").get<int>(), 300 + 32);
    EXPECT_GE(position.at("best_move").get<std::string>().size(), 4u);
  }
  EXPECT_THAT(output, HasSubstr("Nodes/second"));
  EXPECT_GT(json.at("nps").get<double>(), 0);
  EXPECT_GT(json.at("bytes_per_node").get<double>(), 64);
}

TEST_F(BenchmarkTest, OneThreadCountsTheSameEveryTime) {
  const nlohmann::json first = Run({"--nodes=300", "--num-positions=3"});
  const nlohmann::json second = Run({"--nodes=300", "--num-positions=3"});
  EXPECT_EQ(first.at("evaluations"), second.at("evaluations"));
  EXPECT_EQ(first.at("minibatches"), second.at("minibatches"));
  for (size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(first.at("positions")[i].at("nodes"), second.at("positions")[i].at("nodes"));
    EXPECT_EQ(first.at("positions")[i].at("best_move"), second.at("positions")[i].at("best_move"));
  }
}

TEST_F(BenchmarkTest, TheTreeIsLockedOnceForAGatherAndOnceForABackup) {
  const nlohmann::json json = Run({"--nodes=2000", "--num-positions=2"});
  EXPECT_NEAR(json.at("lock_gather_per_minibatch").get<double>(), 1, 0.1);
  EXPECT_NEAR(json.at("lock_backup_per_minibatch").get<double>(), 1, 0.1);
}

TEST_F(BenchmarkTest, OwnPositionReplacesTheSet) {
  const nlohmann::json json = Run({"--nodes=50", "--fen=8/8/8/8/8/3k4/8/R3K2R w KQ - 0 1"});
  ASSERT_EQ(json.at("positions").size(), 1u);
  EXPECT_EQ(json.at("positions")[0].at("fen"), "8/8/8/8/8/3k4/8/R3K2R w KQ - 0 1");
}

TEST_F(BenchmarkTest, TimeForAMoveIsUsedInFull) {
  const nlohmann::json json = Run({"--movetime=30", "--num-positions=1"});
  EXPECT_GE(json.at("time_ms").get<double>(), 29);
}

TEST_F(BenchmarkTest, BadArgumentsAreRefusedByName) {
  EXPECT_THAT(ErrorWith("--num-positions=35"), HasSubstr("\"35\""));
  EXPECT_THAT(ErrorWith("--nodes=-1"), HasSubstr("\"-1\""));
  EXPECT_THAT(ErrorWith("--movetiem=5"), HasSubstr("Did you mean \"movetime\"?"));
  EXPECT_THAT(ErrorWith("word"), HasSubstr("\"word\""));
  EXPECT_THAT(ErrorWith("--backend=gpu"), HasSubstr("\"gpu\""));
  EXPECT_THAT(ErrorWith("--fen=8/8/8"), HasSubstr("8/8/8"));
  EXPECT_THAT(ErrorWith("--fen=7k/5QQ1/8/8/8/8/8/K7 b - - 0 1"), HasSubstr("game is over"));
}

}  // namespace
}  // namespace plexus
