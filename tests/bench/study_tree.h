#pragma once
// A search tree without chess, for the lock study: PUCT over nodes of a fixed number of children, evaluations from a hash
// of the node's number. It takes no lock itself; who calls what under which lock is the study's subject.

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <vector>

namespace plexus {

class StudyTree {
 public:
  static constexpr uint32_t kBranching = 24;
  static constexpr uint32_t kNone = 0;
  using NodeId = uint32_t;

  // Room for `capacity` expanded nodes; pages are touched as they are used.
  explicit StudyTree(uint32_t capacity);

  // A block of children, written before anybody sees it. Any thread.
  NodeId NewChildren(NodeId parent);
  // Win minus loss of the side to move, [-1, 1).
  static float Evaluate(NodeId node);

  static constexpr NodeId kRoot = kBranching;

  // ---- reading the tree, and marking visits in flight: under at least a reader's lock ----
  bool IsExpanded(NodeId node) const { return nodes_[node].children != kNone; }
  // One visit is on its way through `node`; returns how many were before.
  uint32_t Enter(NodeId node) { return InFlight(node).fetch_add(1, std::memory_order_relaxed); }
  void Leave(NodeId node) { InFlight(node).fetch_sub(1, std::memory_order_relaxed); }
  // The child that PUCT likes most; visits in flight count as lost, so that many workers find
  // many leaves. REQUIRES: IsExpanded.
  NodeId Choose(NodeId node) const;
  uint32_t visits(NodeId node) const { return nodes_[node].n; }
  uint32_t in_flight(NodeId node) const {
    return std::atomic_ref<uint32_t>(nodes_[node].in_flight).load(std::memory_order_relaxed);
  }
  NodeId children(NodeId node) const { return nodes_[node].children; }

  // ---- changing the tree: under a writer's lock ----
  void Link(NodeId node, NodeId children) { nodes_[node].children = children; }
  // A visit that was in flight ends with this value for the player who moved into `node`.
  void AddVisit(NodeId node, float value) {
    Node& n = nodes_[node];
    ++n.n;
    n.sum += value;
    Leave(node);
  }

 private:
  struct Node {
    uint32_t n, in_flight;
    float sum, prior;
    NodeId children;
  };
  struct Free {
    void operator()(Node* nodes) const { std::free(nodes); }
  };
  std::atomic_ref<uint32_t> InFlight(NodeId node) {
    return std::atomic_ref<uint32_t>(nodes_[node].in_flight);
  }

  const uint32_t size_;
  std::unique_ptr<Node[], Free> nodes_;
  std::atomic<uint32_t> next_;
};

}  // namespace plexus
