#include "net/network_support.h"

#include "base/exception.h"

namespace plexus {

std::string UnsupportedReason(const NetworkWeights& weights, const EvaluatorAbilities& abilities) {
  if (weights.body == BodyKind::kAttention) {
    return "has an attention body (" + std::to_string(weights.attention.encoders.size()) +
           " encoder layers, width " + std::to_string(weights.channels) +
           "); encoder layers are not implemented";
  }
  if (weights.default_activation != Activation::kRelu &&
      weights.default_activation != Activation::kMish) {
    return "has the default activation " +
           std::to_string(static_cast<int>(weights.default_activation)) +
           "; only ReLU and mish are implemented";
  }
  const PolicyHeadWeights& policy = weights.policy_heads.at(0);
  if (policy.kind != PolicyKind::kAttention) return "";
  if (!abilities.attention_policy) return "has an attention policy head, which is not implemented";
  if (!policy.encoders.empty() && !abilities.attention_policy_encoders) {
    return "has an attention policy head with " + std::to_string(policy.encoders.size()) +
           " encoder layers; encoder layers are not implemented";
  }
  return "";
}

void RequireSupported(const NetworkWeights& weights, const EvaluatorAbilities& abilities,
                      const std::string& device) {
  const std::string reason = UnsupportedReason(weights, abilities);
  if (reason.empty()) return;
  throw Exception("The " + device + " backend cannot evaluate " + weights.source +
                      ": this network " + reason + ".",
                  "Use a convolutional network (with a classical or convolution policy head), or "
                  "another backend; "
                  "`plexus describenet` shows what a file holds.");
}

}  // namespace plexus
