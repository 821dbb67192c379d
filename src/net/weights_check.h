#pragma once
// The shape of every tensor of a network, as its layers demand it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "net/weights.h"

namespace plexus {

struct TensorView {
  std::string name;                  // "block 3 conv 1 weights"
  std::vector<int> shape;            // {64, 64, 3, 3}
  const std::vector<float>* values;  // borrowed from the network
};

// All tensors that a network of this kind must have or has, in order from input to heads. Biases
// that the format leaves out are not listed.
std::vector<TensorView> TensorsOf(const NetworkWeights& weights);
uint64_t ParameterCount(const NetworkWeights& weights);

// Throws Exception if `found` values are not what `shape` needs, naming file (source), tensor,
// shape and both numbers.
void CheckTensorSize(const std::string& source, const std::string& tensor, uint64_t found,
                     const std::vector<int>& shape);

// Throws Exception for the first tensor whose size differs from its shape, and for layers that do
// not fit each other (the outputs of one are the inputs of the next).
void CheckWeights(const NetworkWeights& weights);

}  // namespace plexus
