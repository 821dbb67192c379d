#include "mcts/gather.h"

#include <gtest/gtest.h>

#include "mcts/backup.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

TEST(CollisionVisits, GrowFromOneToTheWholeBudgetWithTheTree) {
  SearchParams params;
  EXPECT_EQ(CollisionVisits(params, 1, 1), 1);
  EXPECT_EQ(CollisionVisits(params, 28, 1), 1);
  EXPECT_EQ(CollisionVisits(params, 145000, 1), 80000);
  EXPECT_EQ(CollisionVisits(params, 2000000, 1), 80000);
  int64_t last = 0;
  for (int64_t visits = 1; visits < 200000; visits *= 2) {
    EXPECT_GE(CollisionVisits(params, visits, 1), last);
    last = CollisionVisits(params, visits, 1);
  }
}

TEST(CollisionVisits, AllowAsManyAsTheLeavesWantedInASmallTree) {
  EXPECT_EQ(CollisionVisits(SearchParams(), 10, 8), 8);
}

TEST(CollisionVisits, ScalingCanBeSwitchedOff) {
  SearchParams params;
  params.max_collision_visits_scaling_end = 0;
  EXPECT_EQ(CollisionVisits(params, 1, 1), 80000);
}

class GatherTest : public testing::Test {
 protected:
  Minibatch Gather(const GatherLimits& limits) {
    TreeWriteLock lock(f_.tree.nodes_mutex());
    PickParams pick;
    const SelectionParams selection;
    pick.selection = &selection;
    PickScratch scratch;
    Minibatch batch;
    GatherMinibatch(lock, f_.tree, pick, limits, &scratch, &batch);
    return batch;
  }
  PhaseFixture f_{kMiddlegameFen};
};

TEST_F(GatherTest, FindsNoMoreLeavesThanWanted) {
  f_.Grow(30);
  const Minibatch batch = Gather({5, 1000, 1000, 1000, 1000});
  EXPECT_EQ(batch.leaves.size(), 5u);
}

TEST_F(GatherTest, AGatherThatLostManyVisitsMakesTheNextBeginWithMore) {
  f_.Grow(30);
  TreeWriteLock lock(f_.tree.nodes_mutex());
  PickParams pick;
  const SelectionParams selection;
  pick.selection = &selection;
  PickScratch scratch;
  std::vector<Minibatch> batches(12);  // all stay in flight
  int64_t greatest = 1;
  for (Minibatch& batch : batches) {
    const int64_t first_scale = scratch.first_scale;
    GatherMinibatch(lock, f_.tree, pick, {20, 1000, 1000, 100, 1000}, &scratch, &batch);
    EXPECT_GE(scratch.first_scale, 1);
    EXPECT_LE(batch.leaves.size(), 20u) << first_scale;
    greatest = std::max(greatest, scratch.first_scale);
  }
  EXPECT_GT(greatest, 1);
  for (Minibatch& batch : batches) TakeBackMinibatch(lock, f_.tree, &batch);
  // Where nothing is in flight, a gather loses few visits and the next begins with no more than it needs.
  Minibatch batch;
  for (int i = 0; i < 8 && scratch.first_scale > 1; ++i) {
    batch.Reset();
    GatherMinibatch(lock, f_.tree, pick, {4, 1000, 1000, 100, 1000}, &scratch, &batch);
    TakeBackMinibatch(lock, f_.tree, &batch);
  }
  EXPECT_EQ(scratch.first_scale, 1);
  EXPECT_EQ(f_.tree.node(f_.tree.root()).n_in_flight, 0u);
}

TEST_F(GatherTest, NeverExceedsTheVisitsThatAreLeft) {
  f_.Grow(30);
  const Minibatch batch = Gather({50, 3, 1000, 1000, 1000});
  EXPECT_EQ(static_cast<int64_t>(batch.leaves.size()) + batch.stats.terminal_visits, 3);
}

TEST_F(GatherTest, ALeafInFlightIsNotPickedAgainAndNothingStaysInFlight) {
  // The root itself is the only leaf.
  const Minibatch first = Gather({8, 8, 8, 8, 8});
  EXPECT_EQ(first.leaves.size(), 1u);
  EXPECT_GT(first.stats.collisions, 0);
  const Minibatch second = Gather({8, 8, 8, 8, 8});
  EXPECT_TRUE(second.empty());
  EXPECT_GT(second.stats.collisions, 0);
  // Only the first gather's leaf is left.
  TreeReadLock lock(f_.tree.nodes_mutex());
  EXPECT_EQ(f_.tree.node(f_.tree.root()).n_in_flight, 1u);
}

TEST_F(GatherTest, CollisionBudgetEndsAGather) {
  f_.Grow(3);
  const Minibatch batch = Gather({200, 1000, 1, 1000, 1000});
  EXPECT_LT(batch.leaves.size(), 200u);
}

TEST_F(GatherTest, PathsAreLegalAndShareWhatTheySay) {
  f_.Grow(60);
  const Minibatch batch = Gather({40, 1000, 1000, 1000, 1000});
  std::span<const NodeMove> last;
  for (const Leaf& leaf : batch.leaves) {
    Board board = f_.tree.root_history().Last().board;
    for (const NodeMove& step : leaf.path) {
      // Only a new node's move may be a number still.
      ASSERT_TRUE(step.is_known() || &step == &leaf.path.back());
      ASSERT_TRUE(step.is_known() || step.number() < CountLegalMoves(board));
      const Move move = step.is_known() ? step.move() : LegalMoves(board)[step.number()];
      ASSERT_TRUE(IsLegal(board, move));
      board.Apply(move);
    }
    for (int i = 0; i < leaf.shared_plies; ++i) EXPECT_EQ(leaf.path[i], last[i]);
    last = leaf.path;
  }
}

// Visits that no rival contests may be handed out in one descent; all of them must be accounted for.
TEST_F(GatherTest, EveryVisitInFlightIsALeafOrACollision) {
  f_.Grow(100);
  const Minibatch batch = Gather({64, 1000, 5000, 1000, 1000});
  uint64_t visits = batch.leaves.size();
  for (const Collision& collision : batch.collisions) visits += collision.visits;
  EXPECT_EQ(CheckTree(f_.tree, /*quiet=*/false), "");
  TreeReadLock lock(f_.tree.nodes_mutex());
  EXPECT_EQ(f_.tree.node(f_.tree.root()).n_in_flight, visits);
}

}  // namespace
}  // namespace plexus
