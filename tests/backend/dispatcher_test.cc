#include "backend/dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <thread>

#include "backend/device_thread.h"
#include "backend/scripted_device.h"
#include "base/exception.h"
#include "base/fake_clock.h"

namespace plexus {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Scripts = std::vector<Script>;

// A dispatcher with its threads.
class Fleet {
 public:
  explicit Fleet(const Scripts& scripts, SplitPolicy policy = SplitPolicy::kFill,
                 Clock::Duration stall_timeout = {})
      : dispatcher_(std::make_shared<Dispatcher>(Devices(scripts), stall_timeout, &clock_)) {
    for (const Script& script : scripts) {
      for (int i = 0; i < script.streams; ++i) {
        threads_.push_back(std::make_unique<DeviceThread>(
            static_cast<int>(threads_.size()),
            [script] { return std::make_unique<ScriptedDevice>(script); }, dispatcher_));
      }
    }
    dispatcher_->WaitUntilReady();
    dispatcher_->SetPolicy(policy);
  }
  ~Fleet() { dispatcher_->Shutdown(); }

  Dispatcher& dispatcher() { return *dispatcher_; }
  FakeClock& clock() { return clock_; }
  DeviceCounters counters(int device) const { return dispatcher_->counters()[device]; }

  TicketRef NewTicket(int positions, uint64_t first_number) {
    const TicketRef ticket = pool_.Take();
    for (int i = 0; i < positions; ++i) {
      ticket->AddPlanes()->mask[0] = first_number + i;
      ticket->AddPolicyIndices(1)[0] = 0;
    }
    ticket->Begin();
    return ticket;
  }

  // How many of the positions have their own number back.
  static int Right(const TicketRef& ticket, uint64_t first_number) {
    int right = 0;
    const LogitBatch logits = ticket->Logits(0, ticket->size());
    for (int i = 0; i < ticket->size(); ++i)
      right += logits.value_logits[3 * i] == static_cast<float>(first_number + i);
    return right;
  }

  int Evaluate(int positions, uint64_t first_number) {
    const TicketRef ticket = NewTicket(positions, first_number);
    EXPECT_TRUE(dispatcher_->Evaluate(ticket, {}));
    return Right(ticket, first_number);
  }

  int64_t TotalPositions() const {
    int64_t sum = 0;
    for (const DeviceCounters& counters : dispatcher_->counters()) sum += counters.positions;
    return sum;
  }

 private:
  static std::vector<DispatcherDevice> Devices(const Scripts& scripts) {
    std::vector<DispatcherDevice> devices;
    for (const Script& script : scripts) devices.push_back({"scripted", script.streams});
    return devices;
  }

