#pragma once
// What an evaluator cannot run, in one text for all of them.

#include <string>

#include "net/weights.h"

namespace plexus {

// What an evaluator of convolutional networks knows beside the obligatory: plain and squeeze-excite blocks, classical
// and convolution policy heads, both value heads, moves left.
struct EvaluatorAbilities {
  bool attention_policy = false;           // attention policy heads
  bool attention_policy_encoders = false;  // with encoder layers inside
};

// Why an evaluator with these abilities cannot run the main heads of `weights`, as the end of "this network ..." ("has
// an attention body ..."); empty if it can.
std::string UnsupportedReason(const NetworkWeights& weights, const EvaluatorAbilities& abilities);

// Throws Exception that names the network, the device and what is missing, if there is a reason.
void RequireSupported(const NetworkWeights& weights, const EvaluatorAbilities& abilities,
                      const std::string& device);

}  // namespace plexus
