// Whole networks on every instruction set of this machine.

#include "backend/cpu/cpu_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <thread>

#include "backend/cpu/plain_network.h"
#include "base/exception.h"
#include "net/random_weights.h"
#include "support/run_device.h"

namespace plexus {
namespace {

// Planes like a position's: some pieces, some full planes, a counter; never two boards alike.
std::vector<InputPlanes> SomePlanes(int count) {
  std::mt19937_64 random(2024);
  std::vector<InputPlanes> planes(count);
  for (InputPlanes& board : planes) {
    for (int p = 0; p < kInputPlanes; ++p) {
      board.mask[p] = random() & random() & random();
      board.value[p] = 1;
    }
    for (const int p : {12, 25, 104, 107}) board.mask[p] = random() % 2 ? ~uint64_t{0} : 0;
    board.mask[109] = board.mask[111] = ~uint64_t{0};
    board.value[109] = static_cast<float>(random() % 100);
  }
  return planes;
}

struct Logits {
  std::vector<float> policy, value, moves_left;
};

Logits RunDevice(Device& device, std::span<const InputPlanes> input) {
  Logits logits{std::vector<float>(input.size() * kPolicySize, NAN),
                std::vector<float>(input.size() * 3, NAN), std::vector<float>(input.size(), NAN)};
  RunForAllLogits(&device, input, {logits.policy, logits.value, logits.moves_left});
  return logits;
}

DeviceConfig Config(const RandomNetworkShape& shape, const std::string& options,
                    uint64_t seed = 5) {
  return {std::make_shared<NetworkWeights>(RandomWeights(shape, seed)), OptionsDict::Parse(options),
          nullptr};
}

std::unique_ptr<Device> MakeDevice(const RandomNetworkShape& shape, const std::string& options) {
  return PlanCpuDevices(Config(shape, options))[0].streams[0]();
}

bool SameBits(std::span<const float> a, std::span<const float> b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

class CpuDeviceTest : public ::testing::TestWithParam<const CpuKernels*> {
 protected:
  std::string Isa() const {
    return std::string("threads=1,isa=") + GetParam()->isa + ",precision=" + GetParam()->precision;
  }
  bool IsFp32() const { return std::string(GetParam()->precision) == "fp32"; }
};

// ---- a position's result and its batch ----

TEST_P(CpuDeviceTest, APositionsResultIsTheSameBitForBitInEveryBatch) {
  const std::vector<InputPlanes> planes = SomePlanes(111);
  for (const char* more : {"", ",winograd=false"}) {
    if (!IsFp32() && *more) continue;  // bf16 has no direct path
    const auto device = MakeDevice({.channels = 40, .blocks = 2, .se_channels = 9}, Isa() + more);
    const Logits all = RunDevice(*device, planes);
    for (const int size : {1, 2, 3, 5, 7, 16, 25, 97}) {
      for (const int first : {0, 4, 111 - size}) {
        const Logits some = RunDevice(*device, std::span(planes).subspan(first, size));
        ASSERT_TRUE(SameBits(
            some.policy, std::span(all.policy).subspan(first * kPolicySize, size * kPolicySize)));
        ASSERT_TRUE(SameBits(some.value, std::span(all.value).subspan(first * 3, size * 3)));
        ASSERT_TRUE(SameBits(some.moves_left, std::span(all.moves_left).subspan(first, size)));
      }
    }
  }
}

TEST_P(CpuDeviceTest, TheOrderOfABatchDoesNotMatter) {
  std::vector<InputPlanes> planes = SomePlanes(19);
  const auto device = MakeDevice({.channels = 32, .blocks = 1}, Isa());
  const Logits forward = RunDevice(*device, planes);
  std::reverse(planes.begin(), planes.end());
  const Logits backward = RunDevice(*device, planes);
  for (int i = 0; i < 19; ++i) {
    ASSERT_TRUE(SameBits(std::span(forward.policy).subspan(i * kPolicySize, kPolicySize),
                         std::span(backward.policy).subspan((18 - i) * kPolicySize, kPolicySize)));
  }
}

// ---- the direct path and other instruction sets are second opinions ----

class CpuDeviceFp32Test : public CpuDeviceTest {};

TEST_P(CpuDeviceFp32Test, WinogradAndDirectConvolutionsAgreeOnEveryKindOfNetwork) {
  const std::vector<InputPlanes> planes = SomePlanes(5);
  std::vector<RandomNetworkShape> shapes = {
      {.channels = 16, .blocks = 1, .se_channels = 0},
      {.channels = 33, .blocks = 2, .se_channels = 7, .activation = Activation::kMish},
      {.channels = 64,
       .blocks = 2,
       .policy = PolicyKind::kClassical,
       .value = ValueKind::kClassical},
      {.channels = 128, .blocks = 1, .moves_left = false},
      {.channels = 7, .blocks = 3, .se_channels = 1, .policy = PolicyKind::kClassical},
      {.channels = 1, .blocks = 0, .se_channels = 0}};
  for (const RandomNetworkShape& shape : shapes) {
    SCOPED_TRACE(std::to_string(shape.channels) + " channels");
    const Logits winograd = RunDevice(*MakeDevice(shape, Isa()), planes);
    const Logits direct =
        RunDevice(*MakeDevice(shape, "threads=1,isa=portable,winograd=false"), planes);
    for (size_t i = 0; i < winograd.policy.size(); ++i) {
      ASSERT_NEAR(winograd.policy[i], direct.policy[i], 1e-3 + 1e-4 * std::fabs(direct.policy[i]))
          << i;
    }
    for (size_t i = 0; i < winograd.value.size(); ++i)
      ASSERT_NEAR(winograd.value[i], direct.value[i], 1e-3) << i;
    for (size_t i = 0; i < winograd.moves_left.size(); ++i) {
      ASSERT_NEAR(winograd.moves_left[i], direct.moves_left[i], 1e-3 + 1e-4 * direct.moves_left[i])
          << i;
    }
  }
}

// ---- devices and their description ----

TEST_P(CpuDeviceTest, TheNameTellsPrecisionAndInstructionSet) {
  const DeviceAttributes attributes =
      MakeDevice({.channels = 16, .blocks = 1}, Isa())->attributes();
  EXPECT_EQ(attributes.name, std::string("cpu ") + GetParam()->precision + " " + GetParam()->isa);
  EXPECT_EQ(attributes.precision, GetParam()->precision);
  EXPECT_TRUE(attributes.is_cpu);
  EXPECT_TRUE(attributes.has_wdl);
  EXPECT_TRUE(attributes.has_moves_left);
  EXPECT_EQ(attributes.max_batch, 256);
  EXPECT_EQ(attributes.batch_step, 1);
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, CpuDeviceFp32Test, ::testing::ValuesIn(RunnableKernels("fp32")),
                         IsaName);
INSTANTIATE_TEST_SUITE_P(EveryIsa, CpuDeviceTest, ::testing::ValuesIn(RunnableKernels()), IsaName);

TEST(CpuDevices, ThreadsGiveAsManyDevicesThatRunAtTheSameTime) {
  const std::vector<InputPlanes> planes = SomePlanes(9);
  const std::vector<PlannedDevice> planned =
      PlanCpuDevices(Config({.channels = 32, .blocks = 2}, "threads=3"));
  ASSERT_EQ(planned.size(), 3u);
  std::vector<Logits> results(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&, i] {
      const auto device = planned[i].streams[0]();
      for (int round = 0; round < 10; ++round) results[i] = RunDevice(*device, planes);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(SameBits(results[0].policy, results[1].policy));
  EXPECT_TRUE(SameBits(results[0].policy, results[2].policy));
}

size_t AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

TEST(CpuDevices, DevicesOfASpecificationShareItsWeights) {
  const DeviceConfig config = Config({.channels = 128, .blocks = 4}, "threads=2");
  const size_t before = AllocatedBytes();
  const std::vector<PlannedDevice> planned = PlanCpuDevices(config);
  const size_t packed = AllocatedBytes() - before;  // 20 MB of transformed weights
  const auto first = planned[0].streams[0]();
  const size_t with_one = AllocatedBytes();
  const auto second = planned[1].streams[0]();
  EXPECT_LE(AllocatedBytes() - with_one, packed / 2)
      << "a second device brought weights of its own";
  const std::vector<InputPlanes> planes = SomePlanes(2);
  EXPECT_TRUE(SameBits(RunDevice(*first, planes).policy, RunDevice(*second, planes).policy));
}

TEST(CpuDevices, ARunAllocatesNothing) {
  const auto device = MakeDevice({.channels = 32, .blocks = 2}, "threads=1");
  const std::vector<InputPlanes> planes = SomePlanes(100);
  std::vector<float> policy(100 * kPolicySize), value(300), moves_left(100);
  RunForAllLogits(device.get(), planes, {policy, value, moves_left});
  const size_t before = mallinfo2().uordblks;
  RunForAllLogits(device.get(), planes, {policy, value, moves_left});
  EXPECT_EQ(mallinfo2().uordblks, before);
}

TEST(CpuDevices, ZeroThreadsMeansAtLeastOneDevice) {
  EXPECT_GE(PlanCpuDevices(Config({.channels = 8, .blocks = 1}, "threads=0")).size(), 1u);
  EXPECT_GE(PlanCpuDevices(Config({.channels = 8, .blocks = 1}, "")).size(), 1u);
}

TEST(CpuDevices, BatchSizesFollowTheOptions) {
  const auto device = MakeDevice({.channels = 16, .blocks = 1}, "max_batch=40,batch=12,threads=1");
  EXPECT_EQ(device->attributes().max_batch, 40);
  EXPECT_EQ(device->attributes().best_batch, 12);
  const std::vector<InputPlanes> planes = SomePlanes(41);
  EXPECT_NO_THROW(RunDevice(*device, std::span(planes).first(40)));
  EXPECT_THROW(RunDevice(*device, planes), Exception);
  EXPECT_THROW(RunDevice(*device, {}), Exception);
}

// ---- refusals ----

std::string RefusalOf(const DeviceConfig& config) {
  try {
    PlanCpuDevices(config);
  } catch (const Exception& e) {
    return e.what();
  }
  return "";
}

TEST(CpuDevices, AttentionIsRefusedByName) {
  NetworkWeights body = RandomWeights({.channels = 16, .blocks = 1}, 1);
  body.body = BodyKind::kAttention;
  EXPECT_THAT(RefusalOf({std::make_shared<NetworkWeights>(body), {}, nullptr}),
              ::testing::HasSubstr("attention body"));
  NetworkWeights head = RandomWeights({.channels = 16, .blocks = 1}, 1);
  head.policy_heads[0].kind = PolicyKind::kAttention;
  EXPECT_THAT(RefusalOf({std::make_shared<NetworkWeights>(head), {}, nullptr}),
              ::testing::HasSubstr("attention policy"));
}

TEST(CpuDevices, OptionsThatMeanNothingAreRefused) {
  EXPECT_THAT(RefusalOf(Config({.channels = 8}, "isa=mmx")), ::testing::HasSubstr("isa=mmx"));
  EXPECT_THAT(RefusalOf(Config({.channels = 8}, "precision=int4")),
              ::testing::HasSubstr("precision=int4"));
  EXPECT_NE(RefusalOf(Config({.channels = 8}, "precision=bf16,winograd=false")), "");
  EXPECT_THAT(RefusalOf(Config({.channels = 8}, "precision=bf16,isa=portable")),
              ::testing::HasSubstr("isa=portable,precision=bf16"));
  EXPECT_NE(RefusalOf(Config({.channels = 8}, "threads=-1")), "");
  EXPECT_NE(RefusalOf(Config({.channels = 8}, "max_batch=10,batch=11")), "");
  EXPECT_THAT(RefusalOf({nullptr, {}, nullptr}), ::testing::HasSubstr("needs a network"));
}

}  // namespace
}  // namespace plexus
