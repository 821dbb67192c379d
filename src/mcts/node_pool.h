#pragma once
// Memory of a tree: slabs of nodes and of blocks, addressed by 32-bit indices, with free lists.
//
// Thread safety: guarded by the tree's mutex (tree.h), but for one thing: a FreeList may be filled without it, by
// whoever owns the nodes that go into it.
// Invariants:
//  1. An index stays valid, and its address the same, until it is freed or the pool is cleared.
//  2. Index 0 is never handed out.
//  3. bytes_in_use counts what is handed out; bytes_reserved what was asked of the system (a page becomes real memory
//     when it is first used).
//  4. After Reserve(n), the next n nodes and n blocks of any size can be had without an exception.

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "mcts/edge_block.h"
#include "mcts/node.h"

namespace plexus {

// Memory straight from the system, so that giving it back really gives it back. In large pages where there are any.
class Slab {
 public:
  explicit Slab(size_t bytes);  // throws Exception if the system refuses
  ~Slab();
  Slab(Slab&& other) noexcept : data_(other.data_), bytes_(other.bytes_) { other.data_ = nullptr; }
  Slab& operator=(Slab&&) = delete;
  std::byte* data() const { return data_; }

 private:
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

// Memory that will be used soon.
struct PageRange {
  std::byte* begin = nullptr;
  size_t bytes = 0;
};
// Makes the system provide and clear the pages now, without changing what is in them. Without any lock.
void PreparePages(const PageRange& range);

class NodePool {
 public:
  static constexpr size_t kGranule = sizeof(Granule);
  static constexpr int kMaxGranules = EdgeBlock::Granules(kMaxEdges, kMaxEdges);

  // Nodes and blocks that are to be freed, chained through their own memory.
  class FreeList {
   public:
    void AddNode(const NodePool& pool, NodeIndex index);
    void AddBlock(const NodePool& pool, BlockIndex index, int granules);
    int64_t nodes() const { return nodes_; }

   private:
    friend class NodePool;
    struct Chain {
      BlockIndex first = kNoBlock, last = kNoBlock;
    };
    NodeIndex first_node_ = kNoNode, last_node_ = kNoNode;
    int64_t nodes_ = 0, granules_ = 0;
    std::array<Chain, kMaxGranules + 1> blocks_{};
  };

  static constexpr size_t kNodeSlabBytes = sizeof(Node) << 19;
  static constexpr size_t kBlockSlabBytes = kGranule << 21;

  NodePool();
  NodePool(const NodePool&) = delete;
  NodePool& operator=(const NodePool&) = delete;

  void Reserve(int count);   // throws Exception when memory or indices run out
  NodeIndex AllocateNode();  // a fresh Node{}; throws as Reserve does
  Node& node(NodeIndex index) {
    return reinterpret_cast<Node*>(node_table_[index >> kNodeSlabBits])[index & kNodeMask];
  }
  const Node& node(NodeIndex index) const {
    return reinterpret_cast<const Node*>(node_table_[index >> kNodeSlabBits])[index & kNodeMask];
  }

  // Blocks of 1..kMaxGranules times 16 bytes, 16-byte aligned, contents undefined.
  BlockIndex AllocateBlock(int granules);
  void FreeBlock(BlockIndex index, int granules);
  void* block(BlockIndex index) const {
    return block_table_[index >> kBlockSlabBits] + size_t{index & kBlockMask} * kGranule;
  }

  void Splice(const FreeList& freed);

  // The next pages that nodes and blocks will come from, each named once; empty ranges if they were named before. Who
  // prepares them outside the lock saves those inside the time to clear them (a fifth of a search with a free backend).
  std::array<PageRange, 2> TakePagesToPrepare();

  int64_t nodes_in_use() const { return nodes_in_use_; }
  int64_t bytes_in_use() const {
    return nodes_in_use_ * int64_t{sizeof(Node)} + granules_in_use_ * int64_t{kGranule};
  }
  int64_t bytes_reserved() const {
    return static_cast<int64_t>(node_slabs_.size() * kNodeSlabBytes +
                                block_slabs_.size() * kBlockSlabBytes);
  }
  void Clear();  // everything back to the system

 private:
  static constexpr int kNodeSlabBits = 19;
  static constexpr int kBlockSlabBits = 21;
  static constexpr uint32_t kNodeMask = (1u << kNodeSlabBits) - 1;
  static constexpr uint32_t kBlockMask = (1u << kBlockSlabBits) - 1;
  static constexpr size_t kNodeSlabs = size_t{1} << (32 - kNodeSlabBits);
  static constexpr size_t kBlockSlabs = size_t{1} << (32 - kBlockSlabBits);

  void AddNodeSlab();
  void AddBlockSlab();

  std::vector<Slab> node_slabs_, block_slabs_;
  // Addresses of the slabs; the tables never move, so that dead nodes can be walked while the pool grows.
  std::unique_ptr<std::byte*[]> node_table_, block_table_;
  uint64_t next_node_ = 1, next_granule_ = 1;  // never used so far
  NodeIndex free_nodes_ = kNoNode;             // list through Node::parent
  std::array<BlockIndex, kMaxGranules + 1>
      free_blocks_{};  // one list a size, through the first word of a block
  int64_t nodes_in_use_ = 0, granules_in_use_ = 0;
  uint64_t prepared_node_bytes_ = 0, prepared_block_bytes_ = 0;
};

}  // namespace plexus
