#include "backend/batch_planner.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace plexus {
namespace {

// A slice is worth its latency if that is at most a tenth of its time.
constexpr double kLatencyWorth = 9;
constexpr double kNominalPositionSeconds = 20e-6;  // of any device while none is known

using Lane = PlannerLane;

double Seconds(const Lane& lane, int positions) {
  return lane.latency_s + positions * lane.position_s;
}

double Finish(const Lane& lane, int positions) { return lane.backlog_s + Seconds(lane, positions); }

int Best(const Lane& lane) { return lane.device->best_batch; }

// What one batch takes of `left` positions: above a step only whole steps.
int Whole(const Lane& lane, int left) {
  const int count = std::min(left, Best(lane)), step = lane.device->batch_step;
  return count > step ? count - count % step : count;
}

int RoundUp(const Lane& lane, int count) {
  const int step = lane.device->batch_step;
  return (count + step - 1) / step * step;
}

// The smallest batch that is not a scrap.
int Sensible(const Lane& lane) {
  const int half = std::max(1, Best(lane) / 2);
  if (!lane.device->speed.latency_known() || lane.position_s <= 0) return half;
  return static_cast<int>(
      std::clamp(kLatencyWorth * lane.latency_s / lane.position_s, 1.0, static_cast<double>(half)));
}

// Positions that it can end within `seconds` from now, as one batch.
double Within(const Lane& lane, double seconds) {
  const double time = seconds - lane.backlog_s - lane.latency_s;
  if (time < 0) return 0;
  return time >= lane.position_s * Best(lane) ? Best(lane) : time / lane.position_s;
}

}  // namespace

void BatchPlanner::Plan(const PlannerInput& input, SplitPolicy policy,
                        std::vector<PlannedPart>* plan) {
  assert(!IsStatic(policy));
  plan->clear();
  input_ = &input;
  spread_ = policy == SplitPolicy::kSpread;
  plan_ = plan;
  left_ = std::accumulate(input.waiting.begin(), input.waiting.end(), 0);
  ticket_ = begin_ = batches_ = 0;
  if (left_ == 0 || input.devices.empty()) return;
  MakeLanes();
  while (left_ > 0) {
    Lane* const first = Soonest([](const Lane&) { return true; });
    if (first == nullptr) return;
    if (std::ranges::any_of(lanes_, &Lane::idle) ? !Share(first) : !SendAhead()) return;
  }
}

void BatchPlanner::MakeLanes() {
  // Of the known ones, the mean time of a position in a best batch.
  double position_s = 0;
  int known = 0;
  for (const PlannerDevice& device : input_->devices) {
    if (!device.speed.known()) continue;
    position_s += device.speed.Seconds(device.best_batch) / device.best_batch;
    ++known;
  }
  position_s = known > 0 ? position_s / known : kNominalPositionSeconds;
  lanes_.clear();
  lanes_.reserve(input_->devices.size());
  for (const PlannerDevice& device : input_->devices) {
    if (device.free_streams <= 0) continue;
    Lane lane{&device, 0, position_s, 0, device.free_streams, device.in_flight == 0};
    if (device.speed.known()) {
      lane.latency_s = device.speed.latency_s();
      lane.position_s = device.speed.position_s();
      lane.backlog_s = device.backlog_s;
    } else {
      lane.backlog_s = device.in_flight * position_s;
    }
    lanes_.push_back(lane);
  }
}

// The lane with a free stream that would end its next batch first, of those that `wanted` likes.
template <class Wanted>
Lane* BatchPlanner::Soonest(const Wanted& wanted) {
  Lane* soonest = nullptr;
  double finish = std::numeric_limits<double>::infinity();
  for (Lane& lane : lanes_) {
    if (lane.free_streams == 0 || !wanted(lane)) continue;
    const double time = Finish(lane, Whole(lane, left_));
    if (time >= finish) continue;
    soonest = &lane;
    finish = time;
  }
  return soonest;
}

void BatchPlanner::Deal(Lane* lane, int count) {
  assert(count > 0 && count <= left_ && lane->free_streams > 0);
  lane->backlog_s += Seconds(*lane, count);
  lane->idle = false;
  --lane->free_streams;
  left_ -= count;
  while (count > 0) {
    const int part = std::min(count, input_->waiting[ticket_] - begin_);
    plan_->push_back({batches_, lane->device->device, ticket_, begin_, part});
    count -= part;
    begin_ += part;
    if (begin_ == input_->waiting[ticket_]) {
      ++ticket_;
      begin_ = 0;
    }
  }
  ++batches_;
}

