#pragma once
// One descent that hands out many visits: a budget walks down from the root and splits among children.

#include <array>
#include <cstdint>
#include <limits>
#include <vector>

#include "mcts/minibatch.h"
#include "mcts/puct.h"
#include "mcts/tree.h"

namespace plexus {

struct PickParams {
  const SelectionParams* selection = nullptr;
  // Root moves that could not catch up with the leader within so many visits are left out; max() = none are.
  int64_t hopeless_after = std::numeric_limits<int64_t>::max();
};

struct PickResult {
  uint32_t leaves = 0;
  uint32_t collision_visits = 0, terminal_visits = 0;
};

// Working memory of descents; kept by a worker so that nothing is allocated under the lock.
struct PickScratch {
  PickScratch() {
    grants.reserve(4096);
    path.reserve(1024);
    last_path.reserve(1024);
  }
  struct Grant {
    NodeIndex node;
    uint32_t visits;
    NodeMove move;
  };
  int64_t first_scale = 1;  // GatherMinibatch's: of the first descent of the next gather
  std::vector<Grant> grants;    // a stack: one frame a level of the walk
  std::vector<NodeMove> path;       // moves from the root to the node of the walk
  std::vector<NodeMove> last_path;  // of the latest leaf of this minibatch
  PriorQueue unvisited;             // of the node that is being split
  // Of the candidates of that node.
  float q[kMaxEdges + 1], numerator[kMaxEdges + 1], score[kMaxEdges + 1];
  uint32_t started[kMaxEdges + 1], granted[kMaxEdges + 1];
  std::array<uint64_t, kMaxEdges / 64 + 1> has_grant;  // a bit each
};

// What a descent may find at most. Visits beyond it are collisions, wherever they end.
struct PickQuota {
  uint32_t leaves = 1;
  uint32_t visits = 1;  // leaves and known results together
  uint32_t terminal_visits = 1;
};

// Gives `visits` visits to the tree. Each ends in one of three ways: it found a new leaf (appended to `batch`), a node
// whose result is known (backed up on the spot) or a leaf that is being evaluated (a collision, kept in `batch`).
PickResult PickNodeToExtend(const TreeWriteLock& lock, Tree& tree, const PickParams& params,
                            uint32_t visits, const PickQuota& quota, PickScratch* scratch,
                            Minibatch* batch) REQUIRES(tree.nodes_mutex());

}  // namespace plexus
