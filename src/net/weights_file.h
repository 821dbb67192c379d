#pragma once
// Reading a network file: bytes -> protobuf -> plain structs, every tensor checked.

#include <cstddef>
#include <span>
#include <string>

#include "net/weights.h"

namespace plexus {

// Reads gzip or plain protobuf. Throws Exception that names file, tensor, what was expected and what to do: not a
// network, truncated, text weights, newer version, ONNX model inside, damaged tensor, larger than the limits.
NetworkWeights LoadWeights(const std::string& path);
NetworkWeights LoadWeightsFromMemory(std::span<const std::byte> bytes, const std::string& source);
// True if the head of the file is that of a network file; never throws.
bool LooksLikeWeights(const std::string& path);

}  // namespace plexus
