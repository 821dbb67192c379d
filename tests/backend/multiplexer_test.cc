#include "backend/multiplexer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "backend/fake/fake_device.h"
#include "backend/scripted_device.h"
#include "backend/test_positions.h"
#include "base/exception.h"
#include "base/fake_clock.h"

namespace plexus {
namespace {

using testing::HasSubstr;

class MultiplexingBackendTest : public testing::Test {
 protected:
  DeviceSpec Fake(FakeDeviceOptions options = {}) {
    return {"fake", {[this, options] { return std::make_unique<FakeDevice>(options, &clock_); }}};
  }
  static DeviceSpec Scripted(const Script& script) {
    const DeviceFactory factory = [script] { return std::make_unique<ScriptedDevice>(script); };
    return {"scripted", std::vector<DeviceFactory>(script.streams, factory)};
  }
  std::unique_ptr<MultiplexingBackend> Make(std::vector<DeviceSpec> devices,
                                            const MultiplexerOptions& options = {}) {
    return std::make_unique<MultiplexingBackend>(std::move(devices), options, &clock_);
  }
  std::string MessageOf(const std::function<void()>& action) {
    try {
      action();
    } catch (const Exception& e) {
      return e.what();
    }
    return "nothing was thrown";
  }

  FakeClock clock_;
};

FakeDeviceOptions BestBatch(int best) {
  FakeDeviceOptions options;
  options.best_batch = best;
  return options;
}
FakeDeviceOptions FailAt(int batch) {
  FakeDeviceOptions options;
  options.fail_at = batch;
  return options;
}

TEST_F(MultiplexingBackendTest, TheAnswerDoesNotDependOnDevicesOrPolicy) {
  const std::vector<TestPosition> positions = RandomGamePositions(60, 1);
  const std::vector<TestAnswer> expected = EvaluateAll(Make({Fake()}).get(), positions);
  MultiplexerOptions spread;
  spread.policy = SplitPolicy::kSpread;
  EXPECT_EQ(EvaluateAll(Make({Fake(BestBatch(7)), Fake(BestBatch(3)), Fake()}).get(), positions),
            expected);
  EXPECT_EQ(
      EvaluateAll(Make({Fake(BestBatch(7)), Fake(BestBatch(3)), Fake()}, spread).get(), positions),
      expected);
}

TEST_F(MultiplexingBackendTest, ThreeDevicesAndFourCallersAgreeWithOneOfEach) {
  constexpr int kCallers = 4, kRounds = 30;
  const std::vector<TestPosition> positions = RandomGamePositions(40, 2);
  const std::vector<TestAnswer> expected = EvaluateAll(Make({Fake()}).get(), positions);
  const auto backend = Make({Fake(BestBatch(4)), Fake(BestBatch(8)), Fake(BestBatch(16))});
  std::atomic<int> wrong = 0;
  {
    std::vector<std::jthread> callers;
    for (int c = 0; c < kCallers; ++c) {
      callers.emplace_back([&, c] {
        for (int round = 0; round < kRounds; ++round) {
          const size_t begin = (7 * c + 3 * round) % 20, count = 1 + (c + round) % 20;
          const std::vector<TestAnswer> answers =
              EvaluateAll(backend.get(), std::span(positions).subspan(begin, count));
          for (size_t i = 0; i < count; ++i) wrong += !(answers[i] == expected[begin + i]);
        }
      });
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST_F(MultiplexingBackendTest, ADeviceThatFailsOnTheWayChangesNoAnswer) {
  const std::vector<TestPosition> positions = RandomGamePositions(40, 3);
  const std::vector<TestAnswer> expected = EvaluateAll(Make({Fake()}).get(), positions);
  const auto backend = Make({Fake(FailAt(3)), Fake(BestBatch(8))});
  for (int round = 0; round < 10; ++round)
    ASSERT_EQ(EvaluateAll(backend.get(), positions), expected);
}

TEST_F(MultiplexingBackendTest, WhenAllDevicesFailOutputsStayUnwritten) {
  const auto backend = Make({Fake(FailAt(1))});
  const TestPosition position = RandomGamePositions(1, 4)[0];
  std::vector<float> policy(position.moves.size(), -7.0f);
  EvalOutput out;
  out.wl = -7.0f;
  out.policy = policy;
  const auto computation = backend->NewComputation();
  computation->Add(position.Input(), &out);
  EXPECT_THAT(MessageOf([&] { computation->ComputeBlocking(); }), HasSubstr("All devices failed"));
  EXPECT_EQ(out.wl, -7.0f);
  EXPECT_EQ(policy, std::vector<float>(policy.size(), -7.0f));
}

TEST_F(MultiplexingBackendTest, TheFirstDeviceThatCannotBeMadeIsThrown) {
  const DeviceSpec bad = {"cudnn gpu 3", {[]() -> std::unique_ptr<Device> {
                            throw Exception("no such card.", "Use gpu=0.");
                          }}};
  EXPECT_EQ(MessageOf([&] {
              Make({Fake(), bad});
            }),
            "Backend cudnn gpu 3 (device 2 of 2) cannot be used: no such card. Use gpu=0.");
}

TEST_F(MultiplexingBackendTest, DevicesWithDifferentKindsOfAnswersAreRefused) {
  FakeDeviceOptions value_only;
  value_only.wdl = false;
  EXPECT_THAT(MessageOf([&] {
                Make({Fake(), Fake(value_only)});
              }),
              HasSubstr("different kinds of answers"));
}

TEST_F(MultiplexingBackendTest, AnEmptyComputationReturnsAtOnce) {
  const auto backend = Make({Fake()});
  const auto computation = backend->NewComputation();
  EXPECT_EQ(computation->queued(), 0);
  EXPECT_NO_THROW(computation->ComputeBlocking());
  EXPECT_EQ(backend->device_counters()[0].batches, 0);
}

TEST_F(MultiplexingBackendTest, AComputationMayBeDroppedBeforeItIsComputed) {
  const auto backend = Make({Fake()});
  const std::vector<TestPosition> positions = RandomGamePositions(3, 5);
  {
    std::vector<float> policy(positions[0].moves.size());
    EvalOutput out;
    out.policy = policy;
    backend->NewComputation()->Add(positions[0].Input(), &out);
  }
  EXPECT_EQ(EvaluateAll(backend.get(), positions), EvaluateAll(Make({Fake()}).get(), positions));
}

TEST_F(MultiplexingBackendTest, AComputationThatOutlivesItsBackendThrows) {
  auto backend = Make({Fake()});
  OneQuestion one;
  const auto computation = backend->NewComputation();
  computation->Add(one.position.Input(), &one.out);
  backend.reset();
  EXPECT_THAT(MessageOf([&] { computation->ComputeBlocking(); }), HasSubstr("shut down"));
}

TEST_F(MultiplexingBackendTest, MoreThanMaxBatchPositionsAreRefused) {
  const auto backend = Make({Fake()});
  const TestPosition position = RandomGamePositions(1, 7)[0];
  std::vector<float> policy(position.moves.size());
  EvalOutput out;
  out.policy = policy;
  const auto computation = backend->NewComputation();
  const int max_batch = backend->attributes().max_batch;
  for (int i = 0; i < max_batch; ++i) computation->Add(position.Input(), &out);
  EXPECT_THAT(MessageOf([&] { computation->Add(position.Input(), &out); }),
              HasSubstr("MinibatchSize"));
  EXPECT_NO_THROW(computation->ComputeBlocking());
}

TEST_F(MultiplexingBackendTest, AttributesJoinThoseOfTheDevices) {
  MultiplexerOptions spread;
  spread.policy = SplitPolicy::kSpread;
  const BackendAttributes filled = Make({Fake(BestBatch(16)), Fake(BestBatch(32))})->attributes();
  EXPECT_EQ(filled.description, "2 x fake");
  EXPECT_EQ(filled.suggested_batch, 32);
  EXPECT_EQ(filled.suggested_threads, 5);
  EXPECT_TRUE(filled.has_wdl);
  EXPECT_FALSE(filled.has_moves_left);
  EXPECT_FALSE(filled.is_cpu);
  EXPECT_EQ(Make({Fake(BestBatch(16)), Fake(BestBatch(32))}, spread)->attributes().suggested_batch,
            48);
}

TEST_F(MultiplexingBackendTest, AFakeClockMovesByTheCostOfTheBatches) {
  FakeDeviceOptions options;
  options.cost_us = 10000;
  options.best_batch = 8;
  const auto backend = Make({Fake(options)});
  const Clock::TimePoint begin = clock_.Now();
  EvaluateAll(backend.get(), RandomGamePositions(20, 8));  // 8 + 8 + 4
  EXPECT_EQ(clock_.Now() - begin, std::chrono::milliseconds(30));
  EXPECT_DOUBLE_EQ(backend->device_counters()[0].busy_s, 0.03);
}

TEST_F(MultiplexingBackendTest, AComputationIsCancelledWithoutWritingAnything) {
  const auto gate = std::make_shared<RunGate>();
  const auto backend = Make({Scripted(Script().Streams(2).At(gate))});
  OneQuestion one;
  std::stop_source stop;
  std::future<bool> answered = std::async(std::launch::async, [&] {
    const auto computation = backend->NewComputation();
    computation->Add(one.position.Input(), &one.out);
    return computation->ComputeOrCancel(stop.get_token());
  });
  gate->WaitForArrivals(1);
  stop.request_stop();
  EXPECT_FALSE(answered.get());
  gate->Open();
  EvaluateOne(backend.get(), one.position);  // the late answer has come to nowhere
  EXPECT_EQ(one.policy, std::vector<float>(one.policy.size(), -7.0f));
}

TEST_F(MultiplexingBackendTest, AStalledDeviceHoldsUpNeitherCallersNorTheEnd) {
  const auto gate = std::make_shared<RunGate>();
  MultiplexerOptions options;
  options.policy = SplitPolicy::kRoundRobin;
  options.shutdown_patience_ms = 10;
  auto backend = Make({Scripted(Script().Streams(2).At(gate).Deaf()), Scripted(Script())}, options);
  const std::vector<TestPosition> positions = RandomGamePositions(6, 12);
  auto answers =
      std::async(std::launch::async, [&] { return EvaluateAll(backend.get(), positions).size(); });
  gate->WaitForArrivals(1);
  while (clock_.waiters() == 0) std::this_thread::yield();
  clock_.Advance(std::chrono::minutes(2));
  EXPECT_EQ(answers.get(), 6u);
  EXPECT_EQ(backend->TakeNotices().size(), 1u);
  backend.reset();  // though the device still hangs
  gate->Open();     // its thread finds that nobody wants the answer
  while (gate.use_count() > 1) std::this_thread::yield();
}

TEST_F(MultiplexingBackendTest, ABackendWhoseDeviceHangsAnswersItsCallersWhenItEnds) {
  const auto gate = std::make_shared<RunGate>();
  MultiplexerOptions options;
  options.shutdown_patience_ms = 10;
  auto backend = Make({Scripted(Script().At(gate).Deaf())}, options);
  OneQuestion one;
  const auto computation = backend->NewComputation();
  computation->Add(one.position.Input(), &one.out);
  std::future<std::string> message = std::async(
      std::launch::async, [&] { return MessageOf([&] { computation->ComputeBlocking(); }); });
  gate->WaitForArrivals(1);
  backend.reset();
  EXPECT_THAT(message.get(), HasSubstr("shut down"));
  gate->Open();
  while (gate.use_count() > 1) std::this_thread::yield();
}

TEST_F(MultiplexingBackendTest, ADeviceThatCanBeInterruptedIsWaitedFor) {
  const auto gate = std::make_shared<RunGate>();
  MultiplexerOptions options;
  options.shutdown_patience_ms = 2000;
  auto backend = Make({Scripted(Script().At(gate))}, options);
  const std::vector<TestPosition> positions = RandomGamePositions(1, 12);
  std::future<std::string> message = std::async(std::launch::async, [&] {
    return MessageOf([&] { EvaluateAll(backend.get(), positions); });
  });
  gate->WaitForArrivals(1);
  backend.reset();
  EXPECT_EQ(gate.use_count(), 1) << "the thread has ended";
  EXPECT_THAT(message.get(), HasSubstr("interrupted."));
}

TEST_F(MultiplexingBackendTest, ThePolicyTemperatureFlattens) {
  MultiplexerOptions sharp, flat;
  sharp.policy_temperature = 0.5f;
  flat.policy_temperature = 5.0f;
  const std::vector<TestPosition> positions = RandomGamePositions(1, 9);
  const TestAnswer a = EvaluateAll(Make({Fake()}, sharp).get(), positions)[0];
  const TestAnswer b = EvaluateAll(Make({Fake()}, flat).get(), positions)[0];
  EXPECT_GT(*std::ranges::max_element(a.policy), *std::ranges::max_element(b.policy));
}

}  // namespace
}  // namespace plexus
