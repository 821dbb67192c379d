#include "backend/policy_codec.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace plexus {
namespace {

constexpr int kDroppedBits = 12;              // of the 23 fraction bits of a float
constexpr uint32_t kBase = (127 - 31) << 23;  // the float 2^-31
constexpr uint32_t kHalf = 1u << (kDroppedBits - 1);

uint16_t Encode(float prior) {
  const uint32_t bits = std::bit_cast<uint32_t>(std::clamp(prior, 0.0f, 1.0f));
  return bits < kBase ? 0 : static_cast<uint16_t>((bits - kBase + kHalf) >> kDroppedBits);
}

float Decode(uint16_t code) {
  return code == 0 ? 0.0f : std::bit_cast<float>((uint32_t{code} << kDroppedBits) + kBase);
}

}  // namespace

void EncodePolicy(std::span<const float> policy, std::span<uint16_t> codes) {
  assert(policy.size() == codes.size());
  std::ranges::transform(policy, codes.begin(), Encode);
}

void DecodePolicy(std::span<const uint16_t> codes, std::span<float> policy) {
  assert(policy.size() == codes.size());
  float sum = 0;
  for (size_t i = 0; i < codes.size(); ++i) {
    policy[i] = Decode(codes[i]);
    sum += policy[i];  // in this order: the result must not depend on the compiler
  }
  if (sum <= 0) return;
  const float scale = 1.0f / sum;
  for (float& prior : policy) prior *= scale;
}

}  // namespace plexus
