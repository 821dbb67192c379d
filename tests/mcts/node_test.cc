#include "mcts/node.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plexus {
namespace {

TEST(Node, FitsACacheLine) {
  EXPECT_EQ(sizeof(Node), 64u);
  EXPECT_EQ(sizeof(Edge), 4u);
  EXPECT_EQ(sizeof(ChildSlot), 16u);
}

TEST(Node, BoundsComeBackAsSet) {
  for (int lower = -1; lower <= 1; ++lower) {
    for (int upper = lower; upper <= 1; ++upper) {
      Node node;
      node.SetBounds(lower, upper);
      EXPECT_EQ(node.lower(), lower);
      EXPECT_EQ(node.upper(), upper);
      EXPECT_EQ(node.bounds_met(), lower == upper);
    }
  }
}

TEST(Prior, ComesBackWithinElevenBits) {
  for (float p = 1e-8f; p <= 1.0f; p *= 1.01f) {
    EXPECT_NEAR(DecodePrior(EncodePrior(p)) / p, 1.0f, 1.0f / 4096) << p;
  }
}

TEST(Prior, ZeroAndOneAreExact) {
  EXPECT_EQ(DecodePrior(EncodePrior(0.0f)), 0.0f);
  EXPECT_EQ(DecodePrior(EncodePrior(1.0f)), 1.0f);
}

TEST(Prior, CodesKeepTheOrder) {
  uint16_t last = 0;
  for (float p = 1e-10f; p <= 1.0f; p *= 1.0001f) {
    const uint16_t code = EncodePrior(p);
    EXPECT_GE(code, last);
    last = code;
  }
}

TEST(Prior, NonsenseBecomesZeroOrOne) {
  EXPECT_EQ(DecodePrior(EncodePrior(std::numeric_limits<float>::quiet_NaN())), 0.0f);
  EXPECT_EQ(DecodePrior(EncodePrior(-1.0f)), 0.0f);
  EXPECT_EQ(DecodePrior(EncodePrior(7.0f)), 1.0f);
}

}  // namespace
}  // namespace plexus
