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
  Move move;  // null if nobody knows: an unvisited one below the root
  int edge = 0;  // number of the child, also of those that are still to come
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

// The temperature of a move after `full_moves_played` moves of each side: `temperature` until the
// delay is over, then falling in a straight line to 0 over temp_decay_moves, but never below
// temp_endgame; temp_endgame from move number temp_cutoff_move on.
float TemperatureAt(const SearchParams& params, int full_moves_played);

// What a draw is worth to the side to move at the root.
float DrawScoreAtRoot(const SearchParams& params, const Tree& tree);

// The ply count of a game that ends as the values of `move` say, from the position before it.
inline float PliesToEnd(const RankedMove& move) { return move.m + 1; }

// What would be answered now, with temperature if the options ask for it and `random` is not null.
// Where the root is not expanded, the first of `fallback` (legal moves of the root, searchmoves
// applied). With temperature tau a move is drawn with probability proportional to
// (visits + temp_visit_offset)^(1/tau) among those not worse than the best by more than
// temp_value_cutoff; a proven win is always played, a proven loss only if every move loses.
BestMoveChoice ChooseBestMove(const TreeReadLock& lock, const Tree& tree,
                              const SearchParams& params, const std::vector<Move>& fallback,
                              Random* random) REQUIRES(tree.nodes_mutex());

}  // namespace plexus
