#include "backend/reference/reference_layers.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plexus {
namespace {

constexpr int kSquares = 64;

ConvWeights OnesConv(int kernel) {
  return {1, 1, kernel, std::vector<float>(static_cast<size_t>(kernel) * kernel, 1.0f), {0.5f}};
}

TEST(ReferenceLayers, ConvolutionOfOnesCountsTheNeighboursOnTheBoard) {
  const Tensor result = Convolve(OnesConv(3), Tensor(kSquares, 1.0f));
  EXPECT_EQ(result[0], 4.5f);   // a1: four squares of 3x3 are on the board
  EXPECT_EQ(result[1], 6.5f);   // b1
  EXPECT_EQ(result[9], 9.5f);   // b2
  EXPECT_EQ(result[63], 4.5f);  // h8
}

TEST(ReferenceLayers, ConvolutionReadsRowsFromRankOneAndColumnsFromFileA) {
  ConvWeights conv{1, 1, 3, std::vector<float>(9, 0.0f), {0.0f}};
  conv.weights[2 * 3 + 1] = 1;  // the square one rank up
  Tensor input(kSquares);
  input[20] = 7;                               // e3
  EXPECT_EQ(Convolve(conv, input)[12], 7.0f);  // e2 looks up to e3
  conv.weights.assign(9, 0.0f);
  conv.weights[1 * 3 + 0] = 1;                 // the square one file to the left
  EXPECT_EQ(Convolve(conv, input)[21], 7.0f);  // f3 looks left to e3
}

TEST(ReferenceLayers, KernelOfOneMixesChannelsOnly) {
  const ConvWeights conv{2, 1, 1, {2.0f, 10.0f}, {1.0f}};
  Tensor input(2 * kSquares);
  input[5] = 3;
  input[kSquares + 5] = 4;
  const Tensor result = Convolve(conv, input);
  EXPECT_EQ(result[5], 47.0f);
  EXPECT_EQ(result[6], 1.0f);
}

TEST(ReferenceLayers, DenseIsRowTimesVectorPlusBias) {
  const DenseWeights dense{3, 2, {1, 2, 3, 4, 5, 6}, {10, 20}};
  EXPECT_EQ(Multiply(dense, Tensor{1, 1, 2}), (Tensor{19, 41}));
}

TEST(ReferenceLayers, ActivationsFollowTheirFormulas) {
  const struct {
    Activation activation;
    float at_minus_1, at_2;
  } cases[] = {
      {Activation::kMish, -0.30340146f, 1.9439590f},
      {Activation::kRelu, 0, 2},
      {Activation::kNone, -1, 2},
      {Activation::kTanh, -0.76159416f, 0.96402758f},
      {Activation::kSigmoid, 0.26894142f, 0.88079708f},
      {Activation::kSelu, -1.1113307f, 2.1014020f},
      {Activation::kSwish, -0.26894142f, 1.7615942f},
      {Activation::kRelu2, 0, 4},
  };
  for (const auto& c : cases) {
    Tensor values{-1, 2};
    Activate(c.activation, &values);
    EXPECT_NEAR(values[0], c.at_minus_1, 1e-6) << static_cast<int>(c.activation);
    EXPECT_NEAR(values[1], c.at_2, 1e-6) << static_cast<int>(c.activation);
  }
  Tensor values{0, std::log(3.0f)};
  Activate(Activation::kSoftmax, &values);
  EXPECT_NEAR(values[0], 0.25f, 1e-6);
}

TEST(ReferenceLayers, MishOfLargeValuesIsTheValueItself) {
  Tensor values{1e4f, -1e4f};
  Activate(Activation::kMish, &values);
  EXPECT_EQ(values[0], 1e4f);
  EXPECT_EQ(values[1], 0.0f);
}

TEST(ReferenceLayers, SqueezeExciteScalesAndShiftsByTheMean) {
  // One channel, one hidden unit: mean 2 -> hidden 2 -> scale sigmoid(0) = 1/2, shift 2 * 3 + 1 = 7.
  const SeWeights se{{1, 1, {1}, {0}}, {1, 2, {0, 3}, {0, 1}}};
  Tensor input(kSquares, 2.0f);
  input[0] = 3;
  input[1] = 1;
  const Tensor result = SqueezeExcite(se, Activation::kRelu, input);
  EXPECT_NEAR(result[0], 8.5f, 1e-6);
  EXPECT_NEAR(result[1], 7.5f, 1e-6);
}

TEST(ReferenceLayers, AResidualBlockAddsItsInputBeforeTheLastActivation) {
  ResidualWeights block;
  block.conv1 = {1, 1, 3, std::vector<float>(9, 0.0f), {1.0f}};
  block.conv2 = {1, 1, 3, std::vector<float>(9, 0.0f), {-3.0f}};
  block.conv2.weights[4] = 2;  // 2 * relu(1) - 3 = -1
  Tensor input(kSquares, 5.0f);
  input[0] = 0.5f;
  const Tensor result = ResidualBlock(block, Activation::kRelu, input);
  EXPECT_EQ(result[1], 4.0f);
  EXPECT_EQ(result[0], 0.0f);  // -1 + 0.5, cut off
}

TEST(ReferenceLayers, PlanesAreExpandedBySquareAndValue) {
  InputPlanes planes;
  planes.mask[109] = 1ULL << 63;
  planes.value[109] = 42;
  const Tensor expanded = ExpandPlanes(planes);
  EXPECT_EQ(expanded[109 * kSquares + 63], 42.0f);
  EXPECT_EQ(expanded[109 * kSquares + 62], 0.0f);
}

}  // namespace
}  // namespace plexus
