#include "tools/bench.h"

#include <chrono>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "backend/registry.h"
#include "base/fake_clock.h"
#include "base/hash.h"
#include "base/options.h"
#include "base/options_parser.h"
#include "chess/notation.h"
#include "mcts/mcts_search.h"
#include "tools/bench_positions.h"
#include "tools/tool_args.h"

namespace plexus {
namespace {

constexpr int64_t kNodes = 2500;
constexpr int kMinibatch = 32;

struct BenchParams {
  std::string json;
};

const OptionRow<BenchParams> kBenchOptions[] = {
    {&BenchParams::json, "Json", "json", 0, 0,
     "writes one JSON object to this file; --json alone prints it instead of the lines"},
};

class LastBestMove : public InfoSink {
 public:
  void OnInfo(const SearchInfo& info) override {}
  void OnBestMove(const BestMove& best) override { best_ = best; }
  const BestMove& best() const { return best_; }

 private:
  BestMove best_;
};

class Bench {
 public:
  explicit Bench(int64_t nodes) {
    limits_.nodes = nodes;
    search_params_.threads = 1;
    search_params_.minibatch_size = kMinibatch;
    search_params_.seed = 1;
    backend_params_.backend = "fake";
    backend_params_.nn_cache_size = 20000;
    backend_ = MakeBackend(backend_params_, nullptr, &clock_);
    search_ = std::make_unique<MctsSearch>(backend_, &clock_, &search_params_, &stop_params_);
  }

  BenchPosition Run(const char* fen) {
    PositionHistory history(fen);
    search_->NewGame();
    backend_->ClearCache();
    BenchPosition result;
    result.fen = fen;
    const BestMove first = Think(history, &result);
    result.best_move = ToUci(history.Last().board, first.move, /*chess960=*/false);
    if (first.move.is_null() || first.ponder.is_null()) return result;
    history.Append(first.move);
    history.Append(first.ponder);
    Think(history, &result);
    return result;
  }

 private:
  BestMove Think(const PositionHistory& history, BenchPosition* result) {
    LastBestMove sink;
    search_->SetPosition(history);
    search_->Start(limits_, &sink);
    search_->Wait();
    uint64_t& signature = result->signature;
    for (const RootMove& move : search_->Snapshot().moves) {
      signature = HashCombine(signature, move.move.bits());
      signature = HashCombine(signature, static_cast<uint64_t>(move.visits));
    }
    const SearchCounters counters = search_->Counters();
    for (const int64_t count :
         {counters.nodes, counters.playouts, counters.evaluations, counters.cache_hits,
          counters.terminal_visits, counters.collisions, counters.minibatches}) {
      signature = HashCombine(signature, static_cast<uint64_t>(count));
    }
    signature = HashCombine(signature, sink.best().move.bits());
    result->nodes += counters.playouts;
    return sink.best();
  }

  FakeClock clock_;  // outlives what follows
  SearchLimits limits_;
  SearchParams search_params_;
  StopParams stop_params_;
  BackendParams backend_params_;
  std::shared_ptr<Backend> backend_;
  std::unique_ptr<MctsSearch> search_;
};

std::string SignatureText(uint64_t signature) {
  char text[17];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(signature));
  return text;
}

int64_t NodesPerSecond(const BenchRun& run) {
  return run.seconds > 0 ? static_cast<int64_t>(static_cast<double>(run.nodes) / run.seconds) : 0;
}

std::string ToJson(const BenchRun& run) {
  nlohmann::ordered_json json;
  json["signature"] = SignatureText(run.signature);
  json["nodes"] = run.nodes;
  json["time_ms"] = run.seconds * 1e3;
  json["nps"] = NodesPerSecond(run);
  json["positions"] = nlohmann::ordered_json::array();
  for (const BenchPosition& position : run.positions) {
    json["positions"].push_back({{"fen", position.fen},
                                 {"nodes", position.nodes},
                                 {"best_move", position.best_move},
                                 {"signature", SignatureText(position.signature)}});
  }
  return json.dump(2);
}

void Print(const BenchRun& run) {
  for (size_t i = 0; i < run.positions.size(); ++i) {
    const BenchPosition& position = run.positions[i];
    std::printf("%2zu/%zu  %7lld nodes  %-6s %s  %s\n", i + 1, run.positions.size(),
                static_cast<long long>(position.nodes), position.best_move.c_str(),
                SignatureText(position.signature).c_str(), position.fen.c_str());
  }
  std::printf("\nNodes: %lld\nTime (ms): %.0f\nNodes/second: %lld\nSignature: %s\n",
              static_cast<long long>(run.nodes), run.seconds * 1e3,
              static_cast<long long>(NodesPerSecond(run)), SignatureText(run.signature).c_str());
  std::fflush(stdout);
}

}  // namespace

BenchRun RunBenchSearches(int64_t nodes) {
  Bench bench(nodes);
  BenchRun run;
  const auto start = std::chrono::steady_clock::now();
  for (size_t i = 0; i < kBenchPositions.size(); i += 2) {
    run.positions.push_back(bench.Run(kBenchPositions[i]));
    run.nodes += run.positions.back().nodes;
    run.signature = HashCombine(run.signature, run.positions.back().signature);
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return run;
}

int RunBench(std::span<const std::string> args) {
  BenchParams params;
  OptionSet options;
  options.Add(kBenchOptions, &params);
  if (WantsHelp(args)) {
    std::printf(
        "plexus bench [options]\n\n"
        "Searches fixed positions on the fake backend with one thread and prints a signature on\n"
        "the last line: the same signature means that the search behaves as before. Says nothing\n"
        "about strength and little about speed; that is what benchmark is for.\n\n%s",
        options.Help(true).c_str());
    return 0;
  }
  RefuseWords(ParseCommandLine(ExpandJsonFlag(args), &options), "bench");
  const BenchRun run = RunBenchSearches(kNodes);
  if (params.json != "-") Print(run);
  WriteJson(params.json, ToJson(run));
  return 0;
}

}  // namespace plexus
