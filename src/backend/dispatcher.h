#pragma once
// The queue between computations and device threads.

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "backend/batch_planner.h"
#include "backend/device_record.h"
#include "backend/device_thread.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "net/backend.h"

namespace plexus {

struct DispatcherDevice {
  std::string label;  // what the user calls it, for messages ("cpu", "cudnn gpu 1")
  int streams = 1;    // threads that run batches on it; numbered through all devices
};

// Thread safety: all of it, from any thread.
// Invariants
// 1. Whenever mutex_ is free, nothing more could be planned: that is done when a ticket is queued, when a stream asks
//    for more and when a device fails. Nobody polls; callers that wait look after devices that stall.
// 2. mutex_ is a leaf: tickets are told and devices interrupted after it was released.
// 3. Each queued position is exactly once in a queue, assigned to a stream or running on one. What was taken back from
//    a stream is never taken from it again (Claim).
class Dispatcher : public DeviceHost {
 public:
  // stall_timeout: see DeviceRecord::Begin. clock: until Shutdown.
  Dispatcher(std::vector<DispatcherDevice> devices, Clock::Duration stall_timeout, Clock* clock);
  ~Dispatcher() override;

  // Until every device is made or has failed. Throws Exception naming the first that failed and its cause.
  void WaitUntilReady();
  // policy: nothing = kSpread if all devices are CPUs, kFill otherwise. Called once, after WaitUntilReady.
  void SetPolicy(std::optional<SplitPolicy> policy);

  // Ticket::Begin was called. True once every position is answered; false as soon as `cancel` is requested, then what
  // no device has begun is withdrawn. Throws Exception if no device is left to do the work.
  bool Evaluate(const TicketRef& ticket, std::stop_token cancel);
  // The parts of Evaluate. Queue and CheckStalls return when the waiting caller should call CheckStalls.
  Clock::TimePoint Queue(const TicketRef& ticket);
  Clock::TimePoint CheckStalls();
  void Withdraw(Ticket* ticket);

  // Gives up whatever no device has begun, and lets the device threads end. Returns how long those that work may
  // be at it if they do not hang.
  Clock::Duration Shutdown();
  // After Shutdown: the thread of this stream hangs, nobody shall wait for it.
  void Abandon(int stream);

  std::vector<DeviceAttributes> attributes() const;
  std::vector<DeviceCounters> counters() const;
  std::vector<std::string> TakeNotices();
  SplitPolicy policy() const;

  void OnDeviceReady(int stream, const DeviceAttributes& attributes,
                     std::function<void()> interrupt) override;
  void OnDeviceUnavailable(int stream, const std::string& cause) override;
  bool NextSlice(int stream, Slice* slice) override;
  bool Claim(int stream, bool repeated) override;
  void OnSliceFailed(int stream, const std::string& cause) override;

 private:
  struct Aftermath;  // what is to be done once mutex_ is free
  struct Place {     // of a stream
    int device;
    int index;
  };

  void Plan(Clock::TimePoint now, Aftermath* after) REQUIRES(mutex_);
  void PlanQueue(Clock::TimePoint now, Aftermath* after) REQUIRES(mutex_);
  void AssignOwn(Aftermath* after) REQUIRES(mutex_);
  void Give(DeviceRecord* device, StreamRecord* stream, SlicePart part, Aftermath* after)
      REQUIRES(mutex_);
  void DealOut(SlicePart part, Clock::TimePoint now) REQUIRES(mutex_);
  void FailDevice(int device, const std::string& cause, Clock::TimePoint now, Aftermath* after)
      REQUIRES(mutex_);
  // Appends everything that no stream has fetched.
  void TakeUnfetched(Clock::TimePoint now, Slice* parts) REQUIRES(mutex_);
  // Back into the queue, as the oldest work there is.
  void Requeue(Slice* parts, Clock::TimePoint now, Aftermath* after) REQUIRES(mutex_);

  std::string Describe(int device) const;
  DeviceRecord& DeviceOf(int stream) REQUIRES(mutex_) { return *devices_[places_[stream].device]; }
  StreamRecord& StreamAt(int stream) REQUIRES(mutex_) {
    return *DeviceOf(stream).streams[places_[stream].index];
  }
  int working() const REQUIRES(mutex_);  // devices that have not failed
  bool all_started() const REQUIRES(mutex_);

  Clock* const clock_;
  const Clock::Duration stall_timeout_;
  const std::vector<DispatcherDevice> given_;
  std::vector<Place> places_;        // of each stream; constant
  std::atomic<int> evaluating_ = 0;  // callers inside Evaluate

  mutable Mutex mutex_;
  std::condition_variable started_;
  std::vector<std::unique_ptr<DeviceRecord>> devices_ GUARDED_BY(mutex_);
  std::vector<SlicePart> queue_ GUARDED_BY(mutex_);  // oldest first
  SplitPolicy policy_ GUARDED_BY(mutex_) = SplitPolicy::kFill;
  int turn_ GUARDED_BY(mutex_) = 0;        // kRoundRobin: whose it is
  double callers_ GUARDED_BY(mutex_) = 1;  // evaluating_ lately
  bool shut_down_ GUARDED_BY(mutex_) = false;
  std::string first_failure_ GUARDED_BY(mutex_);
  std::vector<std::string> notices_ GUARDED_BY(mutex_);
  // Scratch of Plan, kept for their capacity.
  BatchPlanner planner_ GUARDED_BY(mutex_);
  std::vector<int> waiting_ GUARDED_BY(mutex_);
  std::vector<PlannerDevice> candidates_ GUARDED_BY(mutex_);
  std::vector<PlannedPart> plan_ GUARDED_BY(mutex_);
};

}  // namespace plexus
