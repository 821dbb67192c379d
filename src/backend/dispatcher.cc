#include "backend/dispatcher.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstdio>
#include <utility>

namespace plexus {
namespace {

constexpr const char* kShutDown = "The backend was shut down before it had evaluated this batch.";

double Seconds(Clock::Duration duration) { return std::chrono::duration<double>(duration).count(); }

void GiveUp(const Slice& parts, const std::string& cause) {
  for (const SlicePart& part : parts) part.ticket->GiveUp(part.count, cause);
}

void Wake(const std::vector<std::condition_variable*>& sleepers) {
  for (std::condition_variable* sleeper : sleepers) sleeper->notify_one();
}

}  // namespace

Dispatcher::Dispatcher(std::vector<std::string> labels, Clock* clock)
    : clock_(clock), labels_(std::move(labels)) {
  for (size_t i = 0; i < labels_.size(); ++i) devices_.push_back(std::make_unique<DeviceEntry>());
}

std::string Dispatcher::Describe(int device) const {
  return labels_[device] + " (device " + std::to_string(device + 1) + " of " +
         std::to_string(labels_.size()) + ")";
}

int Dispatcher::working() const {
  return static_cast<int>(std::ranges::count_if(
      devices_, [](const auto& device) { return device->state != State::kFailed; }));
}

void Dispatcher::WaitUntilReady() {
  MutexLock lock(mutex_);
  while (std::ranges::any_of(devices_,
                             [](const auto& device) { return device->state == State::kStarting; }))
    started_.wait(lock.native());
  if (!first_failure_.empty()) throw Exception(first_failure_);
}

void Dispatcher::SetPolicy(std::optional<SplitPolicy> policy) {
  MutexLock lock(mutex_);
  const bool all_cpus =
      std::ranges::all_of(devices_, [](const auto& device) { return device->attributes.is_cpu; });
  policy_ = policy.value_or(all_cpus ? SplitPolicy::kSpread : SplitPolicy::kFill);
}

SplitPolicy Dispatcher::policy() const {
  MutexLock lock(mutex_);
  return policy_;
}

void Dispatcher::Plan(std::vector<std::condition_variable*>* wake) {
  if (queue_.empty()) return;
  waiting_.clear();
  for (const SlicePart& part : queue_) waiting_.push_back(part.count);
  idle_.clear();
  for (int i = 0; i < static_cast<int>(devices_.size()); ++i) {
    const DeviceEntry& device = *devices_[i];
    if (device.state != State::kIdle) continue;
    const DeviceAttributes& attributes = device.attributes;
    idle_.push_back({i, attributes.max_batch, attributes.best_batch, attributes.batch_step,
                     device.positions_per_s});
  }
  PlanSlices(waiting_, idle_, policy_, &plan_);
  Assign();
  for (const IdleDevice& idle : idle_) {
    DeviceEntry& device = *devices_[idle.device];
    if (device.state == State::kBusy && device.asleep) wake->push_back(&device.wake);
  }
}

void Dispatcher::Assign() {
  for (const PlannedPart& part : plan_) {
    SlicePart& from = queue_[part.waiting];
    DeviceEntry& device = *devices_[part.device];
    device.state = State::kBusy;
    // Parts come oldest first, so what is left of a ticket always begins at `from.begin`.
    device.assigned.push_back({from.ticket, from.begin, part.count});
    from.begin += part.count;
    from.count -= part.count;
  }
  std::erase_if(queue_, [](const SlicePart& part) { return part.count == 0; });
}

void Dispatcher::Queue(Ticket* ticket) {
  std::vector<std::condition_variable*> wake;
  {
    MutexLock lock(mutex_);
    if (shut_down_) throw Exception(kShutDown);
    if (working() == 0) throw Exception("All devices failed: " + first_failure_);
    queue_.push_back({ticket, 0, ticket->size()});
    Plan(&wake);
  }
  Wake(wake);
}

void Dispatcher::TakeUnfetched(Slice* parts) {
  parts->insert(parts->end(), queue_.begin(), queue_.end());
  queue_.clear();
  for (const auto& device : devices_) {
    parts->insert(parts->end(), device->assigned.begin(), device->assigned.end());
    device->assigned.clear();
  }
}

void Dispatcher::Shutdown() {
  Slice parts;
  {
    MutexLock lock(mutex_);
    shut_down_ = true;
    TakeUnfetched(&parts);
    for (const auto& device : devices_) device->wake.notify_one();
  }
  GiveUp(parts, kShutDown);
}

void Dispatcher::OnDeviceReady(int device, const DeviceAttributes& attributes) {
  MutexLock lock(mutex_);
  DeviceEntry& entry = *devices_[device];
  entry.state = State::kBusy;  // until its thread asks for work
  entry.attributes = attributes;
  entry.attributes.best_batch =
      std::clamp(attributes.best_batch, 1, std::max(1, attributes.max_batch));
  entry.counters.name = attributes.name;
  started_.notify_all();
}

void Dispatcher::OnDeviceUnavailable(int device, const std::string& cause) {
  MutexLock lock(mutex_);
  devices_[device]->state = State::kFailed;
  devices_[device]->counters.failed = true;
  if (first_failure_.empty())
    first_failure_ = "Backend " + Describe(device) + " cannot be used: " + cause;
  started_.notify_all();
}

bool Dispatcher::NextSlice(int device, Slice* slice) {
  slice->clear();
  const Clock::TimePoint begin = clock_->Now();
  MutexLock lock(mutex_);
  DeviceEntry& entry = *devices_[device];
  entry.state = State::kIdle;
  std::vector<std::condition_variable*>
      nobody_else;  // by invariant 1 only this device can get work now
  Plan(&nobody_else);
  if (entry.assigned.empty()) {
    entry.asleep = true;
    while (entry.assigned.empty() && !shut_down_) entry.wake.wait(lock.native());
    entry.asleep = false;
    entry.counters.idle_s += Seconds(clock_->Now() - begin);
  }
  slice->swap(entry.assigned);
  return !slice->empty();
}

void Dispatcher::OnSliceDone(int device, const Slice& slice, const SliceReport& report) {
  const int positions = PositionsIn(slice);
  {
    MutexLock lock(mutex_);
    DeviceEntry& entry = *devices_[device];
    DeviceCounters& counters = entry.counters;
    const size_t bucket = std::bit_width(static_cast<unsigned>(positions)) - 1;
    counters.positions += positions;
    ++counters.batches;
    counters.busy_s += Seconds(report.busy);
    if (counters.batch_histogram.size() <= bucket) counters.batch_histogram.resize(bucket + 1);
    ++counters.batch_histogram[bucket];
    if (report.busy.count() > 0) {
      const double rate = positions / Seconds(report.busy);
      entry.positions_per_s =
          entry.positions_per_s > 0 ? 0.9 * entry.positions_per_s + 0.1 * rate : rate;
    }
    if (report.repeated) {
      notices_.push_back(
          "Backend " + Describe(device) +
          " answered a batch with numbers that were not finite; repeated, it was right.");
    }
  }
  for (const SlicePart& part : slice) part.ticket->Deliver(part.count);
}

void Dispatcher::OnSliceFailed(int device, const Slice& slice, const std::string& cause) {
  std::vector<std::condition_variable*> wake;
  Slice lost;
  std::string lost_cause;
  {
    MutexLock lock(mutex_);
    DeviceEntry& entry = *devices_[device];
    entry.state = State::kFailed;
    entry.counters.failed = true;
    const std::string failure = "Backend " + Describe(device) + " failed: " + cause;
    if (first_failure_.empty()) first_failure_ = failure;
    if (shut_down_) {
      lost = slice;
      lost_cause = failure;
    } else if (working() == 0) {
      lost = slice;
      TakeUnfetched(&lost);
      lost_cause = "All devices failed: " + first_failure_;
    } else {
      notices_.push_back(
          failure + " Evaluation goes on with " +
          (working() == 1 ? "one device." : std::to_string(working()) + " devices."));
      queue_.insert(queue_.begin(), slice.begin(), slice.end());  // it is the oldest work
      Plan(&wake);
    }
  }
  Wake(wake);
  GiveUp(lost, lost_cause);
}

std::vector<DeviceAttributes> Dispatcher::attributes() const {
  MutexLock lock(mutex_);
  std::vector<DeviceAttributes> result;
  for (const auto& device : devices_) result.push_back(device->attributes);
  return result;
}

std::vector<DeviceCounters> Dispatcher::counters() const {
  MutexLock lock(mutex_);
  std::vector<DeviceCounters> result;
  for (const auto& device : devices_) result.push_back(device->counters);
  return result;
}

std::vector<std::string> Dispatcher::TakeNotices() {
  MutexLock lock(mutex_);
  return std::exchange(notices_, {});
}

}  // namespace plexus
