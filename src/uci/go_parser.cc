#include "uci/go_parser.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>

#include "base/exception.h"
#include "base/strings.h"
#include "chess/notation.h"

namespace plexus {
namespace {

constexpr int64_t kFallbackMovetimeMs = 100;
constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

constexpr std::array kKeywords = {"searchmoves", "ponder",    "wtime", "btime", "winc",
                                  "binc",        "movestogo", "depth", "nodes", "mate",
                                  "movetime",    "infinite",  "perft"};

bool IsKeyword(const std::string& word) {
  return std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end();
}

// A whole number of any length, kept within 64 bits; nothing if `text` is no whole number.
std::optional<int64_t> ReadNumber(const std::string& text) {
  const bool negative = text.starts_with('-');
  const size_t first = negative || text.starts_with('+') ? 1 : 0;
  if (first == text.size()) return {};
  int64_t value = 0;
  for (size_t i = first; i < text.size(); ++i) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) return {};
    const int digit = text[i] - '0';
    value = value > (kMost - digit) / 10 ? kMost : value * 10 + digit;
  }
  return negative ? -value : value;
}

class GoParser {
 public:
  GoParser(const std::vector<std::string>& words, const Board& root, bool chess960)
      : words_(words), root_(root), chess960_(chess960) {}

  ParsedGo Parse() {
    while (at_ < words_.size()) {
      const std::string& word = words_[at_++];
      if (word == "infinite") {
        limits().infinite = true;
      } else if (word == "ponder") {
        limits().ponder = true;
      } else if (word == "searchmoves") {
        ReadSearchmoves();
      } else if (IsKeyword(word)) {
        ReadLimit(word);
      } else {
        Complain("go: \"" + word + "\" is not understood and left out");
      }
    }
    if (!HasLimit()) {
      if (lost_a_limit_) {
        limits().movetime_ms = kFallbackMovetimeMs;
        Complain("go: no limit is left; the search takes " + std::to_string(kFallbackMovetimeMs) +
                 " ms");
      } else {
        limits().infinite = true;
      }
    }
    return std::move(result_);
  }

 private:
  SearchLimits& limits() { return result_.limits; }
  void Complain(const std::string& text) { result_.complaints.push_back(text); }

  bool HasLimit() const {
    const SearchLimits& l = result_.limits;
    return l.infinite || l.time_ms[0] || l.time_ms[1] || l.movetime_ms || l.nodes || l.depth ||
           l.mate || result_.perft;
  }

  // The number behind `keyword`, at least `min`; complains and gives nothing otherwise.
  std::optional<int64_t> NextNumber(const std::string& keyword, int64_t min) {
    const bool has_value = at_ < words_.size() && !IsKeyword(words_[at_]);
    const std::string text = has_value ? words_[at_++] : "";
    const std::optional<int64_t> value = ReadNumber(text);
    if (value && *value >= min) return value;
    Complain("go " + keyword + ": " +
             (!has_value ? "its number is missing"
              : !value   ? "\"" + text + "\" is not a whole number"
                         : text + " is below " + std::to_string(min)) +
             "; left out");
    return {};
  }

  std::optional<int> NextInt(const std::string& keyword, int64_t min) {
    const std::optional<int64_t> value = NextNumber(keyword, min);
    if (!value) return {};
    return static_cast<int>(std::min<int64_t>(*value, std::numeric_limits<int>::max()));
  }

  template <class Target, class Value>
  void Take(Target* target, const std::optional<Value>& value) {
    if (value) {
      *target = *value;
    } else {
      lost_a_limit_ = true;
    }
  }

  void ReadLimit(const std::string& word) {
    const bool is_black = word[0] == 'b';
    if (word == "wtime" || word == "btime") {
      Take(&limits().time_ms[is_black], NextNumber(word, -kMost));
    } else if (word == "winc" || word == "binc") {
      limits().increment_ms[is_black] = NextNumber(word, 0).value_or(0);
    } else if (word == "movestogo") {
      // Some programs send 0 in games without a time control.
      if (const std::optional<int> value = NextInt(word, 0); value && *value > 0)
        limits().moves_to_go = value;
    } else if (word == "movetime") {
      Take(&limits().movetime_ms, NextNumber(word, 0));
    } else if (word == "nodes") {
      Take(&limits().nodes, NextNumber(word, 0));
    } else if (word == "depth") {
      Take(&limits().depth, NextInt(word, 0));
    } else if (word == "mate") {
      Take(&limits().mate, NextInt(word, 1));
    } else if (word == "perft") {
      Take(&result_.perft, NextInt(word, 0));
    }
  }

  void ReadSearchmoves() {
    for (; at_ < words_.size() && !IsKeyword(words_[at_]); ++at_) {
      try {
        const Move move = ParseUci(root_, words_[at_], chess960_);
        std::vector<Move>& moves = limits().searchmoves;
        if (std::find(moves.begin(), moves.end(), move) == moves.end()) moves.push_back(move);
      } catch (const Exception& error) {
        Complain(std::string("go searchmoves: ") + error.what() + " It is left out.");
      }
    }
    if (limits().searchmoves.empty())
      Complain("go searchmoves: no move is left; all moves are searched");
  }

  const std::vector<std::string>& words_;
  const Board& root_;
  const bool chess960_;
  size_t at_ = 0;
  bool lost_a_limit_ = false;
  ParsedGo result_;
};

}  // namespace

ParsedGo ParseGo(const std::vector<std::string>& words, const Board& root, bool chess960) {
  return GoParser(words, root, chess960).Parse();
}

}  // namespace plexus
