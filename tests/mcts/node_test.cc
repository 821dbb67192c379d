#include "mcts/node.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plexus {
namespace {

TEST(Node, IsSmall) {
  EXPECT_EQ(sizeof(Node), 40u);
  EXPECT_EQ(sizeof(ChildSlot), 16u);
}

TEST(Node, DrawsComeBackWithinABillionth) {
  Node node;
  for (const double d : {0.0, 0.25, 1.0}) {
    node.set_d(d);
    EXPECT_EQ(node.d(), d);
  }
  for (double d = 0; d <= 1; d += 0.001234567) {
    node.set_d(d);
    EXPECT_NEAR(node.d(), d, 1e-9);
  }
  node.set_d(-1e-7);  // rounding of a mean
  EXPECT_EQ(node.d(), 0);
}

TEST(NodeMove, IsAMoveOrItsNumber) {
  const Move move(63, 56, Move::kPromoteQueen);
  EXPECT_TRUE(NodeMove(move).is_known());
  EXPECT_EQ(NodeMove(move).move(), move);
  for (const int number : {0, 1, 254}) {
    EXPECT_FALSE(NodeMove::Numbered(number).is_known());
    EXPECT_EQ(NodeMove::Numbered(number).number(), number);
  }
}

TEST(NetValue, ComesBackWithinItsSixBytes) {
  for (float x = 0; x <= 1; x += 0.01f) {
    const NetValue net(1 - 2 * x, x, 700 * x);
    EXPECT_NEAR(net.wl(), 1 - 2 * x, 2e-5f);
    EXPECT_NEAR(net.d(), x, 1e-5f);
    EXPECT_NEAR(net.m(), 700 * x, 1.0f / 64);
  }
  const NetValue lost(-1, 0, 5);
  EXPECT_EQ(lost.wl(), -1);
  EXPECT_EQ(lost.d(), 0);
  EXPECT_EQ(lost.m(), 5);
  EXPECT_EQ(NetValue(1, 1, 1e9f).wl(), 1);
  EXPECT_EQ(NetValue(1, 1, 1e9f).m(), 1023);
}

TEST(ChildSlot, CountsVisitsInFlightUpToMany) {
  ChildSlot slot;
  slot.set_in_flight(65534);
  EXPECT_EQ(slot.n_in_flight, 65534);
  slot.set_in_flight(70000);
  EXPECT_EQ(slot.n_in_flight, ChildSlot::kManyInFlight);
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

TEST(Prior, ComesBackWithinSevenBits) {
  for (float p = 1e-8f; p <= 1.0f; p *= 1.01f) {
    EXPECT_NEAR(DecodePrior(EncodePrior(p)) / p, 1.0f, 1.0f / 256) << p;
  }
}

TEST(Prior, ZeroAndOneAreExact) {
  EXPECT_EQ(DecodePrior(EncodePrior(0.0f)), 0.0f);
  EXPECT_EQ(DecodePrior(EncodePrior(1.0f)), 1.0f);
}

TEST(Prior, FitsItsBitsWithOneToSpare) {
  EXPECT_LT(EncodePrior(1.0f) + 1, 1 << kPriorBits);
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
