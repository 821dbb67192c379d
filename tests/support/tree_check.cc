#include "support/tree_check.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace plexus {
namespace {

class Checker {
 public:
  Checker(const Tree& tree, bool quiet) : tree_(tree), quiet_(quiet) {}

  std::string Run() NO_THREAD_SAFETY_ANALYSIS {
    if (tree_.root() == kNoNode) return "";
    if (tree_.node(tree_.root()).parent != kNoNode) return "the root has a parent";
    if (tree_.node(tree_.root()).is_terminal()) return "the root is terminal";
    std::vector<NodeIndex> todo = {tree_.root()};
    while (!todo.empty() && fault_.empty()) {
      const NodeIndex index = todo.back();
      todo.pop_back();
      ++nodes_;
      CheckNode(index);
      for (const ChildSlot& slot : tree_.children(tree_.node(index))) todo.push_back(slot.node);
    }
    return fault_;
  }
  int64_t nodes() const { return nodes_; }

 private:
  void Expect(bool holds, NodeIndex index, const std::string& what) {
    if (!holds && fault_.empty()) fault_ = "node " + std::to_string(index) + ": " + what;
  }

  void CheckNode(NodeIndex index) NO_THREAD_SAFETY_ANALYSIS {
    const Node& node = tree_.node(index);
    const bool is_root = index == tree_.root();
    if (quiet_)
      Expect(node.n_in_flight == 0, index, std::to_string(node.n_in_flight) + " visits in flight");
    Expect(std::abs(node.wl) <= 1.0001 && node.d() <= 1.0001, index,
           "value out of range");
    Expect(node.lower() <= node.upper(), index, "bounds crossed");
    Expect(node.num_children <= node.num_edges, index, "more children than edges");
    if (is_root && node.is_expanded())
      Expect(node.num_children == node.num_edges, index, "root lacks children");
    if (node.is_expanded()) CheckPriors(index, node);
    CheckChildren(index, node);
    if (!node.is_expanded() && !node.is_terminal())
      Expect(node.n == tree_.lifted_visits(index), index, "a leaf without edges has visits");
    if (node.is_terminal()) CheckTerminal(index, node);
    if (node.is_expanded() && !node.is_terminal()) CheckSums(index, node);
  }

  void CheckPriors(NodeIndex index, const Node& node) NO_THREAD_SAFETY_ANALYSIS {
    uint16_t last = EncodePrior(1);
    for (const ChildSlot& slot : tree_.children(node)) {
      Expect(slot.prior <= last, index, "children do not come by falling prior");
      last = slot.prior;
    }
    if (node.num_children == node.num_edges) return;
    Expect(node.next_prior <= last, index, "the next child has a higher prior than the last");
    Expect(node.next_prior == PriorQueue(tree_.edge_block(node)).Greatest(), index,
           "the next child does not have the highest prior left");
  }

  void CheckChildren(NodeIndex index, const Node& node) NO_THREAD_SAFETY_ANALYSIS {
    uint64_t in_flight = 0;
    const auto slots = tree_.children(node);
    for (size_t i = 0; i < slots.size(); ++i) {
      const Node& child = tree_.node(slots[i].node);
      Expect(child.parent == index && child.slot == i, index,
             "child does not know its place");
      const uint32_t mirrored = std::min<uint32_t>(child.n_in_flight, ChildSlot::kManyInFlight);
      Expect(slots[i].n == child.n && slots[i].n_in_flight == mirrored &&
                 slots[i].wl == static_cast<float>(child.wl),
             index, "slot " + std::to_string(i) + " is no mirror of its child");
      in_flight += child.n_in_flight;
      const bool must_know = child.n > 0 || index == tree_.root();
      Expect(child.move.is_known() || (!must_know && child.move.number() < node.num_edges), index,
             "a child does not know its move");
      if (child.move.is_known()) Expect(!child.move.move().is_null(), index, "a child has no move");
    }
    if (node.is_expanded() && !node.is_terminal())
      Expect(node.n_in_flight == in_flight, index, "visits in flight do not add up");
  }

  void CheckTerminal(NodeIndex index, const Node& node) {
    Expect(node.terminal != Terminal::kTwoFold || (!node.bounds_met() && node.wl == 0), index,
           "a two-fold draw is a draw that proves nothing");
    if (node.terminal == Terminal::kTwoFold) return;
    Expect(node.bounds_met(), index, "terminal with open bounds");
    Expect(node.wl == node.lower(), index, "terminal value is not its result");
  }

  void CheckSums(NodeIndex index, const Node& node) NO_THREAD_SAFETY_ANALYSIS {
    const NetValue net = tree_.net_value(node);
    const uint32_t lifted = tree_.lifted_visits(index);
    double n = 1.0 + lifted, wl = net.wl(), d = double{net.d()} + lifted;
    for (const ChildSlot& slot : tree_.children(node)) {
      const Node& child = tree_.node(slot.node);
      n += child.n;
      wl -= child.wl * child.n;
      d += child.d() * child.n;
    }
    Expect(node.n == n, index,
           "n is " + std::to_string(node.n) + ", its children say " + std::to_string(n));
    const double net_error = 2e-5 / n;  // its 16 bits
    Expect(std::abs(node.wl - wl / n) < 1e-6 + net_error, index,
           "wl is " + std::to_string(node.wl) + ", its children say " + std::to_string(wl / n));
    Expect(std::abs(node.d() - d / n) < 1e-6 + net_error, index, "d is not the mean of its children");
  }

  const Tree& tree_;
  const bool quiet_;
  int64_t nodes_ = 0;
  std::string fault_;
};

}  // namespace

std::string CheckTree(const Tree& tree, bool quiet) {
  TreeReadLock lock(tree.nodes_mutex());
  return Checker(tree, quiet).Run();
}

}  // namespace plexus
