#include "search/time_manager.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace plexus {
namespace {

SearchLimits Clock(int64_t white_ms, int64_t black_ms, int64_t increment_ms = 0) {
  SearchLimits limits;
  limits.time_ms[0] = white_ms;
  limits.time_ms[1] = black_ms;
  limits.increment_ms[0] = limits.increment_ms[1] = increment_ms;
  return limits;
}

TEST(Budget, StaysWithinTheClockMinusOverheadOnAnyClock) {
  std::mt19937_64 random(20260101);
  for (int i = 0; i < 200000; ++i) {
    const auto draw = [&](int64_t below) { return static_cast<int64_t>(random() % below); };
    SearchLimits limits;
    const int64_t clock = draw(int64_t{1} << draw(34)) - draw(50);
    limits.time_ms[0] = clock;
    if (draw(2)) limits.time_ms[1] = draw(100000);
    limits.increment_ms[0] = draw(3) ? draw(int64_t{1} << draw(20)) : -draw(10);
    if (draw(2)) limits.moves_to_go = static_cast<int>(draw(200));
    StopParams params;
    params.move_overhead_ms = static_cast<int>(draw(int64_t{1} << draw(16)));
    params.slowmover = 0.1f + static_cast<float>(draw(100)) / 10;
    params.ponder = draw(2);
    const int ply = static_cast<int>(draw(800));
    const TimeBudget budget = Budget(limits, Color::kWhite, ply, params);
    ASSERT_GE(budget.target_ms, 1);
    ASSERT_LE(budget.target_ms, budget.maximum_ms);
    const int64_t overhead = std::min<int64_t>(params.move_overhead_ms, clock / 2);
    ASSERT_LE(budget.maximum_ms, std::max<int64_t>(1, clock - overhead))
        << "clock " << clock << " ply " << ply;
  }
}

struct Match {
  int64_t initial_ms, increment_ms;
  int moves_per_control;  // 0: sudden death
  int64_t most_lag_ms;    // real loss of a move, 0..this
};

// Plays one side's clock through 300 moves in which every move takes its maximum or its target and
// some lag.
int64_t LeastClockOf300Moves(const Match& match, bool always_maximum, uint64_t seed) {
  std::mt19937_64 random(seed);
  StopParams params;
  int64_t clock = match.initial_ms, least = clock;
  int to_go = match.moves_per_control;
  for (int move = 0; move < 300; ++move) {
    SearchLimits limits = Clock(clock, clock, match.increment_ms);
    if (match.moves_per_control) limits.moves_to_go = to_go;
    const TimeBudget budget = Budget(limits, Color::kWhite, 2 * move, params);
    const bool takes_maximum = always_maximum || random() % 4 == 0;
    clock -= (takes_maximum ? budget.maximum_ms : budget.target_ms) +
             static_cast<int64_t>(random() % (match.most_lag_ms + 1));
    least = std::min(least, clock);
    clock += match.increment_ms;
    if (match.moves_per_control && --to_go == 0) {
      to_go = match.moves_per_control;
      clock += match.initial_ms;
    }
  }
  return least;
}

TEST(Budget, SimulatedGamesOf300MovesNeverFlag) {
  const Match matches[] = {
      {60000, 0, 0, 10},   {10000, 0, 0, 3},      {6000, 100, 0, 90},    {12000, 200, 0, 90},
      {1500, 2000, 0, 90}, {1000, 100, 0, 60},    {60000, 600, 0, 90},   {5400000, 30000, 0, 90},
      {120000, 0, 40, 20}, {10000, 0, 20, 20},    {60000, 1000, 40, 90}, {3000, 0, 1, 90},
      {500, 200, 0, 60},   {180000, 2000, 0, 90},
  };
  for (const Match& match : matches) {
    for (uint64_t seed = 1; seed <= 20; ++seed) {
      for (bool always_maximum : {false, true}) {
        EXPECT_GT(LeastClockOf300Moves(match, always_maximum, seed), 0)
            << match.initial_ms << "+" << match.increment_ms << " mtg " << match.moves_per_control
            << " seed " << seed << (always_maximum ? " maximum each move" : "");
      }
    }
  }
}

TEST(Budget, AHealthyClockIsUsed) {
  const StopParams params;
  // 3+2 blitz: the first moves take between 2 and 8 seconds.
  const TimeBudget blitz = Budget(Clock(180000, 180000, 2000), Color::kWhite, 0, params);
  EXPECT_GT(blitz.target_ms, 2000);
  EXPECT_LT(blitz.target_ms, 8000);
  // A clock that has grown by savings gives more, all else equal.
  EXPECT_GT(Budget(Clock(300000, 180000, 2000), Color::kWhite, 60, params).target_ms,
            Budget(Clock(180000, 180000, 2000), Color::kWhite, 60, params).target_ms);
}

TEST(Budget, AfterA60MoveGameMostOfTheClockIsSpent) {
  const StopParams params;
  int64_t clock = 180000;
  for (int move = 0; move < 60; ++move)
    clock += 2000 - Budget(Clock(clock, clock, 2000), Color::kWhite, 2 * move, params).target_ms;
  EXPECT_LT(clock, 70000);
  EXPECT_GT(clock, 10000);
}

TEST(Budget, TinyZeroAndNegativeClocksGiveTheShortestTime) {
  const StopParams params;
  for (int64_t clock :
       {std::numeric_limits<int64_t>::min(), int64_t{-1000}, int64_t{0}, int64_t{1}, int64_t{2}})
    EXPECT_EQ(Budget(Clock(clock, clock), Color::kWhite, 30, params), (TimeBudget{1, 1})) << clock;
}

TEST(Budget, AHundredMillisecondsAreNotOverdrawn) {
  const TimeBudget budget = Budget(Clock(100, 100), Color::kWhite, 0, StopParams());
  EXPECT_LE(budget.maximum_ms, 50);
}

TEST(Budget, AMissingOwnClockIsTakenFromTheOpponent) {
  SearchLimits limits;
  limits.time_ms[1] = 1000;
  limits.increment_ms[1] = 10;
  const TimeBudget budget = Budget(limits, Color::kWhite, 0, StopParams());
  EXPECT_EQ(budget, Budget(Clock(1000, 1000, 10), Color::kWhite, 0, StopParams()));
  EXPECT_LT(budget.maximum_ms, 300);
}

TEST(Budget, EachSideUsesItsOwnClock) {
  const StopParams params;
  const SearchLimits limits = Clock(100000, 1000);
  EXPECT_GT(Budget(limits, Color::kWhite, 0, params).target_ms, 1000);
  EXPECT_LT(Budget(limits, Color::kBlack, 0, params).target_ms, 100);
}

TEST(Budget, TheLastMoveBeforeTheControlMayUseMostOfTheClockAndNotAll) {
  SearchLimits limits = Clock(500, 500);
  limits.moves_to_go = 1;
  StopParams params;
  const TimeBudget budget = Budget(limits, Color::kWhite, 0, params);
  EXPECT_GT(budget.target_ms, 300);
  EXPECT_LE(budget.maximum_ms, 400);
}

TEST(Budget, AnImpossibleMoveCountIsReadAsOne) {
  SearchLimits limits = Clock(10000, 10000);
  limits.moves_to_go = 0;
  const TimeBudget zero = Budget(limits, Color::kWhite, 0, StopParams());
  limits.moves_to_go = 1;
  EXPECT_EQ(zero, Budget(limits, Color::kWhite, 0, StopParams()));
}

TEST(Budget, PonderingAndSlowmoverSpendMore) {
  StopParams plain, ponder, slow;
  ponder.ponder = true;
  slow.slowmover = 2;
  const SearchLimits limits = Clock(100000, 100000);
  const int64_t usual = Budget(limits, Color::kWhite, 0, plain).target_ms;
  EXPECT_GT(Budget(limits, Color::kWhite, 0, ponder).target_ms, usual);
  EXPECT_NEAR(Budget(limits, Color::kWhite, 0, slow).target_ms, 2 * usual, 2);
}

TEST(PlaysOnClock, OneClockIsEnoughAndMovetimeOrInfiniteOverrideIt) {
  SearchLimits limits;
  EXPECT_FALSE(PlaysOnClock(limits));
  limits.time_ms[1] = 5;
  EXPECT_TRUE(PlaysOnClock(limits));
  limits.movetime_ms = 5;
  EXPECT_FALSE(PlaysOnClock(limits));
  limits.movetime_ms.reset();
  limits.infinite = true;
  EXPECT_FALSE(PlaysOnClock(limits));
}

SearchStats At(int64_t ms, int64_t best, int64_t second) {
  SearchStats stats;
  stats.elapsed_ms = ms;
  stats.best_visits = best;
  stats.second_visits = second;
  return stats;
}

TEST(ClockStopper, AClearChoiceStopsAtTheTarget) {
  ClockStopper stopper({1000, 3000});
  StopperHints hints;
  EXPECT_EQ(stopper.DeadlineMs(), 1000);
  EXPECT_FALSE(stopper.ShouldStop(At(999, 100, 10), &hints));
  EXPECT_EQ(hints.remaining_ms, 1);
  EXPECT_TRUE(stopper.ShouldStop(At(1000, 100, 10), &hints));
}

TEST(ClockStopper, AnOpenChoiceGetsMoreTimeUntilItIsClearOrTheExtensionEnds) {
  ClockStopper stopper({1000, 3000});
  StopperHints hints;
  EXPECT_FALSE(stopper.ShouldStop(At(1000, 100, 90), &hints));
  EXPECT_EQ(stopper.DeadlineMs(), 1750);
  EXPECT_FALSE(stopper.ShouldStop(At(1749, 100, 90), &hints));
  EXPECT_TRUE(stopper.ShouldStop(At(1750, 100, 90), &hints));
  ClockStopper settles({1000, 3000});
  settles.ShouldStop(At(1000, 100, 90), &hints);
  EXPECT_TRUE(settles.ShouldStop(At(1200, 100, 50), &hints));
}

TEST(ClockStopper, TheExtensionNeverPassesTheMaximum) {
  ClockStopper stopper({1000, 1100});
  StopperHints hints;
  EXPECT_FALSE(stopper.ShouldStop(At(1000, 100, 100), &hints));
  EXPECT_EQ(stopper.DeadlineMs(), 1100);
  EXPECT_TRUE(stopper.ShouldStop(At(1100, 100, 100), &hints));
}

TEST(ClockStopper, WithoutAnyVisitTheTargetEndsTheWait) {
  ClockStopper stopper({1, 1});
  StopperHints hints;
  EXPECT_TRUE(stopper.ShouldStop(At(1, 0, 0), &hints));
}

}  // namespace
}  // namespace plexus
