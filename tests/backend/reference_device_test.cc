#include "backend/reference/reference_device.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/exception.h"
#include "net/random_weights.h"
#include "net/weights_file.h"
#include "support/expected_evaluations.h"
#include "support/run_device.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

TEST(ReferenceDevice, RefusesAnAttentionBodyAndNamesIt) {
  PLEXUS_REQUIRE_SHARED("nets/synthetic/attn-pemap-relu.pb.gz");
  DeviceConfig config;
  config.weights = std::make_shared<NetworkWeights>(
      LoadWeights(SharedPath("nets/synthetic/attn-pemap-relu.pb.gz")));
  try {
    PlanReferenceDevices(config);
    FAIL() << "no exception";
  } catch (const Exception& e) {
    EXPECT_NE(std::string(e.what()).find("attention body"), std::string::npos) << e.what();
    EXPECT_NE(std::string(e.what()).find("attn-pemap-relu"), std::string::npos) << e.what();
  }
}

TEST(ReferenceDevice, ABatchGivesWhatItsPositionsGiveAlone) {
  const auto weights =
      std::make_shared<NetworkWeights>(RandomWeights({.channels = 8, .blocks = 1}, 1));
  const auto device = MakeReferenceDevice(weights);
  std::vector<InputPlanes> planes(2);
  planes[0].mask[0] = 0xff00;
  planes[0].value.fill(1);
  planes[1].mask[3] = 0x81;
  planes[1].value.fill(1);
  std::vector<float> policy(2 * kPolicySize), value(6), plies(2);
  RunForAllLogits(device.get(), planes, {policy, value, plies});
  std::vector<float> policy_alone(kPolicySize), value_alone(3), plies_alone(1);
  RunForAllLogits(device.get(), std::span(planes).subspan(1),
                  {policy_alone, value_alone, plies_alone});
  EXPECT_TRUE(std::equal(policy_alone.begin(), policy_alone.end(), policy.begin() + kPolicySize));
  EXPECT_TRUE(std::equal(value_alone.begin(), value_alone.end(), value.begin() + 3));
  EXPECT_EQ(plies_alone[0], plies[1]);
}

TEST(ReferenceDevice, AgreesWithExpectedEvaluationsOfEveryConvolutionNetwork) {
  PLEXUS_REQUIRE_SHARED("expected/positions.txt");
  const std::vector<ExpectedNetwork> networks = ExpectedConvolutionNetworks();
  ASSERT_EQ(networks.size(), 21u);
  for (const ExpectedNetwork& network : networks) {
    const auto weights = std::make_shared<NetworkWeights>(LoadWeights(network.weights_path));
    const auto device = MakeReferenceDevice(weights);
    // The fast devices are compared on all positions; these loops take milliseconds for each.
    const auto expected = ReadExpectedEvaluations(network.expected_path, 13);
    const EvaluationDifference difference = CompareWithExpected(expected, *weights, device.get());
    EXPECT_GE(difference.positions, 8) << network.name;
    EXPECT_LT(difference.q, 1e-3f) << network.name;
    EXPECT_LT(difference.d, 1e-3f) << network.name;
    EXPECT_LT(difference.m, 1e-3f * std::max(1.0f, difference.plies_scale)) << network.name;
    EXPECT_LT(difference.logit, 5e-3f) << network.name << ": " << difference.worst_logit;
  }
}

TEST(ReferenceDevice, AgreesWithExpectedEvaluationsOfAnAttentionPolicyHead) {
  PLEXUS_REQUIRE_SHARED("expected/se-mish-attnpolicy.jsonl.gz");
  const ExpectedNetwork network = ExpectedNetworkByName("se-mish-attnpolicy");
  const auto weights = std::make_shared<NetworkWeights>(LoadWeights(network.weights_path));
  const auto device = MakeReferenceDevice(weights);
  const EvaluationDifference difference = CompareWithExpected(
      ReadExpectedEvaluations(network.expected_path, 13), *weights, device.get());
  EXPECT_LT(difference.q, 1e-3f);
  EXPECT_LT(difference.logit, 5e-3f) << difference.worst_logit;
}

}  // namespace
}  // namespace plexus
