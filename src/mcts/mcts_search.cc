#include "mcts/mcts_search.h"

#include <algorithm>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "mcts/backup.h"
#include "mcts/noise.h"
#include "mcts/report.h"
#include "mcts/search_run.h"
#include "mcts/tree_gc.h"
#include "search/memory_watch.h"

namespace plexus {
namespace {

std::vector<Move> AllowedMoves(const Board& board, const std::vector<Move>& searchmoves) {
  const MoveList legal = LegalMoves(board);
  std::vector<Move> allowed;
  for (const Move move : legal) {
    if (std::find(searchmoves.begin(), searchmoves.end(), move) != searchmoves.end())
      allowed.push_back(move);
  }
  if (allowed.empty()) allowed.assign(legal.begin(), legal.end());
  return allowed;
}

uint64_t NoiseSeed(const SearchParams& params, const Position& root) {
  if (params.seed == 0) return Random::SeedFromSystem();
  return static_cast<uint64_t>(params.seed) * 1'000'003 + static_cast<uint64_t>(root.game_ply);
}

// Move filter, proven bounds and noise of the root, under one lock.
void PrepareRoot(const SearchLimits& limits, SearchShared& shared, int64_t* other_bytes) {
  TreeWriteLock lock(shared.tree.nodes_mutex());
  shared.tree.SetRootFilter(lock,
                            limits.searchmoves.empty() ? std::vector<Move>() : shared.fallback);
  ProveRoot(lock, shared.tree);
  shared.root_visits_at_start = shared.tree.node(shared.tree.root()).n;
  *other_bytes = std::max<int64_t>(0, ResidentBytes() - shared.tree.bytes_in_use());
  if (shared.params.noise_epsilon <= 0) return;
  shared.noise.emplace(NoiseSeed(shared.params, shared.tree.root_history().Last()));
  ApplyRootNoise(lock, shared.tree, shared.params, &*shared.noise);
}

}  // namespace

MctsSearch::MctsSearch(std::shared_ptr<Backend> backend, Clock* clock,
                       const SearchParams* search_params, const StopParams* stop_params)
    : gc_(std::make_unique<TreeGc>(&tree_)),
      backend_(std::move(backend)),
      clock_(clock),
      search_params_(search_params),
      stop_params_(stop_params) {}

MctsSearch::~MctsSearch() { Abort(); }

void MctsSearch::SetBackend(std::shared_ptr<Backend> backend, bool keep_tree) {
  backend_ = std::move(backend);
  if (keep_tree || tree_.root_history().size() == 0) return;
  const PositionHistory history = tree_.root_history();
  ClearTree();
  SetPosition(history);
}

void MctsSearch::ClearTree() {
  run_.reset();
  gc_->Abandon();
  TreeWriteLock lock(tree_.nodes_mutex());
  tree_.Clear(lock);
}

void MctsSearch::NewGame() {
  ClearTree();
  if (backend_ != nullptr) backend_->ClearCache();
}

void MctsSearch::SetPosition(const PositionHistory& history) {
  run_.reset();
  {
    TreeWriteLock lock(tree_.nodes_mutex());
    tree_.SetPosition(lock, history);
  }
  gc_->Collect();
}

void MctsSearch::Start(const SearchLimits& limits, InfoSink* sink) {
  run_.reset();
  if (tree_.root_history().size() == 0) SetPosition(PositionHistory(kStartFen));
  auto shared = std::make_unique<SearchShared>(&tree_, backend_.get(), clock_, *search_params_);
  const Position& root = tree_.root_history().Last();
  shared->fallback = AllowedMoves(root.board, limits.searchmoves);
  RootFacts facts;
  facts.side = root.board.side_to_move();
  facts.game_ply = root.game_ply;
  PrepareRoot(limits, *shared, &facts.other_bytes);
  run_ =
      std::make_unique<SearchRun>(std::move(shared), backend_, limits, *stop_params_, facts, sink);
}

void MctsSearch::PonderHit() {
  if (run_ != nullptr) run_->PonderHit();
}

void MctsSearch::Stop() {
  if (run_ != nullptr) run_->Stop();
}

void MctsSearch::Abort() {
  if (run_ != nullptr) run_->Abort();
}

void MctsSearch::Wait() {
  if (run_ != nullptr) run_->Wait();
}

SearchSnapshot MctsSearch::Snapshot() const {
  TreeReadLock lock(tree_.nodes_mutex());
  return BuildSnapshot(lock, tree_, *search_params_, run_ != nullptr ? run_->answered() : Move());
}

SearchCounters MctsSearch::Counters() const {
  return run_ != nullptr ? run_->Counters() : SearchCounters();
}

}  // namespace plexus
