#include "mcts/tree.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/exception.h"
#include "chess/movegen.h"

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
    n.slot = 0;
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
      if (slot.node == kNoNode || !pool_.node(slot.node).move.is_known()) continue;
      Board board = history[i - 1].board;
      board.Apply(pool_.node(slot.node).move.move());
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
  two_fold_ = kNoNode;
  lifted_.clear();
  history_ = history;
  rule50_limit_ = Rule50Limit(history.Last());
  root_ = pool_.AllocateNode();
  root_edges_ = {};
}

void Tree::MakeRoot(const TreeWriteLock& lock, NodeIndex node) {
  root_ = node;
  LiftTwoFoldDraws();
  if (pool_.node(root_).is_expanded()) GiveAllChildren(lock, root_);
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
  for (const ChildSlot& slot : children(root)) {
    root_edges_.priors.push_back(slot.p());
    const bool allowed =
        root_filter_.empty() || std::find(root_filter_.begin(), root_filter_.end(),
                                          pool_.node(slot.node).move.move()) != root_filter_.end();
    root_edges_.allowed.push_back(allowed);
  }
}

// A proven node counted visits that went nowhere. As a root it is searched on, so its sums must be those of its children.
void Tree::RecountRoot() {
  Node& root = pool_.node(root_);
  root.terminal = Terminal::kNone;
  const NetValue net = net_value(root);
  const uint32_t lifted = lifted_visits(root_);
  double n = 1.0 + lifted;
  double wl = net.wl(), d = double{net.d()} + lifted, m = net.m() * n;
  for (const ChildSlot& slot : children(root)) {
    const Node& child = pool_.node(slot.node);
    n += child.n;
    wl -= child.wl * child.n;
    d += child.d() * child.n;
    m += (child.m + 1.0) * child.n;
  }
  root.n = static_cast<uint32_t>(n);
  root.wl = wl / n;
  root.set_d(d / n);
  root.m = static_cast<float>(m / n);
}

// A two-fold draw whose first occurrence is now part of the game is no draw any more. Its visits stay where they are,
// as draws: taking them back would make all values above it jump, and the position did repeat.
void Tree::LiftTwoFoldDraws() {
  // Plies below the root, or -1 if it is not below.
  const auto depth_of = [this](NodeIndex index) NO_THREAD_SAFETY_ANALYSIS {
    int depth = 0;
    for (; pool_.node(index).parent != kNoNode; index = pool_.node(index).parent) ++depth;
    return index == root_ ? depth : -1;
  };
  std::erase_if(lifted_, [&](const auto& entry) { return depth_of(entry.first) < 0; });
  NodeIndex kept = kNoNode;
  for (NodeIndex index = two_fold_, next = kNoNode; index != kNoNode; index = next) {
    Node& n = pool_.node(index);
    next = std::exchange(n.block, kNoBlock);
    const int depth = depth_of(index);
    if (depth < 0) continue;
    if (n.m <= static_cast<float>(depth)) {  // m: plies of the cycle
      n.block = std::exchange(kept, index);
      continue;
    }
    n.terminal = Terminal::kNone;
    n.was_two_fold = true;
    lifted_[index] = n.n;
  }
  two_fold_ = kept;
}

// Makes room for one more child. The node's number of children is still the old one.
void Tree::ResizeBlock(Node* node, int capacity) {
  const BlockIndex block = pool_.AllocateBlock(EdgeBlock::Granules(capacity, node->num_edges));
  const EdgeBlock former = edge_block(*node);
  EdgeBlock(pool_.block(block), capacity, node->num_edges).CopyFrom(former, node->num_children);
  pool_.FreeBlock(node->block,
                  EdgeBlock::Granules(ChildCapacity(node->num_children, node->num_edges),
                                      node->num_edges));
  node->block = block;
}

NodeIndex Tree::AddChild(const TreeWriteLock& lock, NodeIndex parent) {
  Node& p = pool_.node(parent);
  assert(p.num_children < p.num_edges);
  const int capacity = ChildCapacity(p.num_children + 1, p.num_edges);
  if (capacity != ChildCapacity(p.num_children, p.num_edges)) ResizeBlock(&p, capacity);
  const NodeIndex index = pool_.AllocateNode();
  EdgeBlock block(pool_.block(p.block), capacity, p.num_edges);
  Node& child = pool_.node(index);
  child.parent = parent;
  child.slot = p.num_children;
  ChildSlot& slot = block.slots()[p.num_children++];
  slot = {};
  slot.node = index;
  slot.prior = p.next_prior;
  child.move = NodeMove::Numbered(block.TakeOut(&p.next_prior));
  return index;
}

void Tree::GiveAllChildren(const TreeWriteLock& lock, NodeIndex node) {
  const Node& n = pool_.node(node);
  while (n.num_children < n.num_edges) AddChild(lock, node);
  const MoveList moves = LegalMoves(history_.Last().board);
  for (const ChildSlot& slot : children(n)) {
    Node& child = pool_.node(slot.node);
    if (!child.move.is_known() && child.move.number() < moves.size())
      child.move = NodeMove(moves[child.move.number()]);
  }
}

void Tree::LinkEdges(const TreeWriteLock& lock, NodeIndex leaf, const NewEdges& edges) {
  Node& n = pool_.node(leaf);
  assert(n.num_edges == 0 && edges.count > 0 && edges.count <= kMaxEdges);
  n.block = pool_.AllocateBlock(EdgeBlock::Granules(0, edges.count));
  EdgeBlock(pool_.block(n.block), 0, edges.count).Fill(edges);
  n.next_prior = edges.greatest_prior;
  n.num_edges = static_cast<uint8_t>(edges.count);
  if (leaf == root_) {
    GiveAllChildren(lock, leaf);
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
    if (n.is_expanded()) {
      freed->AddBlock(
          pool_, n.block,
          EdgeBlock::Granules(ChildCapacity(n.num_children, n.num_edges), n.num_edges));
    }
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
  two_fold_ = kNoNode;
  lifted_.clear();
  history_ = {};
  rule50_limit_ = 100;
  pool_.Clear();
}

}  // namespace plexus
