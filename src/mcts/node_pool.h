#pragma once
// Memory of a tree: slabs of nodes and of blocks, addressed by 32-bit indices, with free lists.
//
// Thread safety: none; guarded by the tree's mutex (tree.h).
// Invariants:
//  1. An index stays valid, and its address the same, until it is freed or the pool is cleared.
//  2. Index 0 is never handed out.
//  3. bytes_in_use counts what is handed out; bytes_reserved what was taken from the system.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "mcts/node.h"

namespace plexus {

// Memory straight from the system, so that giving it back really gives it back.
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

class NodePool {
 public:
  NodePool() = default;
  NodePool(NodePool&&) = default;

  NodeIndex AllocateNode();  // a fresh Node{}; throws Exception when memory or indices run out
  void FreeNode(NodeIndex index);
  Node& node(NodeIndex index) {
    return reinterpret_cast<Node*>(node_slabs_[index >> kNodeSlabBits].data())[index & kNodeMask];
  }
  const Node& node(NodeIndex index) const {
    return reinterpret_cast<const Node*>(
        node_slabs_[index >> kNodeSlabBits].data())[index & kNodeMask];
  }

  // Blocks of 1..kMaxGranules times 16 bytes, 16-byte aligned, contents undefined.
  BlockIndex AllocateBlock(int granules);
  void FreeBlock(BlockIndex index, int granules);
  void* block(BlockIndex index) const {
    return block_slabs_[index >> kBlockSlabBits].data() + size_t{index & kBlockMask} * kGranule;
  }
  static constexpr int EdgeGranules(int edges) { return (edges + 3) / 4; }

  int64_t nodes_in_use() const { return nodes_in_use_; }
  int64_t bytes_in_use() const {
    return nodes_in_use_ * int64_t{sizeof(Node)} + granules_in_use_ * int64_t{kGranule};
  }
  int64_t bytes_reserved() const {
    return static_cast<int64_t>(node_slabs_.size() + block_slabs_.size()) * int64_t{kSlabBytes};
  }
  void Clear();  // everything back to the system

  static constexpr size_t kSlabBytes = size_t{8} << 20;
  static constexpr int kMaxGranules = 256;
  static constexpr size_t kGranule = 16;

 private:
  static constexpr int kNodeSlabBits = 17;   // 2^17 * 64 bytes = kSlabBytes
  static constexpr int kBlockSlabBits = 19;  // 2^19 * 16 bytes
  static constexpr uint32_t kNodeMask = (1u << kNodeSlabBits) - 1;
  static constexpr uint32_t kBlockMask = (1u << kBlockSlabBits) - 1;

  std::vector<Slab> node_slabs_, block_slabs_;
  uint64_t next_node_ = 1, next_granule_ = 1;  // never used so far
  NodeIndex free_nodes_ = kNoNode;             // list through Node::parent
  BlockIndex free_blocks_[kMaxGranules + 1] =
      {};  // one list a size, through the first word of a block
  int64_t nodes_in_use_ = 0, granules_in_use_ = 0;
};

}  // namespace plexus
