#pragma once
// position / go / stop / ponderhit / newgame over a Search, whatever the options ask for.

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/engine_options.h"
#include "engine/resources.h"
#include "engine/search_table.h"
#include "search/search.h"

namespace plexus {

// Thread safety: one controlling thread calls everything. Sinks are called from search threads.
// Invariants:
//  1. Exactly one OnBestMove of `sink` follows each Go, unless Abort is called, also if nothing could
//     be loaded: then the first legal move is played and a text says why.
//  2. Options are read by Prepare and Go only; while a search runs they may not change.
//  3. Infos without a figure of their own get as hashfull the share of the memory limit that the process
//     uses.
//  4. A failed load leaves the former backend in use; without a former one the built-in network is.
class Engine {
 public:
  using SearchMaker =
      std::function<std::unique_ptr<Search>(const std::string& name, const SearchContext& context)>;

  // Everything handed in outlives the engine. `tell` takes one line for the user, from the
  // controlling thread. `on_done` is called from a search thread when an answer has been given.
  Engine(EngineOptions* options, Resources* resources, Clock* clock, Tell tell,
         std::function<void()> on_done = {}, SearchMaker make_search = MakeSearch);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // ---- between searches ----
  // Loads what the options ask for (network, backend, search). Never throws; tells what went wrong.
  void Prepare();
  // An option was set: what failed to load before is tried again by the next Prepare or Go.
  void OptionsChanged() { resources_->Retry(); }
  // Forgets everything about former games: the tree and remembered answers. Keeps the position.
  void NewGame();
  // `fen` empty: the start position. A refused FEN throws Exception and keeps the former position. At
  // the first illegal move it throws too; the moves before it stay played.
  void SetPosition(const std::string& fen, const std::vector<std::string>& moves);
  // Starts to search; returns at once, or after Prepare if that was not done.
  void Go(const SearchLimits& limits, InfoSink* sink);

  // ---- any time ----
  const PositionHistory& position() const { return position_; }
  bool running() const { return running_; }  // from Go until Wait
  bool answered() const { return done_; }    // the answer of the running search has been given
  bool stop_requested() const { return stop_requested_; }
  // The running search answers only on order: infinite, or pondering.
  bool waits_for_order() const { return running_ && (limits_.infinite || limits_.ponder); }
  void PonderHit();
  void Stop();   // answer soon
  void Abort();  // no answer
  void Wait();   // until the answer is given; then running() is false
  // Of the running or the latest search; all zero if there was none.
  SearchCounters Counters() const;
  // Of the latest search; empty if there was none. REQUIRES: !running().
  SearchSnapshot Snapshot() const;
  const std::shared_ptr<Backend>& backend() const { return resources_->backend(); }

 private:
  class DoneSink;

  void LoadOrFallBack();
  bool FallBack(const BackendParams& params);  // whether it worked
  void AnswerWithoutSearch(const std::string& why, InfoSink* sink);

  EngineOptions* const options_;
  Resources* const resources_;
  Clock* const clock_;
  const Tell tell_;
  const std::function<void()> on_done_;
  const SearchMaker make_search_;

  PositionHistory position_;
  std::string search_name_;  // of search_
  std::unique_ptr<Search> search_;
  std::unique_ptr<DoneSink> sink_;
  SearchLimits limits_;
  bool running_ = false, stop_requested_ = false;
  std::atomic<bool> done_ = false;
};

}  // namespace plexus
