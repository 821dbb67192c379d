#include "backend/fake/hash_evaluation.h"

#include <array>
#include <bit>
#include <cstdlib>

#include "base/hash.h"

namespace plexus {
namespace {

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
  std::array<int32_t, kValueUnits + 2> table{};
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

// A number of 1/65536 in [0, 3): the product is exact.
float PolicyLogit(uint64_t hash, uint16_t index) {
  const uint64_t bits = MixBits(hash + index * 0x9e3779b97f4a7c15u);
  return static_cast<float>(static_cast<int32_t>(bits >> 48)) * (3.0f / 65536.0f);
}

}  // namespace

void WriteExactValue(int q, int draw, bool wdl, std::span<float> value) {
  if (wdl) {
    const int win = (kValueUnits - draw + q) / 2;
    const int loss = kValueUnits - draw - win;
    value[0] = LogitOfShare(win);
    value[1] = LogitOfShare(draw);
    value[2] = LogitOfShare(loss);
  } else {
    value[0] = static_cast<float>(q) / kValueUnits;
    value[1] = value[2] = 0;
  }
}

void EvaluateByHash(const HashEvaluation& how, const DeviceBatch& in, const LogitBatch& out) {
  float* logits = out.policy_logits.data();
  for (size_t i = 0; i < in.size(); ++i) {
    const uint64_t hash = HashPlanes(in.planes[i], how.seed);
    for (const uint16_t index : in.Indices(i)) *logits++ = PolicyLogit(hash, index);
    const uint64_t bits = MixBits(hash);
    const int q = static_cast<int>(bits % (2 * kValueUnits + 1)) - kValueUnits;
    const int room = kValueUnits - std::abs(q);
    const int draw =
        static_cast<int>((((bits >> 16) & 0xffff) * static_cast<uint64_t>(room + 1)) >> 16);
    WriteExactValue(q, draw, how.wdl, out.value_logits.subspan(3 * i, 3));
    out.moves_left_plies[i] =
        how.moves_left ? static_cast<float>((bits >> 32) & 0xffff) / 512.0f : 0.0f;
  }
}

}  // namespace plexus
