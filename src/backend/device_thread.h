#pragma once
// The one thread that makes, uses and destroys a Device. Whatever the device throws is caught here.

#include <string>
#include <vector>

#include "backend/device_config.h"
#include "backend/ticket.h"
#include "base/clock.h"
#include "base/exception.h"
#include "base/joining_thread.h"
#include "net/device.h"

namespace plexus {

struct SlicePart {
  Ticket* ticket = nullptr;
  int begin = 0;
  int count = 0;
};
using Slice = std::vector<SlicePart>;  // one batch of one device; not empty

int PositionsIn(const Slice& slice);

struct SliceReport {
  Clock::Duration busy{};
  bool repeated = false;  // the first answer held non-finite numbers, the second did not
};

// What a device thread needs to know. Called from device threads; `device` is the number given to the thread.
class DeviceHost {
 public:
  virtual ~DeviceHost() = default;
  virtual void OnDeviceReady(int device, const DeviceAttributes& attributes) = 0;
  // It could not be made. The thread ends.
  virtual void OnDeviceUnavailable(int device, const std::string& cause) = 0;
  // Blocks until there is work (true) or the thread shall end (false).
  virtual bool NextSlice(int device, Slice* slice) = 0;
  // The answers are in the tickets, which have not been told yet.
  virtual void OnSliceDone(int device, const Slice& slice, const SliceReport& report) = 0;
  // The answers are undefined. The thread ends, the device is destroyed.
  virtual void OnSliceFailed(int device, const Slice& slice, const std::string& cause) = 0;
};

class DeviceThread {
 public:
  // host and clock outlive the thread.
  DeviceThread(int device, DeviceFactory factory, DeviceHost* host, Clock* clock);
  // Waits for the thread: the host must have been told to answer NextSlice with false.
  ~DeviceThread() = default;
  DeviceThread(const DeviceThread&) = delete;
  DeviceThread& operator=(const DeviceThread&) = delete;

 private:
  void Main();
  std::unique_ptr<Device> MakeDevice();
  // False: it failed and the host was told.
  bool RunSlice(Device* device, const Slice& slice);
  // Runs the batch; once more if numbers are not finite. Returns whether it was repeated. Throws what the device throws.
  bool RunChecked(Device* device, const Slice& slice);
  void RunOnce(Device* device, const Slice& slice);
  // The parts of the slice one after another; valid until the next call.
  DeviceBatch Join(const Slice& slice);

  const int number_;
  const DeviceFactory factory_;
  DeviceHost* const host_;
  Clock* const clock_;
  // A slice of several tickets is gathered here; one of a single ticket is run in place.
  std::vector<InputPlanes> planes_;
  std::vector<uint16_t> policy_indices_;
  std::vector<uint32_t> policy_begin_;
  std::vector<float> policy_logits_, value_logits_, moves_left_plies_;
  JoiningThread thread_;  // last: starts when all else is there
};

// False if any is infinite or not a number.
bool AllFinite(std::span<const float> values);

}  // namespace plexus
