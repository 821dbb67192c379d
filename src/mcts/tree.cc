#include "mcts/tree.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <new>

#include "base/exception.h"

namespace plexus {
namespace {

bool SamePosition(const Position& a, const Position& b) {
  return a.board.key() == b.board.key() && a.rule50_ply == b.rule50_ply &&
         a.board.SamePosition(b.board);
}

bool IsPrefix(const PositionHistory& shorter, const PositionHistory& longer) {
  if (shorter.size() == 0 || shorter.size() > longer.size()) return false;
  for (int i = shorter.size() - 1; i >= 0; --i) {
    if (!SamePosition(shorter[i], longer[i])) return false;
  }
  return true;
}

// Games whose 50-move counter is past the limit are being played on; so do we, up to the 75-move rule.
int Rule50Limit(const Position& root) {
  return root.rule50_ply < 100 ? 100 : root.rule50_ply < 150 ? 150 : 1 << 20;
}

}  // namespace

Tree::Tree() = default;
Tree::~Tree() = default;

void Tree::SetPosition(const TreeWriteLock& lock, const PositionHistory& history) {
  NodeIndex node = kNoNode;
  root_filter_.clear();
  if (root_ != kNoNode && Rule50Limit(history.Last()) == rule50_limit_ &&
      IsPrefix(history_, history)) {
    node = FindDescendant(history);
  }
  if (node == kNoNode) return StartAfresh(history);
  history_ = history;
  if (node != root_) {
    Node& n = pool_.node(node);
    slot_of(n).node = kNoNode;  // the old root dies without this branch
    n.parent = kNoNode;
    n.edge_in_parent = 0;
    garbage_.push_back(root_);
  }
  MakeRoot(lock, node);
}

// The node of history.Last(), or kNoNode if there is none worth keeping.
NodeIndex Tree::FindDescendant(const PositionHistory& history) const {
  NodeIndex index = root_;
  for (int i = history_.size(); i < history.size(); ++i) {
    const Node& parent = pool_.node(index);
    index = kNoNode;
    for (const ChildSlot& slot : children(parent)) {
      if (slot.node == kNoNode) continue;
      Board board = history[i - 1].board;
      board.Apply(edges(parent)[pool_.node(slot.node).edge_in_parent].move());
      if (board.key() == history[i].board.key() && board.SamePosition(history[i].board)) {
        index = slot.node;
        break;
      }
    }
    if (index == kNoNode) return kNoNode;
  }
  return pool_.node(index).is_expanded() || index == root_ ? index : kNoNode;
}

void Tree::StartAfresh(const PositionHistory& history) {
  if (root_ != kNoNode) garbage_.push_back(root_);
  two_fold_.clear();
  history_ = history;
  rule50_limit_ = Rule50Limit(history.Last());
  root_ = pool_.AllocateNode();
  root_edges_ = {};
}

void Tree::MakeRoot(const TreeWriteLock& lock, NodeIndex node) {
  root_ = node;
  LiftTwoFoldDraws();
  if (pool_.node(root_).is_expanded()) GiveAllChildren(root_);
  if (pool_.node(root_).is_terminal()) RecountRoot();
  ResetRootEdges(lock);
}

void Tree::SetRootFilter(const TreeWriteLock& lock, std::span<const Move> moves) {
  root_filter_.assign(moves.begin(), moves.end());
  ResetRootEdges(lock);
}

void Tree::ResetRootEdges(const TreeWriteLock& lock) {
  root_edges_ = {};
  const Node& root = pool_.node(root_);
  for (const Edge& edge : edges(root)) {
    root_edges_.priors.push_back(edge.p());
    const bool allowed = root_filter_.empty() || std::find(root_filter_.begin(), root_filter_.end(),
                                                           edge.move()) != root_filter_.end();
    root_edges_.allowed.push_back(allowed);
  }
}

// A proven node counted visits that went nowhere. As a root it is searched on, so its sums must be those of its children.
void Tree::RecountRoot() {
  Node& root = pool_.node(root_);
  root.terminal = Terminal::kNone;
  double n = 1.0 + root.lifted_visits;
  double wl = root.net_wl, d = double{root.net_d} + root.lifted_visits, m = root.net_m * n;
  for (const ChildSlot& slot : children(root)) {
    const Node& child = pool_.node(slot.node);
    n += child.n;
    wl -= child.wl * child.n;
    d += child.d * child.n;
    m += (child.m + 1.0) * child.n;
  }
  root.n = static_cast<uint32_t>(n);
  root.wl = wl / n;
  root.d = d / n;
  root.m = static_cast<float>(m / n);
}

// A two-fold draw whose first occurrence is now part of the game is no draw any more. Its visits stay where they are,
// as draws: taking them back would make all values above it jump, and the position did repeat.
void Tree::LiftTwoFoldDraws() {
  std::vector<NodeIndex> kept;
  for (const NodeIndex index : two_fold_) {
    int depth = 0;
    NodeIndex top = index;
    while (pool_.node(top).parent != kNoNode) {
      top = pool_.node(top).parent;
      ++depth;
    }
    if (top != root_) continue;  // dead
    Node& n = pool_.node(index);
    if (n.net_m <= static_cast<float>(depth)) {  // net_m: plies of the cycle
      kept.push_back(index);
      continue;
    }
    n.terminal = Terminal::kNone;
    n.lifted_visits = n.n;
    n.net_m = 0;
  }
  two_fold_ = std::move(kept);
}

void Tree::ResizeChildBlock(Node* node, int capacity_log2) {
  const BlockIndex block = pool_.AllocateBlock(1 << capacity_log2);
  if (node->children != kNoBlock) {
    std::memcpy(pool_.block(block), pool_.block(node->children),
                node->num_children * sizeof(ChildSlot));
    pool_.FreeBlock(node->children, 1 << node->child_capacity_log2);
  }
  node->children = block;
  node->child_capacity_log2 = static_cast<uint8_t>(capacity_log2);
}

NodeIndex Tree::AddChild(const TreeWriteLock& lock, NodeIndex parent) {
  Node& p = pool_.node(parent);
  assert(p.num_children < p.num_edges);
  if (p.num_children == p.child_capacity()) {
    ResizeChildBlock(&p, p.children == kNoBlock ? 0 : p.child_capacity_log2 + 1);
  }
  const NodeIndex index = pool_.AllocateNode();
  Node& child = pool_.node(index);
  child.parent = parent;
  child.edge_in_parent = p.num_children;
  ChildSlot& slot = static_cast<ChildSlot*>(pool_.block(p.children))[p.num_children++];
  slot = {};
  slot.node = index;
  return index;
}

void Tree::GiveAllChildren(NodeIndex node) {
  Node& n = pool_.node(node);
  int capacity_log2 = 0;
  while ((1 << capacity_log2) < n.num_edges) ++capacity_log2;
  if (n.child_capacity() < n.num_edges) ResizeChildBlock(&n, capacity_log2);
  while (n.num_children < n.num_edges) {
    const NodeIndex index = pool_.AllocateNode();
    Node& child = pool_.node(index);
    child.parent = node;
    child.edge_in_parent = n.num_children;
    ChildSlot& slot = static_cast<ChildSlot*>(pool_.block(n.children))[n.num_children++];
    slot = {};
    slot.node = index;
  }
}

void Tree::LinkEdges(const TreeWriteLock& lock, NodeIndex leaf, std::span<const Edge> edges) {
  Node& n = pool_.node(leaf);
  assert(n.num_edges == 0 && !edges.empty() && edges.size() <= 256);
  n.edges = pool_.AllocateBlock(NodePool::EdgeGranules(static_cast<int>(edges.size())));
  std::memcpy(pool_.block(n.edges), edges.data(), edges.size_bytes());
  n.num_edges = static_cast<uint16_t>(edges.size());
  if (leaf == root_) {
    GiveAllChildren(leaf);
    ResetRootEdges(lock);
  }
}

std::vector<NodeIndex> Tree::TakeGarbage(const TreeWriteLock& lock) {
  std::vector<NodeIndex> garbage;
  garbage.swap(garbage_);
  return garbage;
}

void Tree::ChainDeadNodes(std::vector<NodeIndex>* dead, int max_nodes,
                          NodePool::FreeList* freed) NO_THREAD_SAFETY_ANALYSIS {
  for (int i = 0; i < max_nodes && !dead->empty(); ++i) {
    const NodeIndex index = dead->back();
    dead->pop_back();
    const Node& n = pool_.node(index);
    for (const ChildSlot& slot : children(n)) {
      if (slot.node != kNoNode) dead->push_back(slot.node);
    }
    if (n.children != kNoBlock) freed->AddBlock(pool_, n.children, 1 << n.child_capacity_log2);
    if (n.num_edges > 0) freed->AddBlock(pool_, n.edges, NodePool::EdgeGranules(n.num_edges));
    freed->AddNode(pool_, index);
  }
}

void Tree::Splice(const TreeWriteLock& lock, const NodePool::FreeList& freed) {
  pool_.Splice(freed);
}

void Tree::Clear(const TreeWriteLock& lock) {
  root_ = kNoNode;
  root_edges_ = {};
  garbage_.clear();
  two_fold_.clear();
  history_ = {};
  rule50_limit_ = 100;
  pool_.Clear();
}

}  // namespace plexus
