#include "backend/cpu/packing.h"

#include <gtest/gtest.h>

#include <set>

#include "backend/cpu/plain_network.h"
#include "base/exception.h"

namespace plexus {
namespace {

TEST(Packing, EveryElementHasAPlaceOfItsOwn) {
  for (const int columns : {16, 32, 48, 64, 80, 112}) {
    for (const int rows : {1, 5, 64}) {
      std::set<size_t> places;
      for (int k = 0; k < rows; ++k) {
        for (int n = 0; n < columns; ++n) places.insert(PackedIndex(k, n, rows, columns));
      }
      EXPECT_EQ(places.size(), static_cast<size_t>(rows) * columns);
      EXPECT_EQ(*places.rbegin(), static_cast<size_t>(rows) * columns - 1);
    }
  }
}

TEST(Packing, ADenseLayerBehindPlanesReadsSquaresFirst) {
  DenseWeights dense;
  dense.inputs = 128;
  dense.outputs = 1;
  for (int i = 0; i < 128; ++i)
    dense.weights.push_back(static_cast<float>(i));  // plane * 64 + square
  const PackedDense packed = PackDense(dense, 2);
  for (int square = 0; square < 64; ++square) {
    for (int plane = 0; plane < 2; ++plane) {
      EXPECT_EQ(packed.weights[PackedIndex(square * 2 + plane, 0, 128, 16)],
                static_cast<float>(plane * 64 + square));
    }
  }
}

TEST(Packing, AConstantKernelTransformsToTheSumsOfG) {
  // For g = 1 everywhere, U = (G 1)(G 1)^T with G 1 = (1/4, -1/2, -1/6, 7/24, 1/8, 1).
  ConvWeights conv;
  conv.in_channels = conv.out_channels = 1;
  conv.kernel = 3;
  conv.weights.assign(9, 1.0f);
  conv.biases = {2.5f};
  const PackedConvolution packed = PackConvolution(conv, ConvolutionMethod::kWinograd4);
  const double sums[6] = {1.0 / 4, -1.0 / 2, -1.0 / 6, 7.0 / 24, 1.0 / 8, 1};
  for (int e = 0; e < 36; ++e)
    EXPECT_FLOAT_EQ(packed.winograd[e * 256], static_cast<float>(sums[e / 6] * sums[e % 6]));
  EXPECT_EQ(packed.bias[0], 2.5f);
  EXPECT_EQ(packed.bias[1], 0.0f);
}

TEST(Packing, EveryElementOfAPairedMatrixHasAPlaceOfItsOwn) {
  for (const int columns : {16, 32, 48, 80}) {
    std::set<size_t> places;
    for (int k = 0; k < 32; ++k) {
      for (int n = 0; n < columns; ++n) places.insert(PackedPairIndex(k, n, 32, columns));
    }
    EXPECT_EQ(places.size(), 32u * columns);
    EXPECT_EQ(*places.rbegin(), 32u * columns - 1);
    // The two k of a pair are neighbours.
    EXPECT_EQ(PackedPairIndex(7, 5, 32, columns), PackedPairIndex(6, 5, 32, columns) + 1);
  }
}

TEST(Packing, Bfloat16RoundsToNearestEven) {
  EXPECT_EQ(ToBf16(1.0f), 0x3f80);
  EXPECT_EQ(ToBf16(-2.0f), 0xc000);
  EXPECT_EQ(ToBf16(1.0f + 1.0f / 256), 0x3f80);  // a tie, down to even
  EXPECT_EQ(ToBf16(1.0f + 3.0f / 256), 0x3f82);  // a tie, up to even
  EXPECT_EQ(ToBf16(1.0f + 1.01f / 256), 0x3f81);
}

TEST(Packing, AFullPlaneAddsTheTapsThatASquareHas) {
  ConvWeights conv;
  conv.in_channels = 112;
  conv.out_channels = 1;
  conv.kernel = 3;
  conv.weights.assign(112 * 9, 0.0f);
  for (int tap = 0; tap < 9; ++tap) conv.weights[3 * 9 + tap] = static_cast<float>(1 << tap);
  conv.biases = {0.0f};
  const PackedInput packed = PackInput(conv);
  const auto full = [&](int edge) { return packed.full[(3 * 9 + edge) * 16]; };
  EXPECT_EQ(full(4), 511.0f);                  // an inner square
  EXPECT_EQ(full(0), 16.0f + 32 + 128 + 256);  // a1: nothing below, nothing to the left
  EXPECT_EQ(full(8), 1.0f + 2 + 8 + 16);       // h8
  EXPECT_EQ(full(1), 511.0f - 7);              // rank 1
  EXPECT_EQ(full(5), 511.0f - 4 - 32 - 256);   // h file
}

TEST(Packing, ATensorOfWrongSizeIsRefused) {
  ConvWeights conv;
  conv.in_channels = conv.out_channels = 2;
  conv.kernel = 3;
  conv.weights.assign(35, 1.0f);
  conv.biases.assign(2, 0.0f);
  EXPECT_THROW(PackConvolution(conv, ConvolutionMethod::kWinograd4), Exception);
}

}  // namespace
}  // namespace plexus