  FakeClock clock_;
  TicketPool pool_;
  std::shared_ptr<Dispatcher> dispatcher_;
  std::vector<std::unique_ptr<DeviceThread>> threads_;
};

constexpr int kPatience = 10000;  // batches until even a slow thread has had its turn

std::string MessageOf(const std::function<void()>& action) {
  try {
    action();
  } catch (const Exception& e) {
    return e.what();
  }
  return "nothing was thrown";
}

TEST(DispatcherTest, EveryPositionGetsItsOwnAnswer) {
  Fleet fleet(Scripts(3));
  EXPECT_EQ(fleet.Evaluate(50, 1000), 50);
}

TEST(DispatcherTest, ATicketLargerThanAllDevicesIsEvaluatedInTurns) {
  Fleet fleet(Scripts{Script().Best(4)}, SplitPolicy::kSpread);
  EXPECT_EQ(fleet.Evaluate(63, 1), 63);
  EXPECT_EQ(fleet.dispatcher().counters()[0].batches, 16);
}

TEST(DispatcherTest, ManyCallersAndDevicesLoseNothing) {
  Fleet fleet(Scripts{Script().Best(5), Script().Best(8), Script().Best(16)});
  constexpr int kCallers = 4, kBatches = 100;
  std::atomic<int> right = 0;
  int expected = 0;
  for (int batch = 0; batch < kBatches; ++batch) expected += kCallers * (1 + batch % 23);
  {
    std::vector<std::jthread> callers;
    for (int c = 0; c < kCallers; ++c) {
      callers.emplace_back([&, c] {
        for (int batch = 0; batch < kBatches; ++batch) {
          right += fleet.Evaluate(1 + batch % 23, 100000 * (c + 1) + 100 * batch);
        }
      });
    }
  }
  EXPECT_EQ(right, expected);
  EXPECT_EQ(fleet.TotalPositions(), expected);
}

TEST(DispatcherTest, SpreadUsesAllIdleDevicesForOneTicket) {
  Fleet fleet(Scripts(3), SplitPolicy::kSpread);
  const auto all_used = [&] {
    const std::vector<DeviceCounters> counters = fleet.dispatcher().counters();
    return std::ranges::all_of(counters,
                               [](const DeviceCounters& device) { return device.positions > 0; });
  };
  // A thread that has just started may not have asked for work yet, so the first tickets may miss it.
  for (int i = 0; i < kPatience && !all_used(); ++i) fleet.Evaluate(12, 0);
  EXPECT_TRUE(all_used());
}

TEST(DispatcherTest, TheWorkOfAFailedDeviceGoesToTheOthers) {
  Fleet fleet(Scripts{Script().FailAt(2), Script()});
  int right = 0;
  for (int i = 0; i < 20; ++i) right += fleet.Evaluate(16, 100 * i);
  EXPECT_EQ(right, 20 * 16);
}

TEST(DispatcherTest, TheUserIsToldOnceOfAFailedDevice) {
  Fleet fleet(Scripts{Script().FailAt(1), Script()}, SplitPolicy::kSpread);
  std::vector<std::string> notices;
  for (int i = 0; i < kPatience && notices.empty(); ++i) {
    fleet.Evaluate(16, 100 * i);
    notices = fleet.dispatcher().TakeNotices();
  }
  ASSERT_THAT(notices, SizeIs(1));
  EXPECT_THAT(notices[0], HasSubstr("scripted (device 1 of 2) failed: scripted failure. Evaluation "
                                    "goes on with one device."));
  EXPECT_THAT(fleet.dispatcher().TakeNotices(), IsEmpty());
  EXPECT_TRUE(fleet.dispatcher().counters()[0].failed);
}

TEST(DispatcherTest, WhenTheLastDeviceFailsCallersHearTheFirstCause) {
  Fleet fleet(Scripts(1, Script().FailAt(1)));
  EXPECT_THAT(
      MessageOf([&] { fleet.Evaluate(3, 0); }),
      HasSubstr("All devices failed: Backend scripted (device 1 of 1) failed: scripted failure."));
}

TEST(DispatcherTest, NothingIsQueuedOnceAllDevicesFailed) {
  Fleet fleet(Scripts(2, Script().FailAt(1)));
  EXPECT_THAT(MessageOf([&] { fleet.Evaluate(3, 0); }), HasSubstr("All devices failed"));
  EXPECT_THAT(MessageOf([&] { fleet.Evaluate(3, 0); }), HasSubstr("All devices failed"));
}

TEST(DispatcherTest, ABatchThatIsNotFiniteIsRepeatedOnce) {
  Fleet fleet(Scripts(1, Script().NanFrom(1, 1)));
  EXPECT_EQ(fleet.Evaluate(4, 7), 4);
  EXPECT_THAT(fleet.dispatcher().TakeNotices(), testing::ElementsAre(HasSubstr("were not finite")));
}

TEST(DispatcherTest, ADeviceThatIsNotFiniteTwiceIsReportedAndReplaced) {
  Fleet fleet(Scripts{Script().NanFrom(1, 100), Script()}, SplitPolicy::kSpread);
  std::vector<std::string> notices;
  for (int i = 0; i < kPatience && notices.empty(); ++i) {
    ASSERT_EQ(fleet.Evaluate(16, 100 * i), 16);
    notices = fleet.dispatcher().TakeNotices();
  }
  EXPECT_THAT(notices, testing::ElementsAre(HasSubstr("twice with numbers")));
}

TEST(DispatcherTest, ShutdownAnswersCallersWhoseWorkNobodyBegan) {
  std::promise<void> running, may_go_on;
  std::shared_future<void> go_on = may_go_on.get_future().share();
  std::atomic<int> runs = 0;
  Fleet fleet(Scripts(1, Script().Best(4).OnRun([&] {
    if (++runs == 1) running.set_value();
    go_on.wait();
  })));
  const TicketRef ticket = fleet.NewTicket(6, 0);
  fleet.dispatcher().Queue(ticket);
  running.get_future().wait();  // 4 of 6 are with the device
  fleet.dispatcher().Shutdown();
  may_go_on.set_value();
  EXPECT_THAT(MessageOf([&] { ticket->Wait(&fleet.clock(), Clock::TimePoint::max()); }),
              HasSubstr("shut down"));
  EXPECT_THAT(MessageOf([&] { fleet.Evaluate(1, 0); }), HasSubstr("shut down"));
}

TEST(DispatcherTest, CountersKnowBatchSizesAndBusyTime) {
  FakeClock* clock = nullptr;
  Fleet fleet(
      Scripts(1, Script().Best(64).OnRun([&] { clock->Advance(std::chrono::milliseconds(5)); })));
  clock = &fleet.clock();
  fleet.Evaluate(1, 0);
  fleet.Evaluate(6, 0);
  fleet.Evaluate(7, 0);
  const DeviceCounters counters = fleet.dispatcher().counters()[0];
  EXPECT_EQ(counters.name, "scripted");
  EXPECT_EQ(counters.positions, 14);
  EXPECT_EQ(counters.batches, 3);
  EXPECT_DOUBLE_EQ(counters.busy_s, 0.015);
  EXPECT_THAT(counters.batch_histogram, testing::ElementsAre(1, 0, 2));
}

TEST(DispatcherTest, ADeviceThatCannotBeMadeIsNamedWithItsCause) {
  FakeClock clock;
  const auto dispatcher = std::make_shared<Dispatcher>(
      std::vector<DispatcherDevice>{{"cpu", 1}, {"cudnn gpu 1", 1}}, Clock::Duration{}, &clock);
  DeviceThread good(
      0, [] { return std::make_unique<ScriptedDevice>(Script{}); }, dispatcher);
  DeviceThread bad(
      1, []() -> std::unique_ptr<Device> { throw Exception("no driver.", "Install one."); },
      dispatcher);
  EXPECT_EQ(MessageOf([&] { dispatcher->WaitUntilReady(); }),
            "Backend cudnn gpu 1 (device 2 of 2) cannot be used: no driver. Install one.");
  dispatcher->Shutdown();
}

// --- streams ---

TEST(DispatcherTest, TheNextBatchIsOnTheDeviceBeforeTheFirstEnds) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().Streams(2).At(gate)});
  const TicketRef first = fleet.NewTicket(8, 10), second = fleet.NewTicket(8, 30);
  fleet.dispatcher().Queue(first);
  fleet.dispatcher().Queue(second);
  gate->WaitForArrivals(2);  // both, and neither is done
  EXPECT_EQ(fleet.counters(0).batches, 0);
  gate->Open();
  for (const TicketRef& ticket : {first, second})
    EXPECT_EQ(ticket->Wait(&fleet.clock(), Clock::TimePoint::max()), Ticket::Outcome::kDone);
  EXPECT_EQ(Fleet::Right(first, 10) + Fleet::Right(second, 30), 16);
}

