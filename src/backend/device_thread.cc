#include "backend/device_thread.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plexus {
namespace {

// Runs `action`; returns what it threw in words, or nothing. A device thread must never die quietly or take the
// program with it, so everything is caught.
template <class Action>
std::string Failure(const Action& action) {
  try {
    action();
    return "";
  } catch (const std::exception& e) {
    return e.what() && *e.what() ? e.what() : "an exception without text";
  } catch (...) {
    return "an exception of unknown type";
  }
}

}  // namespace

int PositionsIn(const Slice& slice) {
  int positions = 0;
  for (const SlicePart& part : slice) positions += part.count;
  return positions;
}

bool AllFinite(std::span<const float> values) {
  // Sums side by side, which any vector unit can: whatever is not finite stays so in a sum.
  std::array<float, 16> sums{};
  size_t i = 0;
  for (; i + sums.size() <= values.size(); i += sums.size()) {
    for (size_t k = 0; k < sums.size(); ++k) sums[k] += values[i + k];
  }
  const auto finite = [](float value) { return std::isfinite(value); };
  if (std::ranges::all_of(sums, finite) && std::ranges::all_of(values.subspan(i), finite))
    return true;
  return std::ranges::all_of(values, finite);  // or large numbers only overflowed
}

DeviceThread::DeviceThread(int device, DeviceFactory factory, DeviceHost* host, Clock* clock)
    : number_(device),
      factory_(std::move(factory)),
      host_(host),
      clock_(clock),
      thread_("device " + std::to_string(device + 1), [this] { Main(); }) {}

void DeviceThread::Main() {
  const std::unique_ptr<Device> device = MakeDevice();
  if (!device) return;
  Slice slice;
  while (host_->NextSlice(number_, &slice)) {
    if (!RunSlice(device.get(), slice)) return;
  }
}

std::unique_ptr<Device> DeviceThread::MakeDevice() {
  std::unique_ptr<Device> device;
  DeviceAttributes attributes;
  const std::string failure = Failure([&] {
    device = factory_();
    attributes = device->attributes();
  });
  if (!failure.empty()) {
    host_->OnDeviceUnavailable(number_, failure);
    return nullptr;
  }
  host_->OnDeviceReady(number_, attributes);
  return device;
}

bool DeviceThread::RunSlice(Device* device, const Slice& slice) {
  SliceReport report;
  const Clock::TimePoint begin = clock_->Now();
  const std::string failure = Failure([&] { report.repeated = RunChecked(device, slice); });
  report.busy = clock_->Now() - begin;
  if (failure.empty()) {
    host_->OnSliceDone(number_, slice, report);
  } else {
    host_->OnSliceFailed(number_, slice, failure);
  }
  return failure.empty();
}

bool DeviceThread::RunChecked(Device* device, const Slice& slice) {
  const auto finite = [&] {
    return std::ranges::all_of(slice, [](const SlicePart& part) {
      const LogitBatch logits = part.ticket->Logits(part.begin, part.count);
      return AllFinite(logits.value_logits) && AllFinite(logits.moves_left_plies) &&
             AllFinite(logits.policy_logits);
    });
  };
  RunOnce(device, slice);
  if (finite()) return false;
  RunOnce(device, slice);
  if (finite()) return true;
  throw Exception("it answered a batch of " + std::to_string(PositionsIn(slice)) +
                      " positions twice with numbers that are infinite or not numbers.",
                  "Try another precision of this backend; if only one device does it, check its "
                  "cooling and driver.");
}

DeviceBatch DeviceThread::Join(const Slice& slice) {
  planes_.clear();
  policy_indices_.clear();
  policy_begin_.assign(1, 0);
  for (const SlicePart& part : slice) {
    const DeviceBatch batch = part.ticket->Batch(part.begin, part.count);
    const auto base = static_cast<uint32_t>(policy_indices_.size());
    planes_.insert(planes_.end(), batch.planes.begin(), batch.planes.end());
    policy_indices_.insert(policy_indices_.end(), batch.policy_indices.begin(),
                           batch.policy_indices.end());
    for (size_t i = 1; i <= batch.size(); ++i)
      policy_begin_.push_back(base + static_cast<uint32_t>(batch.Begin(i)));
  }
  return {planes_, policy_indices_, policy_begin_};
}

void DeviceThread::RunOnce(Device* device, const Slice& slice) {
  if (slice.size() == 1) {
    const SlicePart& part = slice[0];
    device->Run(part.ticket->Batch(part.begin, part.count),
                part.ticket->Logits(part.begin, part.count));
    return;
  }
  const DeviceBatch joined = Join(slice);
  policy_logits_.resize(joined.policy_indices.size());
  value_logits_.resize(joined.size() * 3);
  moves_left_plies_.resize(joined.size());
  const LogitBatch logits{policy_logits_, value_logits_, moves_left_plies_};
  device->Run(joined, logits);
  size_t row = 0;
  for (const SlicePart& part : slice) {
    const LogitBatch from = logits.Part(joined, row, part.count);
    const LogitBatch to = part.ticket->Logits(part.begin, part.count);
    std::ranges::copy(from.policy_logits, to.policy_logits.begin());
    std::ranges::copy(from.value_logits, to.value_logits.begin());
    std::ranges::copy(from.moves_left_plies, to.moves_left_plies.begin());
    row += part.count;
  }
}

}  // namespace plexus
