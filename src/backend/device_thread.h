#pragma once
// The one thread that makes, uses and destroys a Device: one stream of a card. Whatever the device throws is caught
// here.

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/device_config.h"
#include "backend/ticket.h"
#include "base/exception.h"
#include "base/joining_thread.h"
#include "net/device.h"

namespace plexus {

struct SlicePart {
  TicketRef ticket;
  int begin = 0;
  int count = 0;
};
using Slice = std::vector<SlicePart>;  // one batch of one device; not empty

int PositionsIn(const Slice& slice);

// What a device thread needs to know. Called from device threads; `stream` is the number given to the thread.
class DeviceHost {
 public:
  virtual ~DeviceHost() = default;
  // `interrupt` asks the device to end a Run that hangs; from any thread, as long as one likes.
  virtual void OnDeviceReady(int stream, const DeviceAttributes& attributes,
                             std::function<void()> interrupt) = 0;
  // It could not be made. The thread ends.
  virtual void OnDeviceUnavailable(int stream, const std::string& cause) = 0;
  // Blocks until there is work (true) or the thread shall end (false).
  virtual bool NextSlice(int stream, Slice* slice) = 0;
  // The slice is evaluated; the answers are still the thread's own. True: it delivers them to the tickets. False: they
  // come too late, others have the work; the thread ends.
  // repeated: the first answer held non-finite numbers, the second did not.
  virtual bool Claim(int stream, bool repeated) = 0;
  // The thread ends, the device is destroyed.
  virtual void OnSliceFailed(int stream, const std::string& cause) = 0;
};

class DeviceThread {
 public:
  DeviceThread(int stream, DeviceFactory factory, std::shared_ptr<DeviceHost> host);
  // Waits for the thread unless it was abandoned: the host must have been told to answer NextSlice with false.
  ~DeviceThread() = default;
  DeviceThread(const DeviceThread&) = delete;
  DeviceThread& operator=(const DeviceThread&) = delete;

  // Waits until the thread and its device are gone, at most until `deadline`. Real time: what hangs, hangs really.
  bool EndsBy(std::chrono::steady_clock::time_point deadline);
  // The device shall end a Run that hangs.
  void Interrupt();
  // Leaves a thread that hangs to itself. It owns what it touches, except what its device borrows.
  void Abandon();

 private:
  class Body;
  std::shared_ptr<Body> body_;  // with the thread
  JoiningThread thread_;
};

// False if any is infinite or not a number.
bool AllFinite(std::span<const float> values);

}  // namespace plexus
