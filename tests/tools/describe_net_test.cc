#include "tools/describe_net.h"

#include <gtest/gtest.h>

#include "base/exception.h"
#include "net/random_weights.h"
#include "net/weights_file.h"
#include "support/json.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

void ExpectIn(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
}

TEST(DescribeNet, AConvolutionalNetworkIsNamedWhole) {
  const std::string text =
      DescribeNetwork(RandomWeights({.channels = 16, .blocks = 3, .se_channels = 4}, 1));
  ExpectIn(text, {"16 channels, 3 blocks, squeeze-excite 4", "vanilla: convolution", "winner: wdl",
                  "plies", "relu", "every backend"});
}

TEST(DescribeNet, ARealFileSaysItsFormatAndEncodings) {
  PLEXUS_REQUIRE_SHARED("nets/maia-1100.pb.gz");
  const Json json =
      Json::Parse(DescribeNetworkAsJson(LoadWeights(SharedPath("nets/maia-1100.pb.gz"))));
  EXPECT_EQ(json["body"].text, "convolution");
  EXPECT_EQ(json["channels"].number, 64);
  EXPECT_EQ(json["blocks"].number, 6);
  EXPECT_EQ(json["encodings"].text, "LINEAR16");
  EXPECT_NE(json["format"].text.find("SE"), std::string::npos);
  EXPECT_GT(json["parameters"].number, 4e5);
  EXPECT_GT(json["flops_per_position"].number, 5e7);
  EXPECT_EQ(json["unsupported"].type, Json::Type::kNull);
}

TEST(DescribeNet, AttentionNetworksAreDescribedThoughNotEvaluated) {
  PLEXUS_REQUIRE_SHARED("nets/synthetic/multihead-pedense-smolgen.F16.pb.gz");
  const NetworkWeights weights =
      LoadWeights(SharedPath("nets/synthetic/multihead-pedense-smolgen.F16.pb.gz"));
  ExpectIn(DescribeNetwork(weights), {"attention, width", "smolgen", "position dense",
                                      "vanilla: attention", "FLOAT16", "attention body"});
  const Json json = Json::Parse(DescribeNetworkAsJson(weights));
  EXPECT_GT(json["policy_heads"].size(), 1u);
  EXPECT_EQ(json["unsupported"].type, Json::Type::kString);
}

TEST(DescribeNet, WithoutAFileItSaysWhatToWrite) {
  EXPECT_THROW(RunDescribeNet({}), Exception);
  const std::vector<std::string> missing = {"--weights=/nowhere/net.pb.gz"};
  EXPECT_THROW(RunDescribeNet(missing), Exception);
}

}  // namespace
}  // namespace plexus
