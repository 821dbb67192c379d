#include "mcts/extend.h"

#include <algorithm>
#include <cmath>

#include "base/exception.h"
#include "chess/outcome.h"

namespace plexus {
namespace {

constexpr int kHistoryOfNetworks = 8;  // positions that a network looks at
constexpr int kShortestCycle = 4;      // plies in which a position can come back

}  // namespace

LeafOutcome JudgeLeaf(const PositionHistory& history, const MoveList& moves, int depth,
                      const ExtendParams& params) {
  const Position& position = history.Last();
  if (moves.empty()) return {Terminal::kGameOver, position.board.InCheck() ? 1 : 0, 0};
  if (depth == 0 && params.no_end_at_root) return {};
  if (position.rule50_ply >= params.rule50_limit || position.repetitions >= 2 ||
      InsufficientMaterial(position.board)) {
    return {Terminal::kGameOver, 0, 0};
  }
  if (params.two_fold_draws && position.repetitions >= 1 &&
      position.cycle_length >= kShortestCycle && position.cycle_length <= depth) {
    return {Terminal::kTwoFold, 0, position.cycle_length};
  }
  return {};
}

Extender::Extender(const PositionHistory& root_history, const ExtendParams& params)
    : params_(params), root_size_(root_history.size()), history_(root_history) {
  history_.Reserve(root_size_ + 256);
}

void Extender::WalkTo(Leaf* leaf) {
  int plies = std::min(leaf->shared_plies, history_.size() - root_size_);
  history_.TrimTo(root_size_ + plies);
  if (plies < siblings_plies_) siblings_plies_ = -1;
  for (; plies < static_cast<int>(leaf->path.size()); ++plies) {
    NodeMove& move = leaf->path[plies];
    if (!move.is_known()) {
      if (siblings_plies_ != plies) LegalMoves(history_.Last().board, &siblings_);
      siblings_plies_ = plies;
      move = NodeMove(siblings_[move.number()]);
    }
    history_.Append(move.move());
  }
}

void Extender::ExtendLeaf(Leaf* leaf, Minibatch* batch) {
  WalkTo(leaf);
  LegalMoves(history_.Last().board, &moves_);
  const LeafOutcome outcome =
      JudgeLeaf(history_, moves_, static_cast<int>(leaf->path.size()), params_);
  if (outcome.terminal != Terminal::kNone) {
    leaf->terminal = outcome.terminal;
    leaf->result = outcome.result;
    leaf->eval = {};
    leaf->eval.m = static_cast<float>(outcome.cycle_plies);
    return;
  }
  const int edges = std::min(moves_.size(), kMaxEdges);
  leaf->moves = batch->moves.Allocate(edges);
  std::copy_n(moves_.begin(), edges, leaf->moves.begin());
  leaf->policy = batch->policies.Allocate(edges);
  leaf->eval = {};
  leaf->eval.policy = leaf->policy;
  const std::span<const Position> tail = history_.Tail(kHistoryOfNetworks);
  const std::span<Position> copy = batch->positions.Allocate(tail.size());
  std::copy(tail.begin(), tail.end(), copy.begin());
  const BackendComputation::Added added = batch->computation->Add({copy, leaf->moves}, &leaf->eval);
  leaf->from_cache = added == BackendComputation::Added::kFromCache;
  leaf->needs_evaluation = !leaf->from_cache;
}

void Extender::Extend(Minibatch* batch) {
  history_.TrimTo(root_size_);
  siblings_plies_ = -1;
  for (Leaf& leaf : batch->leaves) ExtendLeaf(&leaf, batch);
}

void Extender::MakeEdges(Minibatch* batch) {
  for (Leaf& leaf : batch->leaves) {
    if (leaf.terminal != Terminal::kNone) continue;
    EvalOutput& eval = leaf.eval;
    if (!std::isfinite(eval.wl) || !std::isfinite(eval.d) || !std::isfinite(eval.m)) {
      throw Exception("the backend answered win-loss " + std::to_string(eval.wl) + ", draw " +
                          std::to_string(eval.d) + ", moves left " + std::to_string(eval.m) +
                          ", which are not numbers.",
                      "Check the network file, or use a backend of higher precision.");
    }
    const int count = static_cast<int>(leaf.policy.size());
    leaf.edges = plexus::MakeEdges(leaf.policy, NetValue(-eval.wl, eval.d, eval.m),
                                   batch->edges.Allocate(TailGranules(count)));
  }
}

}  // namespace plexus
