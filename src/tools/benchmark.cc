#include "tools/benchmark.h"

#include <cstdio>
#include <memory>

#include "base/clock.h"
#include "base/exception.h"
#include "base/options_parser.h"
#include "engine/engine_options.h"
#include "engine/resources.h"
#include "engine/search_table.h"
#include "tools/bench_positions.h"
#include "tools/benchmark_report.h"
#include "tools/benchmark_run.h"
#include "tools/benchmark_sweep.h"
#include "tools/tool_args.h"

namespace plexus {
namespace {

constexpr int kPositions = static_cast<int>(kBenchPositions.size());
constexpr int kSweepPositions = 4;
constexpr int kDefaultMovetimeMs = 2000;

struct BenchmarkParams {
  int movetime_ms = 0;
  int nodes = 0;
  int num_positions = 0;
  std::string fen;
  std::string json;
  bool sweep = false;
  SweepLists lists;
};

const OptionRow<BenchmarkParams> kBenchmarkOptions[] = {
    {&BenchmarkParams::movetime_ms, "Movetime", "movetime", 0, 100000000,
     "milliseconds a position; 0 = 2000, or no limit if --nodes is given"},
    {&BenchmarkParams::nodes, "Nodes", "nodes", 0, 2000000000, "visits a position; 0 = no limit"},
    {&BenchmarkParams::num_positions, "NumPositions", "num-positions", 0, kPositions,
     "search only the first so many positions; 0 = all, or 4 with --sweep"},
    {&BenchmarkParams::fen, "Fen", "fen", 0, 0, "search this position instead"},
    {&BenchmarkParams::json, "Json", "json", 0, 0,
     "writes one JSON object to this file; --json alone prints it, and the table goes to the "
     "standard error stream"},
    {&BenchmarkParams::sweep, "Sweep", "sweep", 0, 0,
     "measure a grid of configurations instead; the options below say which"},
};

const OptionRow<SweepLists> kSweepOptions[] = {
    {&SweepLists::devices, "Devices", "devices", 0, 0,
     "with --sweep: numbers of devices, as 1,2,4. Each takes the first so many of the list in "
     "BackendOptions, or repeats its only one with gpu=0, gpu=1 ...; empty = doublings up to all "
     "that are listed"},
    {&SweepLists::threads, "SweepThreads", "sweep-threads", 0, 0,
     "with --sweep: numbers of search workers, 0 = automatic; empty = Threads"},
    {&SweepLists::minibatches, "SweepMinibatch", "sweep-minibatch", 0, 0,
     "with --sweep: minibatch sizes, 0 = automatic; empty = MinibatchSize"},
    {&SweepLists::combiners, "Combiners", "combiners", 0, 0,
     "with --sweep: ways to join devices, as multiplexing,roundrobin,demux; empty = Backend if it "
     "joins devices, else multiplexing"},
};

std::vector<std::string> ChosenPositions(const BenchmarkParams& params) {
  if (!params.fen.empty()) return {params.fen};
  const int all = params.sweep ? kSweepPositions : kPositions;
  const int number = params.num_positions > 0 ? params.num_positions : all;
  return {kBenchPositions.begin(), kBenchPositions.begin() + number};
}

void PrintHelp() {
  BenchmarkParams params;
  OptionSet own;
  own.Add(kBenchmarkOptions, &params);
  own.Add(kSweepOptions, &params.lists);
  std::printf(
      "plexus benchmark [options]\n\n"
      "Searches fixed positions, each with an empty tree and an empty cache, and prints how fast.\n"
      "No search is cut short: all of the time or all of the visits are used. Speed rises during\n"
      "the first moments of a search, while the tree is too small for full batches: the column\n"
      "nps@0.5s tells how fast the first half second was.\n\n"
      "With --sweep it measures a grid of devices x threads x minibatch (x ways to join devices), "
      "a\n"
      "row each, and recommends one; a configuration that fails is a row with the reason:\n"
      "  plexus benchmark --sweep --devices=1,2,4,8 --backend=multiplexing \\\n"
      "    \"--backend-opts=(backend=sim,profile=titan-v-fp16)\"\n\n%s\n"
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
  options.set.Add(kSweepOptions, &params.lists);
  const ProgramPaths paths = FindProgramPaths();
  RefuseWords(LoadOptions(ExpandJsonFlag(args), paths, &options.set), "benchmark");
  SetLogFile(options.log.log_file);
  const std::string changed = options.set.DescribeChanged();
  // The time for a move is to be used in full, whatever the options say.
  options.stop.smart_pruning_factor = 0;
  options.stop.minimum_kld_gain = 0;
  options.stop.move_overhead_ms = 0;

  std::FILE* const table = params.json == "-" ? stderr : stdout;
  if (params.sweep) {
    const Sweep sweep = RunSweep(
        {params.lists, ChosenPositions(params), LimitsOf(params), changed, paths}, &options);
    std::fputs(SweepText(sweep).c_str(), table);
    WriteJson(params.json, SweepJson(sweep));
    return 0;
  }
  SteadyClock clock;
  Resources resources(paths, &clock);
  resources.Update(options.EffectiveBackend(),
                   [table](const std::string& text) { std::fprintf(table, "%s\n", text.c_str()); });
  Backend& backend = *resources.backend();
  const std::unique_ptr<Search> search = MakeSearch(
      options.engine.search, {resources.backend(), &clock, &options.search, &options.stop});

  Measurement measurement;
  measurement.options = changed;
  measurement.backend = backend.attributes().description;
  measurement.suggested_batch = backend.attributes().suggested_batch;
  std::fputs(PositionTableHead().c_str(), table);
  const std::vector<DeviceCounters> before = backend.device_counters();
  const std::vector<std::string> fens = ChosenPositions(params);
  for (const std::string& fen : fens) {
    measurement.positions.push_back(MeasureSearch(fen, LimitsOf(params), options.engine.chess960,
                                                  &clock, &backend, search.get()));
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
