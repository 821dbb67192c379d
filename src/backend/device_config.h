#pragma once
// From one backend specification "(backend=cpu,threads=2)" to the devices that it stands for.

#include <functional>
#include <memory>
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

// One specification may stand for several device threads (a CPU backend with threads=4: four factories).
using DevicePlanner = std::vector<DeviceFactory> (*)(const DeviceConfig&);

}  // namespace plexus
