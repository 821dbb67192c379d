#include "mcts/backup.h"

#include <gtest/gtest.h>

#include "hand_made_tree.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

// Trees made by hand: the root and children as asked for.
class BackUpTest : public testing::Test {
 protected:
  BackUpTest() {
    TreeWriteLock lock(tree_.nodes_mutex());
    tree_.SetPosition(lock, Game(kStartFen));
  }
  // Three edges, so that proofs are short.
  void Expand(const TreeWriteLock& lock, NodeIndex node, int edges = 3)
      REQUIRES(tree_.nodes_mutex()) {
    LinkPriors(lock, &tree_, node, std::vector<float>(edges, 1.0f / edges));
    PutInFlight(node, 1);
    BackUpVisits(lock, tree_, node, {0, 0, 0}, 1);
  }
  NodeIndex Child(NodeIndex node, size_t edge) REQUIRES(tree_.nodes_mutex()) {
    return tree_.children(tree_.node(node))[edge].node;
  }
  void PutInFlight(NodeIndex node, uint32_t visits) REQUIRES(tree_.nodes_mutex()) {
    for (NodeIndex up = node; up != kNoNode; up = tree_.node(up).parent) {
      tree_.node(up).n_in_flight += visits;
      if (tree_.node(up).parent != kNoNode)
        tree_.slot_of(tree_.node(up)).set_in_flight(tree_.node(up).n_in_flight);
    }
  }
  void EndGame(const TreeWriteLock& lock, NodeIndex node, int result)
      REQUIRES(tree_.nodes_mutex()) {
    PutInFlight(node, 1);
    Minibatch batch;
    Leaf& leaf = batch.leaves.emplace_back();
    leaf.node = node;
    leaf.terminal = Terminal::kGameOver;
    leaf.result = result;
    BackUpMinibatch(lock, tree_, /*sticky_endgames=*/true, &batch);
  }
  Tree tree_;
};

TEST_F(BackUpTest, ValuesAreMeansThatChangeSignFromPlyToPly) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root);
  const NodeIndex child = Child(root, 0);
  PutInFlight(child, 3);
  BackUpVisits(lock, tree_, child, {0.5, 0.25, 10}, 3);
  EXPECT_DOUBLE_EQ(tree_.node(child).wl, 0.5);
  EXPECT_DOUBLE_EQ(tree_.node(root).wl, -0.5 * 3 / 4);
  EXPECT_DOUBLE_EQ(tree_.node(root).d(), 0.25 * 3 / 4);
  EXPECT_FLOAT_EQ(tree_.node(root).m, 11.0f * 3 / 4);
  EXPECT_EQ(tree_.node(root).n, 4u);
  EXPECT_EQ(tree_.node(root).n_in_flight, 0u);
}

TEST_F(BackUpTest, AMatingReplyProvesTheMoveBeforeItLost) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root);
  const NodeIndex move = Child(root, 0);
  Expand(lock, move);
  EndGame(lock, tree_.AddChild(lock, move), 1);
  EXPECT_EQ(tree_.node(move).terminal, Terminal::kProven);
  EXPECT_EQ(tree_.node(move).upper(), -1);
  EXPECT_DOUBLE_EQ(tree_.node(move).wl, -1);
  EXPECT_FLOAT_EQ(tree_.node(move).m, 1);
  // All three visits below the move now count as lost; the root's own counts 0.
  EXPECT_NEAR(tree_.node(root).wl, 2.0 / 3, 1e-12);
}

TEST_F(BackUpTest, AMoveIsWonOnlyWhenAllRepliesLose) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root);
  const NodeIndex move = Child(root, 0);
  Expand(lock, move, 2);
  const NodeIndex a = tree_.AddChild(lock, move);
  EndGame(lock, a, -1);
  EXPECT_FALSE(tree_.node(move).is_terminal());
  EndGame(lock, tree_.AddChild(lock, move), -1);
  EXPECT_EQ(tree_.node(move).lower(), 1);
  EXPECT_TRUE(tree_.node(move).is_terminal());
  EXPECT_FALSE(tree_.node(root).is_terminal());  // a root never is
  EXPECT_EQ(tree_.node(root).upper(), -1);       // but its bounds say that the mover wins
}

