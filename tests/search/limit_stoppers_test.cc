#include "search/limit_stoppers.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

SearchStats Stats() {
  SearchStats stats;
  stats.root_moves = 20;
  return stats;
}

TEST(NodesStopper, StopsAtTheNumberAndSaysWhatIsLeft) {
  struct Row {
    int64_t nodes;
    bool stops;
    int64_t remaining;
  };
  for (const Row& row :
       {Row{0, false, 100}, Row{99, false, 1}, Row{100, true, 0}, Row{130, true, 0}}) {
    NodesStopper stopper(100, false);
    SearchStats stats = Stats();
    stats.nodes = row.nodes;
    StopperHints hints;
    EXPECT_EQ(stopper.ShouldStop(stats, &hints), row.stops) << row.nodes;
    EXPECT_EQ(hints.remaining_playouts, row.remaining) << row.nodes;
  }
}

TEST(NodesStopper, ZeroNodesStopsBeforeAnyBatch) {
  NodesStopper stopper(0, false);
  StopperHints hints;
  EXPECT_TRUE(stopper.ShouldStop(Stats(), &hints));
}

TEST(NodesStopper, PlayoutsDoNotCountWhatWasKeptFromTheLastSearch) {
  SearchStats stats = Stats();
  stats.nodes = 5000;
  stats.playouts = 99;
  StopperHints hints;
  EXPECT_FALSE(NodesStopper(100, true).ShouldStop(stats, &hints));
  stats.playouts = 100;
  EXPECT_TRUE(NodesStopper(100, true).ShouldStop(stats, &hints));
}

TEST(MovetimeStopper, KeepsBackTheOverheadButAtMostATenth) {
  EXPECT_EQ(MovetimeStopper(10000, 100).DeadlineMs(), 9900);
  EXPECT_EQ(MovetimeStopper(100, 100).DeadlineMs(), 90);
  EXPECT_EQ(MovetimeStopper(1, 100).DeadlineMs(), 1);
  EXPECT_EQ(MovetimeStopper(0, 100).DeadlineMs(), 0);
  EXPECT_EQ(MovetimeStopper(-5, 100).DeadlineMs(), 0);
}

TEST(MovetimeStopper, StopsAtItsDeadlineNotBefore) {
  MovetimeStopper stopper(1000, 0);
  SearchStats stats = Stats();
  StopperHints hints;
  stats.elapsed_ms = 999;
  EXPECT_FALSE(stopper.ShouldStop(stats, &hints));
  EXPECT_EQ(hints.remaining_ms, 1);
  stats.elapsed_ms = 1000;
  EXPECT_TRUE(stopper.ShouldStop(stats, &hints));
  EXPECT_EQ(hints.remaining_ms, 0);
}

TEST(DepthStopper, StopsAtTheAverageDepthNotTheLongestPath) {
  DepthStopper stopper(4);
  SearchStats stats = Stats();
  StopperHints hints;
  stats.average_depth = 3;
  stats.max_depth = 30;
  EXPECT_FALSE(stopper.ShouldStop(stats, &hints));
  stats.average_depth = 4;
  EXPECT_TRUE(stopper.ShouldStop(stats, &hints));
}

TEST(DepthStopper, DepthZeroStopsBeforeAnyBatch) {
  StopperHints hints;
  EXPECT_TRUE(DepthStopper(0).ShouldStop(Stats(), &hints));
}

TEST(MateStopper, StopsForAMateThatIsShortEnough) {
  struct Row {
    int proven;
    bool stops;
  };
  for (const Row& row : {Row{0, false}, Row{4, false}, Row{3, true}, Row{1, true}}) {
    MateStopper stopper(3);
    SearchStats stats = Stats();
    stats.proven_mate_moves = row.proven;
    StopperHints hints;
    EXPECT_EQ(stopper.ShouldStop(stats, &hints), row.stops) << row.proven;
  }
}

TEST(ProvenStopper, StopsWhenTheRootIsKnownOrAWinIs) {
  StopperHints hints;
  SearchStats stats = Stats();
  EXPECT_FALSE(ProvenStopper().ShouldStop(stats, &hints));
  stats.root_is_proven = true;
  EXPECT_TRUE(ProvenStopper().ShouldStop(stats, &hints));
  stats.root_is_proven = false;
  stats.best_is_proven_win = true;
  EXPECT_TRUE(ProvenStopper().ShouldStop(stats, &hints));
}

}  // namespace
}  // namespace plexus