bool BatchPlanner::SendAhead() {
  Lane* const lane = Soonest(
      [&](const Lane& candidate) { return Whole(candidate, left_) >= Sensible(candidate); });
  if (lane == nullptr) return false;
  Deal(lane, Whole(*lane, left_));
  return true;
}

// How many idle devices shall share what waits.
int BatchPlanner::WantedSharers() const {
  if (spread_) return std::numeric_limits<int>::max();
  // With fewer computations under way than devices, each must feed several.
  const int callers = std::max(1, input_->callers);
  const int each = (input_->working_devices + callers - 1) / callers;
  return each * (static_cast<int>(input_->waiting.size()) - ticket_);
}

// Some device is idle; `first` would end its next batch first. False: it is better to wait.
bool BatchPlanner::Share(Lane* first) {
  sharers_.clear();
  const int wanted = WantedSharers();
  int room = 0;
  for (;;) {
    const auto is_new = [&](const Lane& lane) {
      return lane.idle && std::ranges::find(sharers_, &lane) == sharers_.end();
    };
    Lane* const next = Soonest(is_new);
    if (next == nullptr) break;
    if (room >= left_ && static_cast<int>(sharers_.size()) >= wanted) break;
    sharers_.push_back(next);
    room += Best(*next);
  }
  if (!first->idle) sharers_.push_back(first);  // though it is at work
  DropScraps();
  if (sharers_.size() == 1) {
    Lane* const lane = sharers_[0];
    const int count = Whole(*lane, left_);
    if (!lane->idle && count < Sensible(*lane)) return false;
    Deal(lane, count);
    return true;
  }
  DealShares();
  return true;
}

// Takes out whoever would get less than makes sense, the smallest share first.
void BatchPlanner::DropScraps() {
  if (spread_) return;
  while (sharers_.size() > 1) {
    const double finish = CommonFinish();
    auto worst = sharers_.end();
    double least = std::numeric_limits<double>::infinity();
    for (auto it = sharers_.begin(); it != sharers_.end(); ++it) {
      const double share = Within(**it, finish);
      if (share >= Sensible(**it) || share > least) continue;
      worst = it;
      least = share;
    }
    if (worst == sharers_.end()) return;
    sharers_.erase(worst);
  }
}

// When all sharers are done if none idles before the others: their batches together hold what waits, or all they can.
double BatchPlanner::CommonFinish() const {
  double low = 0, high = 0;
  for (const Lane* lane : sharers_) high = std::max(high, Finish(*lane, Best(*lane)));
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2;
    double sum = 0;
    for (const Lane* lane : sharers_) sum += Within(*lane, middle);
    (sum < left_ ? low : high) = middle;
  }
  return high;
}

void BatchPlanner::DealShares() {
  const double finish = CommonFinish();
  double sum = 0;
  for (const Lane* lane : sharers_) sum += Within(*lane, finish);
  for (Lane* lane : sharers_) {
    if (left_ == 0) return;
    // Of what is left by its part of what is left: rounding must neither starve the last one nor overload it.
    const double within = Within(*lane, finish);
    const double exact = sum > 0 ? std::min(1.0, within / sum) * left_ : left_;
    sum -= within;
    const int share =
        std::max(1, static_cast<int>(std::min(exact, static_cast<double>(Best(*lane))) + 0.5));
    Deal(lane, Whole(*lane, std::min(left_, RoundUp(*lane, share))));
  }
}

void PlanComputation(int count, std::span<const PlannerDevice> devices, SplitPolicy policy,
                     int* turn, std::vector<PlannedPart>* plan) {
  assert(IsStatic(policy) && !devices.empty());
  plan->clear();
  int begin = 0, batch = 0;
  const auto deal = [&](const PlannerDevice& device, int share) {
    while (share > 0) {
      int part = std::min(share, device.max_batch);
      if (part > device.batch_step) part -= part % device.batch_step;
      plan->push_back({batch++, device.device, 0, begin, part});
      begin += part;
      share -= part;
    }
  };
  const int number = static_cast<int>(devices.size());
  if (policy == SplitPolicy::kRoundRobin) {
    // The first device whose number is not below *turn, or the first at all.
    const auto next = std::ranges::find_if(
        devices, [&](const PlannerDevice& device) { return device.device >= *turn; });
    const PlannerDevice& device = next == devices.end() ? devices.front() : *next;
    deal(device, count);
    *turn = device.device + 1;
    return;
  }
  for (int i = 0; i < number; ++i) {
    const int left = count - begin;
    deal(devices[i], (left + number - i - 1) / (number - i));
  }
}

}  // namespace plexus
