#include "bench/study_search.h"

#include <gtest/gtest.h>

#include <memory>

#include "base/joining_thread.h"
#include "mcts/tree_lock.h"

namespace plexus {
namespace {

template <class Mutex>
class StudySearchTest : public ::testing::Test {};
using Mutexes = ::testing::Types<std::mutex, std::shared_mutex, TreeMutex>;
TYPED_TEST_SUITE(StudySearchTest, Mutexes);

// N = 1 + sum of N of the children, nothing in flight, below `node`.
void Check(const StudyTree& tree, StudyTree::NodeId node) {
  EXPECT_EQ(tree.in_flight(node), 0u);
  if (!tree.IsExpanded(node)) {
    EXPECT_EQ(tree.visits(node), 0u);
    return;
  }
  uint32_t sum = 1;
  for (uint32_t i = 0; i < StudyTree::kBranching; ++i) {
    const StudyTree::NodeId child = tree.children(node) + i;
    sum += tree.visits(child);
    if (tree.visits(child) > 0) Check(tree, child);
    EXPECT_EQ(tree.in_flight(child), 0u);
  }
  EXPECT_EQ(tree.visits(node), sum);
}

TYPED_TEST(StudySearchTest, EveryGranularityKeepsEveryVisitOfManyWorkers) {
  for (const Granularity granularity :
       {Granularity::kLevel, Granularity::kVisit, Granularity::kBatch}) {
    StudyTree tree(50'000);
    StudyLock<TypeParam> lock(true);
    std::vector<std::unique_ptr<StudyWorker<TypeParam>>> workers;
    for (int i = 0; i < 4; ++i) {
      workers.push_back(std::make_unique<StudyWorker<TypeParam>>(&tree, &lock, granularity, 16));
    }
    {
      std::vector<JoiningThread> threads;
      for (const auto& worker : workers) {
        threads.emplace_back("study", [&worker] {
          for (int i = 0; i < 60; ++i) {
            worker->Gather();
            worker->Extend();
            worker->BackUp();
          }
        });
      }
    }
    int64_t visits = 0;
    for (const auto& worker : workers) visits += worker->counters().visits;
    EXPECT_EQ(tree.visits(StudyTree::kRoot), visits);
    Check(tree, StudyTree::kRoot);
  }
}

TYPED_TEST(StudySearchTest, GranularityIsTheNumberOfAcquisitions) {
  const auto acquisitions = [](Granularity granularity) {
    StudyTree tree(1000);
    StudyLock<TypeParam> lock(false);
    StudyWorker<TypeParam> worker(&tree, &lock, granularity, 8);
    for (int i = 0; i < 20; ++i) {  // until a minibatch is full and not one descent collides
      worker.Gather();
      worker.Extend();
      worker.BackUp();
    }
    const StudyCounters before = worker.counters();
    EXPECT_EQ(worker.Gather(), 8);
    worker.Extend();
    worker.BackUp();
    const StudyCounters& after = worker.counters();
    const int64_t descents = 8 + after.collisions - before.collisions;
    const int64_t levels = after.levels - before.levels;
    const int64_t taken = after.lock.acquisitions - before.lock.acquisitions;
    if (granularity == Granularity::kBatch) {
      EXPECT_EQ(taken, 2);
    }
    if (granularity == Granularity::kVisit) {
      EXPECT_EQ(taken, descents + 1 + 8);
    }
    if (granularity == Granularity::kLevel) {
      EXPECT_GE(taken, 2 * levels + 8);
    }
  };
  acquisitions(Granularity::kBatch);
  acquisitions(Granularity::kVisit);
  acquisitions(Granularity::kLevel);
}

TYPED_TEST(StudySearchTest, ALeafOfAnotherWorkerIsACollision) {
  StudyTree tree(100);
  StudyLock<TypeParam> lock(false);
  StudyWorker<TypeParam> first(&tree, &lock, Granularity::kBatch, 1);
  StudyWorker<TypeParam> second(&tree, &lock, Granularity::kBatch, 1);
  EXPECT_EQ(first.Gather(), 1);  // the root
  EXPECT_EQ(second.Gather(), 0);
  EXPECT_EQ(second.counters().collisions, 1);
  EXPECT_EQ(tree.in_flight(StudyTree::kRoot), 1u);
  first.Extend();
  first.BackUp();
  EXPECT_EQ(second.Gather(), 1);
}

}  // namespace
}  // namespace plexus
