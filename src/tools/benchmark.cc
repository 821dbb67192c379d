#include "tools/benchmark.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>

#include "base/clock.h"
#include "base/exception.h"
#include "base/mutex.h"
#include "base/options_parser.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "engine/engine_options.h"
#include "engine/resources.h"
#include "engine/search_table.h"
#include "tools/bench_positions.h"
#include "tools/benchmark_report.h"
#include "tools/tool_args.h"

namespace plexus {
namespace {

constexpr int kPositions = static_cast<int>(kBenchPositions.size());
constexpr std::chrono::milliseconds kEarly{500};
constexpr int kDefaultMovetimeMs = 2000;

struct BenchmarkParams {
  int movetime_ms = 0;
  int nodes = 0;
  int num_positions = kPositions;
  std::string fen;
  std::string json;
};

const OptionRow<BenchmarkParams> kBenchmarkOptions[] = {
    {&BenchmarkParams::movetime_ms, "Movetime", "movetime", 0, 100000000,
     "milliseconds a position; 0 = 2000, or no limit if --nodes is given"},
    {&BenchmarkParams::nodes, "Nodes", "nodes", 0, 2000000000, "visits a position; 0 = no limit"},
    {&BenchmarkParams::num_positions, "NumPositions", "num-positions", 1, kPositions,
     "search only the first so many positions"},
    {&BenchmarkParams::fen, "Fen", "fen", 0, 0, "search this position instead"},
    {&BenchmarkParams::json, "Json", "json", 0, 0,
     "writes one JSON object to this file; --json alone prints it, and the table goes to the "
     "standard error stream"},
};

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

std::vector<std::string> ChosenPositions(const BenchmarkParams& params) {
  if (!params.fen.empty()) return {params.fen};
  return {kBenchPositions.begin(), kBenchPositions.begin() + params.num_positions};
}

double Seconds(Clock::Duration duration) { return std::chrono::duration<double>(duration).count(); }

MeasuredPosition Measure(const std::string& fen, const SearchLimits& limits, bool chess960,
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

void PrintHelp() {
  BenchmarkParams params;
  OptionSet own;
  own.Add(kBenchmarkOptions, &params);
  std::printf(
      "plexus benchmark [options]\n\n"
      "Searches fixed positions, each with an empty tree and an empty cache, and prints how fast.\n"
      "No search is cut short: all of the time or all of the visits are used. Speed rises during\n"
      "the first moments of a search, while the tree is too small for full batches: the column\n"
      "nps@0.5s tells how fast the first half second was.\n\n%s\n"
      "All options of the engine apply too:\n\n%s",
      own.Help(true).c_str(), EngineOptions().set.Help(false).c_str());
}

SearchLimits LimitsOf(const BenchmarkParams& params) {
  SearchLimits limits;
  if (params.nodes > 0) limits.nodes = params.nodes;
  if (params.movetime_ms > 0) limits.movetime_ms = params.movetime_ms;
  if (!limits.nodes && !limits.movetime_ms) limits.movetime_ms = kDefaultMovetimeMs;
  return limits;
}

}  // namespace

int RunBenchmark(std::span<const std::string> args) {
  if (WantsHelp(args)) {
    PrintHelp();
    return 0;
  }
  BenchmarkParams params;
  EngineOptions options;
  options.set.Add(kBenchmarkOptions, &params);
  const ProgramPaths paths = FindProgramPaths();
  RefuseWords(LoadOptions(ExpandJsonFlag(args), paths, &options.set), "benchmark");
  SetLogFile(options.log.log_file);
  Measurement measurement;
  measurement.options = options.set.DescribeChanged();
  // The time for a move is to be used in full, whatever the options say.
  options.stop.smart_pruning_factor = 0;
  options.stop.minimum_kld_gain = 0;
  options.stop.move_overhead_ms = 0;

  SteadyClock clock;
  Resources resources(paths, &clock);
  std::FILE* const table = params.json == "-" ? stderr : stdout;
  resources.Update(options.EffectiveBackend(),
                   [table](const std::string& text) { std::fprintf(table, "%s\n", text.c_str()); });
  Backend& backend = *resources.backend();
  const std::unique_ptr<Search> search = MakeSearch(
      options.engine.search, {resources.backend(), &clock, &options.search, &options.stop});

  measurement.backend = backend.attributes().description;
  measurement.suggested_batch = backend.attributes().suggested_batch;
  std::fputs(PositionTableHead().c_str(), table);
  const std::vector<DeviceCounters> before = backend.device_counters();
  const std::vector<std::string> fens = ChosenPositions(params);
  for (const std::string& fen : fens) {
    measurement.positions.push_back(
        Measure(fen, LimitsOf(params), options.engine.chess960, &clock, &backend, search.get()));
    std::fputs(
        PositionTableRow(measurement.positions.back(), measurement.positions.size(), fens.size())
            .c_str(),
        table);
    std::fflush(table);
  }
  measurement.devices = Difference(backend.device_counters(), before);
  std::fputs(TotalsText(measurement).c_str(), table);
  std::fflush(table);
  WriteJson(params.json, BenchmarkJson(measurement));
  return 0;
}

}  // namespace plexus
