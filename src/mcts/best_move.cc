#include "mcts/best_move.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "chess/movegen.h"

namespace plexus {
namespace {

enum Rank { kProvenLoss, kOpen, kProvenWin };

Rank RankOf(const RankedMove& move) {
  if (move.lower == 1) return kProvenWin;
  if (move.upper == -1) return kProvenLoss;
  return kOpen;
}

bool IsBetter(const RankedMove& a, const RankedMove& b) {
  const Rank rank = RankOf(a);
  if (rank != RankOf(b)) return rank > RankOf(b);
  // How much the length counts: the shorter win, the longer loss, nothing if the end is open.
  const float haste = rank == kProvenWin ? -1.0f : rank == kProvenLoss ? 1.0f : 0.0f;
  // The edge number makes the order total, so that equal searches give equal answers.
  const auto key = [haste](const RankedMove& move) {
    return std::tuple(haste * move.m, move.visits, move.q, move.prior, -move.edge);
  };
  return key(a) > key(b);
}

bool AllowsMateInOne(Board board, Move move) {
  board.Apply(move);
  return HasMateInOne(board);
}

// Index of the move that is played with temperature `tau` > 0; moves by rank, not empty.
size_t DrawMove(const std::vector<RankedMove>& moves, const SearchParams& params, float tau,
                float draw_score, Random* random) {
  const RankedMove& best = moves.front();
  if (RankOf(best) == kProvenWin) return 0;
  const auto value = [draw_score](const RankedMove& move) {
    return double{move.q} + double{draw_score} * double{move.d};
  };
  // The cutoff is in percent of winning chance; the value goes from -1 to 1.
  const double least_value = value(best) - double{params.temp_value_cutoff} / 50;
  double most_visits = 0;
  for (const RankedMove& move : moves) {
    most_visits = std::max(most_visits, static_cast<double>(move.visits));
  }
  most_visits += double{params.temp_visit_offset};
  if (most_visits <= 0) return 0;

  std::vector<double> weights;
  double sum = 0;
  for (const RankedMove& move : moves) {
    const double visits = static_cast<double>(move.visits) + double{params.temp_visit_offset};
    const bool may_be_drawn =
        visits > 0 && value(move) >= least_value && RankOf(move) >= RankOf(best);
    weights.push_back(may_be_drawn ? std::pow(visits / most_visits, 1 / double{tau}) : 0);
    sum += weights.back();
  }
  double rest = random->Uniform() * sum;
  for (size_t i = 0; i < moves.size(); ++i) {
    if (weights[i] <= 0) continue;
    if (rest < weights[i]) return i;
    rest -= weights[i];
  }
  return 0;  // every weight is 0, or rounding left a little over
}

}  // namespace

std::vector<RankedMove> RankMoves(const TreeReadLock& lock, const Tree& tree, NodeIndex index) {
  const Node& node = tree.node(index);
  const bool is_root = index == tree.root();
  const RootEdges& root_edges = tree.root_edges();
  const auto children = tree.children(node);
  PriorQueue unvisited;
  if (node.is_expanded()) unvisited.Reset(tree.edge_block(node));
  std::vector<RankedMove> moves;
  moves.reserve(node.num_edges);
  for (size_t i = 0; i < node.num_edges; ++i) {
    if (is_root && root_edges.allowed[i] == 0) continue;
    RankedMove move;
    move.edge = static_cast<int>(i);
    move.q = static_cast<float>(-node.wl);
    move.d = static_cast<float>(node.d());
    move.m = node.m;
    if (i < children.size()) {
      const Node& child = tree.node(children[i].node);
      if (child.move.is_known()) move.move = child.move.move();
      move.prior = is_root ? root_edges.priors[i] : children[i].p();
      if (child.n > 0) {
        move.node = children[i].node;
        move.visits = child.n;
        move.q = static_cast<float>(child.wl);
        move.d = static_cast<float>(child.d());
        move.m = child.m;
        move.lower = child.lower();
        move.upper = child.upper();
        // A loss is proven by the first mate found, which may be a slow one; not to walk into a mate in one is the
        // difference that opponents notice.
        if (is_root && move.upper == -1 && move.m > 1 &&
            AllowsMateInOne(tree.root_history().Last().board, move.move))
          move.m = 1;
      }
    } else {
      move.prior = DecodePrior(unvisited.Take());
    }
    moves.push_back(move);
  }
  std::sort(moves.begin(), moves.end(), IsBetter);
  return moves;
}

float TemperatureAt(const SearchParams& params, int full_moves_played) {
  if (params.temp_cutoff_move > 0 && full_moves_played + 1 >= params.temp_cutoff_move) {
    return params.temp_endgame;
  }
  if (params.temperature <= 0 || params.temp_decay_moves <= 0) return params.temperature;
  const int decayed_moves =
      std::clamp(full_moves_played - params.temp_decay_delay_moves, 0, params.temp_decay_moves);
  if (decayed_moves == 0) return params.temperature;
  const float share_left =
      1.0f - static_cast<float>(decayed_moves) / static_cast<float>(params.temp_decay_moves);
  return std::max(params.temperature * share_left, params.temp_endgame);
}

float DrawScoreAtRoot(const SearchParams& params, const Tree& tree) {
  return tree.root_history().Last().black_to_move() ? -params.draw_score : params.draw_score;
}

BestMoveChoice ChooseBestMove(const TreeReadLock& lock, const Tree& tree,
                              const SearchParams& params, const std::vector<Move>& fallback,
                              Random* random) {
  BestMoveChoice choice;
  const std::vector<RankedMove> moves =
      tree.root() == kNoNode ? std::vector<RankedMove>() : RankMoves(lock, tree, tree.root());
  if (moves.empty()) {
    if (!fallback.empty()) choice.best = fallback.front();
    return choice;
  }
  size_t chosen = 0;
  const float tau = TemperatureAt(params, tree.root_history().Last().game_ply / 2);
  if (tau > 0 && random != nullptr) {
    chosen = DrawMove(moves, params, tau, DrawScoreAtRoot(params, tree), random);
  }
  choice.best = moves[chosen].move;
  if (moves[chosen].node == kNoNode) return choice;
  const std::vector<RankedMove> replies = RankMoves(lock, tree, moves[chosen].node);
  if (!replies.empty() && replies.front().visits > 0) choice.ponder = replies.front().move;
  return choice;
}

}  // namespace plexus
