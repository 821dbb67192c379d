#include "mcts/search_run.h"

#include <algorithm>

#include "mcts/best_move.h"
#include "mcts/report.h"

namespace plexus {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kInfoSpacing{
    20};  // a change is told not earlier than this after the last info
constexpr milliseconds kInfoInterval{1000};  // and an info without any change after this
constexpr milliseconds kSpeedWindow{500};
// After a stop, so long a batch may still come in; who has no evaluation of the root yet waits longer, for the sake of
// a sensible move.
constexpr milliseconds kGrace{20}, kFirstGrace{200};

int64_t NodeLimit(const SearchLimits& limits, const StopParams& stop_params, int64_t root_visits) {
  if (!limits.nodes || limits.infinite) return kMaxVisits;
  const int64_t nodes = *limits.nodes + (stop_params.nodes_as_playouts ? root_visits : 0);
  return std::clamp<int64_t>(nodes, 0, kMaxVisits);
}

bool PrunesHopeless(const SearchParams& params, const StopParams& stop_params) {
  return stop_params.smart_pruning_factor > 0 && !stop_params.analyse_mode &&
         params.multi_pv == 1 && params.temperature == 0;
}

}  // namespace

SearchRun::SearchRun(std::unique_ptr<SearchShared> shared, std::shared_ptr<Backend> backend,
                     const SearchLimits& limits, const StopParams& stop_params,
                     const RootFacts& facts, InfoSink* sink)
    : shared_(std::move(shared)),
      backend_(std::move(backend)),
      limits_(limits),
      sink_(sink),
      prunes_hopeless_(PrunesHopeless(shared_->params, stop_params)),
      node_limit_(NodeLimit(limits, stop_params, shared_->root_visits_at_start)),
      lock_stats_at_start_(shared_->tree.nodes_mutex().stats()),
      chain_(limits, stop_params, facts),
      workers_left_(shared_->workers),
      counted_from_(shared_->started_at),
      window_began_(shared_->started_at),
      window_before_(shared_->started_at),
      told_at_(shared_->started_at - kInfoInterval) {
  shared_->want_distribution = chain_.wants_distribution();
  if (!limits.ponder) shared_->node_limit = node_limit_;
  SearchStats stats;
  {
    TreeReadLock lock(shared_->tree.nodes_mutex());
    Move leader;
    stats = shared_->Stats(&leader);
  }
  // Without legal moves there is nothing to search, and nothing to wait for but the order to answer.
  if (shared_->fallback.empty()) {
    End();
  } else {
    Judge(stats);
  }
  watchdog_ = std::make_unique<Watchdog>(
      &shared_->clock,
      [this] {
        const int64_t deadline_ms = chain_.NextDeadlineMs();
        MutexLock lock(mutex_);
        if (shared_->stop) return CancelAt();
        if (deadline_ms > int64_t{1} << 40) return Clock::TimePoint::max();
        return counted_from_ + milliseconds(deadline_ms);
      },
      [this] { AskOnTime(); });
  watchdog_->Start();
  for (int i = 0; i < shared_->workers; ++i) {
    threads_.emplace_back("search " + std::to_string(i), [this] { RunWorker(); });
  }
}

SearchRun::~SearchRun() {
  Abort();
  Wait();
}

void SearchRun::RequestStop() {
  {
    MutexLock lock(mutex_);
    if (!shared_->stop) stopped_at_ = shared_->clock.Now();
    shared_->stop = true;
    changed_.notify_all();
  }
  shared_->tree.nodes_mutex().Wake();
  if (watchdog_ != nullptr) watchdog_->Poke();
}

Clock::TimePoint SearchRun::CancelAt() const {
  if (shared_->cancel.stop_requested()) return Clock::TimePoint::max();
  return stopped_at_ + (last_stats_.nodes > 0 ? kGrace : kFirstGrace);
}

void SearchRun::Stop() { RequestStop(); }

void SearchRun::Abort() {
  {
    MutexLock lock(mutex_);
    aborted_ = true;
  }
  shared_->cancel.request_stop();
  RequestStop();
}

void SearchRun::PonderHit() {
  chain_.PonderHit();
  shared_->node_limit = node_limit_;
  SearchStats stats;
  {
    MutexLock lock(mutex_);
    counted_from_ = window_began_ = window_before_ = shared_->clock.Now();
    window_playouts_ = window_before_playouts_ = last_stats_.playouts;
    paused_ = false;
    stats = last_stats_;
    changed_.notify_all();
  }
  if (shared_->fallback.empty()) return End();
  Judge(stats);
  if (watchdog_ != nullptr) watchdog_->Poke();
}

void SearchRun::Wait() {
  for (JoiningThread& thread : threads_) thread.Join();
}

int64_t SearchRun::ElapsedMs(Clock::TimePoint since) const {
  return std::chrono::duration_cast<milliseconds>(shared_->clock.Now() - since).count();
}

