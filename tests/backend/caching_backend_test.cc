#include "backend/caching_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <sstream>
#include <thread>

#include "backend/fake/fake_device.h"
#include "backend/multiplexer.h"
#include "backend/scripted_device.h"
#include "backend/test_positions.h"
#include "base/exception.h"
#include "base/fake_clock.h"
#include "chess/notation.h"

namespace plexus {
namespace {

class CachingBackendTest : public testing::Test {
 protected:
  std::shared_ptr<Backend> Inner(FakeDeviceOptions options = {}) {
    std::vector<DeviceSpec> devices = {
        {"fake", {[this, options] { return std::make_unique<FakeDevice>(options, &clock_); }}}};
    return std::make_shared<MultiplexingBackend>(std::move(devices), MultiplexerOptions{}, &clock_);
  }
  CachingBackend Make(int64_t entries = 10000, int history_length = 7) {
    return CachingBackend(Inner(), entries, history_length);
  }
  static int64_t Evaluated(const Backend& backend) {
    return backend.device_counters()[0].positions;
  }

  FakeClock clock_;
};

TestPosition AfterMoves(const std::string& moves) {
  TestPosition position;
  position.history = PositionHistory(kStartFen);
  std::istringstream words(moves);
  for (std::string word; words >> word;) {
    position.history.Append(ParseUci(position.history.Last().board, word, false));
  }
  position.moves = LegalMoves(position.history.Last().board);
  return position;
}

// The same board by two orders of moves, without a pawn move, so that the 50-move counters agree too.
const char* const kOneOrder = "e2e4 e7e5 g1f3 g8f6 b1c3 b8c6";
const char* const kOtherOrder = "e2e4 e7e5 b1c3 b8c6 g1f3 g8f6";

TEST_F(CachingBackendTest, TheSecondAnswerComesFromTheCacheAndIsTheSameBitForBit) {
  CachingBackend backend = Make();
  const std::vector<TestPosition> positions = RandomGamePositions(100, 1);
  const std::vector<TestAnswer> first = EvaluateAll(&backend, positions);
  const std::vector<TestAnswer> second = EvaluateAll(&backend, positions);
  EXPECT_EQ(first, second);
  for (size_t i = 0; i < positions.size(); ++i) {
    EXPECT_FALSE(first[i].from_cache);
    EXPECT_TRUE(second[i].from_cache);
  }
  EXPECT_EQ(Evaluated(backend), 100);
}

TEST_F(CachingBackendTest, AnswersDoNotDependOnTheSizeOfTheCache) {
  CachingBackend none = Make(0), large = Make();
  const std::vector<TestPosition> positions = RandomGamePositions(50, 2);
  const std::vector<TestAnswer> expected = EvaluateAll(&none, positions);
  EXPECT_EQ(EvaluateAll(&large, positions), expected);
  EXPECT_EQ(EvaluateAll(&large, positions), expected);
  EXPECT_EQ(EvaluateAll(&none, positions), expected);
  EXPECT_EQ(Evaluated(none), 100);
}

TEST_F(CachingBackendTest, RoundingStaysWithinOnePartInTwoThousand) {
  const std::shared_ptr<Backend> exact = Inner();
  CachingBackend rounded = Make();
  const std::vector<TestPosition> positions = RandomGamePositions(50, 3);
  const std::vector<TestAnswer> a = EvaluateAll(exact.get(), positions),
                                b = EvaluateAll(&rounded, positions);
  for (size_t i = 0; i < positions.size(); ++i) {
    EXPECT_EQ(a[i].wl, b[i].wl);
    EXPECT_EQ(a[i].d, b[i].d);
    for (size_t k = 0; k < a[i].policy.size(); ++k)
      ASSERT_NEAR(b[i].policy[k] / a[i].policy[k], 1, 1.0 / 2000);
  }
}

TEST_F(CachingBackendTest, ProbeKnowsOnlyWhatWasEvaluatedAndAsksNoDevice) {
  CachingBackend backend = Make();
  const TestPosition position = RandomGamePositions(1, 4)[0];
  std::vector<float> policy(position.moves.size());
  EvalOutput out;
  out.policy = policy;
  EXPECT_FALSE(backend.Probe(position.Input(), &out));
  const TestAnswer answer = EvaluateOne(&backend, position);
  EXPECT_TRUE(backend.Probe(position.Input(), &out));
  EXPECT_EQ(out.wl, answer.wl);
  EXPECT_EQ(policy, answer.policy);
  EXPECT_EQ(Evaluated(backend), 1);
}

TEST_F(CachingBackendTest, ClearCacheForgets) {
  CachingBackend backend = Make();
  const std::vector<TestPosition> positions = RandomGamePositions(10, 5);
  EvaluateAll(&backend, positions);
  EXPECT_TRUE(backend.ClearCache());
  EvaluateAll(&backend, positions);
  EXPECT_EQ(Evaluated(backend), 20);
}

TEST_F(CachingBackendTest, WithoutEntriesThereIsNothingToForget) {
  CachingBackend backend = Make(0);
  EXPECT_FALSE(backend.ClearCache());
  OneQuestion one;
  EvaluateOne(&backend, one.position);
  EXPECT_FALSE(backend.Probe(one.position.Input(), &one.out));
}

TEST_F(CachingBackendTest, PositionsInFlightTwiceAreEvaluatedTwiceAndEqual) {
  CachingBackend backend = Make();
  const std::vector<TestPosition> positions = RandomGamePositions(1, 7);
  std::vector<float> policies[2];
  EvalOutput outputs[2];
  std::unique_ptr<BackendComputation> computations[2];
  for (int i = 0; i < 2; ++i) {
    policies[i].resize(positions[0].moves.size());
    outputs[i].policy = policies[i];
    computations[i] = backend.NewComputation();
    EXPECT_EQ(computations[i]->Add(positions[0].Input(), &outputs[i]),
              BackendComputation::Added::kQueued);
  }
  for (const auto& computation : computations) computation->ComputeBlocking();
  EXPECT_EQ(outputs[0].wl, outputs[1].wl);
  EXPECT_EQ(policies[0], policies[1]);
  EXPECT_EQ(backend.cache_counters().entries, 1);
}

TEST_F(CachingBackendTest, OnePositionTwiceInABatchIsAnsweredTwice) {
  CachingBackend backend = Make();
  const TestPosition position = RandomGamePositions(1, 8)[0];
  const std::vector<TestAnswer> answers =
      EvaluateAll(&backend, std::vector<TestPosition>{position, position});
  EXPECT_EQ(answers[0], answers[1]);
}

TEST_F(CachingBackendTest, AHitTakesNoPlaceInTheBatch) {
  CachingBackend backend = Make();
  const std::vector<TestPosition> positions = RandomGamePositions(2, 9);
  EvaluateOne(&backend, positions[0]);
  std::vector<float> policy(positions[0].moves.size());
  EvalOutput out;
  out.policy = policy;
  const auto computation = backend.NewComputation();
  EXPECT_EQ(computation->Add(positions[0].Input(), &out), BackendComputation::Added::kFromCache);
  EXPECT_EQ(computation->queued(), 0);
}

TEST_F(CachingBackendTest, AFailedBatchIsNotRemembered) {
  FakeDeviceOptions options;
  options.fail_at = 1;
  CachingBackend backend(Inner(options), 1000, 7);
  const TestPosition position = RandomGamePositions(1, 10)[0];
  EXPECT_THROW(EvaluateOne(&backend, position), Exception);
  EXPECT_EQ(backend.cache_counters().entries, 0);
}

TEST_F(CachingBackendTest, AnotherOrderOfMovesIsAnotherPositionWhenHistoryCounts) {
  CachingBackend backend = Make(1000, 7);
  const TestAnswer one = EvaluateOne(&backend, AfterMoves(kOneOrder));
  const TestAnswer other = EvaluateOne(&backend, AfterMoves(kOtherOrder));
  EXPECT_FALSE(other.from_cache);
  EXPECT_FALSE(one == other);
}

TEST_F(CachingBackendTest, AnotherOrderOfMovesIsAHitWhenHistoryDoesNotCount) {
  CachingBackend backend = Make(1000, 0);
  const TestAnswer one = EvaluateOne(&backend, AfterMoves(kOneOrder));
  const TestAnswer other = EvaluateOne(&backend, AfterMoves(kOtherOrder));
  EXPECT_TRUE(other.from_cache);
  EXPECT_EQ(one, other);
}

// All lines of four plies over these moves that end on few boards by many orders.
int64_t HitsOfTranspositions(CachingBackend* backend) {
  const std::vector<std::string> white = {"g1f3", "b1c3", "g2g3", "b2b3"};
  const std::vector<std::string> black = {"g8f6", "b8c6", "g7g6", "b7b6"};
  for (const std::string& w1 : white) {
    for (const std::string& b1 : black) {
      for (const std::string& w2 : white) {
        for (const std::string& b2 : black) {
          if (w1 == w2 || b1 == b2) continue;
          EvaluateOne(backend, AfterMoves(w1 + " " + b1 + " " + w2 + " " + b2));
        }
      }
    }
  }
  return backend->cache_counters().hits;
}

TEST_F(CachingBackendTest, HitsFallAsMoreHistoryCounts) {
  CachingBackend none = Make(10000, 0), one = Make(10000, 1), all = Make(10000, 7);
  const int64_t hits_none = HitsOfTranspositions(&none);
  const int64_t hits_one = HitsOfTranspositions(&one);
  const int64_t hits_all = HitsOfTranspositions(&all);
  EXPECT_GT(hits_none, hits_one);
  EXPECT_GT(hits_one, hits_all);
  EXPECT_EQ(hits_all, 0);  // no two of these games are the same
}

TEST_F(CachingBackendTest, ThreadsMayShareIt) {
  CachingBackend backend = Make(200);  // small, so that it is overwritten all the time
  const std::vector<TestPosition> positions = RandomGamePositions(300, 11);
  CachingBackend uncached = Make(0);
  const std::vector<TestAnswer> expected = EvaluateAll(&uncached, positions);
  std::atomic<int> wrong = 0;
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int round = 0; round < 20; ++round) {
        const size_t begin = (t * 50 + round * 37) % 270;
        const std::vector<TestAnswer> answers =
            EvaluateAll(&backend, std::span(positions).subspan(begin, 30));
        for (size_t i = 0; i < answers.size(); ++i) wrong += !(answers[i] == expected[begin + i]);
      }
    });
  }
  threads.clear();
  EXPECT_EQ(wrong, 0);
}

TEST_F(CachingBackendTest, ACancelledComputationIsNotRemembered) {
  const auto gate = std::make_shared<RunGate>();
  std::vector<DeviceSpec> devices = {
      {"scripted", {[gate] { return std::make_unique<ScriptedDevice>(Script().At(gate)); }}}};
  CachingBackend backend(
      std::make_shared<MultiplexingBackend>(std::move(devices), MultiplexerOptions{}, &clock_), 100,
      7);
  OneQuestion one;
  std::stop_source stop;
  std::future<bool> answered = std::async(std::launch::async, [&] {
    const auto computation = backend.NewComputation();
    computation->Add(one.position.Input(), &one.out);
    return computation->ComputeOrCancel(stop.get_token());
  });
  gate->WaitForArrivals(1);
  stop.request_stop();
  EXPECT_FALSE(answered.get());
  gate->Open();
  EXPECT_EQ(backend.cache_counters().entries, 0);
  EXPECT_FALSE(backend.Probe(one.position.Input(), &one.out));
}

}  // namespace
}  // namespace plexus
