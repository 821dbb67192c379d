#include <algorithm>

#include "base/exception.h"
#include "base/options.h"
#include "base/strings.h"

namespace plexus {

// Recursive descent over the text; the grammar is in options.h.
class OptionsDictParser {
 public:
  explicit OptionsDictParser(std::string_view text) : text_(text) {}

  OptionsDict ParseAll() {
    OptionsDict result;
    SkipBlanks();
    if (!AtEnd()) ParseItems(&result, 0);
    if (!AtEnd()) Fail("unexpected \")\"");
    return result;
  }

 private:
  static constexpr int kMaxDepth = 32;

  [[noreturn]] void Fail(const std::string& what) const {
    throw Exception("Backend options: " + what + " at position " + std::to_string(at_ + 1) +
                    " of \"" + std::string(text_) + "\".");
  }
  bool AtEnd() const { return at_ == text_.size(); }
  bool Take(char c) {
    if (AtEnd() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void SkipBlanks() {
    while (!AtEnd() && Trim(text_.substr(at_, 1)).empty()) ++at_;
  }

  void ParseItems(OptionsDict* into, int depth) {
    do {
      ParseItem(into, depth);
      SkipBlanks();
    } while (Take(','));
    if (!AtEnd() && text_[at_] != ')') Fail("a comma is missing");
  }

  void ParseItem(OptionsDict* into, int depth) {
    SkipBlanks();
    const size_t start = at_;
    const std::string key = ParseText("=");
    SkipBlanks();
    if (Take('(')) {
      if (depth == kMaxDepth) Fail("too many parentheses inside each other");
      OptionsDict child;
      child.name_ = key;
      SkipBlanks();
      if (AtEnd() || text_[at_] != ')') ParseItems(&child, depth + 1);
      if (!Take(')')) Fail("a \")\" is missing");
      into->children_.push_back(std::move(child));
      return;
    }
    if (key.empty()) Fail("a key or a \"(\" is missing");
    std::string value = "true";
    if (Take('=')) {
      SkipBlanks();
      value = ParseText("");
    }
    if (!into->values_.emplace(key, value).second) {
      at_ = start;
      Fail("the key \"" + key + "\" is given twice");
    }
  }

  // A quoted text, or everything up to a comma, a parenthesis or one of `stops`.
  std::string ParseText(const std::string& stops) {
    if (Take('"')) {
      const size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) Fail("a closing quote is missing");
      const std::string result(text_.substr(at_, end - at_));
      at_ = end + 1;
      return result;
    }
    const size_t end = std::min(text_.find_first_of(",()" + stops, at_), text_.size());
    const std::string result(Trim(text_.substr(at_, end - at_)));
    at_ = end;
    return result;
  }

  std::string_view text_;
  size_t at_ = 0;
};

OptionsDict OptionsDict::Parse(std::string_view text) { return OptionsDictParser(text).ParseAll(); }

bool OptionsDict::Has(std::string_view key) const { return values_.find(key) != values_.end(); }

bool OptionsDict::HasOwn(std::string_view key) const {
  return Has(key) && inherited_.find(key) == inherited_.end();
}

void OptionsDict::Remove(std::string_view key) {
  const auto found = values_.find(key);
  if (found != values_.end()) values_.erase(found);
}

OptionsDict OptionsDict::WithDefaults(const OptionsDict& defaults) const {
  OptionsDict result = *this;
  for (const auto& [key, value] : defaults.values_) {
    if (result.values_.emplace(key, value).second) result.inherited_.insert(key);
  }
  return result;
}

void OptionsDict::MarkRead(const OptionsDict& reader) const {
  read_.insert(reader.read_.begin(), reader.read_.end());
}

std::string OptionsDict::GetString(std::string_view key, const std::string& fallback) const {
  read_.insert(std::string(key));
  const auto found = values_.find(key);
  return found == values_.end() ? fallback : found->second;
}

int OptionsDict::GetInt(std::string_view key, int fallback, int min, int max) const {
  const std::string text = GetString(key, "");
  if (!Has(key)) return fallback;
  return static_cast<int>(ParseInt(text, "Backend option " + std::string(key), min, max));
}

double OptionsDict::GetFloat(std::string_view key, double fallback, double min, double max) const {
  const std::string text = GetString(key, "");
  if (!Has(key)) return fallback;
  return ParseFloat(text, "Backend option " + std::string(key), min, max);
}

bool OptionsDict::GetBool(std::string_view key, bool fallback) const {
  const std::string text = GetString(key, "");
  if (!Has(key)) return fallback;
  return ParseBool(text, "Backend option " + std::string(key));
}

void OptionsDict::CheckAllRead(bool with_children) const {
  std::vector<std::string> unread;
  for (const auto& [key, value] : values_) {
    if (HasOwn(key) && read_.find(key) == read_.end()) unread.push_back("\"" + key + "\"");
  }
  if (!unread.empty()) {
    const std::vector<std::string> known(read_.begin(), read_.end());
    throw Exception(
        "Backend options" + (name_.empty() ? "" : " of " + name_) + ": nothing here understands " +
            Join(unread, ", ") + ".",
        known.empty() ? "It takes no options." : "It knows: " + Join(known, ", ") + ".");
  }
  if (!with_children) return;
  for (const OptionsDict& child : children_) child.CheckAllRead();
}

}  // namespace plexus
