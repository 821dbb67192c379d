#pragma once
// The queue between computations and device threads.

#include <condition_variable>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/batch_planner.h"
#include "backend/device_thread.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "net/backend.h"

namespace plexus {

// Thread safety: all of it, from any thread.
// Invariants
// 1. Whenever mutex_ is free, no device is idle while positions wait: work is planned when a ticket is queued, when
//    a device asks for more and when a device fails. Nobody polls.
// 2. mutex_ is a leaf: tickets are told after it was released.
// 3. Each queued position is exactly once in queue_, assigned to a device, or with a device thread.
class Dispatcher : public DeviceHost {
 public:
  // labels: what the user calls each device, for messages ("cpu", "cudnn gpu 1").
  Dispatcher(std::vector<std::string> labels, Clock* clock);

  // Until every device is made or has failed. Throws Exception naming the first that failed and its cause.
  void WaitUntilReady();
  // policy: nothing = kSpread if all devices are CPUs, kFill otherwise. Called once, after WaitUntilReady.
  void SetPolicy(std::optional<SplitPolicy> policy);
  // Ticket::Begin was called. Throws Exception if nobody is left to do the work; otherwise the ticket hears of each of
  // its positions exactly once.
  void Queue(Ticket* ticket);
  // Gives up whatever no device has begun, and lets the device threads end.
  void Shutdown();

  std::vector<DeviceAttributes> attributes() const;
  std::vector<DeviceCounters> counters() const;
  std::vector<std::string> TakeNotices();
  SplitPolicy policy() const;

  void OnDeviceReady(int device, const DeviceAttributes& attributes) override;
  void OnDeviceUnavailable(int device, const std::string& cause) override;
  bool NextSlice(int device, Slice* slice) override;
  void OnSliceDone(int device, const Slice& slice, const SliceReport& report) override;
  void OnSliceFailed(int device, const Slice& slice, const std::string& cause) override;

 private:
  enum class State { kStarting, kIdle, kBusy, kFailed };
  struct DeviceEntry {
    State state = State::kStarting;
    bool asleep = false;  // its thread waits on `wake`
    Slice assigned;       // planned, not yet fetched by its thread
    std::condition_variable wake;
    DeviceAttributes attributes;
    DeviceCounters counters;
    double positions_per_s = 0;  // moving average
  };

  // Plans; appends to *wake the devices that sleep and now have work.
  void Plan(std::vector<std::condition_variable*>* wake) REQUIRES(mutex_);
  void Assign() REQUIRES(mutex_);
  // Moves everything that no device thread has fetched to *parts.
  void TakeUnfetched(Slice* parts) REQUIRES(mutex_);
  std::string Describe(int device) const REQUIRES(mutex_);
  int working() const REQUIRES(mutex_);  // devices that have not failed

  Clock* const clock_;
  const std::vector<std::string> labels_;
  mutable Mutex mutex_;
  std::condition_variable started_;
  std::vector<std::unique_ptr<DeviceEntry>> devices_
      GUARDED_BY(mutex_);                            // unique_ptr: condition variables stay put
  std::vector<SlicePart> queue_ GUARDED_BY(mutex_);  // oldest first
  SplitPolicy policy_ GUARDED_BY(mutex_) = SplitPolicy::kFill;
  bool shut_down_ GUARDED_BY(mutex_) = false;
  std::string first_failure_ GUARDED_BY(mutex_);
  std::vector<std::string> notices_ GUARDED_BY(mutex_);
  // Scratch of Plan, kept for their capacity.
  std::vector<int> waiting_ GUARDED_BY(mutex_);
  std::vector<IdleDevice> idle_ GUARDED_BY(mutex_);
  std::vector<PlannedPart> plan_ GUARDED_BY(mutex_);
};

}  // namespace plexus
