#include "engine/search_table.h"

#include "base/exception.h"
#include "mcts/mcts_search.h"

namespace plexus {
namespace {

constexpr SearchRow kSearches[] = {
    {"mcts", "Monte-Carlo tree search guided by a network",
     [](const SearchContext& context) -> std::unique_ptr<Search> {
       return std::make_unique<MctsSearch>(context.backend, context.clock, context.search_params,
                                           context.stop_params);
     }},
};

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
