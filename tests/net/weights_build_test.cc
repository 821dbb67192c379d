#include "net/weights_build.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/exception.h"
#include "net/random_weights.h"
#include "net/tensor_codec.h"
#include "net/weights_file.h"
#include "net/weights_writer.h"
#include "netproto/net.pb.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

pblczero::Net Small() {
  pblczero::Net net;
  EXPECT_TRUE(net.ParseFromString(SerializeNetwork(
      RandomWeights({.channels = 4, .blocks = 1, .se_channels = 2}, 3), TensorEncoding::kFloat32)));
  return net;
}

void Set(std::vector<float> values, pblczero::Layer* layer) {
  EncodeTensor(values, TensorEncoding::kFloat32, layer);
}

TEST(WeightsBuild, BatchNormsAreFoldedIntoTheConvolution) {
  pblczero::Net net = Small();
  const ConvWeights plain = BuildWeights(net, "x").input;
  pblczero::ConvBlock& block = *net.mutable_weights()->mutable_input();
  Set({1, 2, 3, 4}, block.mutable_biases());
  Set({0.5f, 1, -1, 0}, block.mutable_bn_means());
  Set({4, 1, 0.25f, 0}, block.mutable_bn_stddivs());  // variances
  Set({1, -2, 1, 1}, block.mutable_bn_gammas());      // may be negative
  Set({10, 20, 30, 40}, block.mutable_bn_betas());
  const ConvWeights folded = BuildWeights(net, "x").input;
  const float scales[] = {1 / std::sqrt(4 + 1e-5f), -2 / std::sqrt(1 + 1e-5f),
                          1 / std::sqrt(0.25f + 1e-5f), 1 / std::sqrt(1e-5f)};
  const float biases[] = {10 - scales[0] * (0.5f - 1), 20 - scales[1] * (1 - 2),
                          30 - scales[2] * (-1 - 3), 40 - scales[3] * (0 - 4)};
  const size_t row = 112 * 9;
  for (size_t o = 0; o < 4; ++o) {
    EXPECT_FLOAT_EQ(folded.biases[o], biases[o]);
    for (size_t i = 0; i < row; i += 97) {
      EXPECT_FLOAT_EQ(folded.weights[o * row + i], plain.weights[o * row + i] * scales[o]);
    }
  }
}

TEST(WeightsBuild, MissingGammasBetasAndBiasesAreNeutral) {
  pblczero::Net net = Small();
  pblczero::ConvBlock& block = *net.mutable_weights()->mutable_input();
  block.clear_biases();
  Set({2, 2, 2, 2}, block.mutable_bn_means());
  Set({1, 1, 1, 1}, block.mutable_bn_stddivs());
  EXPECT_NEAR(BuildWeights(net, "x").input.biases[0], -2, 1e-4);
  block.clear_bn_means();
  block.clear_bn_stddivs();
  EXPECT_EQ(BuildWeights(net, "x").input.biases[0], 0);
}

TEST(WeightsBuild, ANegativeVarianceIsRefusedByName) {
  pblczero::Net net = Small();
  pblczero::ConvBlock& block = *net.mutable_weights()->mutable_residual(0)->mutable_conv2();
  Set({0, 0, 0, 0}, block.mutable_bn_means());
  Set({1, 1, -1, 1}, block.mutable_bn_stddivs());
  try {
    BuildWeights(net, "net.pb");
    FAIL() << "no exception";
  } catch (const Exception& e) {
    EXPECT_NE(std::string(e.what()).find("net.pb: tensor block 1 conv 2 batch norm variances"),
              std::string::npos)
        << e.what();
  }
}

TEST(WeightsBuild, AMissingTensorIsRefusedByName) {
  pblczero::Net net = Small();
  net.mutable_weights()->clear_ip2_val_w();
  try {
    BuildWeights(net, "net.pb");
    FAIL() << "no exception";
  } catch (const Exception& e) {
    EXPECT_NE(
        std::string(e.what()).find("value head winner dense 2 weights has 0 values, expected 96"),
        std::string::npos)
        << e.what();
  }
}

TEST(WeightsBuild, TheValueHeadMustAnswerAsTheFormatSays) {
  pblczero::Net net = Small();
  net.mutable_format()->mutable_network_format()->set_value(
      pblczero::NetworkFormat::VALUE_CLASSICAL);
  EXPECT_THROW(BuildWeights(net, "net.pb"), Exception);
}

NetworkWeights Synthetic(const std::string& name) {
  return LoadWeights(SharedPath("nets/synthetic/" + name + ".pb.gz"));
}

TEST(WeightsBuild, AttentionBodiesAreReadWhole) {
  PLEXUS_REQUIRE_SHARED("nets/synthetic/attn-pemap-smolgen-polenc.pb.gz");
  const NetworkWeights weights = Synthetic("attn-pemap-smolgen-polenc");
  EXPECT_EQ(weights.body, BodyKind::kAttention);
  EXPECT_EQ(weights.attention.input_embedding, InputEmbedding::kPeMap);
  EXPECT_FALSE(weights.attention.encoders.empty());
  EXPECT_TRUE(weights.attention.encoders[0].mha.smolgen.present());
  EXPECT_EQ(weights.attention.smolgen_global.outputs, 64 * 64);
  EXPECT_EQ(weights.policy_heads.size(), 1u);
  EXPECT_FALSE(weights.policy_heads[0].encoders.empty());
}

TEST(WeightsBuild, AllHeadsOfAMultiheadNetworkAreReadMainHeadsFirst) {
  PLEXUS_REQUIRE_SHARED("nets/synthetic/multihead-pedense-smolgen.pb.gz");
  const NetworkWeights weights = Synthetic("multihead-pedense-smolgen");
  EXPECT_EQ(weights.attention.input_embedding, InputEmbedding::kPeDense);
  EXPECT_GT(weights.attention.preprocess.outputs, 0);
  ASSERT_GT(weights.policy_heads.size(), 1u);
  EXPECT_EQ(weights.policy_heads[0].name, "vanilla");
  ASSERT_GT(weights.value_heads.size(), 1u);
  EXPECT_EQ(weights.value_heads[0].name, "winner");
}

}  // namespace
}  // namespace plexus
