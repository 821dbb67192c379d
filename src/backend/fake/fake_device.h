#pragma once
// Evaluations without a network: for tests, for the bench signature and for measuring everything but a network.

#include <cstdint>
#include <string>
#include <vector>

#include "backend/device_config.h"
#include "base/clock.h"
#include "net/device.h"

namespace plexus {

enum class FakeMode : uint8_t {
  // Numbers from a hash of the planes, see hash_evaluation.h.
  kHash,
  // Value from the balance of material on the board, flat policy: a search on it plays sensible captures.
  kMaterial,
};

struct FakeDeviceOptions {
  FakeMode mode = FakeMode::kHash;
  uint64_t seed = 0;  // another seed, other numbers (kHash)
  int cost_us = 0;  // charged to the clock for each batch: a fake clock advances, a real one sleeps
  int position_cost_us = 0;  // and for each position of it
  int fail_at = 0;  // the n-th batch of this device (1 = first) and all later ones throw; 0: none
  bool wdl = true;
  bool moves_left = false;
  int max_batch = 1024;
  int best_batch = 256;
};

// The answer depends on the position, seed and mode alone: not on batch, order, device, machine or compiler. Logits are
// made of integers by exact arithmetic.
class FakeDevice : public Device {
 public:
  FakeDevice(const FakeDeviceOptions& options, Clock* clock) : options_(options), clock_(clock) {}

  DeviceAttributes attributes() const override;
  void Run(const DeviceBatch& in, const LogitBatch& out) override;

 private:
  void EvaluateMaterial(const DeviceBatch& in, const LogitBatch& out) const;
  const FakeDeviceOptions options_;
  Clock* const clock_;
  int batches_ = 0;
};

inline constexpr const char* kFakeDeviceKeys =
    "threads (1: devices), seed (0), cost_us (0: time of a batch), position_cost_us (0), fail_at "
    "(0: the n-th batch "
    "throws), wdl (true), moves_left (false), max_batch (1024), batch (256)";

std::vector<PlannedDevice> PlanFakeDevices(const DeviceConfig& config);
std::vector<PlannedDevice> PlanMaterialDevices(const DeviceConfig& config);

}  // namespace plexus
