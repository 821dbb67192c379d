#include "mcts/watchdog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/fake_clock.h"

namespace plexus {
namespace {

using std::chrono::milliseconds;

void AwaitWaiter(const FakeClock& clock) {
  while (clock.waiters() == 0) std::this_thread::yield();
}

TEST(Watchdog, AsksWhenTheMomentComesAndNotBefore) {
  FakeClock clock;
  std::atomic<int> asked = 0;
  const auto deadline = clock.Now() + milliseconds(100);
  Watchdog dog(
      &clock, [&] { return asked == 0 ? deadline : Clock::TimePoint::max(); }, [&] { ++asked; });
  dog.Start();
  AwaitWaiter(clock);
  clock.Advance(milliseconds(99));
  EXPECT_EQ(asked, 0);
  clock.Advance(milliseconds(1));
  while (asked == 0) std::this_thread::yield();
}

TEST(Watchdog, APokeMakesItLookAtTheMomentAgain) {
  FakeClock clock;
  std::atomic<bool> armed = false;
  std::atomic<int> asked = 0;
  Watchdog dog(
      &clock, [&] { return armed && asked == 0 ? clock.Now() : Clock::TimePoint::max(); },
      [&] { ++asked; });
  dog.Start();
  AwaitWaiter(clock);
  armed = true;
  dog.Poke();
  while (asked == 0) std::this_thread::yield();
}

TEST(Watchdog, DoesNotSpinOnAMomentThatHasPassed) {
  FakeClock clock;
  std::atomic<int> asked = 0;
  const auto past = clock.Now();
  {
    Watchdog dog(
        &clock, [&] { return past; }, [&] { ++asked; });
    dog.Start();
    while (asked == 0) std::this_thread::yield();
    AwaitWaiter(clock);
  }
  EXPECT_EQ(asked, 1);
}

}  // namespace
}  // namespace plexus
