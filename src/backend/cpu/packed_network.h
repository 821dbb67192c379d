#pragma once
// A whole convolutional network, packed once and shared, read only, by every device thread of a specification.

#include <memory>
#include <vector>

#include "backend/cpu/packing.h"
#include "net/weights.h"

namespace plexus {

struct PackedResidual {
  PackedConvolution conv1, conv2;
  PackedSe se;
};

// A head made of a 1x1 convolution and two dense layers (value, moves left).
struct PackedDenseHead {
  PackedDense conv, dense1, dense2;
  bool present() const { return dense2.present(); }
};

struct PackedNetwork {
  ConvolutionMethod method = ConvolutionMethod::kWinograd4;
  int channels = 0;    // padded
  int activation = 0;  // as in kernels.h
  PackedInput input;
  std::vector<PackedResidual> residual;
  PolicyKind policy_kind = PolicyKind::kConvolution;
  PackedConvolution policy_conv1, policy_conv2;  // convolution head
  std::vector<int> policy_map;                   // policy index -> place in [square][padded planes]
  PackedDense policy_planes, policy_dense;       // classical head
  PackedDenseHead value;
  PackedDenseHead moves_left;
  bool has_wdl = false;
};

// The first policy and value head are taken. Throws Exception naming what is missing for networks that this backend
// cannot run (attention bodies and attention policy heads) and for tensors of wrong size.
std::shared_ptr<const PackedNetwork> PackNetwork(const NetworkWeights& weights,
                                                 ConvolutionMethod method);

}  // namespace plexus
