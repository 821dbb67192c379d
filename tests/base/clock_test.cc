#include "base/clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace plexus {
namespace {

using std::chrono::milliseconds;

TEST(SteadyClock, NeverGoesBack) {
  SteadyClock clock;
  const Clock::TimePoint first = clock.Now();
  EXPECT_LE(first, clock.Now());
}

TEST(SteadyClock, SleepsAtLeastAsLongAsAsked) {
  SteadyClock clock;
  const Clock::TimePoint start = clock.Now();
  clock.SleepFor(milliseconds(2));
  EXPECT_GE(clock.Now() - start, milliseconds(2));
}

TEST(SteadyClock, SleepingUntilAMomentEndsNoEarlier) {
  SteadyClock clock;
  const Clock::TimePoint when = clock.Now() + milliseconds(2);
  clock.SleepUntil(when);
  EXPECT_GE(clock.Now(), when);
  clock.SleepUntil(when);  // long ago: returns
}

TEST(SteadyClock, WaitEndsAtTheDeadlineWithFalse) {
  SteadyClock clock;
  Mutex mutex;
  std::condition_variable condition;
  MutexLock lock(mutex);
  const Clock::TimePoint deadline = clock.Now() + milliseconds(2);
  EXPECT_FALSE(clock.WaitUntil(lock, condition, deadline, [] { return false; }));
  EXPECT_GE(clock.Now(), deadline);
}

TEST(SteadyClock, WaitWithoutDeadlineEndsWhenDone) {
  SteadyClock clock;
  Mutex mutex;
  std::condition_variable condition;
  bool done = false;
  std::thread other([&] {
    MutexLock lock(mutex);
    done = true;
    condition.notify_all();
  });
  {
    MutexLock lock(mutex);
    EXPECT_TRUE(
        clock.WaitUntil(lock, condition, Clock::TimePoint::max(), [&done] { return done; }));
  }
  other.join();
}

TEST(SteadyClock, WaitReturnsAtOnceIfDoneAlready) {
  SteadyClock clock;
  Mutex mutex;
  std::condition_variable condition;
  MutexLock lock(mutex);
  EXPECT_TRUE(clock.WaitUntil(lock, condition, clock.Now() - milliseconds(1), [] { return true; }));
}

}  // namespace
}  // namespace plexus
