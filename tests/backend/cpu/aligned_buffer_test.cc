#include "backend/cpu/aligned_buffer.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

namespace plexus {
namespace {

TEST(AlignedBuffer, IsZeroedAndAligned) {
  for (const size_t floats : {size_t{1}, size_t{17}, size_t{1000}, size_t{1} << 20}) {
    const AlignedBuffer buffer(floats);
    EXPECT_EQ(buffer.size(), floats);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % 64, 0u);
    for (size_t i = 0; i < floats; ++i) ASSERT_EQ(buffer[i], 0.0f);
  }
}

TEST(AlignedBuffer, LargeOnesBeginAtAHugePage) {
  const AlignedBuffer buffer(size_t{1} << 20);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % (size_t{2} << 20), 0u);
}

TEST(AlignedBuffer, AnEmptyOneHoldsNothing) {
  EXPECT_EQ(AlignedBuffer().data(), nullptr);
  EXPECT_EQ(AlignedBuffer(0).data(), nullptr);
}

TEST(AlignedBuffer, MovesWithItsContents) {
  AlignedBuffer from(4);
  from[2] = 7;
  const AlignedBuffer to = std::move(from);
  EXPECT_EQ(to[2], 7.0f);
}

}  // namespace
}  // namespace plexus
