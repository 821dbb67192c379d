#include "backend/ticket.h"

#include <algorithm>

#include "base/exception.h"

namespace plexus {
namespace {
constexpr int kValues = 3;
}  // namespace

InputPlanes* Ticket::AddPlanes() {
  if (size_ == static_cast<int>(planes_.size())) planes_.resize(std::max(16, size_ * 2));
  policy_begin_.push_back(policy_begin_.back());
  return &planes_[size_++];
}

std::span<uint16_t> Ticket::AddPolicyIndices(size_t count) {
  const size_t begin = policy_indices_.size();
  policy_indices_.resize(begin + count);
  policy_begin_.back() = static_cast<uint32_t>(begin + count);
  return std::span(policy_indices_).subspan(begin);
}

void Ticket::Clear() {
  size_ = 0;
  policy_indices_.clear();
  policy_begin_.resize(1);
  outputs.clear();
  cancelled_.store(false, std::memory_order_relaxed);
}

void Ticket::Begin() {
  const size_t rows = planes_.size();
  if (moves_left_plies_.size() < rows) {
    value_logits_.resize(rows * kValues);
    moves_left_plies_.resize(rows);
  }
  if (policy_logits_.size() < policy_indices_.size())
    policy_logits_.resize(policy_indices_.capacity());
  MutexLock lock(mutex_);
  pending_ = size_;
  failure_.clear();
}

DeviceBatch Ticket::Batch(int begin, int count) const {
  return DeviceBatch{std::span(planes_).first(size_), policy_indices_, policy_begin_}.Part(begin,
                                                                                           count);
}

LogitBatch Ticket::Logits(int begin, int count) {
  const DeviceBatch all{std::span(planes_).first(size_), policy_indices_, policy_begin_};
  return LogitBatch{policy_logits_, value_logits_, moves_left_plies_}.Part(all, begin, count);
}

void Ticket::Deliver(int count) {
  {
    MutexLock lock(mutex_);
    pending_ -= count;
    if (pending_ > 0) return;
  }
  done_.notify_one();
}

void Ticket::GiveUp(int count, const std::string& what) {
  {
    MutexLock lock(mutex_);
    if (failure_.empty()) failure_ = what;
    pending_ -= count;
    if (pending_ > 0) return;
  }
  done_.notify_one();
}

Ticket::Outcome Ticket::Wait(Clock* clock, Clock::TimePoint until) {
  MutexLock lock(mutex_);
  const auto over = [this]() NO_THREAD_SAFETY_ANALYSIS { return pending_ <= 0 || cancelled(); };
  if (!clock->WaitUntil(lock, done_, until, over)) return Outcome::kTimeout;
  if (pending_ > 0) return Outcome::kCancelled;
  if (!failure_.empty()) throw Exception(failure_);
  return Outcome::kDone;
}

void Ticket::Cancel() {
  {
    MutexLock lock(mutex_);
    cancelled_.store(true, std::memory_order_relaxed);
  }
  done_.notify_one();
}

TicketRef::~TicketRef() {
  if (ticket_ != nullptr && ticket_->references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
    ticket_->pool_->Return(ticket_);
}

TicketRef TicketPool::Take() {
  MutexLock lock(mutex_);
  if (free_.empty()) {
    all_.push_back(std::make_unique<Ticket>(this));
    free_.reserve(all_.size());
    return TicketRef(all_.back().get());
  }
  Ticket* const ticket = free_.back();
  free_.pop_back();
  return TicketRef(ticket);
}

void TicketPool::Return(Ticket* ticket) {
  ticket->Clear();
  MutexLock lock(mutex_);
  free_.push_back(ticket);
}

}  // namespace plexus
