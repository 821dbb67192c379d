#pragma once
// Logits -> evaluation over legal moves; one place for all devices.

#include <span>

#include "net/backend.h"

namespace plexus {

// policy_logits: of the legal moves, in their order; value_logits [3] as in device.h. policy_temperature > 0 divides the
// logits before the softmax. out->policy: as many as logits, sums to 1, finite whatever the logits (NaN counts as the
// lowest, +-inf saturates).
void DecodeEvaluation(std::span<const float> policy_logits, std::span<const float> value_logits,
                      float moves_left_plies, bool has_wdl, float policy_temperature,
                      EvalOutput* out);

}  // namespace plexus
