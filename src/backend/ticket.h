#pragma once
// One computation on its way through the devices.

#include <atomic>
#include <condition_variable>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "net/backend.h"
#include "net/device.h"
#include "net/planes.h"

namespace plexus {

class TicketPool;

// Counted: the caller's computation, the queue and every slice hold a TicketRef, so that each may let go when it likes.
//
// Thread safety
// 1. The caller fills planes and calls Begin(); from then on planes are constant until the last reference is gone.
// 2. Each position is delivered or given up once: device threads write disjoint rows, Deliver() publishes them.
// 3. The caller reads answers and outputs after Wait() has told that all is there. A caller that cancelled reads
//    nothing; devices may still write.
class Ticket {
 public:
  explicit Ticket(TicketPool* pool) : pool_(pool) {}

  // --- the caller, before Begin ---
  // Room for one more position; its planes are undefined, and it wants no logits of the policy yet.
  InputPlanes* AddPlanes();
  // Room for the policy indices that the last position wants; once a position.
  std::span<uint16_t> AddPolicyIndices(size_t count);
  int size() const { return size_; }
  // All rows are undefined until delivered.
  void Begin();

  std::vector<EvalOutput*> outputs;  // one a position; only the caller reads them

  // --- device threads ---
  DeviceBatch Batch(int begin, int count) const;
  LogitBatch Logits(int begin, int count);
  void Deliver(int count);
  // `count` positions will never be evaluated, because of `what`; the first reason counts.
  void GiveUp(int count, const std::string& what);

  // --- the caller, after queueing ---
  enum class Outcome { kDone, kCancelled, kTimeout };
  // kTimeout: `until` has come. Throws Exception if positions were given up.
  Outcome Wait(Clock* clock, Clock::TimePoint until);
  // From any thread: Wait() returns kCancelled unless all is done.
  void Cancel();
  // Nobody waits for the answers any more.
  bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }

 private:
  friend class TicketRef;
  friend class TicketPool;
  void Clear();

  TicketPool* const pool_;
  std::atomic<int> references_ = 0;
  // Kept at their largest size: a ticket from the pool allocates nothing.
  std::vector<InputPlanes> planes_;
  std::vector<uint16_t> policy_indices_;
  std::vector<uint32_t> policy_begin_ = {0};  // [size_ + 1]
  std::vector<float> policy_logits_, value_logits_, moves_left_plies_;
  int size_ = 0;
  std::atomic<bool> cancelled_ = false;

  Mutex mutex_;
  std::condition_variable done_;
  int pending_ GUARDED_BY(mutex_) = 0;
  std::string failure_ GUARDED_BY(mutex_);
};

// The last one to go returns the ticket to its pool.
class TicketRef {
 public:
  TicketRef() = default;
  explicit TicketRef(Ticket* ticket) : ticket_(ticket) { Acquire(); }
  TicketRef(const TicketRef& other) : ticket_(other.ticket_) { Acquire(); }
  TicketRef(TicketRef&& other) noexcept : ticket_(std::exchange(other.ticket_, nullptr)) {}
  TicketRef& operator=(TicketRef other) noexcept {
    std::swap(ticket_, other.ticket_);
    return *this;
  }
  ~TicketRef();

  Ticket* get() const { return ticket_; }
  Ticket* operator->() const { return ticket_; }
  Ticket& operator*() const { return *ticket_; }

 private:
  void Acquire() {
    if (ticket_ != nullptr) ticket_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  Ticket* ticket_ = nullptr;
};

// Thread-safe. Outlives its tickets' references.
class TicketPool {
 public:
  TicketRef Take();

 private:
  friend class TicketRef;
  void Return(Ticket* ticket);

  Mutex mutex_;
  std::vector<std::unique_ptr<Ticket>> all_ GUARDED_BY(mutex_);
  std::vector<Ticket*> free_ GUARDED_BY(mutex_);
};

}  // namespace plexus
