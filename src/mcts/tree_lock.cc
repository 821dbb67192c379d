#include "mcts/tree_lock.h"

#include "base/exception.h"

namespace plexus {
namespace {

int64_t NanosecondsSince(std::chrono::steady_clock::time_point begin,
                         std::chrono::steady_clock::time_point end) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(end - begin).count();
}

}  // namespace

void TreeMutex::lock(LockUse use) NO_THREAD_SAFETY_ANALYSIS {
  const auto asked_at = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> lock(mutex_);
  if (held_) {
    if (owner_ == std::this_thread::get_id())
      throw Exception("a thread locked the search tree while it held that lock.",
                      "This is an error in the engine; please report it.");
    Waiter me;
    (last_ == nullptr ? first_ : last_->next) = &me;
    last_ = &me;
    me.turn.wait(lock, [&me] {
      return me.granted;
    });  // the one before us has handed over and left held_ set
  }
  held_ = true;
  owner_ = std::this_thread::get_id();
  use_ = use;
  locked_at_ = std::chrono::steady_clock::now();
  ++stats_.acquisitions;
  stats_.wait_ns += NanosecondsSince(asked_at, locked_at_);
}

void TreeMutex::unlock() NO_THREAD_SAFETY_ANALYSIS {
  const std::lock_guard<std::mutex> lock(mutex_);
  const int64_t held_ns = NanosecondsSince(locked_at_, std::chrono::steady_clock::now());
  stats_.hold_ns += held_ns;
  if (use_ == LockUse::kGather) stats_.gather_ns += held_ns;
  if (use_ == LockUse::kBackup) stats_.backup_ns += held_ns;
  owner_ = std::thread::id();
  if (first_ == nullptr) {
    held_ = false;
    return;
  }
  Waiter* const next = first_;
  first_ = next->next;
  if (first_ == nullptr) last_ = nullptr;
  next->granted = true;
  next->turn.notify_one();  // under mutex_: afterwards *next is gone
}

LockStats TreeMutex::stats() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

void TreeMutex::Changed() {
  const std::lock_guard<std::mutex> lock(mutex_);
  epoch_.fetch_add(1, std::memory_order_release);
  if (waiting_for_change_ > 0) changed_.notify_one();
}

void TreeMutex::WakeAnother() {
  const std::lock_guard<std::mutex> lock(mutex_);
  if (waiting_for_change_ > 0) changed_.notify_one();
}

void TreeMutex::WaitForChange(uint64_t seen, const std::atomic<bool>& stop) {
  std::unique_lock<std::mutex> lock(mutex_);
  ++waiting_for_change_;
  changed_.wait(lock,
                [&] { return epoch_.load(std::memory_order_relaxed) != seen || stop.load(); });
  --waiting_for_change_;
}

void TreeMutex::Wake() {
  const std::lock_guard<std::mutex> lock(mutex_);
  changed_.notify_all();
}

int TreeMutex::waiting_for_lock() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  int count = 0;
  for (const Waiter* waiter = first_; waiter != nullptr; waiter = waiter->next) ++count;
  return count;
}

int TreeMutex::waiting_for_change() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return waiting_for_change_;
}

}  // namespace plexus
