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
  const PackedConvolution packed = PackConvolution(conv, true);
  const double sums[6] = {1.0 / 4, -1.0 / 2, -1.0 / 6, 7.0 / 24, 1.0 / 8, 1};
  for (int e = 0; e < 36; ++e)
    EXPECT_FLOAT_EQ(packed.winograd[e * 256], static_cast<float>(sums[e / 6] * sums[e % 6]));
  EXPECT_EQ(packed.bias[0], 2.5f);
  EXPECT_EQ(packed.bias[1], 0.0f);
}

TEST(Packing, ATensorOfWrongSizeIsRefused) {
  ConvWeights conv;
  conv.in_channels = conv.out_channels = 2;
  conv.kernel = 3;
  conv.weights.assign(35, 1.0f);
  conv.biases.assign(2, 0.0f);
  EXPECT_THROW(PackConvolution(conv, true), Exception);
}

}  // namespace
}  // namespace plexus
