#include "mcts/backup.h"

#include <algorithm>
#include <cassert>

namespace plexus {
namespace {

void TakeBackVisits(Tree& tree, NodeIndex index, uint32_t visits) REQUIRES(tree.nodes_mutex()) {
  while (true) {
    Node& node = tree.node(index);
    assert(node.n_in_flight >= visits);
    node.n_in_flight -= visits;
    if (node.parent == kNoNode) return;
    tree.slot_of(node).set_in_flight(node.n_in_flight);
    index = node.parent;
  }
}

// Gives a node its exact value, also for the visits it had, and corrects the means above.
void SetExactValue(Tree& tree, NodeIndex index, NodeValue value) REQUIRES(tree.nodes_mutex()) {
  Node& node = tree.node(index);
  double wl = (value.wl - node.wl) * node.n, d = (value.d - node.d()) * node.n;
  double m = (double{value.m} - node.m) * node.n;
  node.wl = value.wl;
  node.set_d(value.d);
  node.m = value.m;
  NodeIndex above = node.parent;
  if (above != kNoNode) tree.slot_of(node).wl = static_cast<float>(node.wl);
  for (; above != kNoNode; above = tree.node(above).parent) {
    Node& ancestor = tree.node(above);
    if (ancestor.is_terminal()) return;  // exact already
    wl = -wl;
    ancestor.wl += wl / ancestor.n;
    ancestor.set_d(ancestor.d() + d / ancestor.n);
    ancestor.m += static_cast<float>(m / ancestor.n);
    if (ancestor.parent != kNoNode) tree.slot_of(ancestor).wl = static_cast<float>(ancestor.wl);
  }
}

struct Bounds {
  int lower = -1, upper = -1;  // view of the player who moves at the node
  float shortest_win = 1e9f, longest_loss = 0, longest_draw = 0;  // plies after the move
};

Bounds BoundsOverMoves(const Tree& tree, const Node& node, bool is_root)
    REQUIRES(tree.nodes_mutex()) {
  Bounds bounds;
  if (node.num_children < node.num_edges) bounds.upper = 1;
  const std::vector<uint8_t>& allowed = tree.root_edges().allowed;
  const std::span<const ChildSlot> slots = tree.children(node);
  for (size_t i = 0; i < slots.size(); ++i) {
    if (is_root && !allowed[i]) continue;
    const Node& child = tree.node(slots[i].node);
    bounds.lower = std::max(bounds.lower, child.lower());
    bounds.upper = std::max(bounds.upper, child.upper());
    if (child.lower() == 1) bounds.shortest_win = std::min(bounds.shortest_win, child.m);
    if (child.upper() == -1) bounds.longest_loss = std::max(bounds.longest_loss, child.m);
    if (child.lower() == 0 && child.upper() == 0)
      bounds.longest_draw = std::max(bounds.longest_draw, child.m);
  }
  return bounds;
}

// The bounds of `index` are new: those above may follow.
void CarryBoundsUp(Tree& tree, NodeIndex index) REQUIRES(tree.nodes_mutex()) {
  while (true) {
    const Node& child = tree.node(index);
    index = child.parent;
    if (index == kNoNode) return;
    Node& node = tree.node(index);
    const bool is_root = index == tree.root();
    if (node.is_terminal()) return;
    const bool may_raise_lower = child.lower() > -node.upper();
    const bool may_drop_upper = child.upper() < 1 && node.num_children == node.num_edges;
    if (!may_raise_lower && !may_drop_upper) return;
    const Bounds bounds = BoundsOverMoves(tree, node, is_root);
    if (-bounds.upper == node.lower() && -bounds.lower == node.upper()) return;
    node.SetBounds(-bounds.upper, -bounds.lower);
    if (node.bounds_met() && !is_root) {
      const int result = node.lower();
      const float plies = result < 0   ? bounds.shortest_win
                          : result > 0 ? bounds.longest_loss
                                       : bounds.longest_draw;
      node.terminal = Terminal::kProven;
      SetExactValue(tree, index, {static_cast<double>(result), result == 0 ? 1.0 : 0.0, plies + 1});
    }
  }
}

void BackUpTerminal(const TreeWriteLock& lock, Tree& tree, bool sticky_endgames, const Leaf& leaf)
    REQUIRES(tree.nodes_mutex()) {
  Node& node = tree.node(leaf.node);
  const NodeValue value{static_cast<double>(leaf.result), leaf.result == 0 ? 1.0 : 0.0,
                        leaf.eval.m};
  node.terminal = leaf.terminal;
  BackUpVisits(lock, tree, leaf.node, value, 1);
  if (leaf.terminal == Terminal::kTwoFold) {
    tree.RememberTwoFold(lock, leaf.node);
    return;  // true only under this root: proves nothing
  }
  node.SetBounds(leaf.result, leaf.result);
  if (node.was_two_fold) SetExactValue(tree, leaf.node, value);
  if (sticky_endgames) CarryBoundsUp(tree, leaf.node);
}

void BackUpEvaluated(const TreeWriteLock& lock, Tree& tree, const Leaf& leaf)
    REQUIRES(tree.nodes_mutex()) {
  const EvalOutput& eval = leaf.eval;
  tree.LinkEdges(lock, leaf.node, leaf.edges);
  BackUpVisits(lock, tree, leaf.node, {-eval.wl, eval.d, eval.m}, 1);
}

}  // namespace

void BackUpVisits(const TreeWriteLock& lock, Tree& tree, NodeIndex index, NodeValue value,
                  uint32_t visits) {
  while (true) {
    Node& node = tree.node(index);
    if (node.is_terminal()) value = node.n > 0 ? NodeValue{node.wl, node.d(), node.m} : value;
    assert(node.n_in_flight >= visits);
    node.n += visits;
    node.n_in_flight -= visits;
    const double share = static_cast<double>(visits) / node.n;
    node.wl += (value.wl - node.wl) * share;
    const double d = node.d();
    node.set_d(d + (value.d - d) * share);
    node.m += (value.m - node.m) * static_cast<float>(share);
    if (node.parent == kNoNode) return;
    ChildSlot& slot = tree.slot_of(node);
    slot.n = node.n;
    slot.set_in_flight(node.n_in_flight);
    slot.wl = static_cast<float>(node.wl);
    value.wl = -value.wl;
    value.m += 1;
    index = node.parent;
  }
}

void BackUpMinibatch(const TreeWriteLock& lock, Tree& tree, bool sticky_endgames,
                     Minibatch* batch) {
  const size_t count = batch->leaves.size();
  for (size_t i = 0; i < count; ++i) {
    if (i + 4 < count) __builtin_prefetch(&tree.node(batch->leaves[i + 4].node));
    const Leaf& leaf = batch->leaves[i];
    if (!leaf.path.empty()) tree.node(leaf.node).move = leaf.path.back();
    if (leaf.terminal != Terminal::kNone) {
      BackUpTerminal(lock, tree, sticky_endgames, leaf);
    } else {
      BackUpEvaluated(lock, tree, leaf);
    }
  }
}

void TakeBackCollisions(const TreeWriteLock& lock, Tree& tree, Minibatch* batch) {
  for (const Collision& collision : batch->collisions)
    TakeBackVisits(tree, collision.node, collision.visits);
  batch->collisions.clear();
}

void TakeBackMinibatch(const TreeWriteLock& lock, Tree& tree, Minibatch* batch) {
  for (const Leaf& leaf : batch->leaves) TakeBackVisits(tree, leaf.node, 1);
  TakeBackCollisions(lock, tree, batch);
}

void ProveRoot(const TreeWriteLock& lock, Tree& tree) {
  Node& root = tree.node(tree.root());
  if (!root.is_expanded()) return;
  const Bounds bounds = BoundsOverMoves(tree, root, true);
  root.SetBounds(-bounds.upper, -bounds.lower);
}

}  // namespace plexus
