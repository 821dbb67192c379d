#include "backend/fake/fake_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "backend/test_positions.h"
#include "base/exception.h"
#include "base/fake_clock.h"
#include "net/decoder.h"
#include "net/encoder.h"
#include "support/run_device.h"

namespace plexus {
namespace {

struct Logits {
  std::vector<float> policy, value, moves_left;
  bool operator==(const Logits&) const = default;
};

Logits LogitsOf(Device* device, const std::vector<InputPlanes>& planes) {
  Logits logits{std::vector<float>(planes.size() * kPolicySize),
                std::vector<float>(planes.size() * 3), std::vector<float>(planes.size())};
  RunForAllLogits(device, planes, {logits.policy, logits.value, logits.moves_left});
  return logits;
}

std::vector<InputPlanes> Planes(std::span<const TestPosition> positions) {
  std::vector<InputPlanes> planes(positions.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    EncodePlanes(InputFormat::kClassical, HistoryFill::kFenOnly, positions[i].history.all(),
                 &planes[i]);
  }
  return planes;
}

TestPosition FromFen(const char* fen) {
  PositionHistory history(fen);
  const MoveList moves = LegalMoves(history.Last().board);
  return {std::move(history), moves};
}

class FakeDeviceTest : public testing::Test {
 protected:
  FakeDevice Make(const FakeDeviceOptions& options = {}) { return FakeDevice(options, &clock_); }
  float Value(FakeMode mode, const char* fen) {
    FakeDeviceOptions options;
    options.mode = mode;
    FakeDevice device = Make(options);
    const std::vector<TestPosition> position = {FromFen(fen)};
    const Logits logits = LogitsOf(&device, Planes(position));
    EvalOutput out;
    DecodeEvaluation({}, logits.value, logits.moves_left[0], true, 1.0f, &out);
    return out.wl;
  }

