#include "search/smart_pruning.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

// 1000 playouts in 1000 ms, 10 batches: one visit a millisecond.
SearchStats Running(int64_t best, int64_t second) {
  SearchStats stats;
  stats.elapsed_ms = 1000;
  stats.nodes = stats.playouts = 1000;
  stats.minibatches = 10;
  stats.best_visits = best;
  stats.second_visits = second;
  stats.root_moves = 20;
  return stats;
}
StopperHints Left(int64_t ms) {
  StopperHints hints;
  hints.remaining_ms = ms;
  return hints;
}

TEST(SmartPruning, StopsWhenTheSecondMoveCannotCatchUp) {
  struct Row {
    int64_t best, second, remaining_ms;
    double factor;
    bool stops;
  };
  for (const Row& row : {
           Row{700, 100, 500, 1.0, true},   // lead 600 > 500 visits
           Row{700, 100, 700, 1.0, false},  // 700 visits may overtake
           Row{700, 100, 700, 1.33, true},  // 700 / 1.33 = 526
           Row{500, 500, 100, 1.0, false},
           Row{700, 100, 0, 1.0, true},
       }) {
    SmartPruningStopper stopper(static_cast<float>(row.factor), 0);
    StopperHints hints = Left(row.remaining_ms);
    EXPECT_EQ(stopper.ShouldStop(Running(row.best, row.second), &hints), row.stops)
        << row.best << " " << row.remaining_ms << " " << row.factor;
  }
}

TEST(SmartPruning, LowersTheRemainingPlayoutsToItsEstimate) {
  SmartPruningStopper stopper(2.0f, 0);
  StopperHints hints = Left(500);
  stopper.ShouldStop(Running(500, 400), &hints);
  EXPECT_EQ(hints.remaining_playouts, 250);
}

TEST(SmartPruning, RecentSpeedGoesBeforeTheAverage) {
  SearchStats stats = Running(700, 100);
  stats.nps_window_playouts = 1000;
  stats.nps_window_ms = 100;  // ten times faster than the average
  SmartPruningStopper stopper(1.0f, 0);
  StopperHints hints = Left(500);
  EXPECT_FALSE(stopper.ShouldStop(stats, &hints));
}

TEST(SmartPruning, DoesNothingBeforeItsMinimumOfBatches) {
  SmartPruningStopper stopper(1.0f, 11);
  StopperHints hints = Left(10);
  EXPECT_FALSE(stopper.ShouldStop(Running(900, 1), &hints));
  SmartPruningStopper ten(1.0f, 10);
  EXPECT_TRUE(ten.ShouldStop(Running(900, 1), &hints));
}

// After a ponder hit or a long forced line the tree may come with a lead that no budget can
// overtake.
TEST(SmartPruning, AKeptTreeWithAHugeLeadStillGetsATenthOfTheTime) {
  SmartPruningStopper stopper(1.33f, 0);
  SearchStats stats = Running(900000, 10);
  stats.nodes = 1000000;
  stats.elapsed_ms = 50;
  stats.playouts = 50;
  StopperHints hints = Left(950);
  EXPECT_FALSE(stopper.ShouldStop(stats, &hints));
  stats.elapsed_ms = 100;
  stats.playouts = 100;
  hints = Left(900);
  EXPECT_TRUE(stopper.ShouldStop(stats, &hints));
}

TEST(SmartPruning, FactorZeroNeverStops) {
  SmartPruningStopper stopper(0.0f, 0);
  StopperHints hints = Left(0);
  EXPECT_FALSE(stopper.ShouldStop(Running(1000, 0), &hints));
}

TEST(SmartPruning, WithoutAnyLimitItNeverStops) {
  SmartPruningStopper stopper(1.33f, 0);
  StopperHints hints;
  EXPECT_FALSE(stopper.ShouldStop(Running(1000, 0), &hints));
}

TEST(ForcedMove, StopsAfterTheFirstBatchIfOneMoveIsLeft) {
  struct Row {
    int moves, losing;
    int64_t batches;
    bool stops;
  };
  for (const Row& row :
       {Row{1, 0, 0, false}, Row{1, 0, 1, true}, Row{2, 0, 1, false}, Row{2, 1, 1, true},
        Row{30, 29, 5, true}, Row{30, 28, 5, false}, Row{3, 3, 5, true}}) {
    SearchStats stats;
    stats.root_moves = row.moves;
    stats.losing_moves = row.losing;
    stats.minibatches = row.batches;
    StopperHints hints;
    EXPECT_EQ(ForcedMoveStopper().ShouldStop(stats, &hints), row.stops)
        << row.moves << " " << row.losing;
  }
}

}  // namespace
}  // namespace plexus
