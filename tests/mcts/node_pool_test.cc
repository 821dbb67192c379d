#include "mcts/node_pool.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace plexus {
namespace {

TEST(NodePool, NeverHandsOutIndexZeroNorOneIndexTwice) {
  NodePool pool;
  std::set<NodeIndex> nodes;
  std::set<BlockIndex> blocks;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_TRUE(nodes.insert(pool.AllocateNode()).second);
    EXPECT_TRUE(blocks.insert(pool.AllocateBlock(1 + i % 7)).second);
  }
  EXPECT_EQ(nodes.count(0), 0u);
  EXPECT_EQ(blocks.count(0), 0u);
}

TEST(NodePool, AddressesStayWhileThePoolGrows) {
  NodePool pool;
  const NodeIndex first = pool.AllocateNode();
  const Node* const address = &pool.node(first);
  pool.node(first).n = 42;
  for (size_t i = 0; i < 2 * NodePool::kNodeSlabBytes / sizeof(Node); ++i) pool.AllocateNode();
  EXPECT_EQ(&pool.node(first), address);
  EXPECT_EQ(pool.node(first).n, 42u);
}

TEST(NodePool, BlocksOfAllSizesDoNotOverlap) {
  NodePool pool;
  std::vector<std::pair<BlockIndex, int>> blocks;
  for (int granules = 1; granules <= NodePool::kMaxGranules; ++granules) {
    blocks.push_back({pool.AllocateBlock(granules), granules});
    std::memset(pool.block(blocks.back().first), granules & 0xff, granules * NodePool::kGranule);
  }
  for (const auto& [block, granules] : blocks) {
    const auto* bytes = static_cast<const unsigned char*>(pool.block(block));
    for (size_t i = 0; i < granules * NodePool::kGranule; ++i) ASSERT_EQ(bytes[i], granules & 0xff);
  }
}

TEST(NodePool, BlocksDoNotCrossSlabs) {
  NodePool pool;
  for (size_t i = 0; i < NodePool::kBlockSlabBytes / NodePool::kGranule / 100; ++i) {
    const BlockIndex block = pool.AllocateBlock(250);
    std::memset(pool.block(block), 1,
                250 * NodePool::kGranule);  // the address sanitizer or a fault would tell
  }
}

TEST(NodePool, FreedNodesAndBlocksAreUsedAgain) {
  NodePool pool;
  const BlockIndex block = pool.AllocateBlock(9);
  pool.FreeBlock(block, 9);
  EXPECT_EQ(pool.AllocateBlock(9), block);
  NodePool::FreeList freed;
  const NodeIndex a = pool.AllocateNode(), b = pool.AllocateNode();
  freed.AddNode(pool, a);
  freed.AddNode(pool, b);
  freed.AddBlock(pool, block, 9);
  pool.Splice(freed);
  EXPECT_EQ((std::set<NodeIndex>{pool.AllocateNode(), pool.AllocateNode()}),
            (std::set<NodeIndex>{a, b}));
  EXPECT_EQ(pool.AllocateBlock(9), block);
}

TEST(NodePool, CountsWhatIsInUse) {
  NodePool pool;
  const NodeIndex node = pool.AllocateNode();
  const BlockIndex block = pool.AllocateBlock(3);
  EXPECT_EQ(pool.bytes_in_use(), 40 + 48);
  NodePool::FreeList freed;
  freed.AddNode(pool, node);
  freed.AddBlock(pool, block, 3);
  pool.Splice(freed);
  EXPECT_EQ(pool.bytes_in_use(), 0);
  EXPECT_EQ(pool.nodes_in_use(), 0);
}

TEST(NodePool, ClearGivesEverythingBack) {
  NodePool pool;
  pool.AllocateNode();
  pool.AllocateBlock(2);
  EXPECT_GT(pool.bytes_reserved(), 0);
  pool.Clear();
  EXPECT_EQ(pool.bytes_reserved(), 0);
  EXPECT_EQ(pool.bytes_in_use(), 0);
  EXPECT_NE(pool.AllocateNode(), kNoNode);
}

TEST(NodePool, ReserveMakesRoomBeforehand) {
  NodePool pool;
  pool.Reserve(1000);
  const int64_t reserved = pool.bytes_reserved();
  for (int i = 0; i < 1000; ++i) {
    pool.AllocateNode();
    pool.AllocateBlock(NodePool::kMaxGranules);
  }
  EXPECT_EQ(pool.bytes_reserved(), reserved);
}

TEST(NodePool, PagesToPrepareAreNamedOnceAndAheadOfUse) {
  NodePool pool;
  std::set<std::byte*> named;
  for (size_t i = 0; i < NodePool::kNodeSlabBytes / sizeof(Node) * 3 / 4; ++i) {
    pool.AllocateNode();
    const PageRange range = pool.TakePagesToPrepare()[0];
    if (range.bytes == 0) continue;
    EXPECT_TRUE(named.insert(range.begin).second);
    EXPECT_LT(static_cast<void*>(&pool.node(static_cast<NodeIndex>(i + 1))),
              static_cast<void*>(range.begin));
    PreparePages(range);
  }
  EXPECT_GE(named.size(), 8u);
}

TEST(NodePool, PreparingPagesKeepsWhatIsInThem) {
  NodePool pool;
  const NodeIndex node = pool.AllocateNode();
  pool.node(node).n = 7;
  PreparePages({reinterpret_cast<std::byte*>(&pool.node(node)) - 64, 2 << 20});
  EXPECT_EQ(pool.node(node).n, 7u);
}

}  // namespace
}  // namespace plexus
