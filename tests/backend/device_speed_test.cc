#include "backend/device_speed.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace plexus {
namespace {

TEST(DeviceSpeedTest, NothingIsKnownBeforeTheFirstBatch) {
  EXPECT_FALSE(DeviceSpeed().known());
  EXPECT_EQ(DeviceSpeed().Seconds(100), 0);
}

TEST(DeviceSpeedTest, LatencyAndPositionTimeAreTakenApart) {
  DeviceSpeed speed;
  for (int i = 0; i < 20; ++i) {
    const int n = 32 + 16 * (i % 8);
    speed.Add(n, 150e-6 + n * 20e-6);
  }
  EXPECT_TRUE(speed.latency_known());
  EXPECT_NEAR(speed.latency_s(), 150e-6, 1e-9);
  EXPECT_NEAR(speed.position_s(), 20e-6, 1e-12);
  EXPECT_NEAR(speed.Seconds(256), 150e-6 + 256 * 20e-6, 1e-9);
}

TEST(DeviceSpeedTest, BatchesOfOneSizeTellTheirTimeButNoLatency) {
  DeviceSpeed speed;
  for (int i = 0; i < 20; ++i) speed.Add(256, 0.005);
  EXPECT_FALSE(speed.latency_known());
  EXPECT_NEAR(speed.Seconds(256), 0.005, 1e-12);
}

TEST(DeviceSpeedTest, ACostThatDoesNotGrowWithTheBatchIsAllLatency) {
  DeviceSpeed speed;
  for (int i = 0; i < 20; ++i) speed.Add(32 + 16 * (i % 8), 0.01);
  EXPECT_NEAR(speed.latency_s(), 0.01, 1e-9);
  EXPECT_NEAR(speed.position_s(), 0, 1e-9);
}

TEST(DeviceSpeedTest, TheWarmUpBatchIsForgotten) {
  DeviceSpeed speed;
  speed.Add(64, 3.0);
  EXPECT_NEAR(speed.Seconds(64), 3.0, 1e-9);
  speed.Add(64, 0.002);
  EXPECT_NEAR(speed.Seconds(64), 0.002, 1e-9);
}

TEST(DeviceSpeedTest, ADeviceThatBecomesSlowerIsFollowed) {
  DeviceSpeed speed;
  for (int i = 0; i < 100; ++i) speed.Add(64, 0.002);
  for (int i = 0; i < 60; ++i) speed.Add(64, 0.004);
  EXPECT_NEAR(speed.Seconds(64), 0.004, 0.0001);
}

TEST(DeviceSpeedTest, NoisyTimesNeverGiveNegativeParts) {
  Random random(5);
  DeviceSpeed speed;
  for (int i = 0; i < 5000; ++i) {
    speed.Add(1 + static_cast<int>(random.Below(300)), 1e-6 * (1 + random.Below(10000)));
    ASSERT_GE(speed.latency_s(), 0);
    ASSERT_GE(speed.position_s(), 0);
    ASSERT_GT(speed.Seconds(64), 0);
  }
}

TEST(DeviceSpeedTest, ABatchThatTookNoTimeTeachesNothing) {
  DeviceSpeed speed;
  speed.Add(64, 0);
  EXPECT_FALSE(speed.known());
}

}  // namespace
}  // namespace plexus
