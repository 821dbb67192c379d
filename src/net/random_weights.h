#pragma once
// Seeded small networks for tests and benchmarks: no test needs a download.

#include <cstdint>

#include "net/weights.h"

namespace plexus {

struct RandomNetworkShape {
  int channels = 32, blocks = 2, se_channels = 8;   // se_channels 0: plain blocks
  PolicyKind policy = PolicyKind::kConvolution;
  ValueKind value = ValueKind::kWdl;
  bool moves_left = true;
  Activation activation = Activation::kRelu;
  InputFormat input_format = InputFormat::kClassical;
};
// The same seed and shape give the same weights on every machine. He-scaled, so that outputs stay in range.
NetworkWeights RandomWeights(const RandomNetworkShape& shape, uint64_t seed);

}  // namespace plexus
