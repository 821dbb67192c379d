#include "backend/batch_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "base/random.h"

namespace plexus {
namespace {

using testing::ElementsAre;

std::vector<PlannedPart> Plan(std::vector<int> waiting, std::vector<IdleDevice> idle,
                              SplitPolicy policy) {
  std::vector<PlannedPart> plan;
  PlanSlices(waiting, idle, policy, &plan);
  return plan;
}

IdleDevice Device(int number, int best, double rate = 0, int step = 1) {
  return {number, 1024, best, step, rate};
}

TEST(PlanSlicesTest, FillJoinsTicketsUpToTheBestBatch) {
  EXPECT_THAT(
      Plan({10, 20, 5}, {Device(3, 32)}, SplitPolicy::kFill),
      ElementsAre(PlannedPart{3, 0, 0, 10}, PlannedPart{3, 1, 0, 20}, PlannedPart{3, 2, 0, 2}));
}

TEST(PlanSlicesTest, FillGivesOneDeviceAllThatFits) {
  EXPECT_THAT(Plan({30}, {Device(0, 32), Device(1, 32)}, SplitPolicy::kFill),
              ElementsAre(PlannedPart{0, 0, 0, 30}));
}

TEST(PlanSlicesTest, FillGoesOnWithTheNextDevice) {
  EXPECT_THAT(Plan({50}, {Device(0, 32), Device(1, 32)}, SplitPolicy::kFill),
              ElementsAre(PlannedPart{0, 0, 0, 32}, PlannedPart{1, 0, 32, 18}));
}

TEST(PlanSlicesTest, SpreadCutsATicketOverIdleDevices) {
  EXPECT_THAT(Plan({64}, {Device(0, 64), Device(1, 64)}, SplitPolicy::kSpread),
              ElementsAre(PlannedPart{0, 0, 0, 32}, PlannedPart{1, 0, 32, 32}));
}

TEST(PlanSlicesTest, SpreadGivesShareBySpeed) {
  EXPECT_THAT(Plan({50}, {Device(0, 64, 400.0), Device(1, 64, 100.0)}, SplitPolicy::kSpread),
              ElementsAre(PlannedPart{0, 0, 0, 40}, PlannedPart{1, 0, 40, 10}));
}

TEST(PlanSlicesTest, SpreadIgnoresSpeedUntilAllAreMeasured) {
  EXPECT_THAT(Plan({50}, {Device(0, 64, 400.0), Device(1, 64, 0)}, SplitPolicy::kSpread),
              ElementsAre(PlannedPart{0, 0, 0, 25}, PlannedPart{1, 0, 25, 25}));
}

TEST(PlanSlicesTest, SpreadRoundsSharesUpToTheBatchStep) {
  EXPECT_THAT(Plan({20}, {Device(0, 64, 0, 8), Device(1, 64, 0, 8)}, SplitPolicy::kSpread),
              ElementsAre(PlannedPart{0, 0, 0, 16}, PlannedPart{1, 0, 16, 4}));
}

TEST(PlanSlicesTest, SpreadKeepsToTheBestBatchAndLeavesTheRestWaiting) {
  EXPECT_THAT(Plan({100}, {Device(0, 16), Device(1, 16)}, SplitPolicy::kSpread),
              ElementsAre(PlannedPart{0, 0, 0, 16}, PlannedPart{1, 0, 16, 16}));
}

TEST(PlanSlicesTest, NothingIsPlannedWithoutWorkOrWithoutDevices) {
  EXPECT_TRUE(Plan({}, {Device(0, 16)}, SplitPolicy::kSpread).empty());
  EXPECT_TRUE(Plan({5}, {}, SplitPolicy::kFill).empty());
}

// A plan for random tickets and devices.
struct DrawnPlan {
  DrawnPlan(uint64_t seed, SplitPolicy policy) {
    Random random(seed);
    const auto draw = [&](int min, int max) {
      return min + static_cast<int>(random.Below(max - min + 1));
    };
    for (int i = draw(0, 6); i > 0; --i) waiting.push_back(draw(1, 300));
    for (int i = draw(0, 5); i > 0; --i) {
      IdleDevice device;
      device.device = 10 + i;
      device.max_batch = draw(1, 512);
      device.best_batch = draw(1, device.max_batch);
      device.batch_step = draw(1, 16);
      device.positions_per_s = draw(0, 3) == 0 ? 0 : draw(1, 100000);
      idle.push_back(device);
    }
    plan = Plan(waiting, idle, policy);
    for (const PlannedPart& part : plan) {
      of_device[part.device] += part.count;
      planned += part.count;
    }
  }

  int Given(const IdleDevice& device) const {
    const auto found = of_device.find(device.device);
    return found == of_device.end() ? 0 : found->second;
  }
  int total() const { return std::accumulate(waiting.begin(), waiting.end(), 0); }

  std::vector<int> waiting;
  std::vector<IdleDevice> idle;
  std::vector<PlannedPart> plan;
  std::map<int, int> of_device;
  int planned = 0;
};

// What must hold for any plan.
class PlanProperties : public testing::TestWithParam<SplitPolicy> {};

constexpr int kDraws = 2000;

TEST_P(PlanProperties, PartsFollowEachOtherOldestFirstWithoutGapOrOverlap) {
  for (int seed = 0; seed < kDraws; ++seed) {
    SCOPED_TRACE(seed);
    const DrawnPlan drawn(seed, GetParam());
    int ticket = 0, begin = 0;
    for (const PlannedPart& part : drawn.plan) {
      ASSERT_GT(part.count, 0);
      ASSERT_EQ(part.waiting, ticket);
      ASSERT_EQ(part.begin, begin);
      begin += part.count;
      ASSERT_LE(begin, drawn.waiting[ticket]);
      if (begin == drawn.waiting[ticket]) ++ticket, begin = 0;
    }
  }
}

TEST_P(PlanProperties, NoSliceIsAboveTheBestBatch) {
  for (int seed = 0; seed < kDraws; ++seed) {
    SCOPED_TRACE(seed);
    const DrawnPlan drawn(seed, GetParam());
    for (const IdleDevice& device : drawn.idle) ASSERT_LE(drawn.Given(device), device.best_batch);
  }
}

TEST_P(PlanProperties, NoDeviceIsIdleWhileWorkWaits) {
  for (int seed = 0; seed < kDraws; ++seed) {
    SCOPED_TRACE(seed);
    const DrawnPlan drawn(seed, GetParam());
    if (drawn.planned == drawn.total()) continue;
    for (const IdleDevice& device : drawn.idle) ASSERT_GT(drawn.Given(device), 0) << device.device;
  }
}

TEST_P(PlanProperties, PartsOfOneDeviceStandTogether) {
  for (int seed = 0; seed < kDraws; ++seed) {
    SCOPED_TRACE(seed);
    const DrawnPlan drawn(seed, GetParam());
    std::vector<int> order;
    for (const PlannedPart& part : drawn.plan) {
      if (order.empty() || order.back() != part.device) order.push_back(part.device);
    }
    std::map<int, int> runs;
    for (const int device : order) ASSERT_EQ(++runs[device], 1) << device;
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, PlanProperties,
                         testing::Values(SplitPolicy::kFill, SplitPolicy::kSpread),
                         [](const auto& test) {
                           return test.param == SplitPolicy::kFill ? "Fill" : "Spread";
                         });

}  // namespace
}  // namespace plexus