  FakeClock clock_;
};

TEST_F(FakeDeviceTest, TheAnswerDependsOnThePositionAlone) {
  const std::vector<InputPlanes> planes = Planes(RandomGamePositions(20, 1));
  FakeDevice one = Make(), other = Make();
  const Logits together = LogitsOf(&one, planes);
  for (size_t i = planes.size(); i-- > 0;) {  // one by one and backwards
    const Logits single = LogitsOf(&other, {planes[i]});
    ASSERT_TRUE(
        std::equal(single.policy.begin(), single.policy.end(), &together.policy[i * kPolicySize]));
    ASSERT_TRUE(std::equal(single.value.begin(), single.value.end(), &together.value[i * 3]));
  }
}

TEST_F(FakeDeviceTest, AnotherSeedGivesOtherNumbers) {
  FakeDeviceOptions options;
  options.seed = 1;
  FakeDevice zero = Make(), one = Make(options);
  const std::vector<InputPlanes> planes = Planes(RandomGamePositions(1, 1));
  EXPECT_NE(LogitsOf(&zero, planes), LogitsOf(&one, planes));
}

TEST_F(FakeDeviceTest, PolicyLogitsAreUniformFromZeroToThree) {
  FakeDevice device = Make();
  const Logits logits = LogitsOf(&device, Planes(RandomGamePositions(100, 2)));
  std::array<int, 6> histogram{};
  for (const float logit : logits.policy) {
    ASSERT_GE(logit, 0.0f);
    ASSERT_LT(logit, 3.0f);
    ++histogram[static_cast<int>(logit * 2)];
  }
  for (const int count : histogram) EXPECT_NEAR(count, 100 * kPolicySize / 6.0, 1000);
}

TEST_F(FakeDeviceTest, ValuesAreUniformFromMinusOneToOneAndDrawsFillTheRest) {
  FakeDevice device = Make();
  constexpr int kPositions = 4000;
  const Logits logits = LogitsOf(&device, Planes(RandomGamePositions(kPositions, 3)));
  std::array<int, 4> histogram{};
  double draws = 0;
  for (int i = 0; i < kPositions; ++i) {
    const double win = std::exp(logits.value[3 * i]), draw = std::exp(logits.value[3 * i + 1]),
                 loss = std::exp(logits.value[3 * i + 2]);
    const double q = (win - loss) / (win + draw + loss);
    draws += draw / (win + draw + loss);
    ++histogram[std::min(3, static_cast<int>((q + 1) * 2))];
  }
  for (const int count : histogram) EXPECT_NEAR(count, kPositions / 4, 120);
  EXPECT_NEAR(draws / kPositions, 0.25, 0.02);  // half of 1 - |q|, whose mean is a half
}

TEST_F(FakeDeviceTest, WithoutWdlTheValueComesFirstAndZerosFollow) {
  FakeDeviceOptions options;
  options.wdl = false;
  FakeDevice device = Make(options);
  const Logits logits = LogitsOf(&device, Planes(RandomGamePositions(1, 4)));
  EXPECT_LE(std::abs(logits.value[0]), 1.0f);
  EXPECT_NE(logits.value[0], 0.0f);
  EXPECT_EQ(logits.value[1], 0.0f);
  EXPECT_EQ(logits.value[2], 0.0f);
  EXPECT_FALSE(device.attributes().has_wdl);
}

TEST_F(FakeDeviceTest, MovesLeftVaryWhenAskedFor) {
  FakeDeviceOptions options;
  options.moves_left = true;
  FakeDevice device = Make(options);
  const Logits logits = LogitsOf(&device, Planes(RandomGamePositions(50, 5)));
  EXPECT_GT(*std::ranges::max_element(logits.moves_left), 100.0f);
  EXPECT_LT(*std::ranges::min_element(logits.moves_left), 20.0f);
}

TEST_F(FakeDeviceTest, EachBatchChargesTheClock) {
  FakeDeviceOptions options;
  options.cost_us = 1000;
  options.position_cost_us = 10;
  FakeDevice device = Make(options);
  const Clock::TimePoint begin = clock_.Now();
  LogitsOf(&device, Planes(RandomGamePositions(5, 6)));
  LogitsOf(&device, Planes(RandomGamePositions(1, 6)));
  EXPECT_EQ(clock_.Now() - begin, std::chrono::microseconds(2060));
}

TEST_F(FakeDeviceTest, ItFailsFromTheBatchThatItWasToldOn) {
  FakeDeviceOptions options;
  options.fail_at = 3;
  FakeDevice device = Make(options);
  const std::vector<InputPlanes> planes = Planes(RandomGamePositions(1, 7));
  EXPECT_NO_THROW(LogitsOf(&device, planes));
  EXPECT_NO_THROW(LogitsOf(&device, planes));
  EXPECT_THROW(LogitsOf(&device, planes), Exception);
  EXPECT_THROW(LogitsOf(&device, planes), Exception);
}

TEST_F(FakeDeviceTest, MaterialIsWorthTheSameToWhoeverMoves) {
  const float white = Value(FakeMode::kMaterial, "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1");
  const float black = Value(FakeMode::kMaterial, "q3k3/8/8/8/8/8/8/4K3 b - - 0 1");
  EXPECT_GT(white, 0.6f);
  EXPECT_EQ(white, black);
}

TEST_F(FakeDeviceTest, MoreMaterialIsWorthMore) {
  const float pawn = Value(FakeMode::kMaterial, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1");
  const float rook = Value(FakeMode::kMaterial, "4k3/8/8/8/8/8/R7/4K3 w - - 0 1");
  const float knight_down = Value(FakeMode::kMaterial, "1n2k3/8/8/8/8/8/8/4K3 w - - 0 1");
  EXPECT_GT(pawn, 0.1f);
  EXPECT_GT(rook, pawn);
  EXPECT_LT(knight_down, -pawn);
}

TEST_F(FakeDeviceTest, EqualMaterialIsEqual) {
  EXPECT_EQ(Value(FakeMode::kMaterial, kStartFen), 0.0f);
}

TEST(PlanFakeDevicesTest, ThreadsAreDevices) {
  FakeClock clock;
  const DeviceConfig config{nullptr, OptionsDict::Parse("threads=3,max_batch=32,batch=8"), &clock};
  const std::vector<PlannedDevice> devices = PlanFakeDevices(config);
  ASSERT_EQ(devices.size(), 3u);
  EXPECT_EQ(devices[1].streams[0]()->attributes().max_batch, 32);
  EXPECT_EQ(devices[1].streams[0]()->attributes().best_batch, 8);
}

TEST(PlanFakeDevicesTest, AnOptionOutOfRangeIsRefused) {
  FakeClock clock;
  EXPECT_THROW(PlanFakeDevices({nullptr, OptionsDict::Parse("threads=0"), &clock}), Exception);
  EXPECT_THROW(PlanFakeDevices({nullptr, OptionsDict::Parse("max_batch=8,batch=9"), &clock}),
               Exception);
}

}  // namespace
}  // namespace plexus
