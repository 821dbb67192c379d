#pragma once
// Results into the tree: edges linked, values added along paths, bounds proved, visits in flight returned.

#include "mcts/minibatch.h"
#include "mcts/tree.h"

namespace plexus {

// Seen by the player who moved into the node.
struct NodeValue {
  double wl = 0, d = 0;
  float m = 0;
};

// `visits` visits in flight of `node` and all above it become finished ones of value `value`. Above a node whose value
// is proven, that value counts.
void BackUpVisits(const TreeWriteLock& lock, Tree& tree, NodeIndex node, NodeValue value,
                  uint32_t visits) REQUIRES(tree.nodes_mutex());

// Everything that the minibatch found. sticky_endgames: proven results are carried up. REQUIRES: its collisions were
// taken back.
void BackUpMinibatch(const TreeWriteLock& lock, Tree& tree, bool sticky_endgames, Minibatch* batch)
    REQUIRES(tree.nodes_mutex());

// The visits that ended at a leaf which somebody is evaluating: no longer in flight.
void TakeBackCollisions(const TreeWriteLock& lock, Tree& tree, Minibatch* batch)
    REQUIRES(tree.nodes_mutex());

// As if the minibatch had never been gathered (terminals, backed up in the gather, stay).
void TakeBackMinibatch(const TreeWriteLock& lock, Tree& tree, Minibatch* batch)
    REQUIRES(tree.nodes_mutex());

// The bounds of the root over the moves that are allowed there.
void ProveRoot(const TreeWriteLock& lock, Tree& tree) REQUIRES(tree.nodes_mutex());

}  // namespace plexus
