#include "tools/benchmark_sweep.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error_of.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "tools/benchmark.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

class BenchmarkSweepTest : public ::testing::Test {
 protected:
  nlohmann::json Run(std::vector<std::string> args) {
    const std::string path = folder.Path("sweep.json");
    for (const char* arg : {"--sweep", "--config=", "--nodes=200", "--num-positions=1"})
      args.push_back(arg);
    args.push_back("--json=" + path);
    ::testing::internal::CaptureStdout();
    ::testing::internal::CaptureStderr();
    EXPECT_EQ(RunBenchmark(args), 0);
    progress = ::testing::internal::GetCapturedStderr();
    output = ::testing::internal::GetCapturedStdout();
    return nlohmann::json::parse(ReadFile(path));
  }
  TemporaryFolder folder;
  std::string output, progress;
};

TEST_F(BenchmarkSweepTest, EveryCellIsMeasuredWithItsDevices) {
  const auto json =
      Run({"--devices=1,2", "--sweep-threads=1", "--sweep-minibatch=16,32", "--backend=sim"});
  ASSERT_EQ(json.at("rows").size(), 4u);
  const int devices[] = {1, 2, 1, 2}, minibatch[] = {16, 16, 32, 32};
  for (size_t i = 0; i < 4; ++i) {
    const auto& row = json.at("rows")[i];
    EXPECT_EQ(row.at("devices"), devices[i]);
    EXPECT_EQ(row.at("minibatch_used"), minibatch[i]);
    EXPECT_EQ(row.at("threads_used"), 1);
    EXPECT_EQ(row.at("per_device").size(), static_cast<size_t>(devices[i]));
    EXPECT_GE(row.at("nodes").get<int>(), 200);
    EXPECT_GT(row.at("gather_us_per_node").get<double>(), 0);
    EXPECT_GT(row.at("backup_us_per_node").get<double>(), 0);
  }
  EXPECT_THAT(output, HasSubstr("Recommendation: Backend=multiplexing"));
  EXPECT_THAT(progress, HasSubstr("[4/4]"));
}

TEST_F(BenchmarkSweepTest, AConfigurationThatFailsIsARow) {
  const auto json = Run({"--devices=1,2,3", "--threads=1", "--backend=multiplexing",
                         "--backend-opts=(backend=sim),(backend=cudnn)"});
  ASSERT_EQ(json.at("rows").size(), 3u);
  EXPECT_TRUE(json.at("rows")[0].at("error").is_null());
  EXPECT_THAT(json.at("rows")[1].at("error").get<std::string>(), HasSubstr("cudnn"));
  EXPECT_THAT(json.at("rows")[2].at("error").get<std::string>(), HasSubstr("2 devices, not 3"));
  EXPECT_THAT(output, HasSubstr("failed: "));
}

TEST_F(BenchmarkSweepTest, WaysToJoinDevicesStandSideBySide) {
  const auto json =
      Run({"--devices=2", "--threads=2", "--backend=sim", "--combiners=multiplexing,demux,nobody"});
  ASSERT_EQ(json.at("rows").size(), 3u);
  EXPECT_EQ(json.at("rows")[1].at("combiner"), "demux");
  EXPECT_TRUE(json.at("rows")[1].at("error").is_null());
  EXPECT_THAT(json.at("rows")[2].at("error").get<std::string>(), HasSubstr("nobody"));
}

TEST_F(BenchmarkSweepTest, ListsThatCannotBeReadEndIt) {
  const auto error = [](const std::string& arg) {
    return ErrorOf([&] {
      RunBenchmark(std::vector<std::string>{"--sweep", "--config=", "--backend=sim", arg});
    });
  };
  EXPECT_THAT(error("--devices=0"), HasSubstr("devices"));
  EXPECT_THAT(error("--sweep-threads=1,129"), HasSubstr("sweep-threads"));
  EXPECT_THAT(error("--sweep-minibatch=big"), HasSubstr("\"big\""));
}

TEST(RunSweepTest, LeavesTheOptionsAsTheyWere) {
  EngineOptions options;
  options.backend.backend = "sim";
  options.search.threads = 1;
  SweepRequest request;
  request.lists.devices = "2";
  request.lists.minibatches = "16";
  request.fens = {"8/8/8/8/8/3k4/8/R3K2R w KQ - 0 1"};
  request.limits.nodes = 20;
  ::testing::internal::CaptureStderr();
  const Sweep sweep = RunSweep(request, &options);
  ::testing::internal::GetCapturedStderr();
  ASSERT_EQ(sweep.rows.size(), 1u);
  EXPECT_EQ(sweep.rows[0].error, "");
  EXPECT_EQ(options.backend.backend, "sim");
  EXPECT_EQ(options.backend.backend_options, "");
  EXPECT_EQ(options.search.threads, 1);
  EXPECT_EQ(options.search.minibatch_size, 0);
}

}  // namespace
}  // namespace plexus
