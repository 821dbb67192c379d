#include "backend/cpu/packed_network.h"

#include <string>

#include "base/exception.h"
#include "net/network_support.h"
#include "net/planes.h"
#include "net/policy_map.h"

namespace plexus {
namespace {

void RequireRunnable(const NetworkWeights& weights) {
  RequireSupported(weights, EvaluatorAbilities{}, "cpu");
  if (weights.default_activation == Activation::kSoftmax) {
    throw Exception("The cpu backend cannot run " + weights.source +
                    ": softmax as activation between layers.");
  }
}

PackedDenseHead PackDenseHead(const ConvWeights& conv, const DenseWeights& dense1,
                              const DenseWeights& dense2) {
  PackedDenseHead head;
  head.conv = PackPointwise(conv);
  head.dense1 = PackDense(dense1, conv.out_channels);
  head.dense2 = PackDense(dense2, 0);
  return head;
}

std::vector<int> PolicyGather(int planes) {
  std::vector<int> gather(kPolicySize);
  for (int i = 0; i < kPolicySize; ++i) {
    const int flat = ConvolutionPolicyMap()[i];
    gather[i] = flat % 64 * planes + flat / 64;
  }
  return gather;
}

}  // namespace

std::shared_ptr<const PackedNetwork> PackNetwork(const NetworkWeights& weights,
                                                 ConvolutionMethod method) {
  RequireRunnable(weights);
  auto packed = std::make_shared<PackedNetwork>();
  packed->method = method;
  packed->channels = PadChannels(weights.channels);
  packed->activation = static_cast<int>(weights.default_activation);
  packed->input = PackInput(weights.input);
  for (const ResidualWeights& block : weights.residual) {
    PackedResidual& residual = packed->residual.emplace_back();
    residual.conv1 = PackConvolution(block.conv1, method);
    residual.conv2 = PackConvolution(block.conv2, method);
    if (block.se.present()) residual.se = PackSe(block.se, weights.channels);
  }
  const PolicyHeadWeights& policy = weights.policy_heads[0];
  packed->policy_kind = policy.kind;
  if (policy.kind == PolicyKind::kConvolution) {
    packed->policy_conv1 = PackConvolution(policy.conv1, method);
    packed->policy_conv2 = PackConvolution(policy.conv, method);
    packed->policy_map = PolicyGather(packed->policy_conv2.out);
  } else {
    packed->policy_planes = PackPointwise(policy.conv);
    packed->policy_dense = PackDense(policy.dense, policy.conv.out_channels);
  }
  const ValueHeadWeights& value = weights.value_heads[0];
  packed->value = PackDenseHead(value.conv, value.dense1, value.dense2);
  packed->has_wdl = value.kind == ValueKind::kWdl;
  if (weights.moves_left.present()) {
    packed->moves_left = PackDenseHead(weights.moves_left.conv, weights.moves_left.dense1,
                                       weights.moves_left.dense2);
  }
  return packed;
}

}  // namespace plexus
