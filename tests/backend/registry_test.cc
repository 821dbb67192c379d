#include "backend/registry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "backend/test_positions.h"
#include "base/clock.h"
#include "base/error_of.h"
#include "base/exception.h"
#include "base/fake_clock.h"
#include "base/strings.h"
#include "net/random_weights.h"

namespace plexus {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class RegistryTest : public testing::Test {
 protected:
  std::shared_ptr<Backend> Make(const std::string& backend, const std::string& options = "",
                                int cache = 0) {
    BackendParams params;
    params.backend = backend;
    params.backend_options = options;
    params.nn_cache_size = cache;
    return MakeBackend(params, weights_, &clock_);
  }
  std::string MessageOf(const std::string& backend, const std::string& options) {
    try {
      Make(backend, options);
    } catch (const Exception& e) {
      return e.what();
    }
    return "nothing was thrown";
  }

  SteadyClock clock_;
  std::shared_ptr<const NetworkWeights> weights_ =
      std::make_shared<NetworkWeights>(RandomWeights({}, 1));
};

TEST_F(RegistryTest, TheChoicesOfTheOptionAreTheRows) {
  std::string choices = "auto";
  for (const BackendRow& row : BackendRows()) {
    choices += std::string("|") + row.name;
    if (*row.alias) choices += std::string("|") + row.alias;
  }
  for (const CombinerRow& combiner : CombinerRows()) choices += std::string("|") + combiner.name;
  BackendParams params;
  OptionSet options;
  options.Add(kBackendOptions, &params);
  EXPECT_EQ(Join(options.FindByName("Backend")->choices, "|"), choices);
}

TEST_F(RegistryTest, AnUnknownBackendIsRefusedWithTheNamesThatExist) {
  EXPECT_THAT(MessageOf("abacus", ""),
              AllOf(HasSubstr("\"abacus\" is unknown"), HasSubstr("fake, material")));
}

TEST_F(RegistryTest, ATypingErrorInAKeyIsRefusedWithTheKeysThatExist) {
  EXPECT_THAT(MessageOf("fake", "cost_ms=5"),
              AllOf(HasSubstr("\"cost_ms\""), HasSubstr("cost_us")));
  EXPECT_THAT(MessageOf("multiplexing", "(backend=fake,cost_ms=5)"), HasSubstr("\"cost_ms\""));
}

TEST_F(RegistryTest, KeysBesideSeveralBackendsHoldForEachThatDoesNotSayOtherwise) {
  const auto backend =
      Make("multiplexing", "threads=2,batch=128,(backend=fake),(backend=sim,threads=1,batch=64)");
  EXPECT_EQ(backend->device_counters().size(), 3u);
  EXPECT_EQ(backend->attributes().suggested_batch, 128);
  EXPECT_EQ(Make("multiplexing", "backend=sim,streams=1,(gpu=0),(gpu=1),(gpu=2)")
                ->device_counters()
                .size(),
            3u);
}

TEST_F(RegistryTest, AKeyBesideBackendsThatNoneUnderstandsIsRefused) {
  EXPECT_THAT(
      MessageOf("multiplexing", "seed=1,speed=3,(backend=fake),(backend=sim)"),
      AllOf(HasSubstr("\"speed\""), testing::Not(HasSubstr("\"seed\"")), HasSubstr("cost_us")));
  // One that understands it is enough.
  EXPECT_NO_THROW(Make("multiplexing", "cost_us=0,(backend=fake),(backend=sim)"));
}

TEST_F(RegistryTest, ThreadsAndMaxBatchAreUnderstoodByEveryDevice) {
  for (const BackendRow& row : BackendRows()) {
    if (!IsAvailable(row)) continue;
    EXPECT_NO_THROW(
        Make("multiplexing", std::string("threads=2,max_batch=4,(backend=") + row.name + ")"))
        << row.name;
  }
}

// The seed's own command lines.
TEST_F(RegistryTest, CudaBackendsAreKnownByAllTheirNamesAndSayWhyTheyCannotWork) {
  for (const char* name : {"cudnn", "cudnn-fp16", "cudnnfp16"}) {
    EXPECT_THAT(MessageOf("multiplexing",
                          std::string("(backend=") + name + ",gpu=0),(backend=" + name + ",gpu=1)"),
                AllOf(HasSubstr("Backend cudnn"), HasSubstr("no CUDA part"), HasSubstr("sim")));
    EXPECT_THAT(MessageOf(name, "gpu=0"), HasSubstr("no CUDA part"));
    BackendParams params;
    OptionSet options;
    options.Add(kBackendOptions, &params);
    EXPECT_NO_THROW(options.Set("Backend", name));
  }
}

TEST_F(RegistryTest, PoliciesAreBackendsToo) {
  for (const char* name : {"demux", "roundrobin"}) {
    const auto backend = Make(name, "backend=fake,(),(),()");
    EXPECT_EQ(backend->device_counters().size(), 3u);
    const std::vector<TestPosition> positions = RandomGamePositions(9, 1);
    EXPECT_EQ(EvaluateAll(backend.get(), positions), EvaluateAll(Make("fake").get(), positions));
    EXPECT_THAT(MessageOf(name, "policy=fill,(backend=fake)"), HasSubstr("contradicts"));
    EXPECT_NO_THROW(Make("multiplexing", std::string("policy=") + name + ",(backend=fake)"));
  }
}

TEST_F(RegistryTest, WhatNobodyListedIsSaidOnce) {
  const auto backend = Make("multiplexing", "threads=2");
  EXPECT_THAT(
      backend->TakeNotices(),
      testing::ElementsAre("multiplexing: no devices listed; using all 2 devices of backend "
                           "cpu; name them in BackendOptions to choose"));
  EXPECT_TRUE(backend->TakeNotices().empty());
  EXPECT_TRUE(Make("multiplexing", "(backend=fake)")->TakeNotices().empty());
  EXPECT_TRUE(Make("multiplexing", "backend=fake")->TakeNotices().empty());
  EXPECT_TRUE(Make("auto")->TakeNotices().empty());
}

TEST_F(RegistryTest, AFailureNamesTheLabelThatTheUserGave) {
  const auto backend = Make("multiplexing", "old(backend=fake,fail_at=1)");
  EXPECT_THAT(ErrorOf([&] { EvaluateOne(backend.get(), RandomGamePositions(1, 1)[0]); }),
              HasSubstr("old = fake"));
}

// Case 23: the second card alone, then the first.
TEST_F(RegistryTest, ACardMayBeChosenByItsNumber) {
  EXPECT_THAT(Make("multiplexing", "(backend=sim,gpu=1)")->attributes().description,
              HasSubstr("gpu 1"));
  EXPECT_THAT(Make("sim", "gpu=1")->attributes().description, HasSubstr("gpu 1"));
  EXPECT_THAT(Make("sim", "gpu=0")->attributes().description, HasSubstr("gpu 0"));
}

TEST_F(RegistryTest, AStallTimeoutMayBeGiven) {
  EXPECT_NO_THROW(Make("multiplexing", "stall_timeout_ms=500,(backend=fake)"));
  EXPECT_NO_THROW(Make("fake", "stall_timeout_ms=0"));
  EXPECT_THAT(MessageOf("fake", "stall_timeout_ms=-1"), HasSubstr("stall_timeout_ms"));
}

TEST_F(RegistryTest, MultiplexingWithoutBackendsUsesAllDevicesOfTheBest) {
  EXPECT_EQ(Make("multiplexing")->attributes().description, Make("auto")->attributes().description);
  EXPECT_EQ(Make("multiplexing", "threads=3")->device_counters().size(), 3u);
}

TEST_F(RegistryTest, AnUnknownPolicyIsRefused) {
  EXPECT_THAT(MessageOf("fake", "policy=greedy"), HasSubstr("fill, spread"));
}

TEST_F(RegistryTest, SeveralBackendsMayBeNamedInEitherSpelling) {
  EXPECT_EQ(Make("multiplexing", "(backend=fake,threads=2),(backend=fake,batch=8)")
                ->device_counters()
                .size(),
            3u);
  EXPECT_EQ(Make("multiplexing", "fake(threads=2),fake()")->device_counters().size(), 3u);
  EXPECT_EQ(Make("fake", "(threads=2),(batch=8)")->device_counters().size(), 3u);
  EXPECT_EQ(Make("auto", "backend=fake,threads=4")->device_counters().size(), 4u);
}

TEST_F(RegistryTest, OnlyNetworksNeedWeights) {
  BackendParams params;
  for (const BackendRow& row : BackendRows()) {
    params.backend = row.name;
    EXPECT_EQ(BackendNeedsWeights(params), row.needs_weights) << row.name;
  }
}

TEST_F(RegistryTest, ARowThatNeedsWeightsRefusesToWorkWithout) {
  weights_ = nullptr;
  for (const BackendRow& row : BackendRows()) {
    if (!IsAvailable(row)) continue;
    if (row.needs_weights) {
      EXPECT_THAT(MessageOf(row.name, ""), HasSubstr("Set WeightsFile.")) << row.name;
    } else {
      EXPECT_NO_THROW(Make(row.name)) << row.name;
    }
  }
}

TEST_F(RegistryTest, TheDescriptionNamesEveryRow) {
  const std::string text = DescribeBackends();
  for (const BackendRow& row : BackendRows())
    EXPECT_THAT(text, HasSubstr(std::string(row.name) + ": " + row.help));
  for (const CombinerRow& combiner : CombinerRows())
    EXPECT_THAT(text, HasSubstr(std::string(combiner.name) + ": " + combiner.help));
  EXPECT_THAT(text, HasSubstr("cudnnfp16 (not available: this build has no CUDA part)"));
}

TEST_F(RegistryTest, AnotherTemperatureOrHistoryFillNeverMeetsOldAnswers) {
  const TestPosition position = RandomGamePositions(3, 1)[2];
  BackendParams params;
  params.backend = "fake";
  const TestAnswer first = EvaluateOne(MakeBackend(params, nullptr, &clock_).get(), position);
  params.policy_temperature = 3.0f;
  const TestAnswer warmer = EvaluateOne(MakeBackend(params, nullptr, &clock_).get(), position);
  params.history_fill = "always";
  const TestAnswer filled = EvaluateOne(MakeBackend(params, nullptr, &clock_).get(), position);
  EXPECT_NE(first.policy, warmer.policy);
  EXPECT_NE(warmer.wl, filled.wl);
}

// What every row of the table must do, on a small random network.
class BackendConformance : public testing::TestWithParam<const BackendRow*> {
 protected:
  std::shared_ptr<Backend> Make(const std::string& options = "", int cache = 0) {
    BackendParams params;
    params.backend = GetParam()->name;
    params.backend_options = options;
    params.nn_cache_size = cache;
    return MakeBackend(params, weights_, &clock_);
  }

