#include "backend/ticket.h"

#include <algorithm>

#include "base/exception.h"

namespace plexus {
namespace {
constexpr int kValues = 3;
}  // namespace

InputPlanes* Ticket::AddPlanes() {
  if (size_ == static_cast<int>(planes_.size())) planes_.resize(std::max(16, size_ * 2));
  return &planes_[size_++];
}

void Ticket::Clear() {
  size_ = 0;
  outputs.clear();
}

void Ticket::Begin() {
  const size_t rows = planes_.size();
  if (moves_left_plies_.size() < rows) {
    policy_logits_.resize(rows * kPolicySize);
    value_logits_.resize(rows * kValues);
    moves_left_plies_.resize(rows);
  }
  MutexLock lock(mutex_);
  pending_ = size_;
  failure_.clear();
}

LogitBatch Ticket::Logits(int begin, int count) {
  const auto rows = [=](std::vector<float>& v, size_t width) {
    return std::span(v).subspan(begin * width, count * width);
  };
  return {rows(policy_logits_, kPolicySize), rows(value_logits_, kValues),
          rows(moves_left_plies_, 1)};
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

void Ticket::Wait() {
  MutexLock lock(mutex_);
  while (pending_ > 0) done_.wait(lock.native());
  if (!failure_.empty()) throw Exception(failure_);
}

Ticket* TicketPool::Take() {
  MutexLock lock(mutex_);
  if (free_.empty()) {
    all_.push_back(std::make_unique<Ticket>());
    free_.reserve(all_.size());
    return all_.back().get();
  }
  Ticket* ticket = free_.back();
  free_.pop_back();
  return ticket;
}

void TicketPool::Return(Ticket* ticket) {
  ticket->Clear();
  MutexLock lock(mutex_);
  free_.push_back(ticket);
}

}  // namespace plexus
