#include "backend/params.h"

#include <gtest/gtest.h>

#include "base/exception.h"

namespace plexus {
namespace {

TEST(BackendParamsTest, EveryHistoryFillChoiceIsUnderstood) {
  EXPECT_EQ(ParseHistoryFill("no"), HistoryFill::kNo);
  EXPECT_EQ(ParseHistoryFill("fen_only"), HistoryFill::kFenOnly);
  EXPECT_EQ(ParseHistoryFill("always"), HistoryFill::kAlways);
  EXPECT_THROW(ParseHistoryFill("sometimes"), Exception);
}

TEST(BackendParamsTest, EveryOptionIsSetAndReadBack) {
  BackendParams params;
  OptionSet options;
  options.Add(kBackendOptions, &params);
  options.Set("WeightsFile", "/tmp/x.pb.gz");
  options.Set("Backend", "fake");
  options.Set("BackendOptions", "threads=2");
  options.Set("PolicyTemperature", "2.5");
  options.Set("HistoryFill", "always");
  options.Set("NNCacheSize", "17");
  options.Set("CacheHistoryLength", "3");
  EXPECT_EQ(params.weights_file, "/tmp/x.pb.gz");
  EXPECT_EQ(params.backend, "fake");
  EXPECT_EQ(params.backend_options, "threads=2");
  EXPECT_EQ(params.policy_temperature, 2.5f);
  EXPECT_EQ(params.history_fill, "always");
  EXPECT_EQ(params.nn_cache_size, 17);
  EXPECT_EQ(params.cache_history_length, 3);
}

TEST(BackendParamsTest, DefaultsAreInRange) {
  BackendParams params;
  OptionSet options;
  options.Add(kBackendOptions, &params);
  for (const Option& option : options.all())
    EXPECT_NO_THROW(options.Set(option.uci_name, option.default_value)) << option.uci_name;
}

TEST(BackendParamsTest, ValuesOutOfRangeAreRefused) {
  BackendParams params;
  OptionSet options;
  options.Add(kBackendOptions, &params);
  EXPECT_THROW(options.Set("PolicyTemperature", "0"), Exception);
  EXPECT_THROW(options.Set("CacheHistoryLength", "8"), Exception);
  EXPECT_THROW(options.Set("Backend", "abacus"), Exception);
  EXPECT_THROW(options.Set("NNCacheSize", "-1"), Exception);
}

}  // namespace
}  // namespace plexus
