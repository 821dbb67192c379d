#pragma once
// From a leaf's path to what the backend or the rules say of it. Touches no shared memory but the root's history, which
// is constant during a search.

#include "chess/movegen.h"
#include "chess/position.h"
#include "mcts/minibatch.h"

namespace plexus {

struct ExtendParams {
  int rule50_limit = 100;  // Tree::rule50_limit
  bool two_fold_draws = true;
  bool no_end_at_root = true;  // the root is searched whatever the rules say of it
};

// A terminal leaf's reason and result, or kNone. `depth`: plies below the root. REQUIRES: `moves` are those of
// history.Last(). *cycle_plies: of a two-fold draw, how far back its first occurrence is.
struct LeafOutcome {
  Terminal terminal = Terminal::kNone;
  int result = 0;  // for the player who moved into the position
  int cycle_plies = 0;
};
LeafOutcome JudgeLeaf(const PositionHistory& history, const MoveList& moves, int depth,
                      const ExtendParams& params);

// One worker's view of the game: the root's history with a path appended.
class Extender {
 public:
  Extender(const PositionHistory& root_history, const ExtendParams& params);

  // Moves, terminal tests and, for the others, a place in batch->computation. REQUIRES: batch->computation.
  void Extend(Minibatch* batch);
  // Turns the evaluations of the leaves into edges as the tree keeps them. Throws Exception if the backend gave numbers
  // that mean nothing.
  void MakeEdges(Minibatch* batch);

 private:
  void ExtendLeaf(Leaf* leaf, Minibatch* batch);
  void WalkTo(Leaf* leaf);

  const ExtendParams params_;
  const int root_size_;  // positions of the game, the root's included
  PositionHistory history_;
  MoveList moves_;
  MoveList siblings_;  // legal moves of the position at the first siblings_plies_ moves of the path; -1: of none
  int siblings_plies_ = -1;
};

}  // namespace plexus
