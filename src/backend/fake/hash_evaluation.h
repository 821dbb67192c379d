#pragma once
// Evaluations from a hash of the input planes, for devices without a network.

#include <cstdint>
#include <span>

#include "net/device.h"

namespace plexus {

struct HashEvaluation {
  uint64_t seed = 0;  // another seed, other numbers
  bool wdl = true;
  bool moves_left = false;
};

// Policy logits uniform on [0, 3), win minus loss uniform on [-1, 1], draws uniform on [0, 1 - |win minus loss|], moves
// left uniform on [0, 128): trees are bushy, as with the "random" backends of other engines.
//
// Each number depends on the position, the seed and (for a logit) its index alone: not on batch, order, device, machine
// or compiler. Made of integers by exact arithmetic, at a cost for wanted logits only.
void EvaluateByHash(const HashEvaluation& how, const DeviceBatch& in, const LogitBatch& out);

inline constexpr int kValueUnits = 4096;  // probabilities are counted in 1/4096
// A value of `q` units (win minus loss) with `draw` units of draws, in the form that the device contract asks for;
// value: [3].
void WriteExactValue(int q, int draw, bool wdl, std::span<float> value);

}  // namespace plexus
