#include "net/random_weights.h"

#include <gtest/gtest.h>

#include "base/hash.h"
#include "net/weights_check.h"

namespace plexus {
namespace {

uint64_t HashOfWeights(const NetworkWeights& weights) {
  uint64_t hash = 0;
  for (const TensorView& tensor : TensorsOf(weights)) {
    for (const float v : *tensor.values) hash = HashCombine(hash, std::bit_cast<uint32_t>(v));
  }
  return hash;
}

TEST(RandomWeights, EveryShapeIsAWholeNetwork) {
  for (const PolicyKind policy :
       {PolicyKind::kClassical, PolicyKind::kConvolution, PolicyKind::kAttention}) {
    for (const ValueKind value : {ValueKind::kClassical, ValueKind::kWdl}) {
      for (const int se_channels : {0, 8}) {
        const NetworkWeights weights = RandomWeights({.channels = 16,
                                                      .blocks = 3,
                                                      .se_channels = se_channels,
                                                      .policy = policy,
                                                      .value = value},
                                                     1);
        EXPECT_NO_THROW(CheckWeights(weights));
        EXPECT_EQ(weights.residual.size(), 3u);
      }
    }
  }
}

TEST(RandomWeights, TheSeedDecidesEverything) {
  const RandomNetworkShape shape;
  EXPECT_EQ(HashOfWeights(RandomWeights(shape, 5)), HashOfWeights(RandomWeights(shape, 5)));
  EXPECT_NE(HashOfWeights(RandomWeights(shape, 5)), HashOfWeights(RandomWeights(shape, 6)));
}

}  // namespace
}  // namespace plexus
