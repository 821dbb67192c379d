#include "backend/dispatcher.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <functional>
#include <future>
#include <limits>
#include <thread>

#include "backend/device_thread.h"
#include "base/exception.h"
#include "base/fake_clock.h"

namespace plexus {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

// Answers with the number that the position carries; counts; fails or waits as told.
struct Script {
  int best_batch = 8;
  int fail_at = 0;                  // the n-th Run throws
  int nan_from = 0, nan_count = 0;  // these Runs answer NaN
  std::function<void()> on_run = {};

  Script Best(int n) const {
    Script s = *this;
    s.best_batch = n;
    return s;
  }
  Script FailAt(int n) const {
    Script s = *this;
    s.fail_at = n;
    return s;
  }
  Script NanFrom(int n, int count) const {
    Script s = *this;
    s.nan_from = n;
    s.nan_count = count;
    return s;
  }
  Script OnRun(std::function<void()> f) const {
    Script s = *this;
    s.on_run = std::move(f);
    return s;
  }
};
using Scripts = std::vector<Script>;

class ScriptedDevice : public Device {
 public:
  explicit ScriptedDevice(const Script& script) : script_(script) {}

  DeviceAttributes attributes() const override {
    DeviceAttributes attributes;
    attributes.name = "scripted";
    attributes.max_batch = 64;
    attributes.best_batch = script_.best_batch;
    return attributes;
  }

  void Run(const DeviceBatch& in, const LogitBatch& out) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    ++runs_;
    if (script_.on_run) script_.on_run();
    if (runs_ == script_.fail_at) throw Exception("scripted failure.");
    const bool nan = runs_ >= script_.nan_from && runs_ < script_.nan_from + script_.nan_count;
    std::ranges::fill(out.policy_logits, 0.0f);
    std::ranges::fill(out.moves_left_plies, 0.0f);
    for (size_t i = 0; i < in.size(); ++i) {
      for (int k = 0; k < 3; ++k)
        out.value_logits[3 * i + k] = static_cast<float>(in.planes[i].mask[0]);
      if (nan) out.policy_logits[in.Begin(i + 1) - 1] = std::numeric_limits<float>::quiet_NaN();
    }
  }

 private:
  const Script script_;
  const std::thread::id thread_ = std::this_thread::get_id();
  int runs_ = 0;
};

// A dispatcher with its threads.
class Fleet {
 public:
  explicit Fleet(const Scripts& scripts, SplitPolicy policy = SplitPolicy::kFill)
      : dispatcher_(std::vector<std::string>(scripts.size(), "scripted"), &clock_) {
    for (size_t i = 0; i < scripts.size(); ++i) {
      const Script script = scripts[i];
      threads_.push_back(std::make_unique<DeviceThread>(
          static_cast<int>(i), [script] { return std::make_unique<ScriptedDevice>(script); },
          &dispatcher_, &clock_));
    }
    dispatcher_.WaitUntilReady();
    dispatcher_.SetPolicy(policy);
  }
  ~Fleet() { dispatcher_.Shutdown(); }

  Dispatcher& dispatcher() { return dispatcher_; }
  FakeClock& clock() { return clock_; }

  Ticket* NewTicket(int positions, uint64_t first_number) {
    Ticket* ticket = pool_.Take();
    for (int i = 0; i < positions; ++i) {
      ticket->AddPlanes()->mask[0] = first_number + i;
      std::ranges::fill(ticket->AddPolicyIndices(1 + i % 3), static_cast<uint16_t>(0));
    }
    ticket->Begin();
    return ticket;
  }
  void Return(Ticket* ticket) { pool_.Return(ticket); }

  // Returns how many of the positions got their own number back.
  int Evaluate(int positions, uint64_t first_number) {
    Ticket* ticket = NewTicket(positions, first_number);
    int right = 0;
    try {
      dispatcher_.Queue(ticket);
      ticket->Wait();
    } catch (...) {
      Return(ticket);
      throw;
    }
    const LogitBatch logits = ticket->Logits(0, positions);
    for (int i = 0; i < positions; ++i)
      right += logits.value_logits[3 * i] == static_cast<float>(first_number + i);
    Return(ticket);
    return right;
  }

  int64_t TotalPositions() const {
    int64_t sum = 0;
    for (const DeviceCounters& counters : dispatcher_.counters()) sum += counters.positions;
    return sum;
  }

 private:
  FakeClock clock_;
  TicketPool pool_;
  Dispatcher dispatcher_;
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
  Ticket* ticket = fleet.NewTicket(6, 0);
  fleet.dispatcher().Queue(ticket);
  running.get_future().wait();  // 4 of 6 are with the device
  fleet.dispatcher().Shutdown();
  may_go_on.set_value();
  EXPECT_THAT(MessageOf([&] { ticket->Wait(); }), HasSubstr("shut down"));
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
  Dispatcher dispatcher({"cpu", "cudnn gpu 1"}, &clock);
  DeviceThread good(
      0, [] { return std::make_unique<ScriptedDevice>(Script{}); }, &dispatcher, &clock);
  DeviceThread bad(
      1, []() -> std::unique_ptr<Device> { throw Exception("no driver.", "Install one."); },
      &dispatcher, &clock);
  EXPECT_EQ(MessageOf([&] { dispatcher.WaitUntilReady(); }),
            "Backend cudnn gpu 1 (device 2 of 2) cannot be used: no driver. Install one.");
  dispatcher.Shutdown();
}

}  // namespace
}  // namespace plexus