  SteadyClock clock_;
  std::shared_ptr<const NetworkWeights> weights_ =
      std::make_shared<NetworkWeights>(RandomWeights({}, 1));
};

TEST_P(BackendConformance, AnswersAreInRange) {
  const std::vector<TestPosition> positions = RandomGamePositions(30, 1);
  for (const TestAnswer& answer : EvaluateAll(Make().get(), positions)) {
    EXPECT_LE(std::abs(answer.wl) + answer.d, 1.0f + 1e-5f);
    EXPECT_GE(answer.d, 0.0f);
    EXPECT_GE(answer.m, 0.0f);
    EXPECT_NEAR(std::accumulate(answer.policy.begin(), answer.policy.end(), 0.0), 1.0, 1e-5);
    EXPECT_GE(*std::ranges::min_element(answer.policy), 0.0f);
  }
}

TEST_P(BackendConformance, TheSizeOfABatchDoesNotMatter) {
  const auto backend = Make();
  const std::vector<TestPosition> positions = RandomGamePositions(17, 2);
  const std::vector<TestAnswer> together = EvaluateAll(backend.get(), positions);
  for (const size_t size : {1, 2, 3, 5, 16}) {
    for (size_t begin = 0; begin < positions.size(); begin += size) {
      const size_t count = std::min(size, positions.size() - begin);
      const std::vector<TestAnswer> part =
          EvaluateAll(backend.get(), std::span(positions).subspan(begin, count));
      for (size_t i = 0; i < count; ++i) {
        ASSERT_NEAR(part[i].wl, together[begin + i].wl, 1e-5) << "batches of " << size;
        for (size_t k = 0; k < part[i].policy.size(); ++k) {
          ASSERT_NEAR(part[i].policy[k], together[begin + i].policy[k], 1e-4)
              << "batches of " << size;
        }
      }
    }
  }
}

TEST_P(BackendConformance, ABatchAboveWhatADeviceHoldsIsCut) {
  const auto backend = Make("max_batch=4");
  const std::vector<TestPosition> positions = RandomGamePositions(23, 3);
  const std::vector<TestAnswer> answers = EvaluateAll(backend.get(), positions);
  EXPECT_NEAR(answers[22].wl, EvaluateOne(backend.get(), positions[22]).wl, 1e-5);
  for (const DeviceCounters& device : backend->device_counters())
    EXPECT_LE(device.batch_histogram.size(), 3u);
}

TEST_P(BackendConformance, TheSameBackendTwiceGivesTheSameAnswers) {
  const std::vector<TestPosition> positions = RandomGamePositions(8, 4);
  EXPECT_EQ(EvaluateAll(Make().get(), positions), EvaluateAll(Make().get(), positions));
}

TEST_P(BackendConformance, AttributesAreUsable) {
  const BackendAttributes attributes = Make()->attributes();
  EXPECT_FALSE(attributes.description.empty());
  EXPECT_GE(attributes.max_batch, attributes.suggested_batch);
  EXPECT_GE(attributes.suggested_batch, 1);
  EXPECT_GE(attributes.suggested_threads, 1);
}

TEST_P(BackendConformance, ItCanBeMadeAndDestroyedManyTimes) {
  const TestPosition position = RandomGamePositions(1, 5)[0];
  const TestAnswer expected = EvaluateOne(Make().get(), position);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(EvaluateOne(Make().get(), position), expected);
}

TEST_P(BackendConformance, ACachedAnswerIsTheUncachedAnswer) {
  const auto backend = Make("", 1000);
  const std::vector<TestPosition> positions = RandomGamePositions(8, 6);
  const std::vector<TestAnswer> first = EvaluateAll(backend.get(), positions);
  const std::vector<TestAnswer> second = EvaluateAll(backend.get(), positions);
  EXPECT_EQ(first, second);
  EXPECT_TRUE(second[7].from_cache);
}

std::vector<const BackendRow*> AllRows() {
  std::vector<const BackendRow*> rows;
  for (const BackendRow& row : BackendRows()) {
    if (IsAvailable(row)) rows.push_back(&row);
  }
  return rows;
}

INSTANTIATE_TEST_SUITE_P(Rows, BackendConformance, testing::ValuesIn(AllRows()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace plexus
