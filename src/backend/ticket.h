#pragma once
// One computation on its way through the devices.

#include <condition_variable>
#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "net/backend.h"
#include "net/device.h"
#include "net/planes.h"

namespace plexus {

// Owned by the caller's computation, borrowed by the queue and by device threads.
//
// Thread safety
// 1. The caller fills planes and calls Begin(), queues the ticket and stays in Wait() until every position was either
//    delivered or given up. So no device thread touches a ticket whose caller has gone, and nothing is counted.
// 2. Each position is in one slice at a time: device threads write disjoint rows. Deliver() publishes them.
// 3. A ticket's memory lives as long as its pool, which outlives the device threads.
class Ticket {
 public:
  // --- the caller, before Begin ---
  // Room for one more position; its planes are undefined, and it wants no logits of the policy yet.
  InputPlanes* AddPlanes();
  // Room for the policy indices that the last position wants; once a position.
  std::span<uint16_t> AddPolicyIndices(size_t count);
  int size() const { return size_; }
  void Clear();
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
  // Throws Exception if positions were given up.
  void Wait();

 private:
  // Kept at their largest size: a ticket from the pool allocates nothing.
  std::vector<InputPlanes> planes_;
  std::vector<uint16_t> policy_indices_;
  std::vector<uint32_t> policy_begin_ = {0};  // [size_ + 1]
  std::vector<float> policy_logits_, value_logits_, moves_left_plies_;
  int size_ = 0;

  Mutex mutex_;
  std::condition_variable done_;
  int pending_ GUARDED_BY(mutex_) = 0;
  std::string failure_ GUARDED_BY(mutex_);
};

// Thread-safe. Tickets live as long as the pool.
class TicketPool {
 public:
  Ticket* Take();
  void Return(Ticket* ticket);

 private:
  Mutex mutex_;
  std::vector<std::unique_ptr<Ticket>> all_ GUARDED_BY(mutex_);
  std::vector<Ticket*> free_ GUARDED_BY(mutex_);
};

}  // namespace plexus
