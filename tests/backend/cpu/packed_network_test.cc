#include "backend/cpu/packed_network.h"

#include <gtest/gtest.h>

#include <set>

#include "base/exception.h"
#include "net/planes.h"
#include "net/random_weights.h"

namespace plexus {
namespace {

TEST(PackedNetwork, HoldsEitherWinogradWeightsOrTaps) {
  const NetworkWeights weights = RandomWeights({.channels = 20, .blocks = 2}, 1);
  for (const bool winograd : {true, false}) {
    const auto packed =
        PackNetwork(weights, winograd ? ConvolutionMethod::kWinograd4 : ConvolutionMethod::kDirect);
    ASSERT_EQ(packed->residual.size(), 2u);
    const PackedConvolution& conv = packed->residual[1].conv2;
    EXPECT_EQ(conv.winograd.size(), winograd ? 36u * 32 * 32 : 0u);
    EXPECT_EQ(conv.taps.size(), winograd ? 0u : 9u * 32 * 32);
  }
}

TEST(PackedNetwork, ChannelsArePaddedToWholeVectors) {
  const auto packed =
      PackNetwork(RandomWeights({.channels = 33, .blocks = 1}, 1), ConvolutionMethod::kWinograd4);
  EXPECT_EQ(packed->channels, 48);
  EXPECT_EQ(packed->input.taps.size(), 112u * 9 * 48);
  EXPECT_EQ(packed->input.channels, 48);
}

TEST(PackedNetwork, EveryPolicyIndexHasAPlaceOfItsOwnOnTheBoard) {
  const auto packed =
      PackNetwork(RandomWeights({.channels = 16, .blocks = 1}, 1), ConvolutionMethod::kWinograd4);
  const std::set<int> places(packed->policy_map.begin(), packed->policy_map.end());
  EXPECT_EQ(places.size(), static_cast<size_t>(kPolicySize));
  EXPECT_GE(*places.begin(), 0);
  EXPECT_LT(*places.rbegin(), 64 * packed->policy_conv2.out);
}

TEST(PackedNetwork, HeadsThatTheNetworkLacksAreAbsent) {
  const auto packed = PackNetwork(
      RandomWeights({.channels = 16, .blocks = 1, .se_channels = 0, .moves_left = false}, 1),
      ConvolutionMethod::kWinograd4);
  EXPECT_FALSE(packed->moves_left.present());
  EXPECT_FALSE(packed->residual[0].se.squeeze.present());
  EXPECT_FALSE(packed->policy_dense.present());
}

TEST(PackedNetwork, AnAttentionBodyIsRefused) {
  NetworkWeights weights = RandomWeights({.channels = 16, .blocks = 1}, 1);
  weights.body = BodyKind::kAttention;
  EXPECT_THROW(PackNetwork(weights, ConvolutionMethod::kWinograd4), Exception);
}

}  // namespace
}  // namespace plexus
