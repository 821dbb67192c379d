#include "net/weights_writer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/exception.h"
#include "base/files.h"
#include "net/random_weights.h"
#include "net/weights_check.h"
#include "net/weights_file.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

NetworkWeights Reload(const std::string& bytes) {
  return LoadWeightsFromMemory(std::as_bytes(std::span(bytes)), "round trip");
}

// The largest distance of two values in units of their tensor's range.
double LargestDistance(const NetworkWeights& a, const NetworkWeights& b) {
  const std::vector<TensorView> before = TensorsOf(a), after = TensorsOf(b);
  EXPECT_EQ(before.size(), after.size());
  double largest = 0;
  for (size_t t = 0; t < before.size(); ++t) {
    EXPECT_EQ(before[t].name, after[t].name);
    EXPECT_EQ(before[t].shape, after[t].shape);
    const auto [low, high] =
        std::minmax_element(before[t].values->begin(), before[t].values->end());
    const double range =
        std::max({1e-30, static_cast<double>(*high) - *low, std::fabs(static_cast<double>(*low))});
    for (size_t i = 0; i < before[t].values->size(); ++i) {
      largest =
          std::max(largest, std::fabs((*before[t].values)[i] - (*after[t].values)[i]) / range);
    }
  }
  return largest;
}

RandomNetworkShape Shape(PolicyKind policy, ValueKind value, bool moves_left, int se_channels) {
  return {.channels = 16,
          .blocks = 2,
          .se_channels = se_channels,
          .policy = policy,
          .value = value,
          .moves_left = moves_left,
          .activation = Activation::kMish,
          .input_format = InputFormat::kCanonicalV2};
}

TEST(WeightsWriter, Float32RoundTripKeepsEveryValueAndTheFormat) {
  for (const PolicyKind policy :
       {PolicyKind::kClassical, PolicyKind::kConvolution, PolicyKind::kAttention}) {
    for (const ValueKind value : {ValueKind::kClassical, ValueKind::kWdl}) {
      for (const int se_channels : {0, 4}) {
        NetworkWeights weights =
            RandomWeights(Shape(policy, value, se_channels > 0, se_channels), 7);
        weights.license = "public domain";
        weights.training_steps = 1234;
        const NetworkWeights copy = Reload(SerializeNetwork(weights, TensorEncoding::kFloat32));
        EXPECT_EQ(LargestDistance(weights, copy), 0);
        EXPECT_EQ(copy.input_format, InputFormat::kCanonicalV2);
        EXPECT_EQ(copy.default_activation, Activation::kMish);
        EXPECT_EQ(copy.policy_heads[0].kind, policy);
        EXPECT_EQ(copy.value_heads[0].kind, value);
        EXPECT_EQ(copy.moves_left.present(), se_channels > 0);
        EXPECT_EQ(copy.residual[1].se.present(), se_channels > 0);
        EXPECT_EQ(copy.license, "public domain");
        EXPECT_EQ(copy.training_steps, 1234u);
      }
    }
  }
}

TEST(WeightsWriter, SmallerEncodingsStayWithinTheirPrecision) {
  const NetworkWeights weights =
      RandomWeights(Shape(PolicyKind::kConvolution, ValueKind::kWdl, true, 4), 8);
  EXPECT_LT(LargestDistance(weights, Reload(SerializeNetwork(weights, TensorEncoding::kLinear16))),
            0.51 / 65535);
  EXPECT_LT(LargestDistance(weights, Reload(SerializeNetwork(weights, TensorEncoding::kFloat16))),
            1.0 / 2048);
  EXPECT_LT(LargestDistance(weights, Reload(SerializeNetwork(weights, TensorEncoding::kBfloat16))),
            1.0 / 256);
}

TEST(WeightsWriter, CompressedBytesLoadToo) {
  const NetworkWeights weights = RandomWeights({.channels = 8, .blocks = 1}, 9);
  const NetworkWeights copy = Reload(Gzip(SerializeNetwork(weights, TensorEncoding::kFloat32)));
  EXPECT_EQ(LargestDistance(weights, copy), 0);
}

TEST(WeightsWriter, ARealNetworkSurvivesARewrite) {
  PLEXUS_REQUIRE_SHARED("nets/maia-1100.pb.gz");
  const NetworkWeights weights = LoadWeights(SharedPath("nets/maia-1100.pb.gz"));
  const NetworkWeights copy = Reload(SerializeNetwork(weights, TensorEncoding::kFloat32));
  EXPECT_EQ(LargestDistance(weights, copy), 0);
}

TEST(WeightsWriter, RefusesEncoderLayers) {
  PLEXUS_REQUIRE_SHARED("nets/synthetic/attn-pemap-relu.pb.gz");
  const NetworkWeights weights = LoadWeights(SharedPath("nets/synthetic/attn-pemap-relu.pb.gz"));
  EXPECT_THROW(SerializeNetwork(weights, TensorEncoding::kFloat32), Exception);
}

}  // namespace
}  // namespace plexus
