#include "backend/device_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plexus {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class DeviceRecordTest : public testing::Test {
 protected:
  explicit DeviceRecordTest(int streams = 2) : device_(streams) {
    DeviceAttributes attributes;
    attributes.name = "card";
    attributes.max_batch = 256;
    attributes.best_batch = 128;
    device_.Ready(attributes, At(0));
    for (const auto& stream : device_.streams) stream->state = StreamState::kFree;
  }
  static Clock::TimePoint At(int ms) { return Clock::TimePoint(milliseconds(ms)); }
  void Begin(int stream, int positions, int ms, Clock::Duration stall_timeout = {}) {
    device_.Assign(device_.streams[stream].get(), {TicketRef(), 0, positions});
    device_.Begin(device_.streams[stream].get(), At(ms), stall_timeout);
  }
  void End(int stream, int ms) {
    device_.End(device_.streams[stream].get(), At(ms));
    device_.streams[stream]->state = StreamState::kFree;
  }

  DeviceRecord device_;
};

TEST_F(DeviceRecordTest, BusyTimeIsTheUnionOfItsStreams) {
  Begin(0, 10, 5);
  Begin(1, 10, 7);
  End(0, 10);
  End(1, 14);
  const DeviceCounters counters = device_.Counters(At(20));
  EXPECT_DOUBLE_EQ(counters.busy_s, 0.009);
  EXPECT_DOUBLE_EQ(counters.idle_s, 0.011);
  EXPECT_DOUBLE_EQ(counters.stream_s, 0.005 + 0.007);
  EXPECT_EQ(counters.positions, 20);
  EXPECT_EQ(counters.batches, 2);
}

TEST_F(DeviceRecordTest, BatchesThatShareTheCardAreNotTakenForSlow) {
  // One batch is done every 4 ms, each was there for 8.
  Begin(0, 100, 0);
  Begin(1, 100, 2);
  for (int i = 1; i < 20; ++i) {
    End((i + 1) % 2, 4 * i);
    Begin((i + 1) % 2, 100, 4 * i);
  }
  EXPECT_NEAR(device_.ForPlanner(0, At(76)).speed.Seconds(100), 0.004, 1e-9);
}

TEST_F(DeviceRecordTest, TheBacklogShrinksWhileTheDeviceIsAtWork) {
  Begin(0, 100, 0);
  End(0, 10);
  Begin(0, 100, 10);
  Begin(1, 50, 12);
  EXPECT_EQ(device_.in_flight(), 150);
  EXPECT_NEAR(device_.Backlog(At(12)), 0.013, 1e-9);
  EXPECT_NEAR(device_.Backlog(At(16)), 0.009, 1e-9);
}

TEST_F(DeviceRecordTest, ADeviceThatIsOverdueIsNotAboutToBeDone) {
  Begin(0, 100, 0);
  End(0, 10);
  Begin(0, 100, 10);
  EXPECT_NEAR(device_.Backlog(At(20)), 0, 1e-9);
  EXPECT_NEAR(device_.Backlog(At(1020)), 1, 1e-9);
}

TEST_F(DeviceRecordTest, ABatchHasTimeForThoseBeforeIt) {
  for (int i = 0; i < 4; ++i) {
    Begin(0, 100, 2000 * i);
    End(0, 2000 * i + 1000);
  }
  Begin(0, 100, 10000, seconds(10));
  EXPECT_EQ(device_.streams[0]->deadline, At(30000));
  Begin(1, 100, 10000, seconds(10));
  EXPECT_EQ(device_.streams[1]->deadline, At(50000));
}

TEST_F(DeviceRecordTest, TheFirstBatchesHaveSixTimesTheTime) {
  Begin(0, 100, 0, seconds(10));
  EXPECT_EQ(device_.streams[0]->deadline, At(60000));
  End(0, 1);
  Begin(0, 100, 1);
  EXPECT_EQ(device_.streams[0]->deadline, Clock::TimePoint::max());
}

TEST_F(DeviceRecordTest, WhatIsRevokedCountsForNothing) {
  Begin(0, 30, 1);
  Slice parts;
  device_.Revoke(device_.streams[0].get(), At(3), &parts);
  ASSERT_EQ(parts.size(), 1u);
  EXPECT_EQ(parts[0].count, 30);
  EXPECT_EQ(device_.Counters(At(3)).positions, 0);
  EXPECT_EQ(device_.in_flight(), 0);
  EXPECT_EQ(device_.streams[0]->state, StreamState::kEnded);
}

TEST_F(DeviceRecordTest, AStreamThatAsksIsPreferredToOneThatSleeps) {
  device_.streams[0]->asleep = true;
  EXPECT_EQ(device_.FreeStream(), device_.streams[1].get());
  device_.streams[1]->state = StreamState::kPaused;
  EXPECT_EQ(device_.FreeStream(), device_.streams[0].get());
  EXPECT_EQ(device_.free_streams(), 1);
}

TEST_F(DeviceRecordTest, TheHistogramCountsByPowersOfTwo) {
  for (const int positions : {1, 2, 3, 4, 100}) {
    Begin(0, positions, 0);
    End(0, 1);
  }
  EXPECT_THAT(device_.Counters(At(1)).batch_histogram, testing::ElementsAre(1, 2, 1, 0, 0, 0, 1));
}

}  // namespace
}  // namespace plexus
