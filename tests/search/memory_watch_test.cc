#include "search/memory_watch.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

constexpr int64_t kMiB = 1 << 20;

TEST(MemoryWatch, AutomaticLimitIsTwoThirdsOfTheMachine) {
  EXPECT_EQ(MemoryLimitBytes(0, 3000 * kMiB), 2000 * kMiB);
  EXPECT_EQ(MemoryLimitBytes(500, 3000 * kMiB), 500 * kMiB);
  EXPECT_EQ(MemoryLimitBytes(0, 0), 0);
}

TEST(MemoryWatch, TheLimitCountsTreeAndEverythingElse) {
  SearchStats stats;
  StopperHints hints;
  MemoryStopper stopper(500 * kMiB, 100 * kMiB);
  stats.tree_bytes = 399 * kMiB;
  EXPECT_FALSE(stopper.ShouldStop(stats, &hints));
  stats.tree_bytes = 400 * kMiB;
  EXPECT_TRUE(stopper.ShouldStop(stats, &hints));
}

TEST(MemoryWatch, ALimitBelowWhatIsUsedAlreadyLeavesTheTreeAnEighth) {
  SearchStats stats;
  StopperHints hints;
  MemoryStopper stopper(80 * kMiB, 300 * kMiB);
  stats.tree_bytes = 9 * kMiB;
  EXPECT_FALSE(stopper.ShouldStop(stats, &hints));
  stats.tree_bytes = 10 * kMiB;
  EXPECT_TRUE(stopper.ShouldStop(stats, &hints));
}

TEST(MemoryWatch, WithoutALimitItNeverStops) {
  SearchStats stats;
  StopperHints hints;
  stats.tree_bytes = int64_t{1} << 50;
  EXPECT_FALSE(MemoryStopper(0, 0).ShouldStop(stats, &hints));
}

TEST(MemoryWatch, ThisProcessUsesSomeOfThisMachine) {
  EXPECT_GT(ResidentBytes(), kMiB);
  EXPECT_GT(MachineMemoryBytes(), ResidentBytes());
}

}  // namespace
}  // namespace plexus
