#include "mcts/noise.h"

#include <gtest/gtest.h>

#include <numeric>

#include "mcts/hand_made_tree.h"

namespace plexus {
namespace {

class NoiseTest : public ::testing::Test {
 protected:
  void SetUp() override {
    made.Expand(made.root(), {{"e2e4", 0.5f}, {"d2d4", 0.25f}, {"c2c4", 0.25f}});
    params.noise_epsilon = 0.25f;
  }
  void Apply(uint64_t seed) {
    Random random(seed);
    TreeWriteLock lock(made.tree.nodes_mutex());
    ApplyRootNoise(lock, made.tree, params, &random);
  }
  HandMadeTree made;
  SearchParams params;
};

TEST_F(NoiseTest, PriorsStayADistributionAndKeepTheirShareOfTheNetwork) {
  Apply(1);
  const std::vector<float> priors = made.RootPriors();
  EXPECT_NEAR(std::accumulate(priors.begin(), priors.end(), 0.0), 1, 1e-5);
  EXPECT_GE(priors[0], 0.75f * 0.5f);
  EXPECT_GE(priors[1], 0.75f * 0.25f);
  EXPECT_NE(priors[1], priors[2]);
}

TEST_F(NoiseTest, IsThePublishedMixture) {
  Apply(7);
  Random same(7);
  const std::vector<double> noise = same.Dirichlet(params.noise_alpha, 3);
  EXPECT_NEAR(made.RootPriors()[0], 0.75 * 0.5 + 0.25 * noise[0], 1e-6);
  EXPECT_NEAR(made.RootPriors()[2], 0.75 * 0.25 + 0.25 * noise[2], 1e-6);
}

TEST_F(NoiseTest, SecondNoiseReplacesTheFirst) {
  Apply(1);
  const std::vector<float> first = made.RootPriors();
  Apply(2);
  EXPECT_NE(made.RootPriors(), first);
  Apply(1);
  EXPECT_EQ(made.RootPriors(), first);
}

TEST_F(NoiseTest, EdgesKeepTheNetworksPriors) {
  Apply(1);
  TreeReadLock lock(made.tree.nodes_mutex());
  EXPECT_NEAR(made.tree.children(made.tree.node(made.tree.root()))[0].p(), 0.5f, 1e-3);
}

TEST_F(NoiseTest, GoesToAllowedMovesOnly) {
  made.Forbid(0);
  params.noise_epsilon = 1;
  Apply(1);
  const std::vector<float> priors = made.RootPriors();
  EXPECT_EQ(priors[0], 0.5f);
  EXPECT_NEAR(priors[1] + priors[2], 1, 1e-6);
}

TEST_F(NoiseTest, EpsilonZeroChangesNothing) {
  const std::vector<float> before = made.RootPriors();
  params.noise_epsilon = 0;
  Apply(1);
  EXPECT_EQ(made.RootPriors(), before);
}

TEST(Noise, RootThatIsNotExpandedIsLeftAlone) {
  HandMadeTree made;
  SearchParams params;
  params.noise_epsilon = 0.5f;
  Random random(1);
  TreeWriteLock lock(made.tree.nodes_mutex());
  ApplyRootNoise(lock, made.tree, params, &random);
  EXPECT_TRUE(made.tree.root_edges().priors.empty());
}

}  // namespace
}  // namespace plexus