TEST_F(BackUpTest, TheShortestMateAndTheLongestDefenceCount) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root);
  const NodeIndex move = Child(root, 0);
  Expand(lock, move, 2);
  for (int i = 0; i < 2; ++i) {  // two replies, each lost; the second holds out longer
    const NodeIndex reply = tree_.AddChild(lock, move);
    Expand(lock, reply, 1);
    NodeIndex next = tree_.AddChild(lock, reply);
    if (i == 1) {
      Expand(lock, next, 1);
      const NodeIndex forced = tree_.AddChild(lock, next);
      Expand(lock, forced, 1);
      next = tree_.AddChild(lock, forced);
    }
    EndGame(lock, next, 1);
  }
  EXPECT_EQ(tree_.node(move).lower(), 1);
  EXPECT_FLOAT_EQ(tree_.node(move).m, 4);
}

TEST_F(BackUpTest, VisitsInFlightBelowAProvenNodeCountAsItsResult) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root);
  const NodeIndex move = Child(root, 0);
  Expand(lock, move);
  const NodeIndex late = tree_.AddChild(lock, move);
  PutInFlight(late, 1);
  EndGame(lock, tree_.AddChild(lock, move), 1);
  BackUpVisits(lock, tree_, late, {0.9, 0, 0}, 1);
  EXPECT_DOUBLE_EQ(tree_.node(move).wl, -1);
  EXPECT_NEAR(tree_.node(root).wl, 3.0 / 4, 1e-12);
}

TEST_F(BackUpTest, TwoFoldDrawsProveNothing) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root, 1);
  const NodeIndex move = Child(root, 0);
  PutInFlight(move, 1);
  Minibatch batch;
  Leaf& leaf = batch.leaves.emplace_back();
  leaf.node = move;
  leaf.terminal = Terminal::kTwoFold;
  BackUpMinibatch(lock, tree_, true, &batch);
  EXPECT_FALSE(tree_.node(move).bounds_met());
  EXPECT_FALSE(tree_.node(root).bounds_met());
  EXPECT_DOUBLE_EQ(tree_.node(move).d(), 1);
}

TEST_F(BackUpTest, WithoutStickyEndgamesNothingIsCarriedUp) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root);
  const NodeIndex move = Child(root, 0);
  Expand(lock, move);
  const NodeIndex mate = tree_.AddChild(lock, move);
  PutInFlight(mate, 1);
  Minibatch batch;
  Leaf& leaf = batch.leaves.emplace_back();
  leaf.node = mate;
  leaf.terminal = Terminal::kGameOver;
  leaf.result = 1;
  BackUpMinibatch(lock, tree_, /*sticky_endgames=*/false, &batch);
  EXPECT_TRUE(tree_.node(mate).bounds_met());
  EXPECT_FALSE(tree_.node(move).bounds_met());
}

// Sums are kept in double: a mean of billions of visits still moves.
TEST_F(BackUpTest, MeansStayExactNearTheLimitOfVisits) {
  TreeWriteLock lock(tree_.nodes_mutex());
  const NodeIndex root = tree_.root();
  Expand(lock, root);
  const NodeIndex child = Child(root, 0);
  tree_.node(child).n = 4'000'000'000u - 10;
  tree_.node(root).n = 4'000'000'000u - 9;
  PutInFlight(child, 8);
  BackUpVisits(lock, tree_, child, {1, 0, 0}, 8);
  EXPECT_DOUBLE_EQ(tree_.node(child).wl, 8.0 / (4'000'000'000.0 - 2));
  EXPECT_DOUBLE_EQ(tree_.node(root).wl, -8.0 / (4'000'000'000.0 - 1));
}

}  // namespace
}  // namespace plexus
