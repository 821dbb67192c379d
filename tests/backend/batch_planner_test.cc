#include "backend/batch_planner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "base/random.h"

namespace plexus {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What is known of a device that needs `latency_us` for a batch and answers `rate` positions a second besides.
DeviceSpeed Speed(double rate, double latency_us = 0) {
  DeviceSpeed speed;
  for (int i = 0; i < 8; ++i) {
    const int n = 64 * (1 + i % 4);
    speed.Add(n, latency_us * 1e-6 + n / rate);
  }
  return speed;
}

PlannerDevice Idle(int number, int best, DeviceSpeed speed = {}, int step = 1, int streams = 1) {
  PlannerDevice device;
  device.device = number;
  device.free_streams = streams;
  device.max_batch = 1024;
  device.best_batch = best;
  device.batch_step = step;
  device.speed = speed;
  return device;
}

// One with one stream at work, done in `backlog_s`, and one free.
PlannerDevice Busy(int number, int best, DeviceSpeed speed, double backlog_s) {
  PlannerDevice device = Idle(number, best, speed);
  device.in_flight = best;
  device.backlog_s = backlog_s;
  return device;
}

constexpr int kManyCallers = 100;

std::vector<PlannedPart> Plan(std::vector<int> waiting, std::vector<PlannerDevice> devices,
                              SplitPolicy policy = SplitPolicy::kFill, int callers = kManyCallers) {
  std::vector<PlannedPart> plan;
  BatchPlanner planner;
  planner.Plan({waiting, devices, static_cast<int>(devices.size()), callers}, policy, &plan);
  return plan;
}

// (device, positions) of each batch.
std::vector<std::pair<int, int>> Batches(const std::vector<PlannedPart>& plan) {
  std::vector<std::pair<int, int>> batches;
  for (const PlannedPart& part : plan) {
    if (part.batch == static_cast<int>(batches.size())) batches.push_back({part.device, 0});
    batches.back().second += part.count;
  }
  return batches;
}

using Batch = std::pair<int, int>;

// --- idle devices ---

TEST(BatchPlannerTest, NothingIsPlannedWithoutWorkOrWithoutDevices) {
  EXPECT_THAT(Plan({}, {Idle(0, 16)}), IsEmpty());
  EXPECT_THAT(Plan({5}, {}), IsEmpty());
}

TEST(BatchPlannerTest, FillJoinsTicketsUpToTheBestBatch) {
  EXPECT_THAT(Plan({10, 20, 5}, {Idle(3, 32)}),
              ElementsAre(PlannedPart{0, 3, 0, 0, 10}, PlannedPart{0, 3, 1, 0, 20},
                          PlannedPart{0, 3, 2, 0, 2}));
}

TEST(BatchPlannerTest, FillGivesOneDeviceAllThatFitsIfOtherCallersWillFeedTheRest) {
  EXPECT_THAT(Batches(Plan({30}, {Idle(0, 32), Idle(1, 32)})), ElementsAre(Batch(0, 30)));
}

TEST(BatchPlannerTest, FillGivesWholeBestBatchesWhenThereIsPlenty) {
  EXPECT_THAT(Batches(Plan({256, 256, 256}, {Idle(0, 256), Idle(1, 256)})),
              ElementsAre(Batch(0, 256), Batch(1, 256)));
}

TEST(BatchPlannerTest, WhatIsTooMuchForOneAndTooLittleForTwoIsShared) {
  EXPECT_THAT(Batches(Plan({50}, {Idle(0, 32), Idle(1, 32)})),
              ElementsAre(Batch(0, 25), Batch(1, 25)));
}

TEST(BatchPlannerTest, ALoneCallerFeedsAllDevicesBySpeed) {
  EXPECT_THAT(Batches(Plan({240}, {Idle(0, 256, Speed(50000)), Idle(1, 256, Speed(25000))},
                           SplitPolicy::kFill, 1)),
              ElementsAre(Batch(0, 160), Batch(1, 80)));
}

TEST(BatchPlannerTest, TwoCallersOfFourDevicesFeedTwoEach) {
  EXPECT_THAT(Batches(Plan({200}, {Idle(0, 256), Idle(1, 256), Idle(2, 256), Idle(3, 256)},
                           SplitPolicy::kFill, 2)),
              ElementsAre(Batch(0, 200)))
      << "half of a best batch is the least worth cutting while latency is unknown";
  EXPECT_THAT(Batches(Plan({256}, {Idle(0, 256), Idle(1, 256), Idle(2, 256), Idle(3, 256)},
                           SplitPolicy::kFill, 2)),
              ElementsAre(Batch(0, 128), Batch(1, 128)));
}

TEST(BatchPlannerTest, SlicesWhoseLatencyDominatesAreNotCut) {
  // 100 us and 20 us a position: 45 positions are worth it.
  const DeviceSpeed speed = Speed(50000, 100);
  EXPECT_THAT(
      Batches(Plan({80}, {Idle(0, 256, speed), Idle(1, 256, speed)}, SplitPolicy::kFill, 1)),
      ElementsAre(Batch(0, 80)));
  EXPECT_THAT(
      Batches(Plan({100}, {Idle(0, 256, speed), Idle(1, 256, speed)}, SplitPolicy::kFill, 1)),
      ElementsAre(Batch(0, 50), Batch(1, 50)));
}

TEST(BatchPlannerTest, SpreadCutsATicketOverIdleDevices) {
  EXPECT_THAT(Plan({64}, {Idle(0, 64), Idle(1, 64)}, SplitPolicy::kSpread),
              ElementsAre(PlannedPart{0, 0, 0, 0, 32}, PlannedPart{1, 1, 0, 32, 32}));
}

TEST(BatchPlannerTest, SpreadGivesShareBySpeed) {
  EXPECT_THAT(
      Batches(Plan({50}, {Idle(0, 64, Speed(400)), Idle(1, 64, Speed(100))}, SplitPolicy::kSpread)),
      ElementsAre(Batch(0, 40), Batch(1, 10)));
}

TEST(BatchPlannerTest, ADeviceOfUnknownSpeedCountsAsTheOthersMean) {
  EXPECT_THAT(Batches(Plan({50}, {Idle(0, 64, Speed(400)), Idle(1, 64)}, SplitPolicy::kSpread)),
              testing::UnorderedElementsAre(Batch(0, 25), Batch(1, 25)));
}

TEST(BatchPlannerTest, SpreadKeepsToTheBestBatchAndLeavesTheRestWaiting) {
  EXPECT_THAT(Batches(Plan({100}, {Idle(0, 16), Idle(1, 16)}, SplitPolicy::kSpread)),
              ElementsAre(Batch(0, 16), Batch(1, 16)));
}

// --- steps ---

TEST(BatchPlannerTest, SpreadRoundsSharesUpToTheBatchStep) {
  EXPECT_THAT(Batches(Plan({20}, {Idle(0, 64, {}, 8), Idle(1, 64, {}, 8)}, SplitPolicy::kSpread)),
              ElementsAre(Batch(0, 16), Batch(1, 4)));
}

TEST(BatchPlannerTest, NoBatchGoesOnePastAWaveEdge) {
  EXPECT_THAT(Batches(Plan({97}, {Idle(0, 192, {}, 96, 2)})), ElementsAre(Batch(0, 96)));
  EXPECT_THAT(Batches(Plan({191}, {Idle(0, 192, {}, 96, 2)})), ElementsAre(Batch(0, 96)));
  EXPECT_THAT(Batches(Plan({192}, {Idle(0, 192, {}, 96, 2)})), ElementsAre(Batch(0, 192)));
}

TEST(BatchPlannerTest, LessThanAStepIsEvaluatedByAnIdleDevice) {
  EXPECT_THAT(Batches(Plan({5}, {Idle(0, 192, {}, 96)})), ElementsAre(Batch(0, 5)));
}

// --- busy devices with a free stream ---

TEST(BatchPlannerTest, AWholeBatchIsSentAhead) {
  EXPECT_THAT(Batches(Plan({256, 256, 256}, {Idle(0, 256, {}, 1, 2)})),
              ElementsAre(Batch(0, 256), Batch(0, 256)));
}

TEST(BatchPlannerTest, ScrapsWaitToBeJoined) {
  EXPECT_THAT(Plan({20}, {Busy(0, 256, Speed(50000, 100), 0.002)}), IsEmpty());
}

TEST(BatchPlannerTest, ABatchWhoseLatencyHardlyShowsIsSentAheadToo) {
  EXPECT_THAT(Batches(Plan({50}, {Busy(0, 256, Speed(50000, 100), 0.002)})),
              ElementsAre(Batch(0, 50)));
}

TEST(BatchPlannerTest, TheNextBatchGoesWhereItEndsFirst) {
  const DeviceSpeed fast = Speed(53000, 150), slow = Speed(25000, 150);
  EXPECT_THAT(Batches(Plan({256}, {Busy(0, 256, slow, 0.001), Busy(1, 256, fast, 0.004)})),
              ElementsAre(Batch(1, 256)));
  EXPECT_THAT(Batches(Plan({256}, {Busy(0, 256, slow, 0.001), Busy(1, 256, fast, 0.009)})),
              ElementsAre(Batch(0, 256)));
}

TEST(BatchPlannerTest, AnIdleSlowDeviceHelpsTheBusyFastOneSoThatBothEndTogether) {
  const auto batches = Batches(
      Plan({256}, {Busy(0, 256, Speed(53000, 150), 0.002), Idle(1, 256, Speed(25000, 150))}));
  ASSERT_EQ(batches.size(), 2u);
  const auto of = [&](int device) { return batches[batches[0].first == device ? 0 : 1].second; };
  EXPECT_EQ(of(0) + of(1), 256);
  EXPECT_NEAR(0.002 + of(0) / 53000.0, of(1) / 25000.0, 0.0001);
}

TEST(BatchPlannerTest, AnIdleDeviceThatWouldHoldUpATicketIsLeftIdle) {
  // 20 positions: 1.4 ms on the busy one, 40 ms on the idle one.
  EXPECT_THAT(Plan({20}, {Busy(0, 256, Speed(50000), 0.001), Idle(1, 256, Speed(500))}),
              ElementsAre(PlannedPart{0, 0, 0, 0, 20}));
  // As scraps they wait for the fast one.
  EXPECT_THAT(Plan({20}, {Busy(0, 256, Speed(50000, 200), 0.001), Idle(1, 256, Speed(500))}),
              IsEmpty());
}

// --- a pipeline: what a plan is for ---

// Devices that work as their speeds say, callers that queue the next computation at once.
struct Pipeline {
  struct Device {
    double latency_s, rate;
    int streams;
    double free_at = 0;             // the card
    std::vector<double> ends = {};  // of batches in flight
    int64_t positions = 0;
  };

