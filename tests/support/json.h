#pragma once
// A small JSON reader for tests: expected files, and what our tools print.

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace plexus {

struct Json {
  struct Member;
  enum class Type { kNull, kBool, kNumber, kString, kArray, kObject };
  Type type = Type::kNull;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<Json> items;      // of an array
  std::vector<Member> members;  // of an object, in order

  // Throws std::runtime_error with the offset for text that is not one JSON value.
  static Json Parse(std::string_view text);

  bool Has(std::string_view key) const;
  const Json& operator[](
      std::string_view key) const;  // throws std::runtime_error if there is no such member
  const Json& operator[](size_t index) const { return items.at(index); }
  size_t size() const;  // items or members
};

struct Json::Member {
  std::string first;
  Json second;
};

}  // namespace plexus
