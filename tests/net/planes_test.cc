#include "net/planes.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

TEST(Planes, TheFingerprintSeesEveryMaskAndEveryValue) {
  const InputPlanes none;
  const uint64_t hash = HashOfPlanes(none);
  for (int p = 0; p < kInputPlanes; ++p) {
    InputPlanes mask, value;
    mask.mask[p] = 1ULL << 63;
    value.value[p] = 1;
    EXPECT_NE(HashOfPlanes(mask), hash);
    EXPECT_NE(HashOfPlanes(value), hash);
    EXPECT_NE(HashOfPlanes(value), HashOfPlanes(mask));
  }
}

}  // namespace
}  // namespace plexus
