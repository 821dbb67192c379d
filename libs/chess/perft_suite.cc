#include "chess/perft_suite.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/exception.h"
#include "base/strings.h"

namespace plexus {
namespace {

constexpr int kMaxDepth = 30;

PerftCount MakeCount(const std::string& fen, std::string_view depth, std::string_view nodes,
                     int line) {
  const std::string what = "perft suite line " + std::to_string(line);
  PerftCount count;
  count.fen = fen;
  count.depth = static_cast<int>(ParseInt(depth, what, 0, kMaxDepth));
  count.nodes =
      static_cast<uint64_t>(ParseInt(nodes, what, 0, std::numeric_limits<int64_t>::max()));
  count.line = line;
  return count;
}

}  // namespace

std::vector<PerftCount> ReadPerftSuite(std::istream* in) {
  std::vector<PerftCount> counts;
  std::string text;
  std::string fen;
  for (int line = 1; std::getline(*in, text); ++line) {
    const std::string_view trimmed = Trim(text);
    if (trimmed.empty() || trimmed.front() == '#') continue;
    const std::vector<std::string> words = SplitWords(trimmed);
    if (words[0] == "id") continue;
    if (words[0] == "epd") {
      fen = std::string(Trim(trimmed.substr(3)));
    } else if (words[0] == "perft" && words.size() == 3 && !fen.empty()) {
      counts.push_back(MakeCount(fen, words[1], words[2], line));
    } else if (trimmed.find(';') != trimmed.npos) {
      const std::vector<std::string> parts = Split(trimmed, ';');
      for (size_t i = 1; i < parts.size(); ++i) {
        const std::vector<std::string> pair = SplitWords(parts[i]);
        if (pair.size() != 2 || pair[0].size() < 2 || pair[0][0] != 'D') {
          throw Exception("perft suite line " + std::to_string(line) + ": \"" + parts[i] +
                          "\" is no count such as D2 400.");
        }
        counts.push_back(MakeCount(std::string(Trim(parts[0])), pair[0].substr(1), pair[1], line));
      }
    } else {
      throw Exception("perft suite line " + std::to_string(line) + ": \"" +
                      std::string(trimmed.substr(0, 80)) +
                      "\" is neither \"FEN ;D1 20 ...\" nor an id, epd or perft line.");
    }
  }
  return counts;
}

std::vector<PerftCount> AffordableCounts(const std::vector<PerftCount>& counts, uint64_t max_nodes,
                                         int max_depth) {
  std::vector<size_t> cheapest_first(counts.size());
  std::iota(cheapest_first.begin(), cheapest_first.end(), size_t{0});
  std::stable_sort(cheapest_first.begin(), cheapest_first.end(),
                   [&](size_t a, size_t b) { return counts[a].nodes < counts[b].nodes; });
  std::vector<bool> wanted(counts.size());
  uint64_t left = max_nodes;
  for (const size_t i : cheapest_first) {
    if (counts[i].depth > max_depth) continue;
    if (counts[i].nodes > left) break;
    left -= counts[i].nodes;
    wanted[i] = true;
  }
  std::vector<PerftCount> affordable;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (wanted[i]) affordable.push_back(counts[i]);
  }
  return affordable;
}

}  // namespace plexus
