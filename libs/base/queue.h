#pragma once
// A bounded blocking queue between threads.

#include <cassert>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "base/annotations.h"
#include "base/mutex.h"

namespace plexus {

// Thread safety: every method may be called from any thread.
// Invariants: items come out in the order in which they went in; after Close() nothing goes in,
// what is inside can still be taken out.
template <class T>
class BlockingQueue {
 public:
  explicit BlockingQueue(size_t capacity) : capacity_(capacity) { assert(capacity > 0); }

  // Waits while the queue is full. Returns false, and drops the item, if the queue is closed.
  bool Push(T item) {
    MutexLock lock(mutex_);
    while (!closed_ && items_.size() >= capacity_) not_full_.wait(lock.native());
    return AddIfOpen(std::move(item));
  }
  // Returns false at once if the queue is full or closed.
  bool TryPush(T item) {
    MutexLock lock(mutex_);
    return items_.size() < capacity_ && AddIfOpen(std::move(item));
  }
  // Waits for an item. Nothing means: the queue is closed and empty.
  std::optional<T> Pop() {
    MutexLock lock(mutex_);
    while (!closed_ && items_.empty()) not_empty_.wait(lock.native());
    return TakeIfAny();
  }
  std::optional<T> TryPop() {
    MutexLock lock(mutex_);
    return TakeIfAny();
  }
  // Wakes everybody; idempotent.
  void Close() {
    MutexLock lock(mutex_);
    closed_ = true;
    not_full_.notify_all();
    not_empty_.notify_all();
  }
  size_t size() const {
    MutexLock lock(mutex_);
    return items_.size();
  }

 private:
  bool AddIfOpen(T item) REQUIRES(mutex_) {
    if (closed_) return false;
    items_.push_back(std::move(item));
    not_empty_.notify_one();
    return true;
  }
  std::optional<T> TakeIfAny() REQUIRES(mutex_) {
    if (items_.empty()) return std::nullopt;
    std::optional<T> item(std::move(items_.front()));
    items_.pop_front();
    not_full_.notify_one();
    return item;
  }

  const size_t capacity_;
  mutable Mutex mutex_;
  std::condition_variable not_full_, not_empty_;
  std::deque<T> items_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace plexus
