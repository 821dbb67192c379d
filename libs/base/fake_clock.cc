#include "base/fake_clock.h"

#include <algorithm>

namespace plexus {

Clock::TimePoint FakeClock::Now() const {
  MutexLock lock(mutex_);
  return now_;
}

bool FakeClock::WaitUntil(MutexLock& lock, std::condition_variable& condition, TimePoint deadline,
                          const std::function<bool()>& done) {
  {
    MutexLock own(mutex_);
    waiting_.push_back(&condition);
  }
  bool is_done = done();
  while (!is_done && Now() < deadline) {
    // Advance() notifies without holding the waiter's mutex (it could deadlock with us), so a
    // notification between the test above and the wait below can be lost: the real-time limit
    // bounds what that costs.
    condition.wait_for(lock.native(), std::chrono::milliseconds(1));
    is_done = done();
  }
  MutexLock own(mutex_);
  waiting_.erase(std::find(waiting_.begin(), waiting_.end(), &condition));
  return is_done;
}

void FakeClock::Advance(Duration duration) {
  MutexLock lock(mutex_);
  MoveTo(now_ + duration);
}

void FakeClock::SleepUntil(TimePoint when) {
  MutexLock lock(mutex_);
  MoveTo(when);
}

void FakeClock::MoveTo(TimePoint when) {
  now_ = std::max(now_, when);
  // A waiter unregisters under mutex_ before it returns, so each condition is alive here.
  for (std::condition_variable* condition : waiting_) condition->notify_all();
}

size_t FakeClock::waiters() const {
  MutexLock lock(mutex_);
  return waiting_.size();
}

}  // namespace plexus
