#pragma once
// A mutex with counters, for the lock study: std::mutex, std::shared_mutex or the engine's TreeMutex.

#include <chrono>
#include <cstdint>
#include <mutex>
#include <shared_mutex>

#include "base/annotations.h"

namespace plexus {

// Of one thread, so that counting is no contention of its own.
struct LockMeter {
  int64_t acquisitions = 0;
  int64_t wait_ns = 0, held_ns = 0;  // summed over threads: shared holders count each
};

enum class Access : uint8_t { kRead, kWrite };

// Readers of a std::shared_mutex hold it together; every other kind is exclusive.
template <class Mutex>
class StudyLock {
 public:
  // `timed`: clocks are read at each acquisition, which costs about as much as a free lock itself.
  explicit StudyLock(bool timed) : timed_(timed) {}

  class Guard {
   public:
    Guard(StudyLock& lock, Access access, LockMeter& meter)
        : lock_(lock), access_(access), meter_(meter) {
      const auto asked = lock_.Now();
      lock_.Acquire(access_);
      since_ = lock_.Now();
      ++meter_.acquisitions;
      meter_.wait_ns += (since_ - asked).count();
    }
    ~Guard() {
      meter_.held_ns += (lock_.Now() - since_).count();
      lock_.Release(access_);
    }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    StudyLock& lock_;
    const Access access_;
    LockMeter& meter_;
    std::chrono::steady_clock::time_point since_;
  };

 private:
  static constexpr bool kShares = std::is_same_v<Mutex, std::shared_mutex>;

  std::chrono::steady_clock::time_point Now() const {
    return timed_ ? std::chrono::steady_clock::now() : std::chrono::steady_clock::time_point();
  }
  void Acquire(Access access) NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (kShares) {
      if (access == Access::kRead) return mutex_.lock_shared();
    }
    mutex_.lock();
  }
  void Release(Access access) NO_THREAD_SAFETY_ANALYSIS {
    if constexpr (kShares) {
      if (access == Access::kRead) return mutex_.unlock_shared();
    }
    mutex_.unlock();
  }

  Mutex mutex_;
  const bool timed_;
};

}  // namespace plexus
