#pragma once
// Which move is played, and in which order moves are shown.

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "chess/types.h"
#include "mcts/params.h"
#include "mcts/tree.h"

namespace plexus {

// A move of a node, values as seen by the side to move there. Unvisited moves carry their prior and
// the node's value.
struct RankedMove {
  Move move;
  int edge = 0;              // index in the node's edges
  NodeIndex node = kNoNode;  // kNoNode: never visited
  int64_t visits = 0;
  float prior = 0;  // at the root: with noise
  float q = 0, d = 0,
        m = 0;  // q: wl, without draw score; m in plies, from the position after the move
  int lower = -1, upper = 1;  // proven bounds
};

// Best first: proven wins (the shorter first), then visits, q, prior, then proven losses (the
// longer first); of several proven draws the more visited first. A proven draw ranks below an
// unproven move with more visits, above all losses. Moves of the root that searchmoves excluded are
// left out.
std::vector<RankedMove> RankMoves(const TreeReadLock& lock, const Tree& tree, NodeIndex node)
    REQUIRES(tree.nodes_mutex());

struct BestMoveChoice {
  Move best;    // null only if the root has no move
  Move ponder;  // the best reply to it; null if unknown
};

// What would be answered now, with temperature if the options ask for it and `random` is not null.
// Where the root is not expanded, the first of `fallback` (legal moves of the root, searchmoves
// applied).
BestMoveChoice ChooseBestMove(const TreeReadLock& lock, const Tree& tree,
                              const SearchParams& params, const std::vector<Move>& fallback,
                              Random* random) REQUIRES(tree.nodes_mutex());

}  // namespace plexus
