#pragma once
// Layers as plain loops with double sums: slow, and easy to compare with the formulas. Other devices are tested
// against them. Activations of a body are [channel][64 squares], heads are flat vectors.

#include <span>
#include <vector>

#include "net/planes.h"
#include "net/weights.h"

namespace plexus {

using Tensor = std::vector<float>;

// In place; kDefault is not allowed: resolve it first. kSoftmax runs over all values.
void Activate(Activation activation, Tensor* values);

// [112][64] with the mask's squares set to the plane's value.
Tensor ExpandPlanes(const InputPlanes& planes);
// [in][64] -> [out][64], stride 1, zeros around the board.
Tensor Convolve(const ConvWeights& conv, const Tensor& input);
// [inputs] -> [outputs]; missing biases are zero.
Tensor Multiply(const DenseWeights& dense, std::span<const float> input);
// [channels][64] -> the same: sigmoid(first half of excite) * input + second half.
Tensor SqueezeExcite(const SeWeights& se, Activation activation, const Tensor& input);
// One block: conv1, activation, conv2, squeeze-excite if present, the block's input added, activation.
Tensor ResidualBlock(const ResidualWeights& block, Activation activation, const Tensor& input);

// [channels][64] -> [64][outputs]: the dense layer on every square.
Tensor MultiplySquares(const DenseWeights& dense, const Tensor& input);

// Heads: from the body's output to what device.h promises.
Tensor PolicyLogits(const PolicyHeadWeights& head, Activation activation,
                    const Tensor& body);  // [1858]
Tensor ValueLogits(const ValueHeadWeights& head, Activation activation, const Tensor& body);  // [3]
float MovesLeftPlies(const MovesLeftHeadWeights& head, Activation activation, const Tensor& body);

}  // namespace plexus
