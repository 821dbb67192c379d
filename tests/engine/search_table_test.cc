#include "engine/search_table.h"

#include <gtest/gtest.h>

#include "backend/registry.h"
#include "base/error_of.h"
#include "base/strings.h"
#include "engine/engine_options.h"

namespace plexus {
namespace {

TEST(SearchTable, TheOptionSearchOffersExactlyTheRows) {
  EngineOptions options;
  std::vector<std::string> names;
  for (const SearchRow& row : SearchRows()) names.push_back(row.name);
  EXPECT_EQ(options.set.FindByName("Search")->choices, names);
}

TEST(SearchTable, EveryRowMakesASearch) {
  SteadyClock clock;
  const SearchParams search_params;
  const StopParams stop_params;
  BackendParams backend;
  backend.backend = "fake";
  for (const SearchRow& row : SearchRows())
    EXPECT_NE(MakeSearch(row.name, {MakeBackend(backend, nullptr, &clock), &clock, &search_params,
                                    &stop_params}),
              nullptr)
        << row.name;
}

TEST(SearchTable, AnUnknownNameListsTheRows) {
  const std::string error = ErrorOf([] { MakeSearch("minimax", {}); });
  EXPECT_NE(error.find("mcts"), std::string::npos) << error;
}

}  // namespace
}  // namespace plexus
