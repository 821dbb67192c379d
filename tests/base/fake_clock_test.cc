#include "base/fake_clock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace plexus {
namespace {

using std::chrono::milliseconds;

void WaitForWaiters(const FakeClock& clock, size_t count) {
  while (clock.waiters() < count) std::this_thread::yield();
}

TEST(FakeClock, StandsStillUntilItIsAdvanced) {
  FakeClock clock(milliseconds(5));
  const Clock::TimePoint start = clock.Now();
  EXPECT_EQ(start.time_since_epoch(), milliseconds(5));
  clock.Advance(milliseconds(7));
  EXPECT_EQ(clock.Now() - start, milliseconds(7));
}

TEST(FakeClock, SleepingAdvancesIt) {
  FakeClock clock;
  clock.SleepFor(milliseconds(3));
  EXPECT_EQ(clock.Now().time_since_epoch(), milliseconds(3));
}

TEST(FakeClock, SleepingUntilAMomentAdvancesItToThere) {
  FakeClock clock(milliseconds(5));
  clock.SleepUntil(Clock::TimePoint(milliseconds(8)));
  EXPECT_EQ(clock.Now().time_since_epoch(), milliseconds(8));
  clock.SleepUntil(Clock::TimePoint(milliseconds(6)));
  EXPECT_EQ(clock.Now().time_since_epoch(), milliseconds(8));
}

TEST(FakeClock, NeverGoesBack) {
  FakeClock clock;
  clock.Advance(milliseconds(-3));
  EXPECT_EQ(clock.Now().time_since_epoch(), milliseconds(0));
}

TEST(FakeClock, PassedDeadlineEndsAWaitAtOnce) {
  FakeClock clock;
  Mutex mutex;
  std::condition_variable condition;
  MutexLock lock(mutex);
  EXPECT_FALSE(clock.WaitUntil(lock, condition, clock.Now(), [] { return false; }));
  EXPECT_EQ(clock.waiters(), 0u);
}

TEST(FakeClock, AdvanceWakesExactlyThoseWhoseDeadlineHasCome) {
  FakeClock clock;
  Mutex mutex;
  std::condition_variable condition;
  const Clock::TimePoint start = clock.Now();
  bool late_is_done = false;
  bool early_result = true, late_result = false;
  std::thread early([&] {
    MutexLock lock(mutex);
    early_result = clock.WaitUntil(lock, condition, start + milliseconds(10), [] { return false; });
  });
  std::thread late([&] {
    MutexLock lock(mutex);
    late_result = clock.WaitUntil(lock, condition, start + milliseconds(20),
                                  [&late_is_done] { return late_is_done; });
  });
  WaitForWaiters(clock, 2);
  clock.Advance(milliseconds(10));
  early.join();
  EXPECT_FALSE(early_result);
  EXPECT_EQ(clock.waiters(), 1u);
  {
    MutexLock lock(mutex);
    late_is_done = true;
    condition.notify_all();
  }
  late.join();
  EXPECT_TRUE(late_result);
}

TEST(FakeClock, ManyWaitersOnOwnConditionsAllWakeUp) {
  struct Waiter {
    Mutex mutex;
    std::condition_variable condition;
    bool result = true;
  };
  FakeClock clock;
  std::vector<std::thread> threads;
  std::vector<Waiter> waiters(8);
  for (Waiter& waiter : waiters) {
    threads.emplace_back([&clock, &waiter] {
      MutexLock lock(waiter.mutex);
      waiter.result = clock.WaitUntil(lock, waiter.condition, Clock::TimePoint(milliseconds(100)),
                                      [] { return false; });
    });
  }
  WaitForWaiters(clock, waiters.size());
  for (int step = 0; step < 10; ++step) clock.Advance(milliseconds(10));
  for (std::thread& thread : threads) thread.join();
  for (const Waiter& waiter : waiters) EXPECT_FALSE(waiter.result);
}

}  // namespace
}  // namespace plexus
