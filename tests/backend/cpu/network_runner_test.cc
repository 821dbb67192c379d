#include "backend/cpu/network_runner.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "backend/cpu/plain_network.h"
#include "net/random_weights.h"

namespace plexus {
namespace {

TEST(NetworkRunner, SharesTheNetworkWithOthers) {
  const auto network =
      PackNetwork(RandomWeights({.channels = 16, .blocks = 1}, 1), ConvolutionMethod::kWinograd4);
  const NetworkRunner first(SelectCpuKernels("auto"), network);
  const NetworkRunner second(SelectCpuKernels("auto"), network);
  EXPECT_EQ(network.use_count(), 3);
}

TEST(NetworkRunner, BlocksFitTheCacheUnlessWeightsWouldPassTooOften) {
  const CpuKernels& kernels = SelectCpuKernels("auto");
  const auto blocks = [&](int channels) {
    const NetworkWeights weights = RandomWeights({.channels = channels, .blocks = 0}, 1);
    return NetworkRunner(kernels, PackNetwork(weights, ConvolutionMethod::kWinograd4))
        .block_boards();
  };
  EXPECT_EQ(blocks(16), 24);
  EXPECT_EQ(blocks(64), 8);
  EXPECT_EQ(blocks(128), 16);
  EXPECT_EQ(blocks(256), 24);
}

// 96 boards are one chunk of the dense layers: one more begins a second.
TEST(NetworkRunner, ChunksAndBlocksLeaveNoSeam) {
  const auto network =
      PackNetwork(RandomWeights({.channels = 16, .blocks = 1}, 1), ConvolutionMethod::kWinograd4);
  NetworkRunner runner(SelectCpuKernels("auto"), network);
  constexpr int kBoards = 197;
  std::vector<InputPlanes> planes(kBoards);
  for (int i = 0; i < kBoards; ++i) {
    planes[i].mask.fill(0x8040201008040201u);
    planes[i].value.fill(static_cast<float>(i % 5));
  }
  std::vector<float> policy(kBoards * kPolicySize), value(kBoards * 3), moves_left(kBoards);
  std::vector<uint16_t> indices(policy.size());
  std::vector<uint32_t> begin(kBoards + 1);
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<uint16_t>(i % kPolicySize);
  for (int i = 0; i <= kBoards; ++i) begin[i] = static_cast<uint32_t>(i * kPolicySize);
  runner.Run({planes, indices, begin}, {policy, value, moves_left});
  for (int i = 5; i < kBoards; ++i) {
    ASSERT_EQ(std::memcmp(&policy[i * kPolicySize], &policy[i % 5 * kPolicySize],
                          sizeof(float) * kPolicySize),
              0)
        << i;
    ASSERT_EQ(std::memcmp(&value[i * 3], &value[i % 5 * 3], sizeof(float) * 3), 0) << i;
    ASSERT_EQ(moves_left[i], moves_left[i % 5]) << i;
  }
  EXPECT_NE(policy[0], policy[kPolicySize]);
}

}  // namespace
}  // namespace plexus
