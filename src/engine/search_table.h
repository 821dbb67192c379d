#pragma once
// Every search by name: one row each.

#include <memory>
#include <span>
#include <string>

#include "base/clock.h"
#include "mcts/params.h"
#include "net/backend.h"
#include "search/search.h"
#include "search/stop_params.h"

namespace plexus {

// What a search is made of; everything outlives it.
struct SearchContext {
  std::shared_ptr<Backend> backend;
  Clock* clock = nullptr;
  const SearchParams* search_params = nullptr;
  const StopParams* stop_params = nullptr;
};

struct SearchRow {
  const char* name;  // a choice of the option Search
  const char* help;
  std::unique_ptr<Search> (*make)(const SearchContext& context);
};

std::span<const SearchRow> SearchRows();
// Throws Exception naming the rows.
std::unique_ptr<Search> MakeSearch(const std::string& name, const SearchContext& context);

}  // namespace plexus
