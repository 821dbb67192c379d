#include "net/weights_check.h"

#include <gtest/gtest.h>

#include "base/exception.h"
#include "net/random_weights.h"

namespace plexus {
namespace {

NetworkWeights Small() {
  NetworkWeights weights = RandomWeights({.channels = 8, .blocks = 2, .se_channels = 4}, 1);
  weights.source = "small.pb";
  return weights;
}

std::string MessageOf(const NetworkWeights& weights) {
  try {
    CheckWeights(weights);
  } catch (const Exception& e) {
    EXPECT_FALSE(e.remedy().empty());
    return e.what();
  }
  return "";
}

TEST(WeightsCheck, AWholeNetworkPasses) { EXPECT_EQ(MessageOf(Small()), ""); }

TEST(WeightsCheck, AWrongSizeIsReportedWithFileTensorShapeAndNumbers) {
  NetworkWeights weights = Small();
  weights.residual[1].conv1.weights.pop_back();
  const std::string message = MessageOf(weights);
  for (const char* part :
       {"small.pb", "block 2 conv 1 weights", "575", "576", "8 x 8 x 3 x 3", "download"}) {
    EXPECT_NE(message.find(part), std::string::npos) << message;
  }
}

TEST(WeightsCheck, EveryTensorIsChecked) {
  const size_t count = TensorsOf(Small()).size();
  EXPECT_GT(count, 20u);
  for (size_t t = 0; t < count; ++t) {
    NetworkWeights weights = Small();
    const TensorView tensor = TensorsOf(weights)[t];
    const_cast<std::vector<float>*>(tensor.values)->push_back(0);
    EXPECT_NE(MessageOf(weights).find(tensor.name), std::string::npos) << tensor.name;
  }
}

TEST(WeightsCheck, LayersMustFitEachOther) {
  NetworkWeights weights = Small();
  weights.value_heads[0].dense2.inputs += 1;
  EXPECT_NE(MessageOf(weights).find("value head winner dense 2 inputs 33, expected 32"),
            std::string::npos)
      << MessageOf(weights);
  weights = Small();
  weights.residual[0].conv2.out_channels = 4;
  EXPECT_NE(MessageOf(weights), "");
  weights = Small();
  weights.policy_heads.clear();
  EXPECT_NE(MessageOf(weights).find("no policy head"), std::string::npos);
}

TEST(WeightsCheck, ParametersAreAllWeightsAndBiases) {
  RandomNetworkShape shape{.channels = 8, .blocks = 1, .se_channels = 0, .moves_left = false};
  const uint64_t one_block = ParameterCount(RandomWeights(shape, 1));
  shape.blocks = 2;
  EXPECT_EQ(ParameterCount(RandomWeights(shape, 1)) - one_block, 2u * (8 * 8 * 9 + 8));
}

}  // namespace
}  // namespace plexus
