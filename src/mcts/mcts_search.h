#pragma once
// Monte-Carlo tree search on a backend: workers, stop, limits, best move, reports.

#include <atomic>
#include <memory>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "mcts/params.h"
#include "mcts/tree.h"
#include "net/backend.h"
#include "search/search.h"
#include "search/stop_params.h"

namespace plexus {

class SearchRun;
class TreeGc;

// Thread safety: as search.h says of every search.
// Invariants:
//  1. Exactly one OnBestMove follows each Start that is not aborted, whatever the backend throws.
//  2. The sink is called with no lock of the tree held, one call at a time.
//  3. Parameters are read at Start and constant until Wait returned.
class MctsSearch : public Search {
 public:
  // `clock`, `search_params` and `stop_params` outlive the search. A fake clock should only be
  // advanced by the backend or by a test.
  MctsSearch(std::shared_ptr<Backend> backend, Clock* clock, const SearchParams* search_params,
             const StopParams* stop_params);
  ~MctsSearch() override;

  // From the next Start on; the tree is kept if `keep_tree` says that both give the same values.
  // REQUIRES: no search runs.
  void SetBackend(std::shared_ptr<Backend> backend, bool keep_tree = false);

  void NewGame() override;
  void SetPosition(const PositionHistory& history) override;
  void Start(const SearchLimits& limits, InfoSink* sink) override;
  void PonderHit() override;
  void Stop() override;
  void Abort() override;
  void Wait() override;
  SearchSnapshot Snapshot() const override;
  SearchCounters Counters() const override;

  // Of the tree's lock, since construction.
  LockStats lock_stats() const { return tree_.nodes_mutex().stats(); }
  // For tests and inspection: read under a TreeReadLock.
  const Tree& tree() const { return tree_; }

 private:
  void ClearTree();

  Tree tree_;
  const std::unique_ptr<TreeGc> gc_;
  std::shared_ptr<Backend> backend_;
  Clock* const clock_;
  const SearchParams* const search_params_;
  const StopParams* const stop_params_;
  std::unique_ptr<SearchRun> run_;  // the running or the latest search
};

}  // namespace plexus
