#include "engine/search_table.h"

#include <array>

#include "base/exception.h"

namespace plexus {
namespace {

constexpr std::array<SearchRow, 0> kSearches;

}  // namespace

std::span<const SearchRow> SearchRows() { return kSearches; }

std::unique_ptr<Search> MakeSearch(const std::string& name, const SearchContext& context) {
  std::string names;
  for (const SearchRow& row : kSearches) {
    if (name == row.name) return row.make(context);
    names += std::string(names.empty() ? "" : ", ") + row.name;
  }
  throw Exception("There is no search \"" + name + "\".", "Searches are: " + names + ".");
}

}  // namespace plexus
