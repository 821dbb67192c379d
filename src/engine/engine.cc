#include "engine/engine.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/exception.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "search/memory_watch.h"

namespace plexus {

// Passes everything on, adds how full the memory is and what the backend has to tell (a device that failed while others
// go on), and notes that the answer was given.
class Engine::DoneSink : public InfoSink {
 public:
  DoneSink(Engine* engine, InfoSink* next, std::shared_ptr<Backend> backend, int64_t memory_limit)
      : engine_(engine), next_(next), backend_(std::move(backend)), memory_limit_(memory_limit) {}
  void OnInfo(const SearchInfo& info) override {
    TellNotices();
    SearchInfo filled = info;
    if (filled.hashfull_permille < 0 && memory_limit_ > 0) {
      // In whole per mille of the limit, so that the product cannot overflow.
      const int64_t per_mille = std::max<int64_t>(1, memory_limit_ / 1000);
      filled.hashfull_permille =
          static_cast<int>(std::min<int64_t>(1000, ResidentBytes() / per_mille));
    }
    next_->OnInfo(filled);
  }
  void OnText(const std::string& text) override { next_->OnText(text); }
  void OnBestMove(const BestMove& best) override {
    TellNotices();
    next_->OnBestMove(best);
    engine_->done_ = true;
    if (engine_->on_done_) engine_->on_done_();
  }

 private:
  void TellNotices() {
    if (!backend_) return;
    for (const std::string& notice : backend_->TakeNotices()) next_->OnText(notice);
  }

  Engine* const engine_;
  InfoSink* const next_;
  const std::shared_ptr<Backend> backend_;  // null: there is none
  const int64_t memory_limit_;              // bytes; 0: unknown
};

Engine::Engine(EngineOptions* options, Resources* resources, Clock* clock, Tell tell,
               std::function<void()> on_done, SearchMaker make_search)
    : options_(options),
      resources_(resources),
      clock_(clock),
      tell_(std::move(tell)),
      on_done_(std::move(on_done)),
      make_search_(std::move(make_search)),
      position_(kStartFen) {
  options_->set.AddButton("Clear Hash", "forget remembered network answers and the search tree",
                          [this] { NewGame(); });
}

Engine::~Engine() {
  if (running_) Abort();
}

void Engine::LoadOrFallBack() {
  try {
    if (resources_->Update(options_->EffectiveBackend(), tell_)) search_.reset();
    return;
  } catch (const std::exception& error) {
    tell_(std::string("cannot load: ") + error.what());
  }
  if (resources_->backend()) {
    tell_("the former network and backend stay in use");
    return;
  }
  // The backend may have failed, so first the network that was asked for on the best one there is.
  BackendParams fallback = options_->EffectiveBackend();
  const bool other_backend = fallback.backend != "auto" || !fallback.backend_options.empty();
  fallback.backend = "auto";
  fallback.backend_options.clear();
  if (other_backend && FallBack(fallback)) return;
  fallback.weights_file = "<built in>";
  if (!FallBack(fallback)) tell_("there is no network to fall back to");
}

bool Engine::FallBack(const BackendParams& params) {
  try {
    if (resources_->Update(params, tell_)) search_.reset();
    tell_("the network and backend just named are used in its place");
    return true;
  } catch (const std::exception& error) {
    tell_(std::string("cannot load in its place: ") + error.what());
    return false;
  }
}

void Engine::Prepare() {
  LoadOrFallBack();
  if (!resources_->backend() || (search_ && search_name_ == options_->engine.search)) return;
  try {
    search_ = make_search_(options_->engine.search,
                           {resources_->backend(), clock_, &options_->search, &options_->stop});
    search_name_ = options_->engine.search;
  } catch (const std::exception& error) {
    tell_(std::string("cannot start the search: ") + error.what());
  }
}

void Engine::NewGame() {
  if (search_) search_->NewGame();
  if (resources_->backend()) resources_->backend()->ClearCache();
}

void Engine::SetPosition(const std::string& fen, const std::vector<std::string>& moves) {
  PositionHistory history(fen.empty() ? kStartFen : fen);
  history.Reserve(static_cast<int>(moves.size()) + 1);
  const bool chess960 = options_->engine.chess960;
  for (size_t i = 0; i < moves.size(); ++i) {
    try {
      history.Append(ParseUci(history.Last().board, moves[i], chess960));
    } catch (const Exception& error) {
      position_ = std::move(history);
      throw Exception("move " + std::to_string(i + 1) + " of the list: " + error.what(),
                      "The position is the one before that move.");
    }
  }
  position_ = std::move(history);
}

void Engine::Go(const SearchLimits& limits, InfoSink* sink) {
  Prepare();
  limits_ = limits;
  running_ = true;
  stop_requested_ = false;
  done_ = false;
  const int64_t memory_limit = MemoryLimitBytes(options_->stop.ram_limit_mb, MachineMemoryBytes());
  sink_ = std::make_unique<DoneSink>(this, sink, resources_->backend(), memory_limit);
  if (!search_) {
    AnswerWithoutSearch("there is no network to search with", sink_.get());
    return;
  }
  try {
    search_->SetPosition(position_);
    search_->Start(limits, sink_.get());
  } catch (const std::exception& error) {
    AnswerWithoutSearch(std::string("the search did not start: ") + error.what(), sink_.get());
  }
}

void Engine::AnswerWithoutSearch(const std::string& why, InfoSink* sink) {
  sink->OnText(why + "; the first legal move is played");
  BestMove best;
  const MoveList moves = LegalMoves(position_.Last().board);
  if (!moves.empty()) best.move = moves[0];
  sink->OnBestMove(best);
}

void Engine::PonderHit() {
  if (!running_ || !limits_.ponder || done_) return;
  limits_.ponder = false;
  if (search_) search_->PonderHit();
}

void Engine::Stop() {
  if (!running_) return;
  stop_requested_ = true;
  if (search_) search_->Stop();
}

void Engine::Abort() {
  if (!running_) return;
  if (search_) {
    search_->Abort();
    search_->Wait();
  }
  running_ = false;
}

void Engine::Wait() {
  if (!running_) return;
  if (search_) search_->Wait();
  running_ = false;
}

SearchSnapshot Engine::Snapshot() const { return search_ ? search_->Snapshot() : SearchSnapshot(); }

SearchCounters Engine::Counters() const { return search_ ? search_->Counters() : SearchCounters(); }

}  // namespace plexus
