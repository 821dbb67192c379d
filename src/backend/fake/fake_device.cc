#include "backend/fake/fake_device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstring>
#include <memory>

#include "base/exception.h"
#include "base/hash.h"

namespace plexus {
namespace {

constexpr int kUnit = 4096;           // probabilities are counted in 1/4096
constexpr int kLogFractionBits = 16;  // logarithms in 1/65536

// Natural logarithm of n in 1/65536, by integers: log2 bit by bit through squaring, times ln 2.
constexpr int32_t IntegerLog(uint32_t n) {
  const int whole = std::bit_width(n) - 1;
  uint64_t mantissa = (uint64_t{n} << 31) >> whole;  // [1, 2) with 31 fraction bits
  uint32_t log2 = static_cast<uint32_t>(whole);
  for (int bit = 0; bit < kLogFractionBits; ++bit) {
    mantissa = (mantissa * mantissa) >> 31;
    log2 <<= 1;
    if (mantissa >> 32) {
      mantissa >>= 1;
      log2 |= 1;
    }
  }
  constexpr uint64_t kLn2 = 45426;  // ln 2 in 1/65536
  return static_cast<int32_t>((log2 * kLn2) >> 16);
}

constexpr auto kLogTable = [] {
  std::array<int32_t, kUnit + 2> table{};
  for (uint32_t n = 1; n < table.size(); ++n) table[n] = IntegerLog(n);
  return table;
}();

// The logit of a share of `count` units; one more than counted, so that an impossible outcome has a finite logit.
float LogitOfShare(int count) {
  return static_cast<float>(kLogTable[count + 1]) / (1 << kLogFractionBits);
}

uint64_t HashPlanes(const InputPlanes& planes, uint64_t seed) {
  // Four chains, so that multiplications overlap.
  std::array<uint64_t, 4> lanes = {seed ^ 0x243f6a8885a308d3u, seed ^ 0x13198a2e03707344u,
                                   seed ^ 0xa4093822299f31d0u, seed ^ 0x082efa98ec4e6c89u};
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15u, kValueMultiplier = 0xd6e8feb86659fd93u;
  for (int i = 0; i < kInputPlanes; ++i) {
    // The value of an empty plane means nothing.
    const uint64_t value = planes.mask[i] ? std::bit_cast<uint32_t>(planes.value[i]) : 0;
    uint64_t& lane = lanes[i % 4];
    lane = (std::rotl(lane, 29) ^ (planes.mask[i] + value * kValueMultiplier)) * kMultiplier;
  }
  uint64_t hash = 0;
  for (const uint64_t lane : lanes) hash = HashCombine(hash, lane);
  return hash;
}

// Vectors of the language extension that gcc and clang share: plain loops were left scalar, three times slower.
constexpr size_t kLanes = 4;
using U32x4 = uint32_t __attribute__((vector_size(4 * kLanes)));
using I32x4 = int32_t __attribute__((vector_size(4 * kLanes)));
using F32x4 = float __attribute__((vector_size(4 * kLanes)));

// Sixteen xorshift32 generators side by side (Marsaglia 2003): without a multiplication, so that any vector unit can.
class LogitGenerator {
 public:
  static constexpr size_t kVectors = 4;
  static constexpr size_t kBlock = 2 * kVectors * kLanes;  // numbers of one Fill

  explicit LogitGenerator(uint64_t seed) {
    for (U32x4& state : states_) {
      for (size_t lane = 0; lane < kLanes; ++lane) {
        seed = MixBits(seed);
        state[lane] = static_cast<uint32_t>(seed) | 1;  // never zero
      }
    }
  }

  // Numbers of 1/65536 in [0, 3): the product is exact.
  void Fill(float* block) {
    for (U32x4& state : states_) {
      state ^= state << 13;
      state ^= state >> 17;
      state ^= state << 5;
      Store(state & 0xffff, block);
      Store(state >> 16, block + kLanes);
      block += 2 * kLanes;
    }
  }

 private:
  static void Store(U32x4 numbers, float* to) {
    const F32x4 logits =
        __builtin_convertvector(reinterpret_cast<I32x4>(numbers), F32x4) * (3.0f / 65536.0f);
    std::memcpy(to, &logits, sizeof(logits));
  }

