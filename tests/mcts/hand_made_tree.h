#pragma once
// A tree whose nodes a test writes by hand: no search, any values.

#include <initializer_list>
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
    std::vector<Edge> edges;
    for (const NewEdge& edge : new_edges) {
      edges.push_back({PlainMove(edge.move).bits(), EncodePrior(edge.prior)});
    }
    tree.LinkEdges(lock, index, edges);
  }
  // The child behind edge `edge`; adds children up to it.
  NodeIndex Child(NodeIndex parent, int edge) {
    TreeWriteLock lock(tree.nodes_mutex());
    while (tree.node(parent).num_children <= edge) tree.AddChild(lock, parent);
    return tree.children(tree.node(parent))[static_cast<size_t>(edge)].node;
  }
  // Values as seen by the player who moved into the node.
  void Visit(NodeIndex index, uint32_t n, double wl, double d, float m) {
    TreeWriteLock lock(tree.nodes_mutex());
    Node& node = tree.node(index);
    node.n = n;
    node.wl = wl;
    node.d = d;
    node.m = m;
    node.net_wl = static_cast<float>(wl);
    node.net_d = static_cast<float>(d);
    node.net_m = m;
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
  void Mirror(NodeIndex index) REQUIRES(tree.nodes_mutex()) {
    const Node& node = tree.node(index);
    if (node.parent == kNoNode) return;
    ChildSlot& slot = tree.slot_of(node);
    slot.n = node.n;
    slot.n_in_flight = node.n_in_flight;
    slot.wl = static_cast<float>(node.wl);
  }
};

}  // namespace plexus
