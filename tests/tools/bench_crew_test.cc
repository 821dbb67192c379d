#include "tools/bench_crew.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>

#include "base/exception.h"

namespace plexus {
namespace {

TEST(BenchCrew, EveryThreadRunsEveryBatch) {
  std::atomic<int> positions{0};
  const BatchRunnerMaker maker = [&]() -> BatchRunner {
    return [&](int batch) { positions += batch; };
  };
  BenchCrew crew({maker, maker, maker});
  EXPECT_EQ(crew.threads(), 3);
  EXPECT_GE(crew.Time(5, 7), 0);
  EXPECT_EQ(positions, 3 * 5 * 7);
}

TEST(BenchCrew, HandsOnWhatAMakerThrows) {
  const BatchRunnerMaker good = [] { return BatchRunner([](int) {}); };
  const BatchRunnerMaker bad = []() -> BatchRunner { throw Exception("no device"); };
  EXPECT_THROW(BenchCrew({good, bad}), Exception);
}

TEST(BenchCrew, HandsOnWhatARunThrowsAndStillEnds) {
  const BatchRunnerMaker bad = [] { return BatchRunner([](int) { throw Exception("too hot"); }); };
  BenchCrew crew({bad, bad});
  EXPECT_THROW(crew.Time(1, 3), Exception);
}

TEST(CrewPositions, AreManyDifferentOnes) {
  const std::vector<CrewPosition> positions = MakeCrewPositions(InputFormat::kClassical, 300, 1);
  ASSERT_EQ(positions.size(), 300u);
  std::set<std::vector<uint64_t>> planes;
  for (const CrewPosition& p : positions) {
    EXPECT_FALSE(p.legal_moves.empty());
    EXPECT_LE(p.history.size(), 8u);
    planes.insert({p.planes.mask.begin(), p.planes.mask.end()});
  }
  EXPECT_GT(planes.size(), 280u);
}

}  // namespace
}  // namespace plexus
