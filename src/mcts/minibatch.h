#pragma once
// Everything between a gather and its backup lives here. Owned by one worker; the tree is not
// touched in between.

#include <cstdint>
#include <span>
#include <vector>

#include "chess/position.h"
#include "mcts/arena.h"
#include "mcts/edge_block.h"
#include "mcts/node.h"
#include "net/backend.h"

namespace plexus {

// A node without edges that this worker alone may give edges to.
struct Leaf {
  NodeIndex node = kNoNode;
  // Moves from the root to it. Gather may know only the number of the last one (NodeMove); Extend knows it.
  std::span<NodeMove> path;
  int shared_plies = 0;  // as many first moves are those of the leaf before it in the minibatch
  bool is_root = false;

  // Filled by Extend and Compute.
  bool needs_evaluation = false;  // queued for the backend
  bool from_cache = false;
  Terminal terminal = Terminal::kNone;
  int result = 0;         // of a terminal: -1, 0, 1 for the player who moved into it
  std::span<Move> moves;  // legal moves, in the order of `policy`
  std::span<float> policy;
  NewEdges edges;
  EvalOutput eval;        // side to move's view
};

// Visits that ended at a leaf which somebody is evaluating; the end of the gather takes them back.
struct Collision {
  NodeIndex node = kNoNode;
  uint32_t visits = 0;
};

// Counters of one minibatch.
struct BatchStats {
  int64_t terminal_visits = 0;  // backed up on the spot, in the gather
  int64_t collisions = 0;
  int64_t depth_sum = 0;  // of terminal visits and leaves
  int max_depth = 0;
};

// Has room from the start for what a gather may find, so that nothing is allocated while the tree is locked.
class Minibatch {
 public:
  Minibatch() {
    leaves.reserve(1024);
    collisions.reserve(4096);
    path_moves.Allocate(0);
  }
  void Reset() {
    leaves.clear();
    collisions.clear();
    stats = {};
    computation.reset();
    path_moves.Reset();
    moves.Reset();
    policies.Reset();
    edges.Reset();
    positions.Reset();
  }
  bool empty() const { return leaves.empty(); }

  std::vector<Leaf> leaves;  // in the order of a depth-first walk
  std::vector<Collision> collisions;
  BatchStats stats;
  std::unique_ptr<BackendComputation> computation;

  Arena<NodeMove> path_moves{1 << 16};
  Arena<Move> moves{1 << 14};
  Arena<float> policies{1 << 14};
  Arena<Granule> edges{1 << 12};
  Arena<Position> positions{1 << 11};
};

}  // namespace plexus
