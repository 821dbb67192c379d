#include "backend/fake/fake_device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdlib>
#include <memory>

#include "backend/fake/hash_evaluation.h"
#include "base/exception.h"

namespace plexus {
namespace {

// In 1/8 of a pawn, planes 0..5 the mover's pawn, knight, bishop, rook, queen, king; 6..11 the opponent's.
int MaterialBalance(const InputPlanes& planes) {
  constexpr std::array<int, 5> kValue = {8, 26, 28, 40, 76};
  int balance = 0;
  for (int piece = 0; piece < 5; ++piece) {
    balance +=
        kValue[piece] * (std::popcount(planes.mask[piece]) - std::popcount(planes.mask[piece + 6]));
  }
  return balance;
}

std::vector<PlannedDevice> PlanDevices(const DeviceConfig& config, FakeMode mode) {
  const OptionsDict& dict = config.options;
  FakeDeviceOptions options;
  options.mode = mode;
  options.seed = static_cast<uint64_t>(dict.GetInt("seed", 0, 0, 1 << 30));
  options.cost_us = dict.GetInt("cost_us", options.cost_us, 0, 100000000);
  options.position_cost_us = dict.GetInt("position_cost_us", options.position_cost_us, 0, 1000000);
  options.fail_at = dict.GetInt("fail_at", options.fail_at, 0, 1 << 30);
  options.wdl = dict.GetBool("wdl", options.wdl);
  options.moves_left = dict.GetBool("moves_left", options.moves_left);
  options.max_batch = dict.GetInt("max_batch", options.max_batch, 1, 1 << 16);
  options.best_batch =
      dict.GetInt("batch", std::min(options.best_batch, options.max_batch), 1, options.max_batch);
  const int threads = dict.GetInt("threads", 1, 1, 256);
  Clock* const clock = config.clock;
  return SingleStreamDevices(
      threads, [options, clock] { return std::make_unique<FakeDevice>(options, clock); });
}

}  // namespace

DeviceAttributes FakeDevice::attributes() const {
  DeviceAttributes attributes;
  attributes.name = options_.mode == FakeMode::kHash ? "fake" : "material";
  attributes.precision = "exact";
  attributes.max_batch = options_.max_batch;
  attributes.best_batch = options_.best_batch;
  attributes.has_wdl = options_.wdl;
  attributes.has_moves_left = options_.moves_left;
  attributes.is_cpu = false;  // it sleeps, so the cores are free
  return attributes;
}

void FakeDevice::Run(const DeviceBatch& in, const LogitBatch& out) {
  ++batches_;
  if (options_.fail_at > 0 && batches_ >= options_.fail_at) {
    throw Exception(
        "the fake device was told to fail at batch " + std::to_string(options_.fail_at) + ".",
        "Remove fail_at from BackendOptions.");
  }
  const int64_t cost_us =
      options_.cost_us + int64_t{options_.position_cost_us} * static_cast<int64_t>(in.size());
  if (cost_us > 0) clock_->SleepFor(std::chrono::microseconds(cost_us));
  if (options_.mode == FakeMode::kHash) {
    EvaluateByHash({options_.seed, options_.wdl, options_.moves_left}, in, out);
  } else {
    EvaluateMaterial(in, out);
  }
}

void FakeDevice::EvaluateMaterial(const DeviceBatch& in, const LogitBatch& out) const {
  std::ranges::fill(out.policy_logits, 0.0f);
  for (size_t i = 0; i < in.size(); ++i) {
    // Half the units at three pawns, ever less for what comes on top.
    const int balance = MaterialBalance(in.planes[i]);
    const int q = kValueUnits * balance / (std::abs(balance) + 24);
    WriteExactValue(q, (kValueUnits - std::abs(q)) / 2, options_.wdl,
                    out.value_logits.subspan(3 * i, 3));
    // Fewer men, sooner over.
    int men = 0;
    for (int piece = 0; piece < 12; ++piece) men += std::popcount(in.planes[i].mask[piece]);
    out.moves_left_plies[i] = options_.moves_left ? static_cast<float>(4 * men) : 0.0f;
  }
}

std::vector<PlannedDevice> PlanFakeDevices(const DeviceConfig& config) {
  return PlanDevices(config, FakeMode::kHash);
}

std::vector<PlannedDevice> PlanMaterialDevices(const DeviceConfig& config) {
  return PlanDevices(config, FakeMode::kMaterial);
}

}  // namespace plexus
