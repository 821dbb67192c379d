#include "base/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/hash.h"

namespace plexus {
namespace {

TEST(Random, DrawsTheSameNumbersOnEveryPlatform) {
  // Computed by an independent program from the published definitions of splitmix64 and
  // xoshiro256**.
  Random random(42);
  EXPECT_EQ(random.Next(), 1546998764402558742u);
  EXPECT_EQ(random.Next(), 6990951692964543102u);
  EXPECT_EQ(random.Next(), 12544586762248559009u);
}

TEST(Random, SameSeedGivesTheSameDraws) {
  Random a(7), b(7), c(8);
  std::vector<double> from_a = a.Dirichlet(0.3, 20);
  EXPECT_EQ(from_a, b.Dirichlet(0.3, 20));
  EXPECT_NE(from_a, c.Dirichlet(0.3, 20));
}

TEST(Random, BelowStaysBelowAndReachesEverything) {
  Random random(1);
  std::vector<int> seen(6);
  for (int i = 0; i < 6000; ++i) ++seen.at(random.Below(6));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
  EXPECT_EQ(random.Below(1), 0u);
}

TEST(Random, UniformIsInTheHalfOpenUnitInterval) {
  Random random(2);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.Uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
}

TEST(Random, NormalHasMeanZeroAndDeviationOne) {
  Random random(3);
  double sum = 0, squares = 0;
  constexpr int kDraws = 20000;
  for (int i = 0; i < kDraws; ++i) {
    const double value = random.Normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / kDraws, 0, 0.03);
  EXPECT_NEAR(squares / kDraws, 1, 0.05);
}

TEST(Random, GammaHasMeanAndVarianceOfItsShape) {
  for (const double alpha : {0.1, 0.3, 1.0, 4.5}) {
    Random random(4);
    double sum = 0, squares = 0;
    constexpr int kDraws = 40000;
    for (int i = 0; i < kDraws; ++i) {
      const double value = random.Gamma(alpha);
      ASSERT_GE(value, 0);
      sum += value;
      squares += value * value;
    }
    const double mean = sum / kDraws;
    EXPECT_NEAR(mean / alpha, 1, 0.06) << alpha;
    EXPECT_NEAR((squares / kDraws - mean * mean) / alpha, 1, 0.12) << alpha;
  }
}

TEST(Random, DirichletDrawsAreDistributions) {
  Random random(5);
  for (const double alpha : {1e-6, 0.03, 0.3, 10.0}) {
    for (const size_t count : {1, 2, 30, 218}) {
      const std::vector<double> draw = random.Dirichlet(alpha, count);
      ASSERT_EQ(draw.size(), count);
      EXPECT_NEAR(std::accumulate(draw.begin(), draw.end(), 0.0), 1, 1e-9);
      EXPECT_GE(*std::min_element(draw.begin(), draw.end()), 0);
    }
  }
  EXPECT_TRUE(random.Dirichlet(0.3, 0).empty());
}

TEST(Random, SmallConcentrationGivesSpikesAndLargeOneIsFlat) {
  Random random(6);
  double spiky = 0, flat = 0;
  for (int i = 0; i < 200; ++i) {
    const std::vector<double> a = random.Dirichlet(0.03, 20), b = random.Dirichlet(100, 20);
    spiky += *std::max_element(a.begin(), a.end()) / 200;
    flat += *std::max_element(b.begin(), b.end()) / 200;
  }
  EXPECT_GT(spiky, 0.6);
  EXPECT_LT(flat, 0.08);
}

TEST(Random, SystemSeedsDiffer) { EXPECT_NE(Random::SeedFromSystem(), Random::SeedFromSystem()); }

TEST(Hash, ValuesArePinned) {
  EXPECT_EQ(MixBits(0), 0xE220A8397B1DCDAFu);  // the first output of splitmix64 with seed 0
  EXPECT_NE(HashCombine(1, 2), HashCombine(2, 1));
  EXPECT_NE(HashText("ab"), HashText("ba"));
  EXPECT_NE(HashText(""), HashText(std::string_view("\0", 1)));
}

TEST(Hash, OneInputBitChangesAboutHalfOfTheOutput) {
  for (int bit = 0; bit < 64; ++bit) {
    const int changed = __builtin_popcountll(MixBits(12345) ^ MixBits(12345 ^ (1ull << bit)));
    EXPECT_GT(changed, 14) << bit;
    EXPECT_LT(changed, 50) << bit;
  }
}

}  // namespace
}  // namespace plexus
