#include "net/random_weights.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "net/planes.h"

namespace plexus {
namespace {

class Builder {
 public:
  explicit Builder(uint64_t seed) : random_(seed) {}

  // gain 1: the variance of He et al. 2015 for layers in front of a rectifier, 2 / inputs.
  std::vector<float> Uniform(size_t count, int inputs, float gain) {
    const float limit = gain * std::sqrt(6.0f / static_cast<float>(inputs));
    std::vector<float> values(count);
    for (float& v : values) v = limit * Symmetric();
    return values;
  }
  ConvWeights Conv(int in_channels, int out_channels, int kernel, float gain) {
    const int inputs = in_channels * kernel * kernel;
    return {in_channels, out_channels, kernel,
            Uniform(static_cast<size_t>(inputs) * out_channels, inputs, gain),
            Uniform(out_channels, 64, 0.2f)};
  }
  DenseWeights Dense(int inputs, int outputs, float gain) {
    return {inputs, outputs, Uniform(static_cast<size_t>(inputs) * outputs, inputs, gain),
            Uniform(outputs, 64, 0.2f)};
  }

 private:
  // In [-1, 1), a multiple of 2^-23: integers and one exact conversion, so every machine draws the
  // same.
  float Symmetric() {
    const auto bits = static_cast<int32_t>(random_.Next() >> 40);  // 24 bits
    return static_cast<float>(bits - (1 << 23)) * (1.0f / (1 << 23));
  }

  Random random_;
};

}  // namespace

NetworkWeights RandomWeights(const RandomNetworkShape& shape, uint64_t seed) {
  Builder builder(seed);
  const int channels = shape.channels;
  NetworkWeights net;
  net.source = "random weights, seed " + std::to_string(seed);
  net.input_format = shape.input_format;
  net.default_activation = shape.activation;
  net.channels = channels;
  net.input = builder.Conv(kInputPlanes, channels, 3, 1.0f);
  // Each block adds to the sum of all before it; this gain lets the whole tower only about double
  // the variance.
  const float block_gain = 1.0f / std::sqrt(static_cast<float>(std::max(1, shape.blocks)));
  for (int i = 0; i < shape.blocks; ++i) {
    ResidualWeights block;
    block.conv1 = builder.Conv(channels, channels, 3, 1.0f);
    block.conv2 = builder.Conv(channels, channels, 3, block_gain);
    if (shape.se_channels > 0) {
      block.se.squeeze = builder.Dense(channels, shape.se_channels, 1.0f);
      block.se.excite = builder.Dense(shape.se_channels, 2 * channels, 0.5f);
    }
    net.residual.push_back(std::move(block));
  }

  PolicyHeadWeights policy;
  policy.name = "vanilla";
  policy.kind = shape.policy;
  if (shape.policy == PolicyKind::kClassical) {
    constexpr int kPlanes = 16;
    policy.conv = builder.Conv(channels, kPlanes, 1, 1.0f);
    policy.dense = builder.Dense(kPlanes * 64, kPolicySize, 0.5f);
  } else if (shape.policy == PolicyKind::kConvolution) {
    policy.conv1 = builder.Conv(channels, channels, 3, 1.0f);
    policy.conv = builder.Conv(channels, 80, 3, 0.5f);
  } else {
    policy.dense = builder.Dense(channels, channels, 1.0f);
    policy.q = builder.Dense(channels, channels, 0.7f);
    policy.k = builder.Dense(channels, channels, 0.7f);
    policy.promotion = builder.Dense(channels, 4, 0.5f);
    policy.promotion.biases.clear();
  }
  net.policy_heads.push_back(std::move(policy));

  constexpr int kValuePlanes = 8, kValueHidden = 32, kMovesLeftPlanes = 4, kMovesLeftHidden = 16;
  ValueHeadWeights value;
  value.name = "winner";
  value.kind = shape.value;
  value.conv = builder.Conv(channels, kValuePlanes, 1, 1.0f);
  value.dense1 = builder.Dense(kValuePlanes * 64, kValueHidden, 1.0f);
  value.dense2 = builder.Dense(kValueHidden, shape.value == ValueKind::kWdl ? 3 : 1, 0.5f);
  net.value_heads.push_back(std::move(value));

  if (shape.moves_left) {
    net.moves_left.conv = builder.Conv(channels, kMovesLeftPlanes, 1, 1.0f);
    net.moves_left.dense1 = builder.Dense(kMovesLeftPlanes * 64, kMovesLeftHidden, 1.0f);
    net.moves_left.dense2 = builder.Dense(kMovesLeftHidden, 1, 1.0f);
    for (float& bias : net.moves_left.dense2.biases)
      bias += 60.0f;  // about a game's rest, so ReLU stays open
  }
  return net;
}

}  // namespace plexus
