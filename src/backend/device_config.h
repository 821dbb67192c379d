#pragma once
// From one backend specification "(backend=cpu,threads=2)" to the devices that it stands for.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/options.h"
#include "net/device.h"
#include "net/weights.h"

namespace plexus {

struct DeviceConfig {
  std::shared_ptr<const NetworkWeights> weights;  // null where the backend needs none
  OptionsDict options;     // of this specification; unknown keys are refused by the registry
  Clock* clock = nullptr;  // outlives every device
};

// Called once by the device thread that will own the device; what devices of one specification share (packed weights)
// is captured in the factory. Throws Exception.
using DeviceFactory = std::function<std::unique_ptr<Device>()>;

// A device as counters, failures and messages see it. It may work on several batches at once: each stream is a thread
// with a Device object of its own (a card with two streams copies one batch while it computes the other).
struct PlannedDevice {
  std::string name_suffix;  // tells it from its siblings in messages: "gpu 0"; may be empty
  std::vector<DeviceFactory> streams;  // at least one
};

// One specification may stand for several devices (a CPU backend with threads=4: four devices of one stream).
using DevicePlanner = std::vector<PlannedDevice> (*)(const DeviceConfig&);

// `count` devices of one stream each.
inline std::vector<PlannedDevice> SingleStreamDevices(int count, const DeviceFactory& factory) {
  return std::vector<PlannedDevice>(static_cast<size_t>(count), PlannedDevice{"", {factory}});
}

}  // namespace plexus
