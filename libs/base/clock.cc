#include "base/clock.h"

#include <sys/prctl.h>

#include <thread>

namespace plexus {

Clock::TimePoint SteadyClock::Now() const {
  return TimePoint(
      std::chrono::duration_cast<Duration>(std::chrono::steady_clock::now().time_since_epoch()));
}

bool SteadyClock::WaitUntil(MutexLock& lock, std::condition_variable& condition, TimePoint deadline,
                            const std::function<bool()>& done) {
  if (deadline == TimePoint::max()) {
    condition.wait(lock.native(), done);
    return true;
  }
  const auto steady_deadline = std::chrono::steady_clock::time_point(
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(deadline.time_since_epoch()));
  return condition.wait_until(lock.native(), steady_deadline, done);
}

void SteadyClock::SleepFor(Duration duration) {
  if (duration > Duration::zero()) std::this_thread::sleep_for(duration);
}

void SteadyClock::SleepUntil(TimePoint when) {
  // The system rounds the sleeps of a thread up by its timer slack, 50 us unless told otherwise: of a simulated card's
  // batch of 1 ms that were 5%.
  thread_local const bool is_precise = prctl(PR_SET_TIMERSLACK, 1ul, 0ul, 0ul, 0ul) == 0;
  static_cast<void>(is_precise);  // where the system refuses, sleeps are merely longer
  SleepFor(when - Now());
}

}  // namespace plexus
