#include "backend/batch_planner.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace plexus {
namespace {

int RoundUp(int64_t value, int step) { return static_cast<int>((value + step - 1) / step * step); }

// Takes positions from the front of `waiting`, oldest first.
class Dealer {
 public:
  Dealer(std::span<const int> waiting, std::vector<PlannedPart>* plan)
      : waiting_(waiting), plan_(plan), left_(std::accumulate(waiting.begin(), waiting.end(), 0)) {}

  int left() const { return left_; }

  void Deal(int device, int quota) {
    quota = std::min(quota, left_);
    left_ -= quota;
    while (quota > 0) {
      const int count = std::min(quota, waiting_[ticket_] - begin_);
      plan_->push_back({device, ticket_, begin_, count});
      quota -= count;
      begin_ += count;
      if (begin_ == waiting_[ticket_]) {
        ++ticket_;
        begin_ = 0;
      }
    }
  }

 private:
  std::span<const int> waiting_;
  std::vector<PlannedPart>* plan_;
  int left_;
  int ticket_ = 0, begin_ = 0;
};

double Weight(const IdleDevice& device, bool all_measured) {
  return all_measured ? device.positions_per_s : 1.0;
}

void Spread(std::span<const IdleDevice> idle, Dealer* dealer) {
  const bool all_measured = std::ranges::all_of(
      idle, [](const IdleDevice& device) { return device.positions_per_s > 0; });
  double weight_left = 0;
  for (const IdleDevice& device : idle) weight_left += Weight(device, all_measured);
  for (size_t i = 0; i < idle.size() && dealer->left() > 0; ++i) {
    const IdleDevice& device = idle[i];
    const double weight = Weight(device, all_measured);
    // The last device's share is all that is left. Rounding must neither starve it nor leave one idle before it.
    const double exact = dealer->left() * (i + 1 == idle.size() ? 1.0 : weight / weight_left);
    const int share =
        RoundUp(std::max<int64_t>(1, static_cast<int64_t>(exact + 0.5)), device.batch_step);
    dealer->Deal(device.device, std::min(share, device.best_batch));
    weight_left -= weight;
  }
}

}  // namespace

void PlanSlices(std::span<const int> waiting, std::span<const IdleDevice> idle, SplitPolicy policy,
                std::vector<PlannedPart>* plan) {
  plan->clear();
  Dealer dealer(waiting, plan);
  if (policy == SplitPolicy::kSpread) {
    Spread(idle, &dealer);
    return;
  }
  for (const IdleDevice& device : idle) {
    if (dealer.left() == 0) return;
    dealer.Deal(device.device, device.best_batch);
  }
}

}  // namespace plexus
