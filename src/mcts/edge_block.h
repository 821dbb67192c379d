#pragma once
// What lies in a node's block: slots of its children, what the network said of it, priors of the moves without a child.
//
// Thread safety: guarded by the tree's mutex; NewEdges are made before it is taken. Invariants:
//  1. The capacity follows from the number of children alone, so nobody stores it.
//  2. The prior of a move that has a child is not in the block any more: its child's slot has it.
//  3. Children come by falling prior, equal ones in the order of the moves.
//
// The end of a block behind its slots, for m moves:
//
//   NetValue (6 bytes) | upper 8 bits of m marks | lower 4 bits of them, two to a byte: moves i and i + (m + 1) / 2
//
// A mark is the code of a prior plus 1; 0 marks a move that has a child.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mcts/node.h"

namespace plexus {

struct alignas(16) Granule {
  uint8_t bytes[16];
};
static_assert(sizeof(ChildSlot) == sizeof(Granule));

// Slots of a block for so many children: 0, 1, 2, 3, 4, 6, 8, 12, 16, 24 ... up to `edges`.
int ChildCapacity(int children, int edges);

constexpr int TailGranules(int edges) {
  const int bytes = static_cast<int>(sizeof(NetValue)) + edges + (edges + 1) / 2;
  return (bytes + static_cast<int>(sizeof(Granule)) - 1) / static_cast<int>(sizeof(Granule));
}

// The edges of a leaf, ready to be copied into its block.
struct NewEdges {
  std::span<const Granule> tail;
  int count = 0;
  uint16_t greatest_prior = 0;
};
// `policy` in the order of LegalMoves, 1 to kMaxEdges of them; `memory` has the size that TailGranules says.
NewEdges MakeEdges(std::span<const float> policy, const NetValue& net, std::span<Granule> memory);

// The layout of a block with `capacity` slots and `edges` moves: a pointer with a meaning.
class EdgeBlock {
 public:
  static constexpr int Granules(int capacity, int edges) { return capacity + TailGranules(edges); }

  EdgeBlock(void* block, int capacity, int edges)
      : slots_(static_cast<ChildSlot*>(block)),
        tail_(static_cast<Granule*>(block) + capacity),
        edges_(edges) {}

  ChildSlot* slots() const { return slots_; }
  NetValue net() const;
  void set_net(const NetValue& net);

  void Fill(const NewEdges& edges);
  // Slots, net value and priors of the smaller block that the same node had.
  void CopyFrom(const EdgeBlock& smaller, int children);
  // Takes out the first move whose prior is *greatest, which is the greatest of all. Returns the move's number and sets
  // *greatest to the greatest prior that is left, 0 if there is none.
  int TakeOut(uint16_t* greatest);

 private:
  friend class PriorQueue;
  ChildSlot* slots_;
  Granule* tail_;
  int edges_;
};

// The priors of a block by falling value, without changing the block.
class PriorQueue {
 public:
  PriorQueue() = default;
  explicit PriorQueue(const EdgeBlock& block) { Reset(block); }
  void Reset(const EdgeBlock& block);
  uint16_t Greatest() const;     // 0 if there is none
  int TakeOut(uint16_t prior);   // the first of that prior; returns its number. REQUIRES: there is one
  uint16_t Take();               // the greatest. REQUIRES: there is one

 private:
  static constexpr int kLanes = 8;  // marks in a register
  alignas(16) std::array<int16_t, kMaxEdges + kLanes> marks_;
  int count_ = 0;
};

}  // namespace plexus
