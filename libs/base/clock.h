#pragma once
// Time is handed in, never read from the side, so that every time policy can be tested without waiting.

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>

#include "base/mutex.h"

namespace plexus {

class Clock {
 public:
  using Duration = std::chrono::nanoseconds;
  // A point on this clock; only differences mean anything.
  using TimePoint = std::chrono::time_point<Clock, Duration>;

  virtual ~Clock() = default;
  virtual TimePoint Now() const = 0;
  // Waits on `condition` (its mutex is held through `lock`) until `done()` or until `deadline` on this clock.
  // Returns done(). TimePoint::max() means no deadline.
  virtual bool WaitUntil(MutexLock& lock, std::condition_variable& condition, TimePoint deadline,
                         const std::function<bool()>& done) = 0;
  // Lets time pass: a real clock sleeps, a fake one advances.
  virtual void SleepFor(Duration duration) = 0;
  // The same up to a moment; returns at once if it has passed. Of several sleepers on a fake clock each wakes at its
  // own moment. A real clock wakes the thread within microseconds rather than the usual 50 us, load permitting.
  virtual void SleepUntil(TimePoint when) = 0;
};

// The machine's monotonic clock. Thread-safe.
class SteadyClock : public Clock {
 public:
  TimePoint Now() const override;
  bool WaitUntil(MutexLock& lock, std::condition_variable& condition, TimePoint deadline,
                 const std::function<bool()>& done) override;
  void SleepFor(Duration duration) override;
  void SleepUntil(TimePoint when) override;
};

}  // namespace plexus
