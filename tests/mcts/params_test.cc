#include "mcts/params.h"

#include <gtest/gtest.h>

#include <set>

namespace plexus {
namespace {

TEST(SearchParams, EveryOptionHoldsItsDefaultAndTakesItBack) {
  SearchParams params;
  OptionSet options;
  options.Add(kSearchOptions, &params);
  for (const Option& option : options.all()) {
    EXPECT_EQ(option.get(), option.default_value) << option.uci_name;
    EXPECT_NO_THROW(option.set(option.default_value)) << option.uci_name;
    EXPECT_FALSE(option.help.empty()) << option.uci_name;
  }
}

TEST(SearchParams, NamesAndFlagsAreUnique) {
  std::set<std::string> names, flags;
  for (const auto& row : kSearchOptions) {
    EXPECT_TRUE(names.insert(row.uci_name).second) << row.uci_name;
    EXPECT_TRUE(flags.insert(row.flag).second) << row.flag;
  }
}

}  // namespace
}  // namespace plexus
