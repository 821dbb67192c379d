#include "tools/backend_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <vector>

#include "base/exception.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

std::string OutputOf(const std::vector<std::string>& args) {
  ::testing::internal::CaptureStdout();
  try {
    EXPECT_EQ(RunBackendBench(args), 0);
  } catch (...) {
    ::testing::internal::GetCapturedStdout();
    throw;
  }
  return ::testing::internal::GetCapturedStdout();
}

std::vector<double> NumbersAfter(const std::string& key, const std::string& text) {
  std::vector<double> numbers;
  const std::regex pattern("\"" + key + "\":([-0-9.e+]+)");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    numbers.push_back(std::stod((*it)[1]));
  }
  return numbers;
}

TEST(BackendBench, GivesARowForEveryBatchSizeAndNumberOfThreads) {
  const std::string json =
      OutputOf({"--batches=1,3", "--threads=1,2", "--rounds=2", "--round-ms=1", "--json"});
  EXPECT_EQ(NumbersAfter("batch", json), (std::vector<double>{1, 3, 1, 3}));
  EXPECT_EQ(NumbersAfter("threads", json), (std::vector<double>{1, 1, 2, 2}));
  const std::vector<double> best = NumbersAfter("ms_min", json);
  const std::vector<double> median = NumbersAfter("ms_median", json);
  const std::vector<double> rates = NumbersAfter("positions_per_second", json);
  ASSERT_EQ(rates.size(), 4u);
  for (int i = 0; i < 4; ++i) {
    EXPECT_GT(best[i], 0);
    EXPECT_LE(best[i], median[i]);
    const double positions = NumbersAfter("batch", json)[i] * NumbersAfter("threads", json)[i];
    EXPECT_NEAR(rates[i], positions / best[i] * 1e3, rates[i] * 1e-3);
  }
}

TEST(BackendBench, CountsTheNominalOperationsOfA64x6NetworkAsTheLiteratureDoes) {
  // 76.30 MFLOP: every tap counted, squeeze-and-excite and heads included.
  PLEXUS_REQUIRE_SHARED("nets/maia-1900.pb.gz");
  const std::string json = OutputOf({"--weights=" + SharedPath("nets/maia-1900.pb.gz"),
                                     "--batches=1", "--rounds=1", "--round-ms=1", "--json"});
  ASSERT_EQ(NumbersAfter("flop_per_position", json).size(), 1u);
  EXPECT_NEAR(NumbersAfter("flop_per_position", json)[0], 76.3e6, 0.01e6);
}

TEST(BackendBench, SweepsFromStartToMaxByStep) {
  const std::string json = OutputOf({"--start-batch-size=2", "--max-batch-size=8", "--batch-step=3",
                                     "--rounds=1", "--round-ms=1", "--json"});
  EXPECT_EQ(NumbersAfter("batch", json), (std::vector<double>{2, 5, 8}));
}

TEST(BackendBench, PeakAddsTheMachinesYardsticks) {
  const std::string json =
      OutputOf({"--batches=1", "--rounds=1", "--round-ms=1", "--peak", "--json"});
  ASSERT_EQ(NumbersAfter("portable-fp32", json).size(), 1u);
  EXPECT_GT(NumbersAfter("portable-fp32", json)[0], 0.1);
  EXPECT_GT(NumbersAfter("conv64_gflops", json)[0], 0.1);
  EXPECT_EQ(NumbersAfter("of_peak", json).size(), 1u);
}

TEST(BackendBench, MeasuresTheWholeBackendToo) {
  const std::string table = OutputOf({"--batches=4", "--rounds=1", "--round-ms=1",
                                      "--through-backend", "--backend-opts=threads=1"});
  EXPECT_THAT(table, HasSubstr("whole backend"));
  EXPECT_THAT(table, HasSubstr("positions/s"));
}

TEST(BackendBench, TellsItsOptions) {
  const std::string help = OutputOf({"--help"});
  for (const char* option : {"--weights", "--batches", "--threads", "--[no-]peak", "--json-file"}) {
    EXPECT_THAT(help, HasSubstr(option));
  }
}

TEST(BackendBench, RefusesWhatItDoesNotKnow) {
  EXPECT_THROW(OutputOf({"--batches=0"}), Exception);
  EXPECT_THROW(OutputOf({"--batches=1,x"}), Exception);
  EXPECT_THROW(OutputOf({"--threads="}), Exception);
  EXPECT_THROW(OutputOf({"--random-network=big"}), Exception);
  EXPECT_THROW(OutputOf({"--backend=tpu"}), Exception);
  EXPECT_THROW(OutputOf({"--backend-opts=isaa=avx2"}), Exception);
  EXPECT_THROW(OutputOf({"--start-batch-size=9", "--max-batch-size=8"}), Exception);
  EXPECT_THROW(OutputOf({"surplus"}), Exception);
  EXPECT_THROW(OutputOf({"--weights=/nonexistent/network.pb.gz"}), Exception);
}

}  // namespace
}  // namespace plexus
