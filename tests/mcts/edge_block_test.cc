#include "mcts/edge_block.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/random.h"

namespace plexus {
namespace {

// A block of its own memory.
struct Block {
  Block(int capacity, int edges)
      : memory(static_cast<size_t>(EdgeBlock::Granules(capacity, edges))),
        block(memory.data(), capacity, edges) {}
  std::vector<Granule> memory;
  EdgeBlock block;
};

NewEdges Make(const std::vector<float>& policy, std::vector<Granule>* memory,
              const NetValue& net = {}) {
  memory->resize(static_cast<size_t>(TailGranules(static_cast<int>(policy.size()))));
  return MakeEdges(policy, net, *memory);
}

// Few different values, some of them zero: many ties.
std::vector<float> RandomPolicy(Random* random, int count) {
  std::vector<float> policy(static_cast<size_t>(count));
  for (float& p : policy) p = static_cast<float>(static_cast<int>(random->Uniform() * 9)) / 16;
  return policy;
}

// Move numbers by falling prior, ties in the order of the moves.
std::vector<int> Sorted(const std::vector<float>& policy) {
  std::vector<int> order(policy.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
    return EncodePrior(policy[static_cast<size_t>(a)]) > EncodePrior(policy[static_cast<size_t>(b)]);
  });
  return order;
}

TEST(EdgeBlock, MovesComeByFallingPriorAndEqualOnesInTheirOrder) {
  Random random(1);
  for (int count = 1; count <= kMaxEdges; ++count) {
    const std::vector<float> policy = RandomPolicy(&random, count);
    std::vector<Granule> memory;
    const NewEdges edges = Make(policy, &memory);
    Block b(0, count);
    b.block.Fill(edges);
    uint16_t greatest = edges.greatest_prior;
    for (const int number : Sorted(policy)) {
      ASSERT_EQ(greatest, EncodePrior(policy[static_cast<size_t>(number)]));
      ASSERT_EQ(b.block.TakeOut(&greatest), number);
    }
    EXPECT_EQ(greatest, 0);
  }
}

TEST(EdgeBlock, AMoveOfPriorZeroIsAMove) {
  std::vector<Granule> memory;
  const NewEdges edges = Make({0, 1, 0}, &memory);
  Block b(0, 3);
  b.block.Fill(edges);
  uint16_t greatest = edges.greatest_prior;
  EXPECT_EQ(b.block.TakeOut(&greatest), 1);
  EXPECT_EQ(greatest, 0);
  EXPECT_EQ(b.block.TakeOut(&greatest), 0);
  EXPECT_EQ(b.block.TakeOut(&greatest), 2);
}

TEST(EdgeBlock, TheNetValueIsNoPrior) {
  // Its bits may look like any prior.
  for (const float x : {-1.0f, 0.0f, 0.5f, 1.0f}) {
    const NetValue net(x, std::abs(x), 1000 * std::abs(x));
    std::vector<Granule> memory;
    const NewEdges edges = Make({0.25f, 0.75f}, &memory, net);
    Block b(0, 2);
    b.block.Fill(edges);
    EXPECT_EQ(b.block.net().wl(), net.wl());
    EXPECT_EQ(b.block.net().m(), net.m());
    uint16_t greatest = edges.greatest_prior;
    EXPECT_EQ(b.block.TakeOut(&greatest), 1);
    EXPECT_EQ(b.block.TakeOut(&greatest), 0);
    EXPECT_EQ(greatest, 0);
    EXPECT_EQ(b.block.net().wl(), net.wl());
  }
}

TEST(EdgeBlock, ALargerBlockHasTheSameContents) {
  Random random(2);
  const std::vector<float> policy = RandomPolicy(&random, 37);
  std::vector<Granule> memory;
  Block small(2, 37), large(3, 37);
  const NewEdges edges = Make(policy, &memory, NetValue(0.5f, 0.25f, 30));
  small.block.Fill(edges);
  small.block.slots()[0].n = 7;
  small.block.slots()[1].node = 8;
  uint16_t greatest = edges.greatest_prior;
  small.block.TakeOut(&greatest);
  large.block.CopyFrom(small.block, 2);
  EXPECT_EQ(large.block.slots()[0].n, 7u);
  EXPECT_EQ(large.block.slots()[1].node, 8u);
  EXPECT_EQ(large.block.net().d(), small.block.net().d());
  for (int i = 1; i < 37; ++i) {
    uint16_t left = greatest;
    ASSERT_EQ(large.block.TakeOut(&left), small.block.TakeOut(&greatest));
    ASSERT_EQ(left, greatest);
  }
}

TEST(EdgeBlock, CapacitiesGrowSlowlyAndNeverBeyondTheMoves) {
  for (int edges = 1; edges <= kMaxEdges; ++edges) {
    int last = 0;
    for (int children = 0; children <= edges; ++children) {
      const int capacity = ChildCapacity(children, edges);
      ASSERT_GE(capacity, children);
      ASSERT_GE(capacity, last);
      ASSERT_LE(capacity, edges);
      ASSERT_LE(capacity, children < 4 ? children : children * 3 / 2);
      last = capacity;
    }
  }
  EXPECT_EQ(ChildCapacity(0, 20), 0);
  EXPECT_EQ(ChildCapacity(255, 255), 255);
}

TEST(EdgeBlock, TheTailTakesTwelveBitsAMove) {
  EXPECT_EQ(TailGranules(6), 1);
  EXPECT_EQ(TailGranules(7), 2);
  EXPECT_EQ(TailGranules(38), 4);
  EXPECT_EQ(EdgeBlock::Granules(4, 38), 8);
}

TEST(PriorQueue, GivesWhatTheBlockWouldGiveAndLeavesItAlone) {
  Random random(3);
  for (int count = 1; count <= kMaxEdges; count += 7) {
    const std::vector<float> policy = RandomPolicy(&random, count);
    std::vector<Granule> memory;
    Block b(0, count);
    const NewEdges edges = Make(policy, &memory, NetValue(-1, 1, 1));
    b.block.Fill(edges);
    PriorQueue queue;
    queue.Reset(b.block);
    for (const int number : Sorted(policy))
      ASSERT_EQ(queue.Take(), EncodePrior(policy[static_cast<size_t>(number)]));
    queue.Reset(b.block);
    EXPECT_EQ(queue.Greatest(), edges.greatest_prior);
  }
}

}  // namespace
}  // namespace plexus
