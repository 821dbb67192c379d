#pragma once
// Joins any number of devices, also just one, into a Backend.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend/batch_planner.h"
#include "backend/device_config.h"
#include "base/clock.h"
#include "net/backend.h"
#include "net/input_format.h"

namespace plexus {

class DeviceThread;
struct MultiplexerShared;

struct DeviceSpec {
  std::string label;                   // what the user calls it, for messages
  std::vector<DeviceFactory> streams;  // not empty; see PlannedDevice
};

struct MultiplexerOptions {
  InputFormat input_format = InputFormat::kClassical;
  HistoryFill history_fill = HistoryFill::kFenOnly;
  float policy_temperature = 1.0f;
  std::optional<SplitPolicy> policy;  // nothing: kSpread if all devices are CPUs, kFill otherwise
  // A device that needs longer for a batch is out; also at least 20 times what its measured speed promises, and 6
  // times as long for its first batches. 0: never.
  int stall_timeout_ms = 10000;
  int shutdown_patience_ms = 1000;  // for a device that hangs; then its thread is left to itself
};

// Positions are encoded in Add and answers decoded in ComputeBlocking, both on the caller's thread; a device thread only
// runs its device. ComputeBlocking decodes when all answers are there, so that outputs stay unwritten if one fails.
//
// A device that throws or stalls is out, with all its streams: its batches go to the others and the user is told once
// (TakeNotices). When the last one is lost, callers get "All devices failed: <first cause>". Computations may outlive
// the backend; they then throw.
class MultiplexingBackend : public Backend {
 public:
  // Waits until all devices are made. Throws Exception naming the first that is not, or if their answers are of
  // different kinds (one with, one without a W/D/L head).
  MultiplexingBackend(std::vector<DeviceSpec> devices, const MultiplexerOptions& options,
                      Clock* clock);
  ~MultiplexingBackend() override;

  BackendAttributes attributes() const override { return attributes_; }
  std::unique_ptr<BackendComputation> NewComputation() override;
  std::vector<std::string> TakeNotices() override;
  std::vector<DeviceCounters> device_counters() const override;

 private:
  void StopDevices();

  const std::shared_ptr<MultiplexerShared> shared_;  // with every computation
  std::vector<std::unique_ptr<DeviceThread>> threads_;
  BackendAttributes attributes_;
};

}  // namespace plexus