TEST(DispatcherTest, ScrapsWaitForADeviceThatIsAtWorkAndAreJoined) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().Streams(2).At(gate)});
  std::vector<TicketRef> tickets = {fleet.NewTicket(8, 0)};
  fleet.dispatcher().Queue(tickets[0]);
  gate->WaitForArrivals(1);
  for (int i = 0; i < 3; ++i) {
    tickets.push_back(fleet.NewTicket(1, 0));
    fleet.dispatcher().Queue(tickets.back());
  }
  gate->Open();
  for (const TicketRef& ticket : tickets)
    EXPECT_EQ(ticket->Wait(&fleet.clock(), Clock::TimePoint::max()), Ticket::Outcome::kDone);
  EXPECT_THAT(fleet.counters(0).batch_histogram, testing::ElementsAre(0, 1, 0, 1));  // 3 and 8
}

TEST(DispatcherTest, AStreamThatFindsItsWorkIsAnotherOnesWakesThat) {
  const auto gate = std::make_shared<RunGate>();
  FakeClock* clock = nullptr;
  int runs_of_second = 0;
  Fleet fleet(Scripts{Script().OnRun([&] { clock->Advance(std::chrono::milliseconds(100)); }),
                      Script().Streams(2).At(gate).OnRun([&] {
                        if (++runs_of_second <= 2) clock->Advance(std::chrono::milliseconds(1));
                      })},
              SplitPolicy::kRoundRobin);
  clock = &fleet.clock();
  gate->Let(2);
  for (int i = 0; i < 4; ++i) fleet.Evaluate(8, 0);  // two each: their speed is known
  fleet.dispatcher().SetPolicy(SplitPolicy::kFill);
  const TicketRef whole = fleet.NewTicket(8, 0), scraps = fleet.NewTicket(3, 70);
  fleet.dispatcher().Queue(whole);  // to the second device, a hundred times as fast
  gate->WaitForArrivals(3);
  fleet.dispatcher().Queue(scraps);  // they wait for it too
  EXPECT_EQ(fleet.counters(0).positions, 16);
  clock->Advance(std::chrono::hours(1));
  gate->Open();  // so it is the slow one: the first device is better, and sleeps
  EXPECT_EQ(scraps->Wait(clock, Clock::TimePoint::max()), Ticket::Outcome::kDone);
  EXPECT_EQ(Fleet::Right(scraps, 70), 3);
  EXPECT_EQ(fleet.counters(0).positions, 19);
}

