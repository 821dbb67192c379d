#pragma once
// The search tree: root, re-rooting on a new position, hand-over of what is no longer needed.
//
// Thread safety: everything but nodes_mutex() and tree_bytes() is guarded by nodes_mutex(), and
// annotated so. Invariants (tests/support/tree_check proves them):
//  1. While a search runs, no node or block that the root reaches is moved or freed.
//  2. All mutable fields are guarded by nodes_mutex(); there is no atomic in a node.
//  3. n of an expanded node that is not proven = 1 + lifted_visits + the sum of its children's n.
//  After Wait(), every
//     n_in_flight is 0.
//  4. Children come by falling prior; no prior left in the block is greater than that of the last
//  child, and next_prior is the greatest of them. (Moves without a child share one first-play
//  value, so the best of them is the one with the highest prior.) An expanded root has all its
//  children, because noise and move filters apply there.
//  5. A leaf that is being evaluated has no edges, n_in_flight > 0 and n = lifted_visits; only its
//  owner gives it edges.
//  6. A value is seen by the player who moved into the node; walking to the parent flips the sign
//  of wl, never of d.
//  7. A child's slot in its parent's block mirrors its n, n_in_flight and wl, and has its prior.
//  8. The root is never terminal, whatever the rules say of its position: a search is asked for, so
//  play continues.
//  9. A node with visits, and a child of the root, knows its move. One that was never backed up knows
//  its number among the parent's legal moves.

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "chess/position.h"
#include "mcts/node.h"
#include "mcts/node_pool.h"
#include "mcts/tree_lock.h"

namespace plexus {

// What holds for the edges of the root only. Index = number of the child. Empty while the root is not
// expanded.
struct RootEdges {
  std::vector<float> priors;  // what a search selects with: the edge's prior, or a mix with noise
  std::vector<uint8_t> allowed;  // 0: not among the searchmoves, never descended into
};

class Tree {
 public:
  Tree();
  ~Tree();
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  TreeMutex& nodes_mutex() const RETURN_CAPABILITY(nodes_mutex_) { return nodes_mutex_; }

  // Makes `history` the root. What is reachable from the former root by its last moves is kept; the
  // rest goes to a list that CollectGarbage frees. REQUIRES: no search runs.
  void SetPosition(const TreeWriteLock& lock, const PositionHistory& history)
      REQUIRES(nodes_mutex_);
  // Forgets everything; memory goes back to the system. REQUIRES: no search runs.
  void Clear(const TreeWriteLock& lock) REQUIRES(nodes_mutex_);

  NodeIndex root() const REQUIRES(nodes_mutex_) { return root_; }
  // The game up to the root, the root's position last. Constant while a search runs, then readable
  // without the lock.
  const PositionHistory& root_history() const { return history_; }
  RootEdges& root_edges() REQUIRES(nodes_mutex_) { return root_edges_; }
  const RootEdges& root_edges() const REQUIRES(nodes_mutex_) { return root_edges_; }
  // An in-tree position with this 50-move counter or more is a draw: 100, or 150 (75 moves) where
  // the game went on beyond move 50 already. Constant while a search runs.
  int rule50_limit() const { return rule50_limit_; }

  Node& node(NodeIndex index) REQUIRES(nodes_mutex_) { return pool_.node(index); }
  const Node& node(NodeIndex index) const REQUIRES(nodes_mutex_) { return pool_.node(index); }
  std::span<const ChildSlot> children(const Node& n) const REQUIRES(nodes_mutex_) {
    return {n.num_children ? static_cast<const ChildSlot*>(pool_.block(n.block)) : nullptr,
            n.num_children};
  }
  std::span<ChildSlot> children(const Node& n) REQUIRES(nodes_mutex_) {
    return {n.num_children ? static_cast<ChildSlot*>(pool_.block(n.block)) : nullptr,
            n.num_children};
  }
  // REQUIRES: n.is_expanded().
  EdgeBlock edge_block(const Node& n) const REQUIRES(nodes_mutex_) {
    return {pool_.block(n.block), ChildCapacity(n.num_children, n.num_edges), n.num_edges};
  }
  // What the network said of an expanded node, the rules of another.
  NetValue net_value(const Node& n) const REQUIRES(nodes_mutex_) {
    return n.is_expanded() ? edge_block(n).net()
                           : NetValue(static_cast<float>(n.wl), static_cast<float>(n.d()), n.m);
  }
  // Visits from when it was a two-fold draw; they still count, as draws.
  uint32_t lifted_visits(NodeIndex node) const REQUIRES(nodes_mutex_) {
    const auto found = lifted_.find(node);
    return found == lifted_.end() ? 0 : found->second;
  }
  // The slot of `n` in its parent. REQUIRES: n.parent != kNoNode.
  ChildSlot& slot_of(const Node& n) REQUIRES(nodes_mutex_) {
    return static_cast<ChildSlot*>(pool_.block(pool_.node(n.parent).block))[n.slot];
  }

