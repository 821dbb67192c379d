#pragma once
// A Search that obeys its contract and thinks nothing: for tests of what stands above a search.

#include <condition_variable>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/joining_thread.h"
#include "base/mutex.h"
#include "chess/movegen.h"
#include "engine/search_table.h"
#include "search/search.h"

namespace plexus {

// What happened to all fake searches of a test; shared with the test.
struct FakeSearchLog {
  Mutex mutex;
  std::condition_variable changed;
  int made GUARDED_BY(mutex) = 0, new_games GUARDED_BY(mutex) = 0,
           ponder_hits GUARDED_BY(mutex) = 0;
  std::vector<SearchLimits> limits GUARDED_BY(mutex);
  std::vector<int> history_sizes GUARDED_BY(mutex);
  // Finite searches answer at once, or only after Finish() if `holds_finite`.
  bool holds_finite GUARDED_BY(mutex) = false;
  int to_finish GUARDED_BY(mutex) = 0;
  bool throws_at_start GUARDED_BY(mutex) = false;

  void HoldFinite() {
    MutexLock lock(mutex);
    holds_finite = true;
  }
  int Made() {
    MutexLock lock(mutex);
    return made;
  }
  int NewGames() {
    MutexLock lock(mutex);
    return new_games;
  }
  int PonderHits() {
    MutexLock lock(mutex);
    return ponder_hits;
  }
  // Lets one held finite search answer.
  void Finish() {
    MutexLock lock(mutex);
    ++to_finish;
    changed.notify_all();
  }
};

// Plays the first legal (or searched) move and sends one info line before. Infinite and pondering
// searches wait for Stop (or PonderHit) on a thread of their own.
class FakeSearch : public Search {
 public:
  explicit FakeSearch(FakeSearchLog* log) : log_(log) {
    MutexLock lock(log_->mutex);
    ++log_->made;
  }
  ~FakeSearch() override {
    Abort();
    Wait();
  }

  void NewGame() override {
    MutexLock lock(log_->mutex);
    ++log_->new_games;
  }
  void SetPosition(const PositionHistory& history) override {
    history_ = history;
    MutexLock lock(log_->mutex);
    log_->history_sizes.push_back(history.size());
  }
  void Start(const SearchLimits& limits, InfoSink* sink) override {
    {
      MutexLock lock(log_->mutex);
      if (log_->throws_at_start) throw std::runtime_error("it does not start");
      log_->limits.push_back(limits);
      stop_ = abort_ = false;
      limits_ = limits;
    }
    sink_ = sink;
    thread_ = JoiningThread("fake-search", [this] { Think(); });
  }
  void PonderHit() override {
    MutexLock lock(log_->mutex);
    limits_.ponder = false;
    ++log_->ponder_hits;
    log_->changed.notify_all();
  }
  void Stop() override { Order(false); }
  void Abort() override { Order(true); }
  void Wait() override { thread_.Join(); }
  SearchSnapshot Snapshot() const override { return {}; }
  SearchCounters Counters() const override { return {}; }

 private:
  void Order(bool abort) {
    MutexLock lock(log_->mutex);
    stop_ = true;
    abort_ = abort_ || abort;
    log_->changed.notify_all();
  }
  bool MayFinish() REQUIRES(log_->mutex) {
    if (stop_) return true;
    if (limits_.infinite || limits_.ponder) return false;
    if (!log_->holds_finite) return true;
    if (log_->to_finish == 0) return false;
    --log_->to_finish;
    return true;
  }
  void Think() {
    {
      MutexLock lock(log_->mutex);
      while (!MayFinish()) log_->changed.wait(lock.native());
      if (abort_) return;
    }
    const MoveList legal = LegalMoves(history_.Last().board);
    BestMove best;
    if (!legal.empty()) {
      best.move = limits_.searchmoves.empty() ? legal[0] : limits_.searchmoves[0];
      SearchInfo info;
      info.depth = 1;
      info.nodes = 1;
      info.lines.push_back({1, {}, {best.move}, 1});
      sink_->OnInfo(info);
    }
    sink_->OnBestMove(best);
  }

  FakeSearchLog* const log_;
  PositionHistory history_;
  InfoSink* sink_ = nullptr;
  bool stop_ GUARDED_BY(log_->mutex) = false, abort_ GUARDED_BY(log_->mutex) = false;
  SearchLimits limits_;
  JoiningThread thread_;
};

}  // namespace plexus
