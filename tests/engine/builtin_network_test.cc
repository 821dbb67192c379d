#include "engine/builtin_network.h"

#include <gtest/gtest.h>

#include "engine/resources.h"
#include "net/weights_file.h"

namespace plexus {
namespace {

TEST(BuiltinNetwork, IsAWholeNetworkFile) {
  const NetworkWeights weights = LoadWeightsFromMemory(BuiltinNetwork(), "built in");
  EXPECT_GT(weights.channels, 0);
  EXPECT_TRUE(weights.has_wdl());
  EXPECT_TRUE(weights.moves_left.present());
}

TEST(BuiltinNetwork, TheRealMakersLoadItAndMakeABackend) {
  SteadyClock clock;
  Resources resources({"/nowhere", ""}, &clock);
  BackendParams params;
  params.weights_file = "<built in>";
  std::string told;
  EXPECT_TRUE(resources.Update(params, [&](const std::string& text) { told += text + "\n"; }));
  ASSERT_NE(resources.backend(), nullptr);
  EXPECT_NE(told.find("network: built in (32 channels, 2 blocks"), std::string::npos) << told;
}

}  // namespace
}  // namespace plexus
