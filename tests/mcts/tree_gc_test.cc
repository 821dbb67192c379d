#include "mcts/tree_gc.h"

#include <gtest/gtest.h>

#include "support/search_fixture.h"

namespace plexus {
namespace {

TEST(TreeGc, FreesWhatTheRootLeftBehind) {
  PhaseFixture f;
  f.Grow(300);
  TreeGc gc(&f.tree);
  {
    TreeWriteLock lock(f.tree.nodes_mutex());
    f.tree.SetPosition(lock, Game(kMiddlegameFen));
  }
  gc.Collect();
  gc.WaitUntilIdle();
  TreeReadLock lock(f.tree.nodes_mutex());
  EXPECT_EQ(f.tree.nodes_in_use(), 1);
}

TEST(TreeGc, WorksBesideASearch) {
  PhaseFixture f;
  f.Grow(300);
  TreeGc gc(&f.tree);
  {
    TreeWriteLock lock(f.tree.nodes_mutex());
    f.tree.SetPosition(lock, Game(kStartFen, {"e2e4"}));
  }
  gc.Collect();
  f.Grow(300);
  gc.WaitUntilIdle();
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST(TreeGc, AbandonLeavesTheTreeToBeCleared) {
  PhaseFixture f;
  f.Grow(300);
  TreeGc gc(&f.tree);
  {
    TreeWriteLock lock(f.tree.nodes_mutex());
    f.tree.SetPosition(lock, Game(kMiddlegameFen));
  }
  gc.Collect();
  gc.Abandon();
  TreeWriteLock lock(f.tree.nodes_mutex());
  f.tree.Clear(lock);
  EXPECT_EQ(f.tree.bytes_reserved(), 0);
}

}  // namespace
}  // namespace plexus
