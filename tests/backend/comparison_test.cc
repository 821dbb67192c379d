#include "backend/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace plexus {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

struct Evaluation {
  float wl = 0, d = 0, m = 0;
  std::vector<float> policy = {0.5f, 0.5f};
  EvalOutput Output() { return {wl, d, m, policy}; }
};

bool Add(Comparison* comparison, Evaluation first, Evaluation second, const char* fen = "fen") {
  return comparison->Add(first.Output(), second.Output(), [fen] { return std::string(fen); });
}

TEST(ToleranceTest, IsAbsolutePlusRelativeToTheSecond) {
  const Tolerance tolerance{0.5, 0.1};
  EXPECT_TRUE(tolerance.Agree(11.5, 10));
  EXPECT_FALSE(tolerance.Agree(11.6, 10));
  EXPECT_FALSE(tolerance.Agree(10, 11.7));
  EXPECT_FALSE(tolerance.Agree(std::numeric_limits<double>::quiet_NaN(), 0));
  EXPECT_FALSE(tolerance.Agree(0, std::numeric_limits<double>::quiet_NaN()));
  EXPECT_TRUE((Tolerance{0, 0}.Agree(3, 3)));
}

TEST(ComparisonTest, CountsWhatIsBeyondToleranceByPosition) {
  Comparison comparison({0.01, 0}, true, true);
  EXPECT_TRUE(Add(&comparison, {.wl = 0.5f}, {.wl = 0.505f}));
  EXPECT_FALSE(Add(&comparison, {.wl = 0.5f, .d = 0.1f}, {.wl = 0.52f, .d = 0.3f}));
  EXPECT_EQ(comparison.positions(), 2);
  EXPECT_EQ(comparison.disagreeing(), 1);
  EXPECT_NEAR(comparison.largest(Comparison::kWinLoss), 0.02, 1e-6);
  EXPECT_NEAR(comparison.largest(Comparison::kDraw), 0.2, 1e-6);
}

TEST(ComparisonTest, DifferencesAreCountedByDecade) {
  Comparison comparison({1, 0}, true, true);
  Add(&comparison, {.m = 0}, {.m = 0});
  Add(&comparison, {.m = 2e-8f}, {.m = 0});
  Add(&comparison, {.m = 0.5f}, {.m = 0});
  Add(&comparison, {.m = 7}, {.m = 0});
  const auto& histogram = comparison.histogram(Comparison::kMovesLeft);
  EXPECT_THAT(histogram, testing::ElementsAre(1, 1, 0, 0, 0, 0, 0, 0, 1, 1));
  EXPECT_EQ(comparison.histogram(Comparison::kPrior)[0], 8);
  EXPECT_THAT(comparison.Report(),
              AllOf(HasSubstr("below 1e-8\t4\t4\t1\t8"), HasSubstr("1 and more\t0\t0\t1\t0")));
}

TEST(ComparisonTest, TheWorstIsThatFarthestBeyondItsTolerance) {
  Comparison comparison({0.01, 0.1}, true, true);
  Add(&comparison, {.m = 100}, {.m = 103}, "large but tolerated");
  Add(&comparison, {.policy = {0.2f, 0.8f}}, {.policy = {0.5f, 0.8f}}, "the worst");
  Add(&comparison, {.d = 0.1f}, {.d = 0.15f}, "less");
  EXPECT_THAT(comparison.Summary(), AllOf(HasSubstr("3 positions compared, 2 beyond"),
                                          HasSubstr("worst prior 0.2 against 0.5 in the worst")));
}

TEST(ComparisonTest, NotANumberIsWorseThanAnything) {
  Comparison comparison({1, 1}, true, true);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(Add(&comparison, {.wl = nan}, {}, "nan"));
  EXPECT_FALSE(Add(&comparison, {.wl = 100}, {}, "more"));
  EXPECT_THAT(comparison.Summary(), HasSubstr("in nan"));
  EXPECT_EQ(comparison.histogram(Comparison::kWinLoss)[Comparison::kDecades - 1], 2);
}

TEST(ComparisonTest, WhatOneSideCannotTellIsNotCompared) {
  Comparison comparison({0.01, 0}, false, false);
  EXPECT_TRUE(Add(&comparison, {.d = 0.5f, .m = 9}, {}));
  EXPECT_THAT(comparison.Summary(), Not(AllOf(HasSubstr(" d "), HasSubstr(" m "))));
}

}  // namespace
}  // namespace plexus
