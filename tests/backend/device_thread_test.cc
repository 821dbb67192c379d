#include "backend/device_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "backend/scripted_device.h"

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
  void OnDeviceReady(int, const DeviceAttributes& attributes,
                     std::function<void()> interrupt) override {
    log_.push_back("ready " + attributes.name);
    interrupt_ = std::move(interrupt);
  }
  void OnDeviceUnavailable(int, const std::string& cause) override {
    log_.push_back("unavailable: " + cause);
  }
  bool NextSlice(int, Slice* slice) override {
    if (next_ >= slices_.size()) return false;
    *slice = slices_[next_++];
    return true;
  }
  bool Claim(int, bool repeated) override {
    log_.push_back(std::string("done") + (repeated ? " repeated" : ""));
    return wanted_;
  }
  void OnSliceFailed(int, const std::string& cause) override { log_.push_back("failed: " + cause); }

  std::vector<Slice> slices_;
  size_t next_ = 0;
  bool wanted_ = true;
  std::vector<std::string> log_;
  std::function<void()> interrupt_;
};

// Answers moves left = what plane 0 carries, and each policy logit = its index.
class EchoDevice : public Device {
 public:
  DeviceAttributes attributes() const override {
    DeviceAttributes attributes;
    attributes.name = "echo";
    return attributes;
  }
  void Run(const DeviceBatch& in, const LogitBatch& out) override {
    EXPECT_EQ(out.policy_logits.size(), in.policy_indices.size());
    EXPECT_EQ(out.value_logits.size(), in.size() * 3);
    std::ranges::fill(out.value_logits, 0.0f);
    std::ranges::copy(in.policy_indices, out.policy_logits.begin());
    for (size_t i = 0; i < in.size(); ++i) out.moves_left_plies[i] = in.planes[i].value[0];
  }
};

class DeviceThreadTest : public testing::Test {
 protected:
  // Position i carries first + i and asks for i + 1 policy entries of that number.
  TicketRef New(int positions, int first) {
    const TicketRef ticket = pool_.Take();
    for (int i = 0; i < positions; ++i) {
      ticket->AddPlanes()->value[0] = static_cast<float>(first + i);
      std::ranges::fill(ticket->AddPolicyIndices(i + 1), static_cast<uint16_t>(first + i));
    }
    ticket->Begin();
    std::ranges::fill(ticket->Logits(0, positions).moves_left_plies, -1.0f);
    return ticket;
  }
  static std::vector<float> MovesLeft(const TicketRef& ticket) {
    const LogitBatch logits = ticket->Logits(0, ticket->size());
    return {logits.moves_left_plies.begin(), logits.moves_left_plies.end()};
  }
  static std::vector<float> Policy(const TicketRef& ticket) {
    const LogitBatch logits = ticket->Logits(0, ticket->size());
    return {logits.policy_logits.begin(), logits.policy_logits.end()};
  }
  template <class D = EchoDevice>
  void RunToTheEnd() {
    DeviceThread thread(
        0, [] { return std::make_unique<D>(); }, host_);
  }

  TicketPool pool_;
  std::shared_ptr<RecordingHost> host_ = std::make_shared<RecordingHost>();
};

TEST_F(DeviceThreadTest, ASliceOfSeveralTicketsAnswersEachInItsPlace) {
  const TicketRef a = New(3, 10), b = New(2, 50);
  host_->slices_ = {{{a, 0, 1}}, {{a, 1, 2}, {b, 0, 2}}};
  RunToTheEnd();
  EXPECT_THAT(MovesLeft(a), testing::ElementsAre(10, 11, 12));
  EXPECT_THAT(MovesLeft(b), testing::ElementsAre(50, 51));
  EXPECT_THAT(Policy(a), testing::ElementsAre(10, 11, 11, 12, 12, 12));
  EXPECT_THAT(Policy(b), testing::ElementsAre(50, 51, 51));
  EXPECT_THAT(host_->log_, testing::ElementsAre("ready echo", "done", "done"));
}

TEST_F(DeviceThreadTest, AnAnswerThatNobodyWantsAnyMoreIsNotWritten) {
  const TicketRef ticket = New(2, 10);
  host_->slices_ = {{{ticket, 0, 2}}, {{ticket, 0, 2}}};
  host_->wanted_ = false;
  RunToTheEnd();
  EXPECT_THAT(MovesLeft(ticket), testing::ElementsAre(-1, -1));
  EXPECT_EQ(host_->next_, 1u) << "the thread has ended";
}

TEST_F(DeviceThreadTest, WhateverAFactoryThrowsReachesTheHost) {
  {
    DeviceThread thread(
        0, []() -> std::unique_ptr<Device> { throw 5; }, host_);
  }
  EXPECT_THAT(host_->log_, testing::ElementsAre("unavailable: an exception of unknown type"));
}

TEST_F(DeviceThreadTest, AFailureEndsTheThread) {
  class Failing : public EchoDevice {
    void Run(const DeviceBatch&, const LogitBatch&) override {
      throw std::runtime_error("out of memory");
    }
  };
  const TicketRef ticket = New(2, 0);
  host_->slices_ = {{{ticket, 0, 1}}, {{ticket, 1, 1}}};
  RunToTheEnd<Failing>();
  EXPECT_THAT(host_->log_, testing::ElementsAre("ready echo", "failed: out of memory"));
}

TEST_F(DeviceThreadTest, ARunThatHangsIsInterrupted) {
  const auto gate = std::make_shared<RunGate>();
  host_->slices_ = {{{New(2, 0), 0, 2}}};
  DeviceThread thread(
      0, [&] { return std::make_unique<ScriptedDevice>(Script().At(gate)); }, host_);
  gate->WaitForArrivals(1);
  EXPECT_FALSE(thread.EndsBy(std::chrono::steady_clock::now()));
  thread.Interrupt();
  EXPECT_TRUE(thread.EndsBy(std::chrono::steady_clock::time_point::max()));
  EXPECT_THAT(host_->log_, testing::ElementsAre("ready scripted", "failed: interrupted."));
  host_->interrupt_();  // also when the device is gone
}

TEST_F(DeviceThreadTest, AnAbandonedThreadOwnsWhatItTouches) {
  const auto gate = std::make_shared<RunGate>();
  const std::weak_ptr<RecordingHost> watched = host_;
  // Lives as long as the thread: what a factory shares goes when the last stream ends.
  auto tickets = std::make_shared<TicketPool>();
  const std::weak_ptr<TicketPool> pool = tickets;
  {
    const TicketRef ticket = tickets->Take();
    ticket->AddPlanes();
    ticket->Begin();
    host_->slices_ = {{{ticket, 0, 1}}};
  }
  {
    DeviceThread thread(
        0, [gate, tickets] { return std::make_unique<ScriptedDevice>(Script().At(gate)); }, host_);
    gate->WaitForArrivals(1);
    thread.Abandon();
  }
  host_->slices_.clear();
  host_.reset();
  tickets.reset();
  EXPECT_FALSE(watched.expired());
  gate->Open();
  while (!watched.expired() || !pool.expired()) std::this_thread::yield();
}

}  // namespace
}  // namespace plexus
