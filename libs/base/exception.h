#pragma once
// The one error type that crosses a module border.

#include <stdexcept>
#include <string>
#include <utility>

namespace plexus {

// what_happened: the fact, with values. remedy: what the user can do about it (may be empty).
class Exception : public std::runtime_error {
 public:
  explicit Exception(const std::string& what_happened, std::string remedy = "")
      : std::runtime_error(remedy.empty() ? what_happened : what_happened + " " + remedy),
        remedy_(std::move(remedy)) {}
  const std::string& remedy() const { return remedy_; }

 private:
  std::string remedy_;
};

}  // namespace plexus
