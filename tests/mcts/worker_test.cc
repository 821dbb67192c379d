#include "mcts/worker.h"

#include <gtest/gtest.h>

#include <algorithm>
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

TEST(Worker, CollisionsAreInFlightDuringTheGatherOnly) {
  PhaseFixture f;
  f.params.minibatch_size = 64;
  f.params.in_flight_minimum = 64;
  f.Grow(3);
  SearchWorker worker(f.shared());
  worker.Gather();
  ASSERT_GT(worker.minibatch().stats.collisions, 0);
  ASSERT_FALSE(worker.minibatch().leaves.empty());
  {
    TreeReadLock lock(f.tree.nodes_mutex());
    EXPECT_EQ(f.tree.node(f.tree.root()).n_in_flight, worker.minibatch().leaves.size());
  }
  worker.Extend();
  worker.Compute();
  worker.BackUp();
  EXPECT_EQ(CheckTree(f.tree), "");  // nothing in flight
}

TEST(Worker, AFailedBatchLeavesNoVisitInFlight) {
  PhaseFixture f(kMiddlegameFen);
  f.backend.fail_at = 6;
  SearchWorker worker(f.shared());
  for (int i = 0; i < 5; ++i) worker.RunOneIteration();
  const uint32_t visits = f.root_visits();
  EXPECT_THROW(worker.RunOneIteration(), Exception);
  EXPECT_EQ(f.root_visits(), visits);
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST(Worker, TheTreeIsSearchedOnAfterAFailedBatch) {
  PhaseFixture f(kMiddlegameFen);
  int calls = 0;
  f.backend.before_compute = [&calls] {
    if (++calls == 3) throw Exception("once");
  };
  SearchWorker worker(f.shared());
  for (int i = 0; i < 10; ++i) {
    if (i == 2) {
      EXPECT_THROW(worker.RunOneIteration(), Exception);
    } else {
      worker.RunOneIteration();
    }
  }
  EXPECT_GT(f.root_visits(), 20u);
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST(Worker, AWorkerThatGoesTakesItsVisitsBack) {
  PhaseFixture f;
  f.Grow(10);
  {
    SearchWorker worker(f.shared());
    worker.Gather();
    EXPECT_NE(CheckTree(f.tree), "");
  }
  EXPECT_EQ(CheckTree(f.tree), "");
}

TEST(Worker, AnEmptyGatherHasNothingToDoUntilABackupChangedTheTree) {
  PhaseFixture f;
  SearchWorker a(f.shared()), b(f.shared());
  a.Gather();  // the root
  EXPECT_EQ(b.RunOneIteration(), SearchWorker::Progress::kNothingToDo);
  const uint64_t seen = b.epoch();
  EXPECT_EQ(f.tree.nodes_mutex().epoch(), seen);
  a.Extend();
  a.Compute();
  a.BackUp();
  EXPECT_NE(f.tree.nodes_mutex().epoch(), seen);
  EXPECT_EQ(b.RunOneIteration(), SearchWorker::Progress::kYes);
}

TEST(Worker, LeavesOfAnsweredPositionsNeedNoDeviceAndBatchesStayFull) {
  PhaseFixture f(kMiddlegameFen);
  f.params.minibatch_size = 32;
  f.backend.is_cached = [](const EvalInput& input) {
    return input.history.back().board.key() % 2 == 0;
  };
  f.Grow(200);
  const std::vector<int> sizes = f.backend.batch_sizes();
  double sum = 0;
  for (size_t i = sizes.size() / 2; i < sizes.size(); ++i) sum += sizes[i];
  EXPECT_GT(sum / static_cast<double>(sizes.size() - sizes.size() / 2), 26);
  SearchShared& shared = *f.shared();
  TreeReadLock lock(shared.tree.nodes_mutex());
  EXPECT_GT(shared.counters.cache_hits, 1000);
}

TEST(Worker, InFlightLeavesAreBoundedByTheSizeOfTheTree) {
  PhaseFixture f;
  f.params.minibatch_size = 256;
  f.params.in_flight_minimum = 4;
  f.params.in_flight_share = 0.25f;
  SearchWorker worker(f.shared());
  for (int i = 0; i < 30; ++i) {
    const uint32_t visits = f.root_visits();
    worker.Gather();
    EXPECT_LE(worker.minibatch().leaves.size(), std::max(4u, visits / 4));
    worker.Extend();
    worker.Compute();
    worker.BackUp();
  }
}

TEST(Worker, AllWorkersTogetherKeepToTheShareOfTheTreeThatMayBeInFlight) {
  PhaseFixture f(kMiddlegameFen, FlatEvaluation);
  f.params.threads = 4;
  f.params.minibatch_size = 256;
  f.params.in_flight_share = 0.2f;
  f.Grow(60);
  const double visits = f.root_visits();
  ASSERT_GT(visits, 400);
  std::vector<std::unique_ptr<SearchWorker>> workers;
  double in_flight = 0;
  for (int i = 0; i < 12; ++i) {
    workers.push_back(std::make_unique<SearchWorker>(f.shared()));
    workers.back()->Gather();
    in_flight += static_cast<double>(workers.back()->minibatch().leaves.size());
    // No worker takes what three others could do at the same time.
    EXPECT_LE(workers.back()->minibatch().leaves.size(), 0.2 * visits / 3 + 1);
  }
  EXPECT_LE(in_flight, 0.2 * visits);
  EXPECT_GT(in_flight, 0.1 * visits);
}

TEST(Worker, BatchesFillSoonAfterTheStart) {
  PhaseFixture f(kMiddlegameFen);
  f.params.minibatch_size = 256;
  f.params.in_flight_share = 0.25f;
  f.Grow(40);
  EXPECT_GT(f.root_visits(), 2000u);  // 40 batches of which the first was the root alone
}

TEST(Worker, CountersAddUp) {
  PhaseFixture f(kMiddlegameFen);
  f.Grow(50);
  const uint32_t visits = f.root_visits();
  SearchShared& shared = *f.shared();
  TreeReadLock lock(shared.tree.nodes_mutex());
  const SearchCounters c = shared.counters;
  EXPECT_EQ(c.playouts, visits);
  EXPECT_EQ(c.minibatches, f.backend.computations());
  EXPECT_EQ(c.lock_acquisitions_gather, 50);
  EXPECT_EQ(c.lock_acquisitions_backup, 50);
  EXPECT_EQ(c.cache_hits, 0);
  EXPECT_LE(c.evaluations + c.terminal_visits, c.playouts);
}

TEST(Worker, AGateLetsOneWorkerAtATimeGather) {
  PhaseFixture f;
  f.params.max_concurrent_searchers = 1;
  f.Grow(20);
  EXPECT_GT(f.root_visits(), 20u);
}

TEST(Worker, EqualSearchesGrowEqualTrees) {
  const auto shape = [] {
    PhaseFixture f(kMiddlegameFen);
    f.Grow(100);
    TreeReadLock lock(f.tree.nodes_mutex());
    std::vector<uint32_t> visits;
    std::vector<NodeIndex> todo = {f.tree.root()};
    while (!todo.empty()) {
      const Node& node = f.tree.node(todo.back());
      todo.pop_back();
      visits.push_back(node.n);
      for (const ChildSlot& slot : f.tree.children(node)) todo.push_back(slot.node);
    }
    return visits;
  };
  EXPECT_EQ(shape(), shape());
}

}  // namespace
}  // namespace plexus
