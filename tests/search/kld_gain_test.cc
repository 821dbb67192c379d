#include "search/kld_gain.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

SearchStats Distribution(int64_t a, int64_t b) {
  SearchStats stats;
  stats.nodes = a + b + 1;
  stats.root_visits = {11, a, 12, b};
  return stats;
}

TEST(KldGain, StopsWhenTheDistributionNoLongerChanges) {
  KldGainStopper stopper(1e-5, 100);
  StopperHints hints;
  EXPECT_FALSE(stopper.ShouldStop(Distribution(100, 100), &hints))
      << "the first look has nothing to compare with";
  EXPECT_TRUE(hints.want_distribution);
  EXPECT_TRUE(stopper.ShouldStop(Distribution(200, 200), &hints));
}

TEST(KldGain, GoesOnWhileTheDistributionMoves) {
  KldGainStopper stopper(1e-5, 100);
  StopperHints hints;
  stopper.ShouldStop(Distribution(100, 100), &hints);
  EXPECT_FALSE(stopper.ShouldStop(Distribution(300, 100), &hints));  // 0.144 nats over 200 nodes
}

TEST(KldGain, LooksOnlyOncePerInterval) {
  KldGainStopper stopper(1e-5, 100);
  StopperHints hints;
  stopper.ShouldStop(Distribution(100, 100), &hints);
  EXPECT_FALSE(stopper.ShouldStop(Distribution(150, 149), &hints));  // 99 nodes later
  EXPECT_TRUE(stopper.ShouldStop(Distribution(150, 150), &hints));   // 100 nodes later
}

TEST(KldGain, WithoutADistributionItAsksForOne) {
  KldGainStopper stopper(1e-5, 100);
  StopperHints hints;
  SearchStats stats;
  stats.nodes = 1000;
  EXPECT_FALSE(stopper.ShouldStop(stats, &hints));
  EXPECT_TRUE(hints.want_distribution);
}

}  // namespace
}  // namespace plexus
