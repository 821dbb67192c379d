#pragma once
// A clock that moves only when it is told to: time policies are tested without waiting.

#include <vector>

#include "base/annotations.h"
#include "base/clock.h"
#include "base/mutex.h"

namespace plexus {

// Thread-safe. Starts at `start` after an arbitrary zero.
class FakeClock : public Clock {
 public:
  explicit FakeClock(Duration start = Duration::zero()) : now_(TimePoint(start)) {}

  TimePoint Now() const override;
  // Returns when done() holds or when Advance() has moved the clock to the deadline.
  bool WaitUntil(MutexLock& lock, std::condition_variable& condition, TimePoint deadline,
                 const std::function<bool()>& done) override;
  // Whoever sleeps moves the time: same as Advance().
  void SleepFor(Duration duration) override { Advance(duration); }
  void SleepUntil(TimePoint when) override;

  // Moves time forward (a negative duration does nothing) and wakes every waiter. The caller may
  // hold any mutex except the clock's own.
  void Advance(Duration duration);
  // How many threads are inside WaitUntil(): a test advances only after the waiter it means has
  // arrived.
  size_t waiters() const;

 private:
  // Never backwards; wakes every waiter.
  void MoveTo(TimePoint when) REQUIRES(mutex_);

  mutable Mutex mutex_;
  TimePoint now_ GUARDED_BY(mutex_);
  std::vector<std::condition_variable*> waiting_ GUARDED_BY(mutex_);
};

}  // namespace plexus