  std::array<U32x4, kVectors> states_;
};

void FillPolicy(uint64_t hash, std::span<float> out) {
  LogitGenerator generator(hash);
  size_t i = 0;
  for (; i + LogitGenerator::kBlock <= out.size(); i += LogitGenerator::kBlock)
    generator.Fill(&out[i]);
  std::array<float, LogitGenerator::kBlock> rest;
  generator.Fill(rest.data());
  std::copy_n(rest.begin(), out.size() - i, &out[i]);
}

// A value of `q` units (win minus loss) with `draw` units of draws, in the form that the device contract asks for.
void WriteValue(int q, int draw, bool wdl, std::span<float> value) {
  if (wdl) {
    const int win = (kUnit - draw + q) / 2;
    const int loss = kUnit - draw - win;
    value[0] = LogitOfShare(win);
    value[1] = LogitOfShare(draw);
    value[2] = LogitOfShare(loss);
  } else {
    value[0] = static_cast<float>(q) / kUnit;
    value[1] = value[2] = 0;
  }
}

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

std::vector<DeviceFactory> PlanDevices(const DeviceConfig& config, FakeMode mode) {
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
  return std::vector<DeviceFactory>(
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

void FakeDevice::Run(std::span<const InputPlanes> input, const LogitBatch& out) {
  ++batches_;
  if (options_.fail_at > 0 && batches_ >= options_.fail_at) {
    throw Exception(
        "the fake device was told to fail at batch " + std::to_string(options_.fail_at) + ".",
        "Remove fail_at from BackendOptions.");
  }
  const int64_t cost_us =
      options_.cost_us + int64_t{options_.position_cost_us} * static_cast<int64_t>(input.size());
  if (cost_us > 0) clock_->SleepFor(std::chrono::microseconds(cost_us));
  for (size_t i = 0; i < input.size(); ++i) {
    const std::span<float> policy = out.policy_logits.subspan(i * kPolicySize, kPolicySize);
    const std::span<float> value = out.value_logits.subspan(i * 3, 3);
    float* const moves_left = &out.moves_left_plies[i];
    if (options_.mode == FakeMode::kHash) {
      EvaluateHash(input[i], policy, value, moves_left);
    } else {
      EvaluateMaterial(input[i], policy, value, moves_left);
    }
  }
}

void FakeDevice::EvaluateHash(const InputPlanes& planes, std::span<float> policy,
                              std::span<float> value, float* moves_left) const {
  const uint64_t hash = HashPlanes(planes, options_.seed);
  FillPolicy(hash, policy);
  const uint64_t bits = MixBits(hash);
  const int q = static_cast<int>(bits % (2 * kUnit + 1)) - kUnit;
  const int room = kUnit - std::abs(q);
  const int draw =
      static_cast<int>((((bits >> 16) & 0xffff) * static_cast<uint64_t>(room + 1)) >> 16);
  WriteValue(q, draw, options_.wdl, value);
  *moves_left = options_.moves_left ? static_cast<float>((bits >> 32) & 0xffff) / 512.0f : 0.0f;
}

void FakeDevice::EvaluateMaterial(const InputPlanes& planes, std::span<float> policy,
                                  std::span<float> value, float* moves_left) const {
  std::ranges::fill(policy, 0.0f);
  // Half the units at three pawns, ever less for what comes on top.
  const int balance = MaterialBalance(planes);
  const int q = kUnit * balance / (std::abs(balance) + 24);
  WriteValue(q, (kUnit - std::abs(q)) / 2, options_.wdl, value);
  // Fewer men, sooner over.
  int men = 0;
  for (int piece = 0; piece < 12; ++piece) men += std::popcount(planes.mask[piece]);
  *moves_left = options_.moves_left ? static_cast<float>(4 * men) : 0.0f;
}

std::vector<DeviceFactory> PlanFakeDevices(const DeviceConfig& config) {
  return PlanDevices(config, FakeMode::kHash);
}

std::vector<DeviceFactory> PlanMaterialDevices(const DeviceConfig& config) {
  return PlanDevices(config, FakeMode::kMaterial);
}

}  // namespace plexus
