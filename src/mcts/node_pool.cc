#include "mcts/node_pool.h"

#include <sys/mman.h>

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

#include "base/exception.h"

namespace plexus {
namespace {

constexpr size_t kLargePage = size_t{2} << 20;
static_assert(NodePool::kNodeSlabBytes % kLargePage == 0 &&
              NodePool::kBlockSlabBytes % kLargePage == 0);

// MADV_POPULATE_WRITE (Linux 5.14); older systems refuse it, and pages are then made when they are used.
constexpr int kPopulateWrite = 23;

// The large page after the one in use, once that is half full and unless it was named before.
PageRange NextPage(const std::vector<Slab>& slabs, size_t slab_bytes, uint64_t used,
                   uint64_t* prepared) {
  const uint64_t begin = (used + kLargePage / 2) / kLargePage * kLargePage;
  if (begin < used || begin < *prepared) return {};
  const size_t slab = begin / slab_bytes;
  if (slab >= slabs.size()) return {};
  *prepared = begin + kLargePage;
  return {slabs[slab].data() + begin % slab_bytes, kLargePage};
}

BlockIndex& NextBlock(void* block) { return *static_cast<BlockIndex*>(block); }

}  // namespace

Slab::Slab(size_t bytes) : bytes_(bytes) {
  // More than needed, so that the slab can begin on a large page's border.
  void* raw = mmap(nullptr, bytes + kLargePage, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (raw == MAP_FAILED)
    throw Exception(
        "the system refused " + std::to_string(bytes >> 20) + " MiB for the search tree.",
        "Lower RamLimitMb or close other programs.");
  const uintptr_t begin = reinterpret_cast<uintptr_t>(raw);
  const uintptr_t aligned = (begin + kLargePage - 1) / kLargePage * kLargePage;
  if (aligned > begin) munmap(raw, aligned - begin);
  const uintptr_t end = begin + bytes + kLargePage;
  if (end > aligned + bytes)
    munmap(reinterpret_cast<void*>(aligned + bytes), end - aligned - bytes);
  data_ = reinterpret_cast<std::byte*>(aligned);
  madvise(data_, bytes,
          MADV_HUGEPAGE);  // a wish; without large pages everything works, only slower
}

Slab::~Slab() {
  if (data_ != nullptr) munmap(data_, bytes_);
}

void PreparePages(const PageRange& range) {
  if (range.bytes > 0) madvise(range.begin, range.bytes, kPopulateWrite);
}

std::array<PageRange, 2> NodePool::TakePagesToPrepare() {
  return {NextPage(node_slabs_, kNodeSlabBytes, next_node_ * sizeof(Node), &prepared_node_bytes_),
          NextPage(block_slabs_, kBlockSlabBytes, next_granule_ * kGranule,
                   &prepared_block_bytes_)};
}

NodePool::NodePool()
    : node_table_(std::make_unique<std::byte*[]>(kNodeSlabs)),
      block_table_(std::make_unique<std::byte*[]>(kBlockSlabs)) {}

void NodePool::AddNodeSlab() {
  if (node_slabs_.size() == kNodeSlabs)
    throw Exception("the search tree has 2^32 nodes, which is all it can address.",
                    "Start a new search.");
  node_slabs_.emplace_back(kNodeSlabBytes);
  node_table_[node_slabs_.size() - 1] = node_slabs_.back().data();
}

void NodePool::AddBlockSlab() {
  if (block_slabs_.size() == kBlockSlabs)
    throw Exception("the children and priors of the search tree take 64 GiB, which is all it can address.",
                    "Start a new search.");
  block_slabs_.emplace_back(kBlockSlabBytes);
  block_table_[block_slabs_.size() - 1] = block_slabs_.back().data();
}

void NodePool::Reserve(int count) {
  while ((uint64_t{node_slabs_.size()} << kNodeSlabBits) < next_node_ + count) AddNodeSlab();
  // A block never crosses slabs, so the end of each slab may be lost.
  const uint64_t granules = (uint64_t{static_cast<unsigned>(count)} + 2) * kMaxGranules;
  while ((uint64_t{block_slabs_.size()} << kBlockSlabBits) < next_granule_ + granules)
    AddBlockSlab();
}

NodeIndex NodePool::AllocateNode() {
  NodeIndex index = free_nodes_;
  if (index != kNoNode) {
    free_nodes_ = node(index).parent;
  } else {
    if ((next_node_ >> kNodeSlabBits) >= node_slabs_.size()) AddNodeSlab();
    index = static_cast<NodeIndex>(next_node_++);
  }
  new (&node(index)) Node{};
  ++nodes_in_use_;
  return index;
}

BlockIndex NodePool::AllocateBlock(int granules) {
  assert(granules >= 1 && granules <= kMaxGranules);
  granules_in_use_ += granules;
  if (const BlockIndex index = free_blocks_[granules]; index != kNoBlock) {
    free_blocks_[granules] = NextBlock(block(index));
    return index;
  }
  const uint64_t slab_end = ((next_granule_ >> kBlockSlabBits) + 1) << kBlockSlabBits;
  if (next_granule_ + granules > slab_end) next_granule_ = slab_end;
  if ((next_granule_ >> kBlockSlabBits) >= block_slabs_.size()) AddBlockSlab();
  const BlockIndex index = static_cast<BlockIndex>(next_granule_);
  next_granule_ += granules;
  return index;
}

void NodePool::FreeBlock(BlockIndex index, int granules) {
  NextBlock(block(index)) = free_blocks_[granules];
  free_blocks_[granules] = index;
  granules_in_use_ -= granules;
}

void NodePool::FreeList::AddNode(const NodePool& pool, NodeIndex index) {
  const_cast<Node&>(pool.node(index)).parent = first_node_;
  if (first_node_ == kNoNode) last_node_ = index;
  first_node_ = index;
  ++nodes_;
}

void NodePool::FreeList::AddBlock(const NodePool& pool, BlockIndex index, int granules) {
  Chain& chain = blocks_[granules];
  NextBlock(pool.block(index)) = chain.first;
  if (chain.first == kNoBlock) chain.last = index;
  chain.first = index;
  granules_ += granules;
}

void NodePool::Splice(const FreeList& freed) {
  if (freed.nodes_ > 0) {
    node(freed.last_node_).parent = free_nodes_;
    free_nodes_ = freed.first_node_;
  }
  for (int granules = 1; granules <= kMaxGranules; ++granules) {
    const FreeList::Chain& chain = freed.blocks_[granules];
    if (chain.first == kNoBlock) continue;
    NextBlock(block(chain.last)) = free_blocks_[granules];
    free_blocks_[granules] = chain.first;
  }
  nodes_in_use_ -= freed.nodes_;
  granules_in_use_ -= freed.granules_;
}

void NodePool::Clear() {
  node_slabs_.clear();
  block_slabs_.clear();
  next_node_ = next_granule_ = 1;
  free_nodes_ = kNoNode;
  free_blocks_.fill(kNoBlock);
  nodes_in_use_ = granules_in_use_ = 0;
  prepared_node_bytes_ = prepared_block_bytes_ = 0;
}

}  // namespace plexus
