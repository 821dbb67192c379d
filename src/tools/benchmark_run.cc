#include "tools/benchmark_run.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>

#include "base/exception.h"
#include "base/mutex.h"
#include "chess/movegen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

constexpr std::chrono::milliseconds kEarly{500};

// Waits for the answer; texts of the search go to the user at once.
class AnswerSink : public InfoSink {
 public:
  void OnInfo(const SearchInfo& info) override {}
  void OnText(const std::string& text) override {
    std::fprintf(stderr, "%s\n", text.c_str());
    MutexLock lock(mutex_);
    last_text_ = text;
  }
  void OnBestMove(const BestMove& best) override {
    MutexLock lock(mutex_);
    best_ = best.move;
    is_done_ = true;
    done_.notify_all();
  }
  // Returns whether the answer came before `deadline`.
  bool WaitUntil(Clock* clock, Clock::TimePoint deadline) {
    MutexLock lock(mutex_);
    return clock->WaitUntil(lock, done_, deadline,
                            [this]() NO_THREAD_SAFETY_ANALYSIS { return is_done_; });
  }
  Move best() {
    MutexLock lock(mutex_);
    return best_;
  }
  std::string last_text() {
    MutexLock lock(mutex_);
    return last_text_;
  }

 private:
  Mutex mutex_;
  std::condition_variable done_;
  Move best_ GUARDED_BY(mutex_);
  std::string last_text_ GUARDED_BY(mutex_);
  bool is_done_ GUARDED_BY(mutex_) = false;
};

double Seconds(Clock::Duration duration) { return std::chrono::duration<double>(duration).count(); }

}  // namespace

MeasuredPosition MeasureSearch(const std::string& fen, const SearchLimits& limits, bool chess960,
                               Clock* clock, Backend* backend, Search* search) {
  const PositionHistory history(fen);
  if (!HasLegalMove(history.Last().board)) {
    throw Exception("The game is over in \"" + fen + "\".", "Give a position with legal moves.");
  }
  search->NewGame();
  backend->ClearCache();
  search->SetPosition(history);
  MeasuredPosition result;
  result.fen = fen;
  AnswerSink sink;
  const Clock::TimePoint start = clock->Now();
  search->Start(limits, &sink);
  if (!sink.WaitUntil(clock, start + kEarly)) {
    result.early_nodes = search->Counters().playouts;
    result.early_seconds = Seconds(clock->Now() - start);
  }
  search->Wait();
  result.seconds = Seconds(clock->Now() - start);
  result.counters = search->Counters();
  result.best_move = ToUci(history.Last().board, sink.best(), chess960);
  if (result.counters.playouts == 0) {
    throw Exception("The search of \"" + fen + "\" made no visit.", sink.last_text());
  }
  return result;
}

}  // namespace plexus
