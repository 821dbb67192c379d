#pragma once
// The phases of one iteration, callable one by one. During a search this is the only place that takes the tree's lock
// for writing: once for a gather, once for a backup.

#include <atomic>
#include <condition_variable>
#include <limits>
#include <memory>
#include <optional>
#include <stop_token>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"
#include "mcts/extend.h"
#include "mcts/gather.h"
#include "mcts/minibatch.h"
#include "mcts/params.h"
#include "mcts/tree.h"
#include "net/backend.h"
#include "search/info.h"
#include "search/stopper.h"

namespace plexus {

// Lets a bounded number of workers gather and extend at once; the others sleep.
class Gate {
 public:
  explicit Gate(int limit) : free_(limit), limited_(limit > 0) {}
  void Enter();
  void Leave();

 private:
  Mutex mutex_;
  std::condition_variable freed_;
  int free_ GUARDED_BY(mutex_);
  const bool limited_;
};

// What the workers of one search share.
struct SearchShared {
  SearchShared(Tree* the_tree, Backend* the_backend, Clock* the_clock,
               const SearchParams& search_params);

  // Constant during a search.
  Tree& tree;
  Backend& backend;
  Clock& clock;
  const SearchParams params;
  const BackendAttributes attributes;
  const SelectionParams selection;
  const int workers, minibatch_size;
  Clock::TimePoint started_at;
  int64_t root_visits_at_start = 0;
  bool want_distribution = false;
  std::vector<Move> fallback;  // legal moves of the root that may be answered

  std::atomic<bool> stop = false;
  std::stop_source cancel;  // evaluations under way are given up: a stop does not wait for a slow device
  Gate gate;
  // Visits of the root that no gather may exceed.
  std::atomic<int64_t> node_limit = kMaxVisits;
  // Root moves that cannot catch up within so many visits are not searched.
  std::atomic<int64_t> hopeless_after = std::numeric_limits<int64_t>::max();

  // When the search will have to stop, so that no batch is gathered that would take much longer; max() = not known.
  void SetTimeLeft(int64_t ms);
  Clock::Duration TimeLeft() const;
  std::atomic<int64_t> stop_at_ns = std::numeric_limits<int64_t>::max();  // since started_at

  // Guarded by tree.nodes_mutex().
  SearchCounters counters GUARDED_BY(tree.nodes_mutex());
  int64_t leaves_in_flight GUARDED_BY(tree.nodes_mutex()) = 0;
  int64_t depth_sum GUARDED_BY(tree.nodes_mutex()) = 0;
  int max_depth GUARDED_BY(tree.nodes_mutex()) = 0;
  std::optional<Random> noise
      GUARDED_BY(tree.nodes_mutex());  // set if the root wants noise when it is expanded

  // Elapsed time is added by the asker.
  SearchStats Stats(Move* leader) const REQUIRES(tree.nodes_mutex());
};

// Owned and called by one thread.
class SearchWorker {
 public:
  explicit SearchWorker(SearchShared* shared);
  // Visits that are in flight when a worker goes (a test that stopped half way) are taken back.
  ~SearchWorker();

  enum class Progress { kYes, kNothingToDo };
  // Throws what the backend threw, after all visits were taken back.
  Progress RunOneIteration();

  // The phases, in this order. Gather may find nothing; then the others do nothing.
  void Gather();
  void Extend();
  // False: it was cancelled; then TakeBack is called for.
  bool Compute();
  void BackUp();
  // Instead of what is left of them: every visit in flight is returned.
  void TakeBack();

  const Minibatch& minibatch() const { return minibatch_; }
  const SearchStats& stats() const { return stats_; }  // of the latest phase that held the lock
  Move leader() const { return leader_; }              // the root's most visited move then
  uint64_t epoch() const { return epoch_; }            // of the tree, at the latest gather

 private:
  int CollisionEvents() const;
  GatherLimits Limits() const REQUIRES(shared_.tree.nodes_mutex());
  void CountBatch() REQUIRES(shared_.tree.nodes_mutex());

  SearchShared& shared_;
  Extender extender_;
  Minibatch minibatch_;
  PickScratch scratch_;
  SearchStats stats_;
  Move leader_;
  uint64_t epoch_ = 0;
  bool wants_help_ = false;  // the latest gather left work that another worker could take
  float free_share_ = 0;  // recent share of leaves that needed no evaluation
  Clock::Duration gather_time_{}, compute_time_{};  // recent means, waiting included
  Clock::Duration position_time_{};                 // of a batch, for each of its positions
  bool in_flight_ = false;                          // gathered and neither backed up nor taken back
};

}  // namespace plexus
