#include "net/network_support.h"

#include <gtest/gtest.h>

#include "base/exception.h"
#include "net/random_weights.h"

namespace plexus {
namespace {

TEST(NetworkSupport, ConvolutionalNetworksRunEverywhere) {
  for (const PolicyKind policy : {PolicyKind::kClassical, PolicyKind::kConvolution}) {
    EXPECT_EQ(UnsupportedReason(RandomWeights({.policy = policy}, 1), {}), "");
  }
}

TEST(NetworkSupport, AnAttentionPolicyNeedsTheAbility) {
  NetworkWeights weights = RandomWeights({.policy = PolicyKind::kAttention}, 1);
  EXPECT_NE(UnsupportedReason(weights, {}), "");
  EXPECT_EQ(UnsupportedReason(weights, {.attention_policy = true}), "");
  weights.policy_heads[0].encoders.resize(2);
  EXPECT_NE(UnsupportedReason(weights, {.attention_policy = true}), "");
}

TEST(NetworkSupport, TheErrorNamesNetworkDeviceAndWhatIsMissing) {
  NetworkWeights weights = RandomWeights({}, 1);
  weights.source = "big.pb.gz";
  weights.body = BodyKind::kAttention;
  try {
    RequireSupported(weights, {}, "cpu");
    FAIL() << "no exception";
  } catch (const Exception& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("cpu backend"), std::string::npos) << text;
    EXPECT_NE(text.find("big.pb.gz"), std::string::npos) << text;
    EXPECT_NE(text.find("attention body"), std::string::npos) << text;
    EXPECT_FALSE(e.remedy().empty());
  }
}

}  // namespace
}  // namespace plexus
