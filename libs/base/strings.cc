#include "base/strings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdarg>
#include <cstdio>
#include <utility>

#include "base/exception.h"

namespace plexus {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

char LowerChar(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string Quoted(std::string_view text) { return "\"" + std::string(text) + "\""; }

template <class Number>
bool ReadNumber(std::string_view text, Number* result) {
  text = Trim(text);
  // from_chars knows no plus sign.
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), *result);
  return error == std::errc() && end == text.data() + text.size();
}

template <class Number>
std::string Format(Number value) {
  char buffer[64];
  // Whole numbers without an exponent: a GUI reads "min" and "max" as integers.
  const bool plain = std::floor(value) == value && std::fabs(value) < Number(1e15);
  const auto [end, error] =
      plain ? std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed)
            : std::to_chars(buffer, buffer + sizeof(buffer), value);
  return error == std::errc() ? std::string(buffer, end) : "?";
}

// Letters to insert, delete, replace or swap with their neighbour.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::vector<size_t>> cost(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      const size_t replace = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      cost[i][j] = std::min({replace, cost[i - 1][j] + 1, cost[i][j - 1] + 1});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
      }
    }
  }
  return cost[a.size()][b.size()];
}

}  // namespace

std::string_view Trim(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::vector<std::string> Split(std::string_view text, char separator) {
  std::vector<std::string> pieces;
  for (;;) {
    const size_t end = text.find(separator);
    pieces.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return pieces;
    text.remove_prefix(end + 1);
  }
}

std::vector<std::string> SplitWords(std::string_view text) {
  std::vector<std::string> words;
  for (text = Trim(text); !text.empty(); text = Trim(text)) {
    const size_t end = std::min(text.find_first_of(kBlanks), text.size());
    words.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::string Join(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string result;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (i > 0) result += separator;
    result += pieces[i];
  }
  return result;
}

std::string ToLower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), LowerChar);
  return result;
}

bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return LowerChar(x) == LowerChar(y); });
}

int64_t ParseInt(std::string_view text, std::string_view what) {
  int64_t result = 0;
  if (!ReadNumber(text, &result)) {
    throw Exception(std::string(what) + ": " + Quoted(text) + " is not a whole number.");
  }
  return result;
}

int64_t ParseInt(std::string_view text, std::string_view what, int64_t min, int64_t max) {
  const int64_t result = ParseInt(text, what);
  if (result < min || result > max) {
    throw Exception(
        std::string(what) + ": " + Quoted(text) + " is out of range.",
        "Give a number from " + std::to_string(min) + " to " + std::to_string(max) + ".");
  }
  return result;
}

double ParseFloat(std::string_view text, std::string_view what) {
  double result = 0;
  if (!ReadNumber(text, &result) || !std::isfinite(result)) {
    throw Exception(std::string(what) + ": " + Quoted(text) + " is not a number.");
  }
  return result;
}

double ParseFloat(std::string_view text, std::string_view what, double min, double max) {
  const double result = ParseFloat(text, what);
  if (result < min || result > max) {
    throw Exception(std::string(what) + ": " + Quoted(text) + " is out of range.",
                    "Give a number from " + FormatNumber(min) + " to " + FormatNumber(max) + ".");
  }
  return result;
}

bool ParseBool(std::string_view text, std::string_view what) {
  const std::string word = ToLower(Trim(text));
  if (word == "true" || word == "yes" || word == "on" || word == "1") return true;
  if (word == "false" || word == "no" || word == "off" || word == "0") return false;
  throw Exception(std::string(what) + ": " + Quoted(text) + " is neither true nor false.");
}

std::string Format(const char* format, ...) {
  va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  const int size = std::vsnprintf(nullptr, 0, format, values);
  va_end(values);
  std::string text(static_cast<size_t>(std::max(0, size)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  return text;
}

std::string FormatNumber(float value) { return Format(value); }
std::string FormatNumber(double value) { return Format(value); }

std::vector<std::string> CloseMatches(std::string_view text,
                                      const std::vector<std::string>& candidates, size_t limit) {
  const std::string wanted = ToLower(text);
  std::vector<std::pair<size_t, std::string>> found;
  for (const std::string& candidate : candidates) {
    const std::string name = ToLower(candidate);
    size_t distance = EditDistance(wanted, name);
    // A name that contains what was typed is close however long it is.
    if (wanted.size() >= 3 && name.find(wanted) != std::string::npos) {
      distance = std::min<size_t>(distance, 1);
    }
    if (distance <= std::max<size_t>(1, wanted.size() / 3)) found.emplace_back(distance, candidate);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> result;
  for (size_t i = 0; i < std::min(limit, found.size()); ++i) result.push_back(found[i].second);
  return result;
}

std::string DidYouMean(std::string_view text, const std::vector<std::string>& candidates,
                       std::string_view otherwise) {
  std::vector<std::string> matches = CloseMatches(text, candidates);
  if (matches.empty()) return std::string(otherwise);
  for (std::string& match : matches) match = Quoted(match);
  return "Did you mean " + Join(matches, " or ") + "?";
}

}  // namespace plexus
