#pragma once
// A convolutional network evaluated by plain loops: the measure for all other devices. Slow (a few positions a second
// for a large network), so not for play.

#include <memory>
#include <vector>

#include "backend/device_config.h"

namespace plexus {

inline constexpr const char* kReferenceDeviceKeys =
    "threads (1: devices), max_batch (1..1024, default 64)";

// Throws Exception naming what is missing if the network is not convolutional.
std::vector<PlannedDevice> PlanReferenceDevices(const DeviceConfig& config);
std::unique_ptr<Device> MakeReferenceDevice(std::shared_ptr<const NetworkWeights> weights,
                                            int max_batch = 64);

}  // namespace plexus
