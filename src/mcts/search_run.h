#pragma once
// One running search: its threads, when it ends, what it tells.

#include <string>
#include <vector>

#include "base/joining_thread.h"
#include "mcts/watchdog.h"
#include "mcts/worker.h"
#include "search/limits.h"
#include "search/search.h"
#include "search/stopper_chain.h"

namespace plexus {

// Thread safety: Stop, Abort and PonderHit from any thread; Wait and the destructor by the owner.
// Invariants:
//  1. The last worker that leaves answers, and nobody else: so exactly once, and after all others have gone.
//  2. The sink is called by one thread at a time (telling_), with no lock held.
//  3. After a stop, evaluations under way get a short grace (a batch of a fast device), then they are given up.
//  4. A search that may not answer yet pauses: its workers sleep until Stop or PonderHit.
class SearchRun {
 public:
  // `shared` is ready to search. Starts the threads.
  SearchRun(std::unique_ptr<SearchShared> shared, std::shared_ptr<Backend> backend,
            const SearchLimits& limits, const StopParams& stop_params, const RootFacts& facts,
            InfoSink* sink);
  ~SearchRun();

  void Stop();
  void Abort();
  void PonderHit();
  void Wait();

  SearchCounters Counters() const;
  Move answered() const;  // after Wait

 private:
  void RunWorker();
  void Iterate(SearchWorker* worker);
  void Judge(SearchStats stats);
  void AskOnTime();
  void End();  // answer, or pause if that must wait
  void RequestStop();
  // When evaluations under way are given up; max() before a stop and after it was done.
  Clock::TimePoint CancelAt() const REQUIRES(mutex_);
  void WaitWhilePaused();
  std::string TakeExplanation();  // what the stoppers have to say, once
  void KeepToNpsLimit(int64_t playouts);
  void Fail(const std::string& what);
  void MaybeReport(const SearchWorker& worker);
  SearchInfo MakeInfo(const SearchStats& stats, std::vector<std::string>* texts, bool is_final);
  void Finish();
  int64_t ElapsedMs(Clock::TimePoint since) const;

  const std::unique_ptr<SearchShared> shared_;
  const std::shared_ptr<Backend> backend_;
  const SearchLimits limits_;
  InfoSink* const sink_;
  const bool prunes_hopeless_;
  const int64_t node_limit_;  // once it counts
  const LockStats lock_stats_at_start_;
  StopperChain chain_;

  std::atomic<bool> telling_ = false;
  std::atomic<int> workers_left_;

  mutable Mutex mutex_;
  std::condition_variable changed_;
  Clock::TimePoint counted_from_ GUARDED_BY(mutex_);  // Start or PonderHit
  SearchStats last_stats_ GUARDED_BY(mutex_);
  Clock::TimePoint window_began_ GUARDED_BY(mutex_), window_before_ GUARDED_BY(mutex_);
  int64_t window_playouts_ GUARDED_BY(mutex_) = 0, window_before_playouts_ GUARDED_BY(mutex_) = 0;
  bool paused_ GUARDED_BY(mutex_) = false;
  Clock::TimePoint stopped_at_ GUARDED_BY(mutex_);
  bool aborted_ GUARDED_BY(mutex_) = false;
  bool explained_ GUARDED_BY(mutex_) = false;
  bool error_told_ GUARDED_BY(mutex_) = false;
  std::string error_ GUARDED_BY(mutex_);  // the first one
  Move answered_ GUARDED_BY(mutex_);
  std::optional<LockStats> lock_stats_at_end_ GUARDED_BY(mutex_);

  // Owned by whoever tells.
  Clock::TimePoint told_at_;
  int told_depth_ = -1, told_seldepth_ = -1;
  Move told_leader_;

  std::unique_ptr<Watchdog> watchdog_;
  std::vector<JoiningThread> threads_;
};

}  // namespace plexus
