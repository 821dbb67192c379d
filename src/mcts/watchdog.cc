#include "mcts/watchdog.h"

#include <algorithm>

namespace plexus {

Watchdog::Watchdog(Clock* clock, std::function<Clock::TimePoint()> next, std::function<void()> ask)
    : clock_(clock),
      next_(std::move(next)),
      ask_(std::move(ask)) {}

void Watchdog::Start() {
  thread_ = JoiningThread("watchdog", [this] { Run(); });
}

Watchdog::~Watchdog() {
  {
    MutexLock lock(mutex_);
    quit_ = true;
    changed_.notify_all();
  }
  thread_.Join();
}

void Watchdog::Poke() {
  MutexLock lock(mutex_);
  poked_ = true;
  changed_.notify_all();
}

void Watchdog::Run() {
  Clock::TimePoint asked = Clock::TimePoint::min();
  while (true) {
    Clock::TimePoint deadline = next_();
    // Whoever names a moment that has passed and does not stop then is asked again a little later.
    if (asked != Clock::TimePoint::min())
      deadline = std::max(deadline, asked + std::chrono::milliseconds(1));
    MutexLock lock(mutex_);
    const auto woken = [this]() NO_THREAD_SAFETY_ANALYSIS { return poked_ || quit_; };
    if (clock_->WaitUntil(lock, changed_, deadline, woken)) {
      if (quit_) return;
      poked_ = false;
      continue;
    }
    lock.native().unlock();
    ask_();
    asked = clock_->Now();
    lock.native().lock();
  }
}

}  // namespace plexus