TEST(DispatcherTest, BusyTimeCountsADeviceOnceHoweverManyStreamsRun) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().Streams(2).At(gate)});
  const TicketRef a = fleet.NewTicket(8, 0), b = fleet.NewTicket(8, 0);
  fleet.clock().Advance(std::chrono::seconds(1));
  fleet.dispatcher().Queue(a);
  fleet.dispatcher().Queue(b);
  gate->WaitForArrivals(2);
  fleet.clock().Advance(std::chrono::seconds(3));
  const DeviceCounters counters = fleet.counters(0);  // still at it
  EXPECT_DOUBLE_EQ(counters.idle_s, 1);
  EXPECT_DOUBLE_EQ(counters.busy_s, 3);
  EXPECT_DOUBLE_EQ(counters.stream_s, 6);
  gate->Open();
  a->Wait(&fleet.clock(), Clock::TimePoint::max());
  b->Wait(&fleet.clock(), Clock::TimePoint::max());
}

// --- policies that decide when a ticket is queued ---

TEST(DispatcherTest, DemuxUsesEveryDeviceForEveryTicket) {
  Fleet fleet(Scripts(3), SplitPolicy::kDemux);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(fleet.Evaluate(12, 100 * i), 12);
  for (int device = 0; device < 3; ++device) {
    EXPECT_EQ(fleet.counters(device).positions, 40);
    EXPECT_EQ(fleet.counters(device).batches, 10);
  }
}

TEST(DispatcherTest, RoundRobinGivesEachTicketToTheNextDevice) {
  Fleet fleet(Scripts(3), SplitPolicy::kRoundRobin);
  for (int i = 0; i < 9; ++i) EXPECT_EQ(fleet.Evaluate(11, 100 * i), 11);
  for (int device = 0; device < 3; ++device) EXPECT_EQ(fleet.counters(device).batches, 3);
}

TEST(DispatcherTest, PoliciesThatDecideEarlySurviveTheLossOfADevice) {
  for (const SplitPolicy policy : {SplitPolicy::kDemux, SplitPolicy::kRoundRobin}) {
    Fleet fleet(Scripts{Script(), Script().FailAt(2).Streams(2), Script()}, policy);
    for (int i = 0; i < 20; ++i) ASSERT_EQ(fleet.Evaluate(12, 100 * i), 12);
    EXPECT_TRUE(fleet.counters(1).failed);
    EXPECT_THAT(fleet.dispatcher().TakeNotices(), SizeIs(1));
    EXPECT_EQ(fleet.TotalPositions(), 20 * 12);
  }
}

// --- cancelling ---

TEST(DispatcherTest, ACallerThatCancelsLeavesWhileADeviceIsAtWork) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().Best(4).At(gate)});
  std::stop_source stop;
  std::future<bool> answered = std::async(std::launch::async, [&] {
    return fleet.dispatcher().Evaluate(fleet.NewTicket(10, 0), stop.get_token());
  });
  gate->WaitForArrivals(1);
  stop.request_stop();
  EXPECT_FALSE(answered.get());  // the gate is still closed
  gate->Open();
  EXPECT_EQ(fleet.Evaluate(3, 50), 3);
  EXPECT_EQ(fleet.TotalPositions(), 4 + 3) << "what no device had begun left the queue";
}