void SearchRun::RunWorker() {
  {
    SearchWorker worker(shared_.get());
    try {
      while (!shared_->stop) {
        WaitWhilePaused();
        if (!shared_->stop) Iterate(&worker);
      }
    } catch (const std::exception& e) {
      Fail(e.what());
    }
  }
  if (--workers_left_ == 0) Finish();
}

void SearchRun::Iterate(SearchWorker* worker) {
  SearchWorker::Progress progress;
  try {
    progress = worker->RunOneIteration();
  } catch (const std::exception& e) {
    return Fail(e.what());
  }
  Judge(worker->stats());
  if (shared_->stop) return;
  MaybeReport(*worker);
  if (progress == SearchWorker::Progress::kNothingToDo) {
    shared_->tree.nodes_mutex().WaitForChange(worker->epoch(), shared_->stop);
  } else {
    KeepToNpsLimit(worker->stats().playouts);
  }
}

void SearchRun::Judge(SearchStats stats) {
  {
    MutexLock lock(mutex_);
    const Clock::TimePoint now = shared_->clock.Now();
    stats.elapsed_ms = ElapsedMs(counted_from_);
    if (now - window_began_ >= kSpeedWindow) {
      window_before_ = window_began_;
      window_before_playouts_ = window_playouts_;
      window_began_ = now;
      window_playouts_ = stats.playouts;
    }
    stats.nps_window_ms = std::chrono::duration_cast<milliseconds>(now - window_before_).count();
    stats.nps_window_playouts = stats.playouts - window_before_playouts_;
    if (stats.playouts >= last_stats_.playouts) last_stats_ = stats;
  }
  StopperHints hints;
  const bool stop = chain_.ShouldStop(stats, &hints);
  if (prunes_hopeless_) shared_->hopeless_after = hints.remaining_playouts;
  shared_->SetTimeLeft(hints.remaining_ms);
  const bool solved = stats.root_is_proven && shared_->params.multi_pv == 1 && !chain_.MayAnswer();
  if (stop || solved || stats.nodes >= shared_->node_limit) End();
}

void SearchRun::AskOnTime() {
  if (shared_->stop) {
    shared_->cancel.request_stop();
    return;
  }
  SearchStats stats;
  {
    MutexLock lock(mutex_);
    stats = last_stats_;
  }
  Judge(stats);
}

void SearchRun::End() {
  if (chain_.MayAnswer()) return RequestStop();
  MutexLock lock(mutex_);
  paused_ = true;
}

void SearchRun::WaitWhilePaused() {
  {
    MutexLock lock(mutex_);
    if (!paused_) return;
  }
  // Whoever is telling now comes here next, so that the text is not lost.
  if (!telling_.exchange(true)) {
    if (const std::string text = TakeExplanation(); !text.empty()) sink_->OnText(text);
    telling_ = false;
  }
  MutexLock lock(mutex_);
  while (paused_ && !shared_->stop) changed_.wait(lock.native());
}

std::string SearchRun::TakeExplanation() {
  const std::string text = chain_.explanation();
  MutexLock lock(mutex_);
  if (text.empty() || explained_) return "";
  explained_ = true;
  return text;
}

