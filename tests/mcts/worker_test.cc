#include "mcts/worker.h"

#include <gtest/gtest.h>

#include <set>

#include "support/search_fixture.h"

namespace plexus {
namespace {

TEST(Worker, GatherTakesTheTreeLockOnce) {
  PhaseFixture f;
  f.Grow(20);
  SearchWorker worker(f.shared());
  const int64_t before = f.tree.nodes_mutex().stats().acquisitions;
  worker.Gather();
  EXPECT_EQ(f.tree.nodes_mutex().stats().acquisitions - before, 1);
  EXPECT_GT(worker.minibatch().leaves.size(), 1u);
}

TEST(Worker, BackupTakesTheTreeLockOnce) {
  PhaseFixture f;
  f.Grow(20);
  SearchWorker worker(f.shared());
  worker.Gather();
  worker.Extend();
  worker.Compute();
  const int64_t before = f.tree.nodes_mutex().stats().acquisitions;
  worker.BackUp();
  EXPECT_EQ(f.tree.nodes_mutex().stats().acquisitions - before, 1);
}

TEST(Worker, ExtendAndComputeDoNotTouchTheTreeLock) {
  PhaseFixture f;
  f.Grow(20);
  SearchWorker worker(f.shared());
  worker.Gather();
  const int64_t before = f.tree.nodes_mutex().stats().acquisitions;
  worker.Extend();
  worker.Compute();
  EXPECT_EQ(f.tree.nodes_mutex().stats().acquisitions, before);
}

TEST(Worker, TwoInterleavedWorkersNeverPickTheSameLeaf) {
  PhaseFixture f(kMiddlegameFen);
  f.params.in_flight_minimum = 100;
  f.Grow(5);
  SearchWorker a(f.shared()), b(f.shared());
  for (int round = 0; round < 50; ++round) {
    a.Gather();
    b.Gather();
    std::set<NodeIndex> leaves;
    size_t count = 0;
    for (const SearchWorker* worker : {&a, &b}) {
      for (const Leaf& leaf : worker->minibatch().leaves) leaves.insert(leaf.node);
      count += worker->minibatch().leaves.size();
    }
    EXPECT_GT(b.minibatch().leaves.size(), 0u);
    EXPECT_EQ(leaves.size(), count);
    EXPECT_EQ(CheckTree(f.tree, /*quiet=*/false), "");
    for (SearchWorker* worker : {&b, &a}) {
      worker->Extend();
      worker->Compute();
      worker->BackUp();
    }
    EXPECT_EQ(CheckTree(f.tree), "");
  }
}

}  // namespace
}  // namespace plexus
