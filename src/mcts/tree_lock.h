#pragma once
// The one lock over the tree, and the proof that it is held.
//
// During a search it is taken for writing in worker.cc only: once for a gather and once for a
// backup. Whoever touches nodes takes a witness (TreeWriteLock or TreeReadLock) as a parameter and
// says REQUIRES(tree.nodes_mutex()).

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "base/annotations.h"

namespace plexus {

// What the lock is held for.
enum class LockUse : uint8_t { kOther, kGather, kBackup };

struct LockStats {
  int64_t acquisitions = 0;
  int64_t wait_ns = 0;  // from asking to having, summed over threads
  int64_t hold_ns = 0;
  int64_t gather_ns = 0, backup_ns = 0;  // parts of hold_ns
};

// Exclusive; handed over in order of arrival; never spins; knows its owner.
//
// Thread safety: yes. Invariants:
//  1. Whoever asked first is served first, also against a thread that releases and asks again at
//  once.
//  2. lock() by the thread that holds it throws Exception instead of waiting for ever.
//  3. The epoch only grows, and only by Changed().
class CAPABILITY("nodes_mutex_") TreeMutex {
 public:
  TreeMutex() = default;
  TreeMutex(const TreeMutex&) = delete;
  TreeMutex& operator=(const TreeMutex&) = delete;

  void lock(LockUse use = LockUse::kOther) ACQUIRE();
  void unlock() RELEASE();
  LockStats stats() const;

  // The tree changed in a way that lets an empty gather hope again: a backup ended. Wakes one of those who wait; if it
  // finds more than it can use, it wakes the next, so that many workers on few devices cost nothing.
  void Changed();
  void WakeAnother();
  uint64_t epoch() const { return epoch_.load(std::memory_order_acquire); }
  // Sleeps until it is woken while epoch() != seen, or `stop` is true; call with the lock not held.
  // Whoever sets `stop` calls Wake().
  void WaitForChange(uint64_t seen, const std::atomic<bool>& stop) EXCLUDES(this);
  void Wake();
  // Threads that sleep: for tests.
  int waiting_for_lock() const;
  int waiting_for_change() const;

 private:
  struct Waiter {
    std::condition_variable turn;
    bool granted = false;
    Waiter* next = nullptr;
  };

  mutable std::mutex mutex_;  // guards what follows; held for a few instructions
  bool held_ = false;
  Waiter* first_ = nullptr;  // queue of those who wait for the lock
  Waiter* last_ = nullptr;
  std::thread::id owner_;
  LockUse use_ = LockUse::kOther;
  std::chrono::steady_clock::time_point locked_at_;
  LockStats stats_;
  std::condition_variable changed_;
  int waiting_for_change_ = 0;
  std::atomic<uint64_t> epoch_ = 0;
};

// The tree may be changed while this lives.
class SCOPED_CAPABILITY TreeWriteLock {
 public:
  explicit TreeWriteLock(TreeMutex& mutex, LockUse use = LockUse::kOther) ACQUIRE(mutex)
      : mutex_(mutex) {
    mutex_.lock(use);
  }
  ~TreeWriteLock() RELEASE() { mutex_.unlock(); }
  TreeWriteLock(const TreeWriteLock&) = delete;
  TreeWriteLock& operator=(const TreeWriteLock&) = delete;

 private:
  TreeMutex& mutex_;
};

// The tree may be read while this lives. The same exclusive lock: reports are rare and short.
class SCOPED_CAPABILITY TreeReadLock {
 public:
  explicit TreeReadLock(TreeMutex& mutex) ACQUIRE(mutex) : mutex_(mutex) { mutex_.lock(); }
  ~TreeReadLock() RELEASE() { mutex_.unlock(); }
  TreeReadLock(const TreeReadLock&) = delete;
  TreeReadLock& operator=(const TreeReadLock&) = delete;

 private:
  TreeMutex& mutex_;
};

}  // namespace plexus
