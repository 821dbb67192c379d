#include "mcts/node.h"

namespace plexus {

uint16_t EncodePrior(float p) {
  constexpr uint32_t kBase = 96u << 23;  // 2^-31
  constexpr uint32_t kHalf = 1u << 11;   // rounds to the nearest of the 11 bits that stay
  if (!(p > 0.0f)) return 0;
  const uint32_t bits = std::bit_cast<uint32_t>(p < 1.0f ? p : 1.0f);
  return bits + kHalf <= kBase ? 0 : static_cast<uint16_t>((bits + kHalf - kBase) >> 12);
}

}  // namespace plexus