  // Appends the next child of `parent`: the first of the moves with the highest prior.
  NodeIndex AddChild(const TreeWriteLock& lock, NodeIndex parent) REQUIRES(nodes_mutex_);
  // Gives a leaf its edges. The root gets all its children, and root_edges() is filled.
  void LinkEdges(const TreeWriteLock& lock, NodeIndex leaf, const NewEdges& edges)
      REQUIRES(nodes_mutex_);
  // Only these moves of the root are searched from now on; empty = all. SetPosition lifts it.
  void SetRootFilter(const TreeWriteLock& lock, std::span<const Move> moves) REQUIRES(nodes_mutex_);
  // root_edges() from the network's priors and the filter. Done when a root is set or expanded.
  void ResetRootEdges(const TreeWriteLock& lock) REQUIRES(nodes_mutex_);

  // Dead subtrees leave in three steps, so that only the first and the last need the lock (tree_gc.h): their roots are
  // taken out, their nodes chained by the one who took them, the chains given to the pool.
  std::vector<NodeIndex> TakeGarbage(const TreeWriteLock& lock) REQUIRES(nodes_mutex_);
  // Moves up to `max_nodes` nodes from `dead` and what is below them to `freed`. No lock: nobody else knows these nodes.
  void ChainDeadNodes(std::vector<NodeIndex>* dead, int max_nodes, NodePool::FreeList* freed);
  void Splice(const TreeWriteLock& lock, const NodePool::FreeList& freed) REQUIRES(nodes_mutex_);

  // Room for a gather or a backup of `count` leaves; throws Exception before anything is changed.
  void Reserve(const TreeWriteLock& lock, int count) REQUIRES(nodes_mutex_) {
    pool_.Reserve(count);
  }
  std::array<PageRange, 2> TakePagesToPrepare(const TreeWriteLock& lock) REQUIRES(nodes_mutex_) {
    return pool_.TakePagesToPrepare();
  }
  // To be told of each node that became a two-fold draw; SetPosition looks at them again.
  void RememberTwoFold(const TreeWriteLock& lock, NodeIndex node) REQUIRES(nodes_mutex_) {
    pool_.node(node).block = two_fold_;
    two_fold_ = node;
  }

  int64_t nodes_in_use() const REQUIRES(nodes_mutex_) { return pool_.nodes_in_use(); }
  int64_t bytes_in_use() const REQUIRES(nodes_mutex_) { return pool_.bytes_in_use(); }
  int64_t bytes_reserved() const REQUIRES(nodes_mutex_) { return pool_.bytes_reserved(); }

 private:
  NodeIndex FindDescendant(const PositionHistory& history) const REQUIRES(nodes_mutex_);
  void StartAfresh(const PositionHistory& history) REQUIRES(nodes_mutex_);
  void MakeRoot(const TreeWriteLock& lock, NodeIndex node) REQUIRES(nodes_mutex_);
  void RecountRoot() REQUIRES(nodes_mutex_);
  void LiftTwoFoldDraws() REQUIRES(nodes_mutex_);
  void GiveAllChildren(const TreeWriteLock& lock, NodeIndex node) REQUIRES(nodes_mutex_);
  void ResizeBlock(Node* node, int capacity) REQUIRES(nodes_mutex_);

  mutable TreeMutex nodes_mutex_;
  NodePool pool_ GUARDED_BY(nodes_mutex_);
  NodeIndex root_ GUARDED_BY(nodes_mutex_) = kNoNode;
  RootEdges root_edges_ GUARDED_BY(nodes_mutex_);
  std::vector<Move> root_filter_ GUARDED_BY(nodes_mutex_);
  std::vector<NodeIndex> garbage_ GUARDED_BY(nodes_mutex_);   // roots of dead subtrees
  // Two-fold draws of the live tree, chained through Node::block, since they have none.
  NodeIndex two_fold_ GUARDED_BY(nodes_mutex_) = kNoNode;
  std::unordered_map<NodeIndex, uint32_t> lifted_ GUARDED_BY(nodes_mutex_);  // of the live tree
  PositionHistory history_;                                   // written between searches only
  int rule50_limit_ = 100;
};

}  // namespace plexus
