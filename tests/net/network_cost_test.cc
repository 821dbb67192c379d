#include "net/network_cost.h"

#include <gtest/gtest.h>

#include "net/random_weights.h"

namespace plexus {
namespace {

TEST(NetworkCost, ABlockIsTwoConvolutions) {
  RandomNetworkShape shape{.channels = 64, .blocks = 1, .se_channels = 0};
  const uint64_t one = FlopsPerPosition(RandomWeights(shape, 1));
  shape.blocks = 2;
  EXPECT_EQ(FlopsPerPosition(RandomWeights(shape, 1)) - one, 2u * 2 * 64 * 64 * 9 * 64);
}

TEST(NetworkCost, HeadsAndSqueezeExciteAreCounted) {
  const RandomNetworkShape plain{.channels = 8, .blocks = 1, .se_channels = 0, .moves_left = false};
  const uint64_t base = FlopsPerPosition(RandomWeights(plain, 1));
  RandomNetworkShape with_se = plain;
  with_se.se_channels = 4;
  EXPECT_EQ(FlopsPerPosition(RandomWeights(with_se, 1)) - base, 2u * (8 * 4 + 4 * 16));
  RandomNetworkShape with_plies = plain;
  with_plies.moves_left = true;
  EXPECT_EQ(FlopsPerPosition(RandomWeights(with_plies, 1)) - base,
            2u * (64 * 8 * 4 + 256 * 16 + 16));
}

TEST(NetworkCost, AttentionLogitsAreCounted) {
  const NetworkWeights weights =
      RandomWeights({.channels = 8, .blocks = 0, .policy = PolicyKind::kAttention}, 1);
  NetworkWeights without = weights;
  without.policy_heads[0].q = {};
  // 64 squares of an 8 x 8 dense layer, and 64 x 64 products of 8.
  EXPECT_EQ(FlopsPerPosition(weights) - FlopsPerPosition(without), 2u * (64 * 64 + 64 * 64 * 8));
}

}  // namespace
}  // namespace plexus
