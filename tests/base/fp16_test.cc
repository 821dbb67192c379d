#include "base/fp16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>

namespace plexus {
namespace {

TEST(Half, EveryValueReadsBackAsItself) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const Half half = static_cast<Half>(bits);
    const float value = HalfToFloat(half);
    if (std::isnan(value)) {
      ASSERT_TRUE(std::isnan(HalfToFloat(FloatToHalf(value)))) << bits;
    } else {
      ASSERT_EQ(FloatToHalf(value), half) << bits;
    }
  }
}

TEST(Half, KnownValuesHaveKnownBits) {
  EXPECT_EQ(FloatToHalf(1.0f), 0x3C00);
  EXPECT_EQ(FloatToHalf(-2.0f), 0xC000);
  EXPECT_EQ(FloatToHalf(65504.0f), 0x7BFF);
  EXPECT_EQ(FloatToHalf(0x1.0p-14f), 0x0400);
  EXPECT_EQ(FloatToHalf(0x1.0p-24f), 0x0001);
  EXPECT_EQ(FloatToHalf(-0.0f), 0x8000);
  EXPECT_EQ(HalfToFloat(0x3555), 0.333251953125f);
}

// Between two neighbours the nearer one is taken, half way the even one: tried at every place of
// the scale.
TEST(Half, RoundsToNearestAndTiesToEven) {
  for (uint32_t bits = 0; bits < 0x7BFF; ++bits) {
    const double low = HalfToFloat(static_cast<Half>(bits));
    const double high = HalfToFloat(static_cast<Half>(bits + 1));
    const float middle = static_cast<float>((low + high) / 2);
    const Half even = static_cast<Half>((bits & 1) == 0 ? bits : bits + 1);
    ASSERT_EQ(FloatToHalf(middle), even) << bits;
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, 0.0f)), bits) << bits;
    ASSERT_EQ(FloatToHalf(std::nextafter(middle, 1e9f)), bits + 1) << bits;
    ASSERT_EQ(FloatToHalf(-middle), even | 0x8000) << bits;
  }
}

TEST(Half, OverflowStartsHalfWayAboveTheLargestValue) {
  EXPECT_EQ(FloatToHalf(65519.996f), 0x7BFF);
  EXPECT_EQ(FloatToHalf(65520.0f), 0x7C00);
  EXPECT_EQ(FloatToHalf(-1e30f), 0xFC00);
  EXPECT_EQ(FloatToHalf(std::numeric_limits<float>::infinity()), 0x7C00);
}

TEST(Half, TinyValuesBecomeZeroWithTheirSign) {
  EXPECT_EQ(FloatToHalf(0x1.0p-25f), 0x0000);
  EXPECT_EQ(FloatToHalf(0x1.000002p-25f), 0x0001);
  EXPECT_EQ(FloatToHalf(-1e-30f), 0x8000);
  EXPECT_EQ(FloatToHalf(std::numeric_limits<float>::denorm_min()), 0x0000);
}

TEST(Half, NanStaysNanEvenIfItsUpperBitsAreZero) {
  const float nan = std::bit_cast<float>(0x7F800001u);
  EXPECT_TRUE(std::isnan(HalfToFloat(FloatToHalf(nan))));
  EXPECT_TRUE(std::isnan(Bfloat16ToFloat(FloatToBfloat16(nan))));
}

TEST(Bfloat16, EveryValueReadsBackAsItself) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const float value = Bfloat16ToFloat(static_cast<Bfloat16>(bits));
    if (std::isnan(value)) continue;
    ASSERT_EQ(FloatToBfloat16(value), bits) << bits;
  }
}

TEST(Bfloat16, RoundsToNearestAndTiesToEven) {
  EXPECT_EQ(FloatToBfloat16(std::bit_cast<float>(0x3F808000u)), 0x3F80);
  EXPECT_EQ(FloatToBfloat16(std::bit_cast<float>(0x3F818000u)), 0x3F82);
  EXPECT_EQ(FloatToBfloat16(std::bit_cast<float>(0x3F808001u)), 0x3F81);
  EXPECT_EQ(FloatToBfloat16(std::numeric_limits<float>::max()), 0x7F80);
}

}  // namespace
}  // namespace plexus
