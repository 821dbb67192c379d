#pragma once
// Tree -> values: info lines, move statistics, snapshot.

#include <cstdint>
#include <string>
#include <vector>

#include "mcts/best_move.h"
#include "mcts/params.h"
#include "mcts/tree.h"
#include "search/info.h"
#include "search/snapshot.h"

namespace plexus {

// Numbers of a running search that are not in the tree.
struct ReportContext {
  int depth = 0, seldepth = 0;  // average and greatest length of a descent
  int64_t elapsed_ms = 0;
  int64_t nodes = 0;  // visits of the root
  int64_t nps = 0;
  int64_t tb_hits = 0;
  int hashfull_permille = -1;
  bool has_wdl = true, has_moves_left = false;  // of the backend
  std::vector<Move> fallback;                   // as for ChooseBestMove
};

// Lines for the MultiPV best moves. Line 1 begins with the move that would be answered now (without
// temperature). Never without lines unless the root has no move.
SearchInfo BuildInfo(const TreeReadLock& lock, const Tree& tree, const SearchParams& params,
                     const ReportContext& context) REQUIRES(tree.nodes_mutex());

// One text a move of the root, worst first, then the root itself. A stable format, values as seen
// by the side to move at the root:
//   e2e4 N: 1234 (+ 12) (P: 12.34%) (WL: 0.12345) (D: 0.345) (M: 86.4) (Q: 0.12345) (V: 0.1234)
// N finished visits, + visits in flight, P prior (with noise), WL win minus loss, D draw, M plies
// to the end of the game, Q WL with the draw score, V what the network alone said of the position
// after the move ("-.----" if it was never asked). A proven result follows as (T: win), (T: draw)
// or (T: loss). The last line begins with "node" and tells of the root itself; its P is the sum of
// priors of the moves that may be played.
std::vector<std::string> BuildMoveStats(const TreeReadLock& lock, const Tree& tree,
                                        const SearchParams& params) REQUIRES(tree.nodes_mutex());

// `answered`: what OnBestMove said.
SearchSnapshot BuildSnapshot(const TreeReadLock& lock, const Tree& tree, const SearchParams& params,
                             Move answered) REQUIRES(tree.nodes_mutex());

// wl, d: side to move's view. proven: -1 loss, 0 draw, 1 win, 2 not proven. m_plies: from the
// position that the score is of to the end of the game, so a mate in one has 1 and being mated by
// the next move has 2. draw_score: what a draw is worth to the side to move.
Score MakeScore(const SearchParams& params, float wl, float d, float m_plies, int proven,
                bool has_wdl, bool has_moves_left, float draw_score);

}  // namespace plexus