  double Run(std::vector<Device>* devices, int callers, int computation, double seconds,
             SplitPolicy policy) {
    std::vector<int> waiting(callers, computation), open(callers, computation), owner(callers);
    std::iota(owner.begin(), owner.end(), 0);
    struct Event {
      double at;
      int device, batch;
      std::vector<std::pair<int, int>> parts;  // caller, count
    };
    std::vector<Event> events;
    BatchPlanner planner;
    std::vector<PlannedPart> plan;
    double now = 0;
    int64_t done = 0;
    while (now < seconds) {
      std::vector<PlannerDevice> free;
      for (int d = 0; d < static_cast<int>(devices->size()); ++d) {
        Device& device = (*devices)[d];
        PlannerDevice entry = Idle(d, 256, Speed(device.rate, device.latency_s * 1e6));
        entry.free_streams = device.streams;
        for (const Event& event : events) {
          if (event.device != d) continue;
          --entry.free_streams;
          for (const auto& part : event.parts) entry.in_flight += part.second;
        }
        entry.backlog_s = std::max(0.0, device.free_at - now);
        if (entry.free_streams > 0) free.push_back(entry);
      }
      planner.Plan({waiting, free, static_cast<int>(devices->size()), callers}, policy, &plan);
      int batch = -1;
      for (const PlannedPart& part : plan) {
        Device& device = (*devices)[part.device];
        if (part.batch != batch) {
          events.push_back(
              {std::max(now, device.free_at) + device.latency_s, part.device, part.batch, {}});
          batch = part.batch;
        }
        events.back().parts.push_back({owner[part.waiting], part.count});
        events.back().at += part.count / device.rate;
        device.free_at = events.back().at;
        waiting[part.waiting] -= part.count;
      }
      for (size_t i = waiting.size(); i-- > 0;) {
        if (waiting[i] > 0) continue;
        waiting.erase(waiting.begin() + i);
        owner.erase(owner.begin() + i);
      }
      const auto next = std::ranges::min_element(events, {}, &Event::at);
      EXPECT_NE(next, events.end()) << "work waits and nobody is at it";
      if (next == events.end()) return 0;
      now = next->at;
      for (const auto& [caller, count] : next->parts) {
        (*devices)[next->device].positions += count;
        done += count;
        if ((open[caller] -= count) > 0) continue;
        open[caller] = computation;
        waiting.push_back(computation);
        owner.push_back(caller);
      }
      events.erase(next);
    }
    return done / now;
  }
};

TEST(BatchPlannerTest, UnequalCardsAddUpToNearlyTheirSum) {
  for (const int size : {256, 230, 100}) {
    SCOPED_TRACE(size);
    std::vector<Pipeline::Device> devices = {{150e-6, 53000, 2}, {150e-6, 25000, 2}};
    const double best = 256 / (150e-6 + 256 / 53000.0) + 256 / (150e-6 + 256 / 25000.0);
    EXPECT_GT(Pipeline().Run(&devices, 5, size, 5, SplitPolicy::kFill), 0.96 * best);
  }
}

TEST(BatchPlannerTest, TwoCallersAreEnoughForTwoUnequalDevicesWithoutStreams) {
  std::vector<Pipeline::Device> devices = {{0.01, 1e9, 1}, {0.04, 1e9, 1}};
  EXPECT_GT(Pipeline().Run(&devices, 3, 256, 20, SplitPolicy::kFill), 0.95 * 256 * 125);
  const double share =
      static_cast<double>(devices[1].positions) / (devices[0].positions + devices[1].positions);
  EXPECT_NEAR(share, 0.2, 0.02);
}

TEST(BatchPlannerTest, EightEqualCardsWithTwoStreamsAreAlwaysAtWork) {
  std::vector<Pipeline::Device> devices(8, {150e-6, 53000, 2});
  EXPECT_GT(Pipeline().Run(&devices, 17, 256, 2, SplitPolicy::kFill),
            0.99 * 8 * 256 / (150e-6 + 256 / 53000.0));
}

TEST(BatchPlannerTest, ALoneCallerUsesEightCards) {
  std::vector<Pipeline::Device> devices(8, {20e-6, 53000, 2});
  EXPECT_GT(Pipeline().Run(&devices, 1, 1024, 2, SplitPolicy::kFill), 0.95 * 8 * 50000);
}

// --- every plan ---

struct DrawnPlan {
  DrawnPlan(uint64_t seed, SplitPolicy policy) {
    Random random(seed);
    const auto draw = [&](int min, int max) {
      return min + static_cast<int>(random.Below(max - min + 1));
    };
    for (int i = draw(0, 6); i > 0; --i) waiting.push_back(draw(1, 300));
    for (int i = draw(0, 5); i > 0; --i) {
      PlannerDevice device = Idle(10 + i, 1, {}, draw(1, 16), draw(1, 3));
      device.max_batch = draw(1, 512);
      device.best_batch = draw(1, device.max_batch);
      if (draw(0, 3) > 0) device.speed = Speed(draw(1, 100000), draw(0, 500));
      if (draw(0, 1) > 0) {
        device.in_flight = draw(1, 500);
        device.backlog_s = draw(0, 10000) * 1e-6;
      }
      devices.push_back(device);
    }
    plan = Plan(waiting, devices, policy, draw(1, 12));
    for (const PlannedPart& part : plan) planned += part.count;
  }

