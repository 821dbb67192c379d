#include "backend/sim/sim_device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "backend/fake/fake_device.h"
#include "backend/test_positions.h"
#include "base/error_of.h"
#include "base/fake_clock.h"
#include "net/encoder.h"
#include "support/run_device.h"

namespace plexus {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;
using testing::AllOf;
using testing::HasSubstr;

constexpr Clock::TimePoint kStart{};

Clock::Duration TimeOf(SimCard* card, int positions) {
  // Far enough apart to find the card idle.
  static Clock::TimePoint now = kStart;
  now += std::chrono::hours(1);
  return card->Admit(positions, now).done - now;
}

SimOptions Options(double rate, double latency_us, int max_batch, int step) {
  SimOptions options;
  options.rate = rate;
  options.latency_us = latency_us;
  options.max_batch = max_batch;
  options.step = step;
  return options;
}

std::vector<InputPlanes> SomePlanes(int count) {
  const std::vector<TestPosition> positions = RandomGamePositions(count, 1);
  std::vector<InputPlanes> planes(positions.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    EncodePlanes(InputFormat::kClassical, HistoryFill::kFenOnly, positions[i].history.all(),
                 &planes[i]);
  }
  return planes;
}

std::vector<float> Answers(Device* device, std::span<const InputPlanes> planes) {
  std::vector<float> policy(planes.size() * kPolicySize), value(planes.size() * 3),
      moves_left(planes.size());
  RunForAllLogits(device, planes, {policy, value, moves_left});
  policy.insert(policy.end(), value.begin(), value.end());
  policy.insert(policy.end(), moves_left.begin(), moves_left.end());
  return policy;
}

std::vector<PlannedDevice> Plan(const std::string& options, Clock* clock) {
  const DeviceConfig config{nullptr, OptionsDict::Parse(options), clock};
  std::vector<PlannedDevice> devices = PlanSimDevices(config);
  config.options.CheckAllRead();
  return devices;
}

TEST(SimCardTest, AFullBatchTakesWhatTheRateSays) {
  SimCard card(Options(10000, 150, 200, 1));
  EXPECT_EQ(TimeOf(&card, 200), microseconds(20000));
  // 150 us + 1 of 200 shares of the rest.
  EXPECT_NEAR(TimeOf(&card, 1).count(), 150e3 + 19850e3 / 200, 2);
}

TEST(SimCardTest, OnePositionPastAWaveCostsAWave) {
  SimCard card(Options(100000, 200, 192, 96));
  EXPECT_EQ(TimeOf(&card, 96), TimeOf(&card, 1));
  EXPECT_EQ(TimeOf(&card, 97), microseconds(1920));
  EXPECT_EQ(TimeOf(&card, 97), TimeOf(&card, 192));
  EXPECT_EQ(TimeOf(&card, 97) - TimeOf(&card, 96), microseconds(860));
}

TEST(SimCardTest, WithoutARateOnlyTheLatencyPasses) {
  SimCard free(Options(0, 0, 256, 1));
  EXPECT_EQ(TimeOf(&free, 256), nanoseconds(0));
  SimCard late(Options(0, 70, 256, 1));
  EXPECT_EQ(TimeOf(&late, 256), microseconds(70));
}

TEST(SimCardTest, TheLatencyOfABatchPassesWhileAnotherComputes) {
  SimCard card(Options(10000, 1000, 100, 1));  // 10 ms a full batch, 9 ms of it computing
  EXPECT_EQ(card.Admit(100, kStart).done, kStart + microseconds(10000));
  EXPECT_EQ(card.Admit(100, kStart).done, kStart + microseconds(19000));
  // Arrives late: half of its latency is still to pass when the card is free.
  EXPECT_EQ(card.Admit(100, kStart + microseconds(18500)).done, kStart + microseconds(28500));
}

TEST(SimCardTest, ComputingDoesNotOverlap) {
  SimCard card(Options(10000, 0, 100, 1));
  Clock::TimePoint done;
  for (int i = 0; i < 50; ++i) done = card.Admit(100, kStart).done;
  EXPECT_EQ(done - kStart, std::chrono::milliseconds(500));
}

TEST(SimCardTest, JitterSpreadsTheTimeEvenlyAndIsTheSameForTheSameSeed) {
  SimOptions options = Options(10000, 0, 100, 1);
  options.jitter = 0.2;
  SimCard card(options), same(options);
  Clock::Duration sum{}, shortest = std::chrono::hours(1), longest{};
  for (int i = 0; i < 1000; ++i) {
    const Clock::Duration time = TimeOf(&card, 100);
    ASSERT_EQ(time, TimeOf(&same, 100));
    sum += time;
    shortest = std::min(shortest, time);
    longest = std::max(longest, time);
  }
  EXPECT_NEAR(static_cast<double>(sum.count()) / 1000, 10e6, 0.1e6);
  EXPECT_GE(shortest, microseconds(8000));
  EXPECT_LT(shortest, microseconds(8100));
  EXPECT_LE(longest, microseconds(12000));
  EXPECT_GT(longest, microseconds(11900));
}

TEST(SimCardTest, FailuresAreCountedOverTheStreamsOfACard) {
  FakeClock clock;
  const std::vector<PlannedDevice> devices = Plan("fail_after=3,streams=2", &clock);
  const auto a = devices[0].streams[0](), b = devices[0].streams[1]();
  const std::vector<InputPlanes> planes = SomePlanes(1);
  EXPECT_NO_THROW(Answers(a.get(), planes));
  EXPECT_NO_THROW(Answers(b.get(), planes));
  EXPECT_NO_THROW(Answers(a.get(), planes));
  EXPECT_THAT(ErrorOf([&] { Answers(b.get(), planes); }), HasSubstr("told to fail after 3"));
  EXPECT_THAT(ErrorOf([&] { Answers(a.get(), planes); }), HasSubstr("told to fail after 3"));
}

TEST(SimDeviceTest, AStalledBatchHangsUntilItIsInterrupted) {
  FakeClock clock;
  const auto device = Plan("stall_after=1", &clock)[0].streams[0]();
  const std::vector<InputPlanes> planes = SomePlanes(1);
  EXPECT_NO_THROW(Answers(device.get(), planes));
  std::promise<void> begun;
  std::future<std::string> error = std::async(std::launch::async, [&] {
    begun.set_value();
    return ErrorOf([&] { Answers(device.get(), planes); });
  });
  begun.get_future().wait();
  clock.Advance(std::chrono::hours(24));  // time alone does not end it
  EXPECT_EQ(error.wait_for(std::chrono::milliseconds(20)), std::future_status::timeout);
  device->Interrupt();
  EXPECT_THAT(error.get(), HasSubstr("was interrupted"));
}

TEST(SimDeviceTest, RunsSleepOnTheClock) {
  FakeClock clock;
  const auto device = Plan("rate=1000,max_batch=100,latency_us=500", &clock)[0].streams[0]();
  const Clock::TimePoint begin = clock.Now();
  Answers(device.get(), SomePlanes(100));
  EXPECT_EQ(clock.Now() - begin, std::chrono::milliseconds(100));
}

TEST(SimDeviceTest, AnswersAreTheSameWhateverTheBatchTheStreamAndTheCard) {
  FakeClock clock;
  const std::vector<InputPlanes> planes = SomePlanes(30);
  const auto fake = PlanFakeDevices({nullptr, OptionsDict::Parse("moves_left"), &clock})[0];
  const std::vector<float> expected = Answers(fake.streams[0]().get(), planes);
  for (const char* options : {"moves_left,profile=titan-v-fp16,gpu=1", "moves_left,jitter=0.5"}) {
    const std::vector<PlannedDevice> cards = Plan(options, &clock);
    for (const DeviceFactory& stream : cards[0].streams) {
      const auto device = stream();
      EXPECT_EQ(Answers(device.get(), planes), expected);
      for (size_t i = 0; i < planes.size(); ++i) {
        const std::vector<float> one = Answers(device.get(), {&planes[i], 1});
        ASSERT_TRUE(std::equal(one.begin(), one.begin() + kPolicySize, &expected[i * kPolicySize]));
        ASSERT_EQ(one.back(), expected[expected.size() - planes.size() + i]);
      }
    }
  }
}

TEST(SimDeviceTest, ABatchAboveTheMostIsRefused) {
  FakeClock clock;
  const auto device = Plan("max_batch=4", &clock)[0].streams[0]();
  EXPECT_THAT(ErrorOf([&] { Answers(device.get(), SomePlanes(5)); }), HasSubstr("1 to 4"));
}

TEST(PlanSimDevicesTest, ACardIsOneDeviceOfSeveralStreams) {
  FakeClock clock;
  const std::vector<PlannedDevice> devices = Plan("profile=titan-v-fp32,gpu=3", &clock);
  ASSERT_EQ(devices.size(), 1u);
  EXPECT_EQ(devices[0].streams.size(), 2u);
  EXPECT_EQ(devices[0].name_suffix, "titan-v-fp32 gpu 3");
  const DeviceAttributes attributes = devices[0].streams[0]()->attributes();
  EXPECT_EQ(attributes.name, "sim titan-v-fp32 gpu 3");
  EXPECT_FALSE(attributes.is_cpu);
  EXPECT_EQ(Plan("streams=4", &clock)[0].streams.size(), 4u);
  EXPECT_EQ(Plan("threads=3", &clock)[0].streams.size(), 3u);
}

TEST(PlanSimDevicesTest, OwnKeysChangeAProfile) {
  FakeClock clock;
  const std::vector<InputPlanes> planes = SomePlanes(192);
  const auto time_of = [&](const char* options) {
    const auto device = Plan(options, &clock)[0].streams[0]();
    const Clock::TimePoint begin = clock.Now();
    Answers(device.get(), planes);
    return std::chrono::duration<double>(clock.Now() - begin).count();
  };
  EXPECT_NEAR(time_of("profile=rtx2080super-10x128-fp16"), 192 / 101279.0, 1e-6);
  EXPECT_NEAR(time_of("profile=rtx2080super-10x128-fp16,rate=50000"), 192 / 50000.0, 1e-6);
  EXPECT_NEAR(time_of("profile=rtx2080super-10x128-fp16,rate=0,latency_us=0"), 0, 1e-9);
}

TEST(PlanSimDevicesTest, EveryProfileIsPossibleAndWholeWaves) {
  FakeClock clock;
  for (const char* name : {"titan-v-fp16", "titan-v-fp32", "rtx2080ti-20x256-fp16",
                           "rtx2080super-10x128-fp16", "a100-30x384-fp16", "h200-20x256-fp16"}) {
    const auto attributes =
        Plan(std::string("profile=") + name, &clock)[0].streams[0]()->attributes();
    EXPECT_EQ(attributes.best_batch % attributes.batch_step, 0) << name;
    EXPECT_THAT(std::string(kSimDeviceKeys), HasSubstr(name));
  }
  EXPECT_EQ(Plan("max_batch=100,step=32", &clock)[0].streams[0]()->attributes().best_batch, 96);
}

TEST(PlanSimDevicesTest, WhatCannotBeIsRefusedWithTheReason) {
  FakeClock clock;
  const auto refusal = [&](const char* options) { return ErrorOf([&] { Plan(options, &clock); }); };
  EXPECT_THAT(refusal("profile=titan-v-fp17"),
              AllOf(HasSubstr("\"titan-v-fp17\" is unknown"), HasSubstr("titan-v-fp16")));
  EXPECT_THAT(refusal("rate=53000,max_batch=256,latency_us=5000"),
              AllOf(HasSubstr("256 positions at 53000 a second take 4830 us"),
                    HasSubstr("latency of 5000 us")));
  EXPECT_THAT(refusal("rate=-1"), HasSubstr("rate"));
  EXPECT_THAT(refusal("rate=nan"), HasSubstr("rate"));
  EXPECT_THAT(refusal("batch=2000"), HasSubstr("batch"));
  EXPECT_THAT(refusal("jitter=1"), HasSubstr("jitter"));
  EXPECT_THAT(refusal("streams=0"), HasSubstr("streams"));
  EXPECT_THAT(refusal("speed=9"), HasSubstr("\"speed\""));
}

}  // namespace
}  // namespace plexus