void SearchRun::KeepToNpsLimit(int64_t playouts) {
  if (shared_->params.nps_limit <= 0) return;
  const auto due = std::chrono::nanoseconds(playouts * 1'000'000'000 / shared_->params.nps_limit);
  MutexLock lock(mutex_);
  shared_->clock.WaitUntil(lock, changed_, shared_->started_at + due,
                           [this] { return shared_->stop.load(); });
}

void SearchRun::Fail(const std::string& what) {
  const std::string text = "the search cannot go on: " + what;
  const bool may_tell = !telling_.exchange(true);
  bool tell;
  {
    MutexLock lock(mutex_);
    tell = may_tell && error_.empty() && !aborted_;
    if (error_.empty()) error_ = text;
    error_told_ |= tell || aborted_;  // else it is told at the end
  }
  if (tell) sink_->OnText(text);
  if (may_tell) telling_ = false;
  End();
}

void SearchRun::MaybeReport(const SearchWorker& worker) {
  if (telling_.exchange(true)) return;  // somebody else is telling
  const SearchStats& stats = worker.stats();
  const Clock::TimePoint now = shared_->clock.Now();
  const bool changed = stats.average_depth != told_depth_ || stats.max_depth != told_seldepth_ ||
                       !(worker.leader() == told_leader_);
  const Clock::Duration since = now - told_at_;
  if (stats.nodes > 0 && (since >= kInfoInterval || (changed && since >= kInfoSpacing))) {
    told_at_ = now;
    told_depth_ = stats.average_depth;
    told_seldepth_ = stats.max_depth;
    told_leader_ = worker.leader();
    std::vector<std::string> texts;
    const SearchInfo info = MakeInfo(stats, &texts, false);
    for (const std::string& text : texts) sink_->OnText(text);
    sink_->OnInfo(info);
  }
  telling_ = false;
}

SearchInfo SearchRun::MakeInfo(const SearchStats& stats, std::vector<std::string>* texts,
                               bool is_final) {
  const SearchParams& params = shared_->params;
  ReportContext context;
  context.depth = stats.average_depth;
  context.seldepth = stats.max_depth;
  context.elapsed_ms = ElapsedMs(shared_->started_at);
  context.nodes = stats.nodes;
  context.nps = context.elapsed_ms > 0 ? stats.playouts * 1000 / context.elapsed_ms : 0;
  context.has_wdl = shared_->attributes.has_wdl;
  context.has_moves_left = shared_->attributes.has_moves_left;
  context.fallback = shared_->fallback;
  TreeReadLock lock(shared_->tree.nodes_mutex());
  if (is_final ? params.verbose_move_stats : params.log_live_stats) {
    *texts = BuildMoveStats(lock, shared_->tree, params);
  }
  return BuildInfo(lock, shared_->tree, params, context);
}

SearchCounters SearchRun::Counters() const {
  SearchCounters counters;
  {
    TreeReadLock lock(shared_->tree.nodes_mutex());
    counters = shared_->counters;
    counters.nodes = shared_->tree.node(shared_->tree.root()).n;
    counters.tree_nodes = shared_->tree.nodes_in_use();
    counters.tree_bytes = shared_->tree.bytes_in_use();
  }
  const LockStats now = shared_->tree.nodes_mutex().stats();
  MutexLock lock(mutex_);
  const LockStats& end = lock_stats_at_end_ ? *lock_stats_at_end_ : now;
  counters.lock_acquisitions_other = end.acquisitions - lock_stats_at_start_.acquisitions -
                                     counters.lock_acquisitions_gather -
                                     counters.lock_acquisitions_backup;
  counters.lock_held_ns = end.hold_ns - lock_stats_at_start_.hold_ns;
  counters.lock_wait_ns = end.wait_ns - lock_stats_at_start_.wait_ns;
  counters.gather_ns = end.gather_ns - lock_stats_at_start_.gather_ns;
  counters.backup_ns = end.backup_ns - lock_stats_at_start_.backup_ns;
  return counters;
}

Move SearchRun::answered() const {
  MutexLock lock(mutex_);
  return answered_;
}

void SearchRun::Finish() {
  SearchStats stats;
  std::vector<std::string> texts;
  {
    MutexLock lock(mutex_);
    lock_stats_at_end_ = shared_->tree.nodes_mutex().stats();
    if (!error_.empty() && !error_told_) texts.push_back(error_);
  }
  BestMoveChoice choice;
  {
    TreeReadLock lock(shared_->tree.nodes_mutex());
    Move leader;
    stats = shared_->Stats(&leader);
    Random random(shared_->params.seed != 0
                      ? static_cast<uint64_t>(shared_->params.seed) +
                            static_cast<uint64_t>(shared_->tree.root_history().Last().game_ply)
                      : Random::SeedFromSystem());
    choice = ChooseBestMove(lock, shared_->tree, shared_->params, shared_->fallback, &random);
  }
  chain_.OnSearchDone(stats);
  if (const std::string explanation = TakeExplanation(); !explanation.empty())
    texts.push_back(explanation);
  if (stats.nodes >= kMaxVisits)
    texts.push_back("the search ended: its tree has as many visits as can be counted");
  {
    MutexLock lock(mutex_);
    answered_ = choice.best;
    if (aborted_) return;
  }
  std::vector<std::string> move_stats;
  SearchInfo info;
  if (!shared_->fallback.empty()) info = MakeInfo(stats, &move_stats, true);
  if (shared_->params.lock_stats) {
    const SearchCounters counters = Counters();
    texts.push_back("tree lock: gathers " + std::to_string(counters.lock_acquisitions_gather) +
                    " backups " + std::to_string(counters.lock_acquisitions_backup) + " others " +
                    std::to_string(counters.lock_acquisitions_other) + " held us " +
                    std::to_string(counters.lock_held_ns / 1000) + " (gathers " +
                    std::to_string(counters.gather_ns / 1000) + " backups " +
                    std::to_string(counters.backup_ns / 1000) + ") waited us " +
                    std::to_string(counters.lock_wait_ns / 1000) + " playouts " +
                    std::to_string(counters.playouts));
  }
  for (const std::string& text : move_stats) sink_->OnText(text);
  if (!shared_->fallback.empty()) sink_->OnInfo(info);
  for (const std::string& text : texts) sink_->OnText(text);
  sink_->OnBestMove({choice.best, choice.ponder});
}

}  // namespace plexus
