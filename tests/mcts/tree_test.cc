#include "mcts/tree.h"

#include <gtest/gtest.h>

#include "support/search_fixture.h"

namespace plexus {
namespace {

class TreeTest : public testing::Test {
 protected:
  void SetPosition(PhaseFixture& f, const PositionHistory& history) {
    TreeWriteLock lock(f.tree.nodes_mutex());
    f.tree.SetPosition(lock, history);
  }
  static Move MoveOf(const Tree& tree, const ChildSlot& slot) REQUIRES(tree.nodes_mutex()) {
    return tree.node(slot.node).move.move();
  }
};

TEST_F(TreeTest, KeepsTheBranchThatWasPlayed) {
  PhaseFixture f;
  f.Grow(200);
  uint32_t visits = 0;
  {
    TreeReadLock lock(f.tree.nodes_mutex());
    const Node& root = f.tree.node(f.tree.root());
    for (size_t i = 0; i < root.num_children; ++i) {
      if (MoveOf(f.tree, f.tree.children(root)[i]) ==
          ParseUci(f.tree.root_history().Last().board, "e2e4", false))
        visits = f.tree.children(root)[i].n;
    }
  }
  ASSERT_GT(visits, 10u);
  SetPosition(f, Game(kStartFen, {"e2e4"}));
  EXPECT_EQ(f.root_visits(), visits);
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST_F(TreeTest, KeepsABranchTwoPliesBelow) {
  PhaseFixture f;
  f.Grow(400);
  SetPosition(f, Game(kStartFen, {"e2e4", "e7e5"}));
  EXPECT_GT(f.root_visits(), 0u);
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST_F(TreeTest, KeepsEverythingIfThePositionIsTheSame) {
  PhaseFixture f;
  f.Grow(50);
  const uint32_t visits = f.root_visits();
  SetPosition(f, Game(kStartFen));
  EXPECT_EQ(f.root_visits(), visits);
}

TEST_F(TreeTest, StartsAfreshWhenTheGameGoesBackOrDiffers) {
  PhaseFixture f;
  SetPosition(f, Game(kStartFen, {"e2e4"}));
  f.Grow(50);
  SetPosition(f, Game(kStartFen));
  EXPECT_EQ(f.root_visits(), 0u);
  f.Grow(50);
  SetPosition(f, Game(kMiddlegameFen));
  EXPECT_EQ(f.root_visits(), 0u);
}

// The same board after other moves is another position for the network and for repetitions.
TEST_F(TreeTest, StartsAfreshWhenTheSamePositionHasAnotherPast) {
  PhaseFixture f;
  SetPosition(f, Game(kStartFen, {"g1f3", "g8f6", "b1c3"}));
  f.Grow(50);
  SetPosition(f, Game(kStartFen, {"b1c3", "g8f6", "g1f3"}));
  EXPECT_EQ(f.root_visits(), 0u);
}

TEST_F(TreeTest, StartsAfreshWhenTheFiftyMoveRuleStopsToCount) {
  PhaseFixture f("7k/8/8/8/8/8/R7/K7 w - - 99 120");
  f.Grow(50);
  SetPosition(f, Game("7k/8/8/8/8/8/R7/K7 w - - 99 120", {"a2b2"}));
  EXPECT_EQ(f.root_visits(), 0u);
  EXPECT_EQ(f.tree.rule50_limit(), 150);
  f.Grow(50);
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST_F(TreeTest, ANewRootHasAllItsChildren) {
  PhaseFixture f;
  f.Grow(100);
  SetPosition(f, Game(kStartFen, {"e2e4"}));
  TreeReadLock lock(f.tree.nodes_mutex());
  const Node& root = f.tree.node(f.tree.root());
  EXPECT_EQ(root.num_children, root.num_edges);
  EXPECT_EQ(f.tree.root_edges().priors.size(), root.num_edges);
}

TEST_F(TreeTest, DeadNodesAreFreedAndTheirMemoryUsedAgain) {
  PhaseFixture f;
  f.Grow(300);
  int64_t before, after;
  {
    TreeReadLock lock(f.tree.nodes_mutex());
    before = f.tree.nodes_in_use();
  }
  SetPosition(f, Game(kStartFen, {"e2e4"}));
  {
    TreeWriteLock lock(f.tree.nodes_mutex());
    std::vector<NodeIndex> dead = f.tree.TakeGarbage(lock);
    while (!dead.empty()) {
      NodePool::FreeList freed;
      f.tree.ChainDeadNodes(&dead, 100, &freed);
      EXPECT_LE(freed.nodes(), 100);
      f.tree.Splice(lock, freed);
    }
    after = f.tree.nodes_in_use();
  }
  EXPECT_LT(after, before / 2);
  EXPECT_EQ(CheckTree(f.tree), "");
  f.Grow(300);
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST_F(TreeTest, AFilterExcludesAllOtherMoves) {
  PhaseFixture f;
  f.Grow(5);
  TreeWriteLock lock(f.tree.nodes_mutex());
  const Move move = MoveOf(f.tree, f.tree.children(f.tree.node(f.tree.root()))[3]);
  f.tree.SetRootFilter(lock, std::span<const Move>(&move, 1));
  for (size_t i = 0; i < f.tree.root_edges().allowed.size(); ++i)
    EXPECT_EQ(f.tree.root_edges().allowed[i], i == 3);
  f.tree.SetRootFilter(lock, {});
  for (const uint8_t allowed : f.tree.root_edges().allowed) EXPECT_EQ(allowed, 1);
}

// Only shuffling is possible: the tree is full of two-fold draws.
constexpr const char* kShuffleFen = "k7/p1p5/P1P5/8/8/5p1p/5P1P/7K w - - 0 1";

TEST_F(TreeTest, LiftedTwoFoldDrawsKeepTheirVisitsAndSums) {
  PhaseFixture f(kShuffleFen, FlatEvaluation);
  f.Grow(400);
  EXPECT_EQ(CheckTree(f.tree), "");
  const auto lifted_visits = [&f] {
    TreeReadLock lock(f.tree.nodes_mutex());
    std::vector<NodeIndex> todo = {f.tree.root()};
    uint64_t sum = 0;
    while (!todo.empty()) {
      const Node& node = f.tree.node(todo.back());
      sum += f.tree.lifted_visits(todo.back());
      todo.pop_back();
      for (const ChildSlot& slot : f.tree.children(node)) todo.push_back(slot.node);
    }
    return sum;
  };
  PositionHistory history = Game(kShuffleFen);
  uint64_t lifted = 0;
  for (const char* move : {"h1g1", "a8b8", "g1h1", "b8a8", "h1g1"}) {
    double wl = 0;
    uint32_t visits = 0;
    {
      TreeReadLock lock(f.tree.nodes_mutex());
      const Node& root = f.tree.node(f.tree.root());
      for (const ChildSlot& slot : f.tree.children(root)) {
        if (MoveOf(f.tree, slot) == ParseUci(history.Last().board, move, false)) {
          visits = slot.n;
          wl = slot.wl;
        }
      }
    }
    history.Append(ParseUci(history.Last().board, move, false));
    SetPosition(f, history);
    ASSERT_EQ(CheckTree(f.tree), "") << move;
    if (f.root_visits() > 0 && visits > 0) {
      TreeReadLock lock(f.tree.nodes_mutex());
      EXPECT_EQ(f.tree.node(f.tree.root()).n, visits) << move;  // nothing jumps by re-rooting
      EXPECT_FLOAT_EQ(f.tree.node(f.tree.root()).wl, static_cast<float>(wl)) << move;
    }
    lifted += lifted_visits();
    f.Grow(20);
    ASSERT_EQ(CheckTree(f.tree), "") << move;
  }
  EXPECT_GT(lifted, 0u);
}

}  // namespace
}  // namespace plexus
