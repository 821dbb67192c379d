#include "tools/perft.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include "base/exception.h"
#include "base/files.h"
#include "base/options.h"
#include "base/options_parser.h"
#include "base/strings.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "chess/perft_suite.h"

namespace plexus {
namespace {

constexpr int kMaxDepth = 30;

struct PerftParams {
  std::string suite;
  std::string max_nodes;
  bool chess960 = false;
  bool json = false;
};

const OptionRow<PerftParams> kPerftOptions[] = {
    {&PerftParams::suite, "Suite", "suite", 0, 0,
     "checks the counts of this file instead: lines \"FEN ;D1 20 ;D2 400\", or blocks of \"epd "
     "FEN\" and \"perft 1 20\""},
    {&PerftParams::max_nodes, "MaxNodes", "max-nodes", 0, 0,
     "with --suite: only the cheapest counts that need this many nodes together"},
    {&PerftParams::chess960, "Chess960", "chess960", 0, 0, "prints castling as king takes rook"},
    {&PerftParams::json, "Json", "json", 0, 0, "prints one JSON object instead of lines"},
};

double SecondsSince(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A clock may not have moved during a small count.
uint64_t NodesPerSecond(uint64_t nodes, double seconds) {
  return static_cast<uint64_t>(static_cast<double>(nodes) / std::max(seconds, 1e-6));
}

void ReportSpeed(uint64_t nodes, double seconds) {
  std::fflush(stdout);
  std::fprintf(stderr, "%.1f ms, %llu nodes/s\n", seconds * 1e3,
               static_cast<unsigned long long>(NodesPerSecond(nodes, seconds)));
}

std::string SpeedFields(uint64_t nodes, double seconds) {
  std::ostringstream text;
  text << "\"nodes\":" << nodes << ",\"time_ms\":" << seconds * 1e3
       << ",\"nps\":" << NodesPerSecond(nodes, seconds);
  return text.str();
}

int CountPosition(const std::string& fen, int depth, const PerftParams& params) {
  const FenPosition position = ParseFen(fen);
  const auto start = std::chrono::steady_clock::now();
  uint64_t total = depth == 0 ? 1 : 0;
  std::vector<std::pair<std::string, uint64_t>> counts;
  if (depth > 0) {
    for (const Move move : LegalMoves(position.board)) {
      Board next = position.board;
      next.Apply(move);
      counts.emplace_back(ToUci(position.board, move, params.chess960), Perft(next, depth - 1));
      total += counts.back().second;
    }
  }
  const double seconds = SecondsSince(start);
  std::ostringstream text;
  if (params.json) {
    text << "{\"fen\":\""
         << ToFen(position.board, position.rule50_ply, position.fullmove, params.chess960)
         << "\",\"depth\":" << depth << "," << SpeedFields(total, seconds) << ",\"moves\":{";
    for (size_t i = 0; i < counts.size(); ++i) {
      text << (i ? "," : "") << '"' << counts[i].first << "\":" << counts[i].second;
    }
    text << "}}\n";
  } else {
    for (const auto& [move, nodes] : counts) text << move << ": " << nodes << '\n';
    text << '\n' << total << '\n';
  }
  std::fputs(text.str().c_str(), stdout);
  ReportSpeed(total, seconds);
  return 0;
}

int CheckSuite(int max_depth, const PerftParams& params) {
  std::istringstream file(ReadFile(params.suite));
  const std::vector<PerftCount> all = ReadPerftSuite(&file);
  const uint64_t budget =
      params.max_nodes.empty()
          ? std::numeric_limits<uint64_t>::max()
          : static_cast<uint64_t>(
                ParseInt(params.max_nodes, "--max-nodes", 1, std::numeric_limits<int64_t>::max()));
  const std::vector<PerftCount> counts = AffordableCounts(all, budget, max_depth);
  if (counts.empty()) {
    throw Exception("perft suite " + params.suite + " has " + std::to_string(all.size()) +
                        " counts, none within the limits.",
                    "Give a larger --max-nodes or depth.");
  }
  const auto start = std::chrono::steady_clock::now();
  uint64_t total = 0;
  size_t wrong = 0;
  for (const PerftCount& count : counts) {
    const uint64_t nodes = Perft(ParseFen(count.fen).board, count.depth);
    total += nodes;
    if (nodes == count.nodes) continue;
    ++wrong;
    std::fprintf(params.json ? stderr : stdout, "line %d: depth %d of %s: %llu, expected %llu\n",
                 count.line, count.depth, count.fen.c_str(), static_cast<unsigned long long>(nodes),
                 static_cast<unsigned long long>(count.nodes));
  }
  const double seconds = SecondsSince(start);
  if (params.json) {
    std::printf("{\"suite_counts\":%zu,\"checked\":%zu,\"wrong\":%zu,%s}\n", all.size(),
                counts.size(), wrong, SpeedFields(total, seconds).c_str());
  } else {
    std::printf("%zu of %zu counts checked, %zu wrong\n%llu\n", counts.size(), all.size(), wrong,
                static_cast<unsigned long long>(total));
  }
  ReportSpeed(total, seconds);
  return wrong == 0 ? 0 : 1;
}

void PrintHelp(const OptionSet& options) {
  std::printf(
      "plexus perft DEPTH [FEN] [options]\n"
      "plexus perft --suite=FILE [DEPTH] [options]\n\n"
      "Counts the move paths of DEPTH plies from FEN (default: the start position): one line a\n"
      "move, then the total alone on the last line. With --suite, checks known counts up to "
      "DEPTH;\n"
      "the last line is the number of nodes, the exit status 1 if a count is wrong.\n\n%s",
      options.Help(true).c_str());
}

}  // namespace

int RunPerft(std::span<const std::string> args) {
  PerftParams params;
  OptionSet options;
  options.Add(kPerftOptions, &params);
  if (WantsHelp(args)) {
    PrintHelp(options);
    return 0;
  }
  std::vector<std::string> words = ParseCommandLine(args, &options);
  const bool has_depth = !words.empty();
  const int depth =
      has_depth ? static_cast<int>(ParseInt(words[0], "perft depth", 0, kMaxDepth)) : kMaxDepth;
  if (has_depth) words.erase(words.begin());
  if (!params.suite.empty()) {
    if (!words.empty())
      throw Exception("perft: --suite brings its own positions.", "Leave out the FEN.");
    return CheckSuite(depth, params);
  }
  if (!has_depth)
    throw Exception("perft needs a depth.", "Write perft DEPTH [FEN]; --help says more.");
  if (!params.max_nodes.empty()) throw Exception("perft: --max-nodes only goes with --suite.");
  const std::string fen = Join(words, " ");  // quoted or not
  return CountPosition(fen.empty() || fen == "startpos" ? kStartFen : fen, depth, params);
}

}  // namespace plexus
