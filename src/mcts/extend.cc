#include "mcts/extend.h"

#include <algorithm>
#include <cmath>

#include "base/exception.h"
#include "chess/outcome.h"

namespace plexus {
namespace {

constexpr int kHistoryOfNetworks = 8;  // positions that a network looks at
constexpr int kShortestCycle = 4;      // plies in which a position can come back

// Edges from moves and priors, highest prior first; equal ones in the order of the moves.
void SortEdges(std::span<const Move> moves, std::span<const float> policy, std::span<Edge> edges) {
  const int count = static_cast<int>(moves.size());
  // Prior above, order of the moves reversed below: all different, the greater the earlier.
  int32_t keys[256];
  for (int i = 0; i < count; ++i) {
    keys[i] = static_cast<int32_t>(((uint32_t{EncodePrior(policy[i])} << 16) | (0xffffu - i)) ^
                                   0x80000000u);
  }
  // A move's place is the number of greater keys: more comparisons than sorting, but many at once and none to guess.
  // (With free evaluations a whole search takes 0.6 of the time that it took with std::sort.)
  for (int i = 0; i < count; ++i) {
    const int32_t key = keys[i];
    int place = 0;
    for (int j = 0; j < count; ++j) place += keys[j] > key;
    edges[place] = {moves[i].bits(),
                    static_cast<uint16_t>((static_cast<uint32_t>(key) ^ 0x80000000u) >> 16)};
  }
}

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

void Extender::WalkTo(const Leaf& leaf) {
  int plies = std::min(leaf.shared_plies, history_.size() - root_size_);
  history_.TrimTo(root_size_ + plies);
  for (; plies < static_cast<int>(leaf.path.size()); ++plies) history_.Append(leaf.path[plies]);
}

void Extender::ExtendLeaf(Leaf* leaf, Minibatch* batch) {
  WalkTo(*leaf);
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
  leaf->moves = batch->moves.Allocate(moves_.size());
  std::copy(moves_.begin(), moves_.end(), leaf->moves.begin());
  leaf->policy = batch->policies.Allocate(moves_.size());
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
    leaf.edges = batch->edges.Allocate(leaf.moves.size());
    SortEdges(leaf.moves, leaf.policy, leaf.edges);
  }
}

}  // namespace plexus
