#pragma once
// A tree whose nodes a test writes by hand: no search, any values.

#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/fen.h"
#include "chess/position.h"
#include "mcts/tree.h"

namespace plexus {

// "e2e4" as a plain move; the tree does not ask whether it is legal.
inline Move PlainMove(std::string_view text) {
  return Move(MakeSquare(text[0] - 'a', text[1] - '1'), MakeSquare(text[2] - 'a', text[3] - '1'));
}

// Edges with these priors.
inline void LinkPriors(const TreeWriteLock& lock, Tree* tree, NodeIndex leaf,
                       const std::vector<float>& priors, const NetValue& net = {})
    REQUIRES(tree->nodes_mutex()) {
  std::vector<Granule> memory(static_cast<size_t>(TailGranules(static_cast<int>(priors.size()))));
  tree->LinkEdges(lock, leaf, MakeEdges(priors, net, memory));
}

class HandMadeTree {
 public:
  struct NewEdge {
    const char* move;
    float prior;
  };

  explicit HandMadeTree(std::string_view fen = kStartFen) {
    TreeWriteLock lock(tree.nodes_mutex());
    tree.SetPosition(lock, PositionHistory(fen));
  }

  NodeIndex root() {
    TreeReadLock lock(tree.nodes_mutex());
    return tree.root();
  }
  // Edges must be given by falling prior, as in a search.
  void Expand(NodeIndex index, std::initializer_list<NewEdge> new_edges) {
    TreeWriteLock lock(tree.nodes_mutex());
    std::vector<float> priors;
    for (const NewEdge& edge : new_edges) {
      moves_[index].push_back(PlainMove(edge.move));
      priors.push_back(edge.prior);
    }
    LinkPriors(lock, &tree, index, priors, tree.net_value(tree.node(index)));
    for (size_t i = 0; i < tree.children(tree.node(index)).size(); ++i) NameMove(index, i);
    if (index == tree.root()) tree.ResetRootEdges(lock);
  }
  // The child behind edge `edge`; adds children up to it.
  NodeIndex Child(NodeIndex parent, int edge) {
    TreeWriteLock lock(tree.nodes_mutex());
    while (tree.node(parent).num_children <= edge) {
      tree.AddChild(lock, parent);
      NameMove(parent, tree.node(parent).num_children - 1u);
    }
    return tree.children(tree.node(parent))[static_cast<size_t>(edge)].node;
  }
  // Values as seen by the player who moved into the node.
  void Visit(NodeIndex index, uint32_t n, double wl, double d, float m) {
    TreeWriteLock lock(tree.nodes_mutex());
    Node& node = tree.node(index);
    node.n = n;
    node.wl = wl;
    node.set_d(d);
    node.m = m;
    if (node.is_expanded())
      tree.edge_block(node).set_net({static_cast<float>(wl), static_cast<float>(d), m});
    Mirror(index);
  }
  // Result as seen by the player who moved into the node, `m` plies from its end.
  void Prove(NodeIndex index, uint32_t n, int result, float m,
             Terminal terminal = Terminal::kProven) {
    Visit(index, n, result, result == 0 ? 1 : 0, m);
    TreeWriteLock lock(tree.nodes_mutex());
    tree.node(index).SetBounds(result, result);
    tree.node(index).terminal = terminal;
  }
  void Fly(NodeIndex index, uint32_t n_in_flight) {
    TreeWriteLock lock(tree.nodes_mutex());
    tree.node(index).n_in_flight = n_in_flight;
    Mirror(index);
  }
  void Forbid(int root_edge) {
    TreeWriteLock lock(tree.nodes_mutex());
    tree.root_edges().allowed[static_cast<size_t>(root_edge)] = 0;
  }
  std::vector<float> RootPriors() {
    TreeReadLock lock(tree.nodes_mutex());
    return tree.root_edges().priors;
  }

  Tree tree;

 private:
  // Children come in the order of the edges that were asked for, since those have falling priors.
  void NameMove(NodeIndex parent, size_t child) REQUIRES(tree.nodes_mutex()) {
    tree.node(tree.children(tree.node(parent))[child].node).move = NodeMove(moves_[parent][child]);
  }
  void Mirror(NodeIndex index) REQUIRES(tree.nodes_mutex()) {
    const Node& node = tree.node(index);
    if (node.parent == kNoNode) return;
    ChildSlot& slot = tree.slot_of(node);
    slot.n = node.n;
    slot.set_in_flight(node.n_in_flight);
    slot.wl = static_cast<float>(node.wl);
  }

  std::map<NodeIndex, std::vector<Move>> moves_;
};

}  // namespace plexus
