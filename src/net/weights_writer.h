#pragma once
// From plain structs to a network file that any reader of the public format accepts.

#include <string>

#include "net/tensor_codec.h"
#include "net/weights.h"

namespace plexus {

// The protobuf bytes of a convolutional network (compress them with Gzip of base/files.h); folded batch norms become
// plain biases. The same weights give the same bytes. Throws Exception for attention bodies, for encoder layers inside
// a policy head, and for weights that do not pass CheckWeights. LINEAR16 moves a value by at most half of 1/65535 of
// its tensor's range; FLOAT32 keeps it.
std::string SerializeNetwork(const NetworkWeights& weights, TensorEncoding encoding);

}  // namespace plexus
