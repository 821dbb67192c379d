#include "backend/device_thread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>

#include "base/mutex.h"

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

// What the thread works with; outlives its DeviceThread if that abandons it.
class DeviceThread::Body : public std::enable_shared_from_this<Body> {
 public:
  Body(int stream, DeviceFactory factory, std::shared_ptr<DeviceHost> host)
      : stream_(stream), factory_(std::move(factory)), host_(std::move(host)) {}

  void Main();
  void Interrupt() {
    // Held while the device is asked, so that it is not destroyed meanwhile: the one lock that may be held here, as its
    // thread takes it only to come and to go.
    MutexLock lock(mutex_);
    if (device_ != nullptr) device_->Interrupt();
  }
  bool EndsBy(std::chrono::steady_clock::time_point deadline) {
    MutexLock lock(mutex_);
    return ended_changed_.wait_until(lock.native(), deadline,
                                     [this]() NO_THREAD_SAFETY_ANALYSIS { return ended_; });
  }

 private:
  std::unique_ptr<Device> MakeDevice();
  void Work(Device* device);
  // False: the thread shall end, and the host knows why.
  bool RunSlice(Device* device, const Slice& slice);
  // Runs the batch; once more if numbers are not finite. Returns whether it was repeated. Throws what the device throws.
  bool RunChecked(Device* device, const Slice& slice);
  DeviceBatch Join(const Slice& slice);
  // Room for the answers of this batch.
  LogitBatch Reserve(const DeviceBatch& batch);
  void Deliver(const Slice& slice);

  const int stream_;
  DeviceFactory factory_;
  std::shared_ptr<DeviceHost> host_;
  // A slice of several tickets is gathered here; one of a single ticket is read in place.
  std::vector<InputPlanes> planes_;
  std::vector<uint16_t> policy_indices_;
  std::vector<uint32_t> policy_begin_;
  // Answers, until it is known that somebody still wants them.
  std::vector<float> policy_logits_, value_logits_, moves_left_plies_;

  Mutex mutex_;
  std::condition_variable ended_changed_;
  Device* device_ GUARDED_BY(mutex_) = nullptr;
  bool ended_ GUARDED_BY(mutex_) = false;
};

DeviceThread::DeviceThread(int stream, DeviceFactory factory, std::shared_ptr<DeviceHost> host)
    : body_(std::make_shared<Body>(stream, std::move(factory), std::move(host))),
      thread_("device " + std::to_string(stream + 1), [body = body_] { body->Main(); }) {}

bool DeviceThread::EndsBy(std::chrono::steady_clock::time_point deadline) {
  return body_->EndsBy(deadline);
}

void DeviceThread::Interrupt() { body_->Interrupt(); }

void DeviceThread::Abandon() { thread_.Detach(); }

void DeviceThread::Body::Main() {
  std::unique_ptr<Device> device = MakeDevice();
  if (device) Work(device.get());
  {
    MutexLock lock(mutex_);
    device_ = nullptr;
  }
  device.reset();
  factory_ = nullptr;  // what the factories of a card share goes with the last stream
  host_.reset();
  MutexLock lock(mutex_);
  ended_ = true;
  ended_changed_.notify_all();
}

std::unique_ptr<Device> DeviceThread::Body::MakeDevice() {
  std::unique_ptr<Device> device;
  DeviceAttributes attributes;
  const std::string failure = Failure([&] {
    device = factory_();
    attributes = device->attributes();
  });
  if (!failure.empty()) {
    host_->OnDeviceUnavailable(stream_, failure);
    return nullptr;
  }
  {
    MutexLock lock(mutex_);
    device_ = device.get();
  }
  host_->OnDeviceReady(stream_, attributes, [weak = weak_from_this()] {
    if (const std::shared_ptr<Body> body = weak.lock()) body->Interrupt();
  });
  return device;
}

void DeviceThread::Body::Work(Device* device) {
  Slice slice;
  for (;;) {
    slice.clear();  // tickets go back before it waits
    if (!host_->NextSlice(stream_, &slice) || !RunSlice(device, slice)) return;
  }
}

bool DeviceThread::Body::RunSlice(Device* device, const Slice& slice) {
  bool repeated = false;
  const std::string failure = Failure([&] { repeated = RunChecked(device, slice); });
  if (!failure.empty()) {
    host_->OnSliceFailed(stream_, failure);
    return false;
  }
  if (!host_->Claim(stream_, repeated)) return false;
  Deliver(slice);
  return true;
}

bool DeviceThread::Body::RunChecked(Device* device, const Slice& slice) {
  const DeviceBatch batch =
      slice.size() == 1 ? slice[0].ticket->Batch(slice[0].begin, slice[0].count) : Join(slice);
  const LogitBatch logits = Reserve(batch);
  const auto finite = [&] {
    return AllFinite(logits.value_logits) && AllFinite(logits.moves_left_plies) &&
           AllFinite(logits.policy_logits);
  };
  device->Run(batch, logits);
  if (finite()) return false;
  device->Run(batch, logits);
  if (finite()) return true;
  throw Exception("it answered a batch of " + std::to_string(batch.size()) +
                      " positions twice with numbers that are infinite or not numbers.",
                  "Try another precision of this backend; if only one device does it, check its "
                  "cooling and driver.");
}

DeviceBatch DeviceThread::Body::Join(const Slice& slice) {
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

LogitBatch DeviceThread::Body::Reserve(const DeviceBatch& batch) {
  const size_t positions = batch.size(), policies = batch.policy_indices.size();
  if (policy_logits_.size() < policies) policy_logits_.resize(policies);
  if (moves_left_plies_.size() < positions) {
    value_logits_.resize(positions * 3);
    moves_left_plies_.resize(positions);
  }
  return {std::span(policy_logits_).first(policies), std::span(value_logits_).first(positions * 3),
          std::span(moves_left_plies_).first(positions)};
}

void DeviceThread::Body::Deliver(const Slice& slice) {
  const float *policy = policy_logits_.data(), *value = value_logits_.data(),
              *moves_left = moves_left_plies_.data();
  const auto take = [](const float** from, std::span<float> to) {
    std::copy_n(*from, to.size(), to.begin());
    *from += to.size();
  };
  for (const SlicePart& part : slice) {
    const LogitBatch to = part.ticket->Logits(part.begin, part.count);
    take(&policy, to.policy_logits);
    take(&value, to.value_logits);
    take(&moves_left, to.moves_left_plies);
    part.ticket->Deliver(part.count);
  }
}

}  // namespace plexus
