#include "backend/device_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "base/fake_clock.h"

namespace plexus {
namespace {

TEST(AllFiniteTest, OrdinaryNumbersAreFinite) {
  EXPECT_TRUE(AllFinite({}));
  EXPECT_TRUE(AllFinite(std::vector<float>{0.0f, -0.0f, 3e38f, -3e38f, 1e-45f}));
}

TEST(AllFiniteTest, OneBadNumberAnywhereIsFound) {
  for (size_t at = 0; at < 37; ++at) {
    for (const float bad :
         {std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity(),
          std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::quiet_NaN()}) {
      std::vector<float> values(37, 1.5f);
      values[at] = bad;
      EXPECT_FALSE(AllFinite(values)) << at << " " << bad;
    }
  }
}

// Hands out prepared slices and remembers what it is told.
class RecordingHost : public DeviceHost {
 public:
  void OnDeviceReady(int, const DeviceAttributes& attributes) override {
    log_.push_back("ready " + attributes.name);
  }
  void OnDeviceUnavailable(int, const std::string& cause) override {
    log_.push_back("unavailable: " + cause);
  }
  bool NextSlice(int, Slice* slice) override {
    if (next_ == slices_.size()) return false;
    *slice = slices_[next_++];
    return true;
  }
  void OnSliceDone(int, const Slice& slice, const SliceReport& report) override {
    log_.push_back("done " + std::to_string(PositionsIn(slice)) +
                   (report.repeated ? " repeated" : ""));
  }
  void OnSliceFailed(int, const Slice&, const std::string& cause) override {
    log_.push_back("failed: " + cause);
  }

  std::vector<Slice> slices_;
  size_t next_ = 0;
  std::vector<std::string> log_;
};

// Answers moves left = what plane 0 carries, logits = 1000 times that + the index.
class EchoDevice : public Device {
 public:
  DeviceAttributes attributes() const override {
    DeviceAttributes attributes;
    attributes.name = "echo";
    return attributes;
  }
  void Run(const DeviceBatch& in, const LogitBatch& out) override {
    EXPECT_EQ(out.policy_logits.size(), in.policy_indices.size());
    EXPECT_EQ(in.Begin(in.size()), in.policy_indices.size());
    EXPECT_EQ(out.value_logits.size(), in.size() * 3);
    std::ranges::fill(out.value_logits, 0.0f);
    for (size_t i = 0; i < in.size(); ++i) {
      out.moves_left_plies[i] = in.planes[i].value[0];
      for (size_t k = 0; k < in.Indices(i).size(); ++k) {
        out.policy_logits[in.Begin(i) + k] =
            1000 * in.planes[i].value[0] + static_cast<float>(in.Indices(i)[k]);
      }
    }
  }
};

void FillTicket(Ticket* ticket, int positions, float first) {
  for (int i = 0; i < positions; ++i) {
    ticket->AddPlanes()->value[0] = first + static_cast<float>(i);
    // Position i wants i logits: the first of a ticket none.
    uint16_t index = 7;
    for (uint16_t& wanted : ticket->AddPolicyIndices(i)) wanted = index++;
  }
  ticket->Begin();
}

std::vector<float> MovesLeft(Ticket* ticket) {
  const LogitBatch logits = ticket->Logits(0, ticket->size());
  return {logits.moves_left_plies.begin(), logits.moves_left_plies.end()};
}

std::vector<float> Policy(Ticket* ticket) {
  const LogitBatch logits = ticket->Logits(0, ticket->size());
  return {logits.policy_logits.begin(), logits.policy_logits.end()};
}

TEST(DeviceThreadTest, ASliceOfSeveralTicketsAnswersEachInItsPlace) {
  Ticket a, b;
  FillTicket(&a, 3, 10);
  FillTicket(&b, 2, 50);
  RecordingHost host;
  host.slices_ = {{{&a, 0, 1}}, {{&a, 1, 2}, {&b, 0, 2}}};
  FakeClock clock;
  {
    DeviceThread thread(
        0, [] { return std::make_unique<EchoDevice>(); }, &host, &clock);
  }
  EXPECT_THAT(MovesLeft(&a), testing::ElementsAre(10, 11, 12));
  EXPECT_THAT(MovesLeft(&b), testing::ElementsAre(50, 51));
  EXPECT_THAT(Policy(&a), testing::ElementsAre(11007, 12007, 12008));
  EXPECT_THAT(Policy(&b), testing::ElementsAre(51007));
  EXPECT_THAT(host.log_, testing::ElementsAre("ready echo", "done 1", "done 4"));
}

TEST(DeviceThreadTest, WhateverAFactoryThrowsReachesTheHost) {
  RecordingHost host;
  FakeClock clock;
  {
    DeviceThread thread(
        0, []() -> std::unique_ptr<Device> { throw 5; }, &host, &clock);
  }
  EXPECT_THAT(host.log_, testing::ElementsAre("unavailable: an exception of unknown type"));
}

TEST(DeviceThreadTest, AFailureEndsTheThread) {
  class Failing : public EchoDevice {
    void Run(const DeviceBatch&, const LogitBatch&) override {
      throw std::runtime_error("out of memory");
    }
  };
  Ticket ticket;
  FillTicket(&ticket, 2, 0);
  RecordingHost host;
  host.slices_ = {{{&ticket, 0, 1}}, {{&ticket, 1, 1}}};
  FakeClock clock;
  {
    DeviceThread thread(
        0, [] { return std::make_unique<Failing>(); }, &host, &clock);
  }
  EXPECT_THAT(host.log_, testing::ElementsAre("ready echo", "failed: out of memory"));
}

}  // namespace
}  // namespace plexus
