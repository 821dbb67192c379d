#pragma once
// Simulated cards of the lock study: batches go to the card that is free first; the worker sleeps until its batch is done.

#include <algorithm>
#include <chrono>
#include <mutex>
#include <vector>

#include "base/clock.h"

namespace plexus {

class StudyCards {
 public:
  // rate: positions a second of each card; 0 = no time.
  StudyCards(int count, double rate, Clock* clock)
      : rate_(rate), clock_(clock), free_at_(static_cast<size_t>(count), clock->Now()) {}

  void Evaluate(int positions) {
    if (rate_ > 0) clock_->SleepUntil(Admit(positions));
  }

 private:
  Clock::TimePoint Admit(int positions) {
    const std::lock_guard<std::mutex> lock(mutex_);
    Clock::TimePoint& card = *std::min_element(free_at_.begin(), free_at_.end());
    const auto cost = std::chrono::duration<double>(positions / rate_);
    card = std::max(card, clock_->Now()) + std::chrono::duration_cast<Clock::Duration>(cost);
    return card;
  }

  const double rate_;
  Clock* const clock_;
  std::mutex mutex_;
  std::vector<Clock::TimePoint> free_at_;
};

}  // namespace plexus
