#include "base/histogram.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

TEST(Histogram, AnEmptyOneIsAllZero) {
  const Histogram histogram;
  EXPECT_EQ(histogram.count(), 0);
  EXPECT_EQ(histogram.mean(), 0);
  EXPECT_EQ(histogram.Percentile(50), 0);
}

TEST(Histogram, CountSumAndExtremesAreExact) {
  Histogram histogram;
  for (const double value : {3.0, 1.0, 8.0}) histogram.Add(value);
  EXPECT_EQ(histogram.count(), 3);
  EXPECT_EQ(histogram.sum(), 12);
  EXPECT_EQ(histogram.mean(), 4);
  EXPECT_EQ(histogram.min(), 1);
  EXPECT_EQ(histogram.max(), 8);
}

TEST(Histogram, PercentilesAreWithinThePromisedError) {
  for (const double scale : {1e-6, 1.0, 1e9}) {
    Histogram histogram;
    for (int i = 1; i <= 1000; ++i) histogram.Add(i * scale);
    for (const int percent : {1, 10, 50, 90, 99}) {
      const double exact = percent * 10 * scale;
      EXPECT_NEAR(histogram.Percentile(percent), exact, 0.022 * exact) << percent << " " << scale;
    }
    EXPECT_EQ(histogram.Percentile(0), histogram.Percentile(0.1));
    EXPECT_NEAR(histogram.Percentile(100), 1000 * scale, 22 * scale);
  }
}

TEST(Histogram, OneValueIsEveryPercentile) {
  Histogram histogram;
  histogram.Add(37);
  EXPECT_EQ(histogram.Percentile(0), 37);
  EXPECT_EQ(histogram.Percentile(100), 37);
}

TEST(Histogram, ValuesOutsideTheScaleAreKeptInTheExtremes) {
  Histogram histogram;
  histogram.Add(0);
  histogram.Add(1e300);
  EXPECT_EQ(histogram.count(), 2);
  EXPECT_EQ(histogram.min(), 0);
  EXPECT_EQ(histogram.max(), 1e300);
}

TEST(Histogram, MergingEqualsAddingEverythingToOne) {
  Histogram all, first, second, empty;
  for (int i = 1; i < 200; ++i) {
    all.Add(i * i);
    (i % 3 == 0 ? first : second).Add(i * i);
  }
  first.Merge(second);
  first.Merge(empty);
  empty.Merge(first);
  EXPECT_EQ(first.Describe(), all.Describe());
  EXPECT_EQ(empty.Describe(), all.Describe());
  EXPECT_EQ(empty.min(), 1);
}

}  // namespace
}  // namespace plexus