TEST(DispatcherTest, ATicketThatWasCancelledIsNotReusedWhileADeviceHasIt) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().At(gate), Script()}, SplitPolicy::kRoundRobin);
  std::stop_source stop;
  Ticket* cancelled = nullptr;
  std::future<bool> answered = std::async(std::launch::async, [&] {
    const TicketRef ticket = fleet.NewTicket(5, 0);
    cancelled = ticket.get();
    return fleet.dispatcher().Evaluate(ticket, stop.get_token());
  });
  gate->WaitForArrivals(1);
  stop.request_stop();
  EXPECT_FALSE(answered.get());
  EXPECT_NE(fleet.NewTicket(5, 0).get(), cancelled);
  gate->Open();
}

TEST(DispatcherTest, WhatWasCancelledBeforeItIsQueuedIsNotEvaluated) {
  Fleet fleet(Scripts(1));
  std::stop_source stop;
  stop.request_stop();
  EXPECT_FALSE(fleet.dispatcher().Evaluate(fleet.NewTicket(5, 0), stop.get_token()));
  EXPECT_EQ(fleet.TotalPositions(), 0);
}

TEST(DispatcherTest, CallersThatCancelAtRandomLeaveTheOthersAlone) {
  Fleet fleet(Scripts{Script().Best(5).Streams(2), Script().Best(8)});
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> callers;
    for (int c = 0; c < 4; ++c) {
      callers.emplace_back([&, c] {
        for (int i = 0; i < 150; ++i) {
          const uint64_t first = 100000 * (c + 1) + 100 * i;
          const TicketRef ticket = fleet.NewTicket(1 + i % 23, first);
          std::stop_source stop;
          std::jthread canceller([&] {
            if ((i + c) % 3 == 0) stop.request_stop();
          });
          if (fleet.dispatcher().Evaluate(ticket, stop.get_token()))
            wrong += Fleet::Right(ticket, first) != ticket->size();
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_THAT(fleet.dispatcher().TakeNotices(), IsEmpty());
}

// --- stalls ---

constexpr std::chrono::seconds kTimeout(10);

// Until somebody waits on the clock: a caller inside Evaluate.
void WaitForWaiters(const FakeClock& clock, size_t number) {
  while (clock.waiters() < number) std::this_thread::yield();
}

TEST(DispatcherTest, ADeviceThatStallsIsOutAfterOneNoticeAndOthersDoItsWork) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().At(gate).Deaf(), Script()}, SplitPolicy::kRoundRobin, kTimeout);
  std::future<int> right = std::async(std::launch::async, [&] { return fleet.Evaluate(6, 40); });
  gate->WaitForArrivals(1);
  WaitForWaiters(fleet.clock(), 1);
  fleet.clock().Advance(std::chrono::seconds(61));
  EXPECT_EQ(right.get(), 6);
  EXPECT_THAT(fleet.dispatcher().TakeNotices(),
              testing::ElementsAre("Backend scripted (device 1 of 2) failed: it has not answered a "
                                   "batch of 6 positions for 61 s. Evaluation goes on with one "
                                   "device."));
  EXPECT_TRUE(fleet.counters(0).failed);
  // The late answer counts for nothing and reaches nobody.
  const TicketRef next = fleet.NewTicket(6, 700);
  gate->Open();
  EXPECT_EQ(fleet.Evaluate(6, 90), 6);
  EXPECT_EQ(fleet.counters(0).positions, 0);
  EXPECT_EQ(fleet.counters(1).positions, 12);
  EXPECT_THAT(fleet.dispatcher().TakeNotices(), IsEmpty());
}

TEST(DispatcherTest, TheFirstBatchesMayTakeSixTimesAsLong) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().At(gate), Script()}, SplitPolicy::kRoundRobin, kTimeout);
  const TicketRef ticket = fleet.NewTicket(1, 0);
  fleet.dispatcher().Queue(ticket);
  gate->WaitForArrivals(1);
  const Clock::TimePoint begin = fleet.clock().Now();
  fleet.clock().Advance(std::chrono::milliseconds(59999));
  EXPECT_EQ(fleet.dispatcher().CheckStalls(), begin + std::chrono::seconds(60));
  EXPECT_FALSE(fleet.counters(0).failed);
  fleet.clock().Advance(std::chrono::milliseconds(1));
  fleet.dispatcher().CheckStalls();
  EXPECT_TRUE(fleet.counters(0).failed);
  EXPECT_EQ(ticket->Wait(&fleet.clock(), Clock::TimePoint::max()), Ticket::Outcome::kDone);
}

