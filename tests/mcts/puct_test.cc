#include "mcts/puct.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plexus {
namespace {

TEST(Puct, CpuctGrowsWithTheLogarithmOfVisits) {
  const CpuctParams params{1.5f, 1000, 2};
  EXPECT_FLOAT_EQ(Cpuct(params, 0), 1.5f);
  EXPECT_NEAR(Cpuct(params, 9000), 1.5 + 2 * std::log(10.0), 1e-4);
  // Both sides of the border between series and logarithm.
  for (uint32_t n : {10u, 50u, 59u, 61u, 100u, 1000u}) {
    EXPECT_NEAR(Cpuct(params, n), 1.5 + 2 * std::log(1 + n / 1000.0), 2e-5) << n;
  }
}

TEST(Puct, ExplorationCountsTheVisitsOfTheChildren) {
  const CpuctParams params{2, 1000, 0};
  EXPECT_FLOAT_EQ(ExplorationFactor(params, 1), 2);  // no child yet: as one
  EXPECT_FLOAT_EQ(ExplorationFactor(params, 2), 2);
  EXPECT_FLOAT_EQ(ExplorationFactor(params, 101), 20);
}

TEST(Puct, FpuReductionTakesTheRootOfTheVisitedShare) {
  EXPECT_FLOAT_EQ(FpuValue({false, 0.4f}, 0.5f, 0.25f), 0.3f);
  EXPECT_FLOAT_EQ(FpuValue({true, -0.7f}, 0.5f, 0.25f), -0.7f);
}

TEST(Puct, MovesLeftShortenWinsAndLengthenLosses) {
  SelectionParams params{SearchParams(), true};
  EXPECT_GT(MovesLeftBonus(params, 20, 30, 0.95f), 0);
  EXPECT_LT(MovesLeftBonus(params, 40, 30, 0.95f), 0);
  EXPECT_GT(MovesLeftBonus(params, 40, 30, -0.95f), 0);
  EXPECT_EQ(MovesLeftBonus(params, 40, 30, 0.5f), 0);  // below the threshold
}

TEST(Puct, MovesLeftBonusIsCapped) {
  SelectionParams params{SearchParams(), true};
  EXPECT_FLOAT_EQ(MovesLeftBonus(params, 0, 1000, 1.0f), 0.0345f * (1.6521f - 0.6521f));
}

TEST(Puct, VisitsUntilRivalWinsIsWhereTheScoreFallsBelow) {
  for (float rival : {0.1f, 0.2f, 0.5f}) {
    const float q = 0.05f, u = 3.0f;
    const uint32_t started = 4;
    const uint32_t visits = VisitsUntilRivalWins(q, u, started, rival, 1000);
    EXPECT_LE(q + u / static_cast<float>(1 + started + visits), rival);
    if (visits > 1) {
      EXPECT_GE(q + u / static_cast<float>(started + visits), rival);
    }
  }
}

TEST(Puct, VisitsUntilRivalWinsKeepsToItsLimits) {
  EXPECT_EQ(VisitsUntilRivalWins(0.5f, 1, 0, 0.4f, 17), 17u);  // its value alone is better
  EXPECT_EQ(VisitsUntilRivalWins(0, 1e6f, 0, 1e-3f, 17), 17u);
  EXPECT_EQ(VisitsUntilRivalWins(0, 0.1f, 9, 0.9f, 17), 1u);
  EXPECT_EQ(VisitsUntilRivalWins(0, 0.1f, 9, 0.9f, 1), 1u);
}

TEST(Puct, RootParametersAreOwnOnlyWhenAskedFor) {
  SearchParams params;
  params.cpuct_at_root = 9;
  params.fpu_value_at_root = 0.9f;
  EXPECT_EQ(SelectionParams(params, false).cpuct_at_root.init, params.cpuct);
  EXPECT_EQ(SelectionParams(params, false).fpu_at_root.value, params.fpu_value);
  params.root_has_own_cpuct = true;
  params.fpu_strategy_at_root = "absolute";
  EXPECT_EQ(SelectionParams(params, false).cpuct_at_root.init, 9);
  EXPECT_TRUE(SelectionParams(params, false).fpu_at_root.absolute);
  EXPECT_EQ(SelectionParams(params, false).fpu_at_root.value, 0.9f);
}

}  // namespace
}  // namespace plexus
