#include "backend/policy_codec.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace plexus {
namespace {

std::vector<float> RoundTrip(const std::vector<float>& policy) {
  std::vector<uint16_t> codes(policy.size());
  EncodePolicy(policy, codes);
  std::vector<float> result(policy.size());
  DecodePolicy(codes, result);
  return result;
}

std::vector<float> RandomPolicy(uint64_t seed, int moves) {
  Random random(seed);
  std::vector<float> policy(moves);
  float sum = 0;
  for (float& prior : policy)
    sum += prior = static_cast<float>(std::pow(random.Uniform(), 8.0) + 1e-9);
  for (float& prior : policy) prior /= sum;
  return policy;
}

TEST(PolicyCodecTest, TheOnlyMoveKeepsAllOfThePrior) {
  EXPECT_EQ(RoundTrip({1.0f}), std::vector<float>{1.0f});
}

TEST(PolicyCodecTest, EqualPriorsStayEqual) {
  EXPECT_EQ(RoundTrip(std::vector<float>(4, 0.25f)), std::vector<float>(4, 0.25f));
}

TEST(PolicyCodecTest, EveryPriorIsKeptToOnePartInTwoThousand) {
  for (int seed = 0; seed < 300; ++seed) {
    const std::vector<float> policy = RandomPolicy(seed, 1 + seed % 218);
    const std::vector<float> result = RoundTrip(policy);
    for (size_t i = 0; i < policy.size(); ++i) {
      // Below 2^-31 = 4.7e-10 it may vanish.
      ASSERT_NEAR(result[i], policy[i], policy[i] / 2000 + 5e-10);
    }
  }
}

TEST(PolicyCodecTest, DecodedPriorsSumToOne) {
  for (int seed = 0; seed < 300; ++seed) {
    const std::vector<float> result = RoundTrip(RandomPolicy(seed, 1 + seed % 218));
    ASSERT_NEAR(std::accumulate(result.begin(), result.end(), 0.0), 1.0, 2e-6);
  }
}

TEST(PolicyCodecTest, TheOrderOfPriorsIsKept) {
  const std::vector<float> policy = RandomPolicy(7, 200);
  const std::vector<float> result = RoundTrip(policy);
  for (size_t i = 1; i < policy.size(); ++i) {
    if (policy[i] > policy[i - 1]) {
      ASSERT_GE(result[i], result[i - 1]);
    }
  }
}

TEST(PolicyCodecTest, VanishingPriorsBecomeZeroAndOthersStay) {
  const std::vector<float> result = RoundTrip({1e-12f, 1.0f, 0.0f, 1e-8f});
  EXPECT_EQ(result[0], 0.0f);
  EXPECT_EQ(result[2], 0.0f);
  EXPECT_NEAR(result[1], 1.0f, 1e-6);
  EXPECT_NEAR(result[3], 1e-8f, 1e-11);
}

TEST(PolicyCodecTest, SumsSlightlyAboveOneDoNotOverflow) {
  const std::vector<float> result = RoundTrip({1.0000001f, 0.0f});
  EXPECT_EQ(result[0], 1.0f);
}

}  // namespace
}  // namespace plexus