  const PlannerDevice& Device(int number) const {
    return *std::ranges::find(devices, number, &PlannerDevice::device);
  }
  int total() const { return std::accumulate(waiting.begin(), waiting.end(), 0); }

  std::vector<int> waiting;
  std::vector<PlannerDevice> devices;
  std::vector<PlannedPart> plan;
  int planned = 0;
};

class PlanProperties : public testing::TestWithParam<SplitPolicy> {
 protected:
  static constexpr int kDraws = 3000;
  template <class Check>
  void ForEach(const Check& check) {
    for (int seed = 0; seed < kDraws && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE(seed);
      check(DrawnPlan(seed, GetParam()));
    }
  }
};

TEST_P(PlanProperties, PartsFollowEachOtherOldestFirstWithoutGapOrOverlap) {
  ForEach([](const DrawnPlan& drawn) {
    int ticket = 0, begin = 0;
    for (const PlannedPart& part : drawn.plan) {
      ASSERT_GT(part.count, 0);
      ASSERT_EQ(part.waiting, ticket);
      ASSERT_EQ(part.begin, begin);
      begin += part.count;
      ASSERT_LE(begin, drawn.waiting[ticket]);
      if (begin == drawn.waiting[ticket]) ++ticket, begin = 0;
    }
  });
}

TEST_P(PlanProperties, NoBatchIsAboveTheBestBatchOrBesideTheStep) {
  ForEach([](const DrawnPlan& drawn) {
    for (const auto& [number, count] : Batches(drawn.plan)) {
      const PlannerDevice& device = drawn.Device(number);
      ASSERT_LE(count, device.best_batch);
      ASSERT_TRUE(count <= device.batch_step || count % device.batch_step == 0) << count;
    }
  });
}

TEST_P(PlanProperties, NoDeviceHasMoreBatchesThanFreeStreams) {
  ForEach([](const DrawnPlan& drawn) {
    std::map<int, int> batches;
    for (const auto& [number, count] : Batches(drawn.plan)) ++batches[number];
    for (const auto& [number, count] : batches) ASSERT_LE(count, drawn.Device(number).free_streams);
  });
}

TEST_P(PlanProperties, WorkWaitsOnlyIfSomebodyIsAtWork) {
  ForEach([](const DrawnPlan& drawn) {
    if (drawn.planned == drawn.total() || !drawn.plan.empty() || drawn.devices.empty()) return;
    ASSERT_TRUE(std::ranges::any_of(
        drawn.devices, [](const PlannerDevice& device) { return device.in_flight > 0; }));
  });
}

INSTANTIATE_TEST_SUITE_P(Policies, PlanProperties,
                         testing::Values(SplitPolicy::kFill, SplitPolicy::kSpread),
                         [](const auto& test) {
                           return test.param == SplitPolicy::kFill ? "Fill" : "Spread";
                         });

// --- policies that decide when a computation is queued ---

std::vector<PlannedPart> PlanStatic(int count, std::vector<PlannerDevice> devices,
                                    SplitPolicy policy, int* turn) {
  std::vector<PlannedPart> plan;
  PlanComputation(count, devices, policy, turn, &plan);
  return plan;
}

TEST(PlanComputationTest, DemuxCutsEvenly) {
  int turn = 0;
  EXPECT_THAT(PlanStatic(20, {Idle(0, 64), Idle(1, 64), Idle(2, 64)}, SplitPolicy::kDemux, &turn),
              ElementsAre(PlannedPart{0, 0, 0, 0, 7}, PlannedPart{1, 1, 0, 7, 7},
                          PlannedPart{2, 2, 0, 14, 6}));
}

TEST(PlanComputationTest, DemuxOfFewerPositionsThanDevicesLeavesSomeOut) {
  int turn = 0;
  EXPECT_THAT(
      Batches(PlanStatic(2, {Idle(0, 64), Idle(1, 64), Idle(2, 64)}, SplitPolicy::kDemux, &turn)),
      ElementsAre(Batch(0, 1), Batch(1, 1)));
}

TEST(PlanComputationTest, RoundRobinTakesTurnsAndSkipsWhoIsGone) {
  int turn = 0;
  std::vector<int> order;
  for (int i = 0; i < 4; ++i) {
    order.push_back(
        PlanStatic(9, {Idle(0, 64), Idle(1, 64), Idle(2, 64)}, SplitPolicy::kRoundRobin, &turn)[0]
            .device);
  }
  EXPECT_THAT(order, ElementsAre(0, 1, 2, 0));
  order.clear();
  for (int i = 0; i < 3; ++i)
    order.push_back(
        PlanStatic(9, {Idle(0, 64), Idle(2, 64)}, SplitPolicy::kRoundRobin, &turn)[0].device);
  EXPECT_THAT(order, ElementsAre(2, 0, 2));
}

TEST(PlanComputationTest, WhatIsAboveTheMaximumTakesSeveralBatches) {
  int turn = 0;
  PlannerDevice device = Idle(0, 64, {}, 10);
  device.max_batch = 64;
  EXPECT_THAT(Batches(PlanStatic(130, {device}, SplitPolicy::kRoundRobin, &turn)),
              ElementsAre(Batch(0, 60), Batch(0, 60), Batch(0, 10)));
}

}  // namespace
}  // namespace plexus
