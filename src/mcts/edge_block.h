#pragma once
// What lies in a node's block: slots of its children, what the network said of it, priors of the moves without a child.
//
// Thread safety: guarded by the tree's mutex; NewEdges are made before it is taken. Invariants:
//  1. The capacity follows from the number of children alone, so nobody stores it.
//  2. The prior of a move that has a child is not in the block any more: its child's slot has it.
//  3. Children come by falling prior, equal ones in the order of the moves.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "mcts/node.h"

namespace plexus {

// Eight marks, one vector register. A mark is the code of a prior in an order that signed compares know; kNoMark marks a
// move that has a child, and what is no move.
struct alignas(16) Marks {
  int16_t lane[8];
};
inline constexpr int16_t kNoMark = -32768;

// Slots of a block for so many children: 0, 1, 2, 3, 4, 6, 8, 12, 16, 24 ... up to `edges`.
int ChildCapacity(int children, int edges);

// The end of a block behind its slots: a NetValue in place of the first marks, then one mark a move.
constexpr int TailGranules(int edges) {
  return static_cast<int>((sizeof(NetValue) + static_cast<size_t>(edges) * sizeof(int16_t) +
                           sizeof(Marks) - 1) /
                          sizeof(Marks));
}

// The edges of a leaf, ready to be copied into its block.
struct NewEdges {
  std::span<const Marks> tail;
  int count = 0;
  uint16_t greatest_prior = 0;
};
// `policy` in the order of LegalMoves, 1 to kMaxEdges of them; `memory` has the size that TailGranules says.
NewEdges MakeEdges(std::span<const float> policy, const NetValue& net, std::span<Marks> memory);

// The layout of a block with `capacity` slots and `edges` moves: a pointer with a meaning.
class EdgeBlock {
 public:
  static constexpr int Granules(int capacity, int edges) { return capacity + TailGranules(edges); }

  EdgeBlock(void* block, int capacity, int edges)
      : slots_(static_cast<ChildSlot*>(block)),
        tail_(static_cast<Marks*>(block) + capacity),
        granules_(TailGranules(edges)) {}

  ChildSlot* slots() const { return slots_; }
  NetValue net() const;
  void set_net(const NetValue& net);
  std::span<Marks> tail() const { return {tail_, static_cast<size_t>(granules_)}; }

  void Fill(const NewEdges& edges);
  // Slots, net value and priors of the smaller block that the same node had.
  void CopyFrom(const EdgeBlock& smaller, int children);
  // Takes out the first move whose prior is `greatest`, which is the greatest of all. Returns the move's number.
  int TakeOut(uint16_t greatest);
  uint16_t Greatest() const;  // of the moves without a child; 0 if there is none

 private:
  ChildSlot* slots_;
  Marks* tail_;
  int granules_;
};
static_assert(sizeof(ChildSlot) == sizeof(Marks));

// The priors of a block by falling value, without changing the block.
class PriorQueue {
 public:
  void Reset(const EdgeBlock& block);
  uint16_t Take();  // REQUIRES: there is one

 private:
  std::array<Marks, TailGranules(kMaxEdges)> marks_;
  int granules_ = 0;
};

}  // namespace plexus
