#include "tools/analyse.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/clock.h"
#include "base/exception.h"
#include "base/options_parser.h"
#include "base/strings.h"
#include "chess/notation.h"
#include "engine/engine.h"
#include "engine/engine_options.h"
#include "tools/analysis_text.h"
#include "tools/tool_args.h"

namespace plexus {
namespace {

struct AnalyseParams {
  std::string fen;
  std::string moves;
  int movetime_ms = 5000;
  int nodes = 0;
  int rows = 8;
  std::string json;
};

const OptionRow<AnalyseParams> kAnalyseOptions[] = {
    {&AnalyseParams::fen, "Fen", "fen", 0, 0, "the position; default: the start position"},
    {&AnalyseParams::moves, "Moves", "moves", 0, 0,
     "moves played from there, in UCI notation, between blanks"},
    {&AnalyseParams::movetime_ms, "Movetime", "movetime", 1, 2147483647, "milliseconds to search"},
    {&AnalyseParams::nodes, "Nodes", "nodes", 0, 2147483647,
     "nodes to search instead; 0 = --movetime counts"},
    {&AnalyseParams::rows, "Rows", "rows", 1, 256, "moves shown"},
    {&AnalyseParams::json, "Json", "json", 0, 0,
     "also write one JSON object to this file; alone or '-': to standard output, instead of the "
     "text"},
};

// Keeps the latest report and shows progress on a terminal.
class AnalysisSink : public InfoSink {
 public:
  AnalysisSink(const Position& root, bool show_progress)
      : root_(root), show_progress_(show_progress) {}
  void OnInfo(const SearchInfo& info) override {
    latest_ = info;
    if (!show_progress_ || info.lines.empty()) return;
    std::fprintf(stderr, "\r\033[K  %.1f s  %lld nodes  %s  %s",
                 static_cast<double>(info.time_ms) / 1000, static_cast<long long>(info.nodes),
                 ScoreText(info.lines[0].score).c_str(),
                 LineText(root_, info.lines[0].moves, 5).c_str());
  }
  void OnText(const std::string& text) override { std::fprintf(stderr, "%s\n", text.c_str()); }
  void OnBestMove(const BestMove& best) override {
    best_ = best.move;
    if (show_progress_) std::fprintf(stderr, "\r\033[K");
  }
  const SearchInfo& latest() const { return latest_; }
  Move best() const { return best_; }

 private:
  const Position root_;
  const bool show_progress_;
  SearchInfo latest_;
  Move best_;
};

void PrintHelp(const OptionSet& set, bool with_expert) {
  std::printf(
      "plexus analyse [--fen=FEN] [--moves=\"e2e4 e7e5\"] [options]\n\n"
      "Searches one position and prints its best moves with visits, priors and chances, the "
      "expected line and the\n"
      "score. Any option of the engine can be given too.\n\n%s",
      set.Help(with_expert).c_str());
}

}  // namespace

int RunAnalyse(std::span<const std::string> args) {
  EngineOptions options;
  AnalyseParams params;
  options.set.Add(kAnalyseOptions, &params);
  if (WantsHelp(args)) {
    PrintHelp(options.set, std::find(args.begin(), args.end(), "--show-hidden") != args.end());
    return 0;
  }
  const ProgramPaths paths = FindProgramPaths();
  RefuseWords(LoadOptions(ExpandJsonFlag(args), paths, &options.set), "analyse");
  SteadyClock clock;
  Resources resources(paths, &clock);

  Engine engine(&options, &resources, &clock,
                [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); });
  engine.SetPosition(params.fen, SplitWords(params.moves));
  const Position& root = engine.position().Last();
  const bool text = params.json != "-";
  if (text)
    std::printf("%s  %s to move\n\n", Diagram(root.board).c_str(),
                root.black_to_move() ? "black" : "white");
  std::fflush(stdout);

  SearchLimits limits;
  if (params.nodes > 0) limits.nodes = params.nodes;
  if (params.nodes == 0) limits.movetime_ms = params.movetime_ms;
  AnalysisSink sink(root, isatty(STDERR_FILENO) != 0);
  engine.Go(limits, &sink);
  engine.Wait();
  SearchSnapshot snapshot = engine.Snapshot();
  snapshot.best = sink.best();
  const size_t rows = static_cast<size_t>(params.rows);
  if (text) std::printf("%s", AnalysisText(root, sink.latest(), snapshot, rows).c_str());
  WriteJson(params.json, AnalysisJson(root, sink.latest(), snapshot));
  return 0;
}

}  // namespace plexus
