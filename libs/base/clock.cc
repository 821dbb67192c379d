#include "base/clock.h"

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

}  // namespace plexus