TEST(DispatcherTest, ASlowDeviceHasTwentyTimesItsUsualTime) {
  const auto gate = std::make_shared<RunGate>();
  FakeClock* clock = nullptr;
  int runs = 0;
  Fleet fleet(Scripts(1, Script().At(gate).OnRun([&] {
                if (++runs <= 3) clock->Advance(std::chrono::seconds(2));
              })),
              SplitPolicy::kFill, kTimeout);
  clock = &fleet.clock();
  gate->Let(3);
  for (int i = 0; i < 3; ++i) fleet.Evaluate(8, 0);
  const TicketRef ticket = fleet.NewTicket(8, 0);
  const Clock::TimePoint begin = clock->Now();
  fleet.dispatcher().Queue(ticket);
  gate->WaitForArrivals(4);
  EXPECT_EQ(fleet.dispatcher().CheckStalls(), begin + kTimeout) << "looked after at least so often";
  clock->Advance(std::chrono::seconds(39));
  EXPECT_EQ(fleet.dispatcher().CheckStalls(), begin + std::chrono::seconds(40));
  gate->Open();
  EXPECT_EQ(ticket->Wait(clock, Clock::TimePoint::max()), Ticket::Outcome::kDone);
}

TEST(DispatcherTest, AStalledStreamTakesItsDeviceWithItAndIsInterrupted) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().Streams(2).At(gate), Script()}, SplitPolicy::kRoundRobin, kTimeout);
  std::vector<std::future<int>> right;
  right.push_back(std::async(std::launch::async, [&] { return fleet.Evaluate(6, 10); }));
  gate->WaitForArrivals(1);
  EXPECT_EQ(fleet.Evaluate(4, 70), 4);  // the other device's turn
  right.push_back(std::async(std::launch::async, [&] { return fleet.Evaluate(6, 20); }));
  gate->WaitForArrivals(2);
  WaitForWaiters(fleet.clock(), 2);
  fleet.clock().Advance(std::chrono::seconds(61));
  for (auto& r : right) EXPECT_EQ(r.get(), 6);
  EXPECT_THAT(fleet.dispatcher().TakeNotices(), SizeIs(1));
  EXPECT_EQ(fleet.counters(0).positions, 0);
  EXPECT_EQ(fleet.counters(1).positions, 16);
}

TEST(DispatcherTest, WhenTheLastDeviceStallsCallersHearTheFirstCause) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().FailAt(1), Script().At(gate)}, SplitPolicy::kRoundRobin, kTimeout);
  std::future<std::string> message =
      std::async(std::launch::async, [&] { return MessageOf([&] { fleet.Evaluate(6, 0); }); });
  gate->WaitForArrivals(1);
  WaitForWaiters(fleet.clock(), 1);
  fleet.clock().Advance(std::chrono::seconds(61));
  EXPECT_THAT(message.get(),
              HasSubstr("All devices failed: Backend scripted (device 1 of 2) failed: scripted "
                        "failure."));
}

TEST(DispatcherTest, TheEndWaitsForABatchNotForItsDelay) {
  const auto gate = std::make_shared<RunGate>();
  FakeClock* clock = nullptr;
  Fleet fleet(Scripts{Script().At(gate).OnRun([&] { clock->Advance(std::chrono::seconds(1)); })});
  clock = &fleet.clock();
  gate->Let(2);
  for (int i = 0; i < 2; ++i) fleet.Evaluate(8, 0);
  const TicketRef ticket = fleet.NewTicket(8, 0);
  fleet.dispatcher().Queue(ticket);
  gate->WaitForArrivals(3);
  clock->Advance(std::chrono::hours(1));
  EXPECT_EQ(fleet.dispatcher().Shutdown(), std::chrono::seconds(1));
  gate->Open();
}

TEST(DispatcherTest, WithoutATimeoutNobodyIsOut) {
  const auto gate = std::make_shared<RunGate>();
  Fleet fleet(Scripts{Script().At(gate)});
  const TicketRef ticket = fleet.NewTicket(1, 0);
  EXPECT_EQ(fleet.dispatcher().Queue(ticket), Clock::TimePoint::max());
  gate->WaitForArrivals(1);
  fleet.clock().Advance(std::chrono::hours(1000));
  EXPECT_EQ(fleet.dispatcher().CheckStalls(), Clock::TimePoint::max());
  EXPECT_FALSE(fleet.counters(0).failed);
  gate->Open();
}

}  // namespace
}  // namespace plexus
