#pragma once
// Asks on time whether the search shall stop, on the injected clock; batches may take longer than what is left.

#include <functional>

#include "base/clock.h"
#include "base/joining_thread.h"
#include "base/mutex.h"

namespace plexus {

// Thread safety: Poke from any thread; construction, Start and destruction by the owner. The functions are called from the
// watchdog's thread, with no lock held.
class Watchdog {
 public:
  // next: when to ask; TimePoint::max() = not before the next Poke. ask: does it.
  Watchdog(Clock* clock, std::function<Clock::TimePoint()> next, std::function<void()> ask);
  ~Watchdog();
  // Nothing is asked before. Once.
  void Start();
  void Poke();  // the answer of `next` may have changed

 private:
  void Run();

  Clock* const clock_;
  const std::function<Clock::TimePoint()> next_;
  const std::function<void()> ask_;
  Mutex mutex_;
  std::condition_variable changed_;
  bool poked_ GUARDED_BY(mutex_) = false;
  bool quit_ GUARDED_BY(mutex_) = false;
  JoiningThread thread_;  // last: it uses what stands above
};

}  // namespace plexus
