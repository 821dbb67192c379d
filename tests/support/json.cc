#include "support/json.h"

#include <cstdlib>
#include <utility>

namespace plexus {
namespace {

class JsonParser {
 public:
  explicit JsonParser(std::string_view text) : text_(text) {}

  Json Whole() {
    Json value = Value();
    Blanks();
    if (at_ != text_.size()) Fail("text behind the value");
    return value;
  }

 private:
  [[noreturn]] void Fail(const std::string& fault) const {
    throw std::runtime_error("JSON: " + fault + " at offset " + std::to_string(at_));
  }
  void Blanks() {
    while (at_ < text_.size() &&
           (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
      ++at_;
  }
  bool Take(char c) {
    Blanks();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void Expect(char c) {
    if (!Take(c)) Fail(std::string("expected ") + c);
  }
  bool Word(std::string_view word) {
    if (text_.substr(at_, word.size()) != word) return false;
    at_ += word.size();
    return true;
  }
  Json Value() {
    Blanks();
    if (at_ >= text_.size()) Fail("a value is missing");
    Json json;
    switch (text_[at_]) {
      case '{':
        return Object();
      case '[':
        return Array();
      case '"':
        json.type = Json::Type::kString;
        json.text = String();
        return json;
      default:
        break;
    }
    if (Word("null")) return json;
    if (Word("true") || Word("false")) {
      json.type = Json::Type::kBool;
      json.boolean = text_[at_ - 2] == 'u';
      return json;
    }
    return Number();
  }
  Json Number() {
    const std::string digits(text_.substr(at_, 40));
    char* end = nullptr;
    Json json;
    json.type = Json::Type::kNumber;
    if (digits[0] != '-' && (digits[0] < '0' || digits[0] > '9')) Fail("no value begins with that");
    json.number = std::strtod(digits.c_str(), &end);
    at_ += static_cast<size_t>(end - digits.c_str());
    return json;
  }
  std::string String() {
    Expect('"');
    std::string text;
    while (at_ < text_.size() && text_[at_] != '"') {
      char c = text_[at_++];
      if (c == '\\') c = Escape();
      text.push_back(c);
    }
    Expect('"');
    return text;
  }
  char Escape() {
    if (at_ >= text_.size()) Fail("the text ends in an escape");
    switch (const char c = text_[at_++]) {
      case 'n':
        return '\n';
      case 't':
        return '\t';
      case 'r':
        return '\r';
      case 'b':
        return '\b';
      case 'f':
        return '\f';
      case 'u': {
        const long code = std::strtol(std::string(text_.substr(at_, 4)).c_str(), nullptr, 16);
        at_ += 4;
        return code < 128 ? static_cast<char>(code) : '?';
      }
      default:
        return c;
    }
  }
  Json Array() {
    Json json;
    json.type = Json::Type::kArray;
    Expect('[');
    if (Take(']')) return json;
    do {
      json.items.push_back(Value());
    } while (Take(','));
    Expect(']');
    return json;
  }
  Json Object() {
    Json json;
    json.type = Json::Type::kObject;
    Expect('{');
    if (Take('}')) return json;
    do {
      Blanks();
      std::string key = String();
      Expect(':');
      json.members.push_back({std::move(key), Value()});
    } while (Take(','));
    Expect('}');
    return json;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Json Json::Parse(std::string_view text) { return JsonParser(text).Whole(); }

size_t Json::size() const { return type == Type::kObject ? members.size() : items.size(); }

bool Json::Has(std::string_view key) const {
  for (const auto& member : members) {
    if (member.first == key) return true;
  }
  return false;
}

const Json& Json::operator[](std::string_view key) const {
  for (const auto& member : members) {
    if (member.first == key) return member.second;
  }
  throw std::runtime_error("JSON: no member " + std::string(key));
}

}  // namespace plexus
