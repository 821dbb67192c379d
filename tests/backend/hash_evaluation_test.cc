#include "backend/fake/hash_evaluation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "backend/test_positions.h"
#include "net/encoder.h"

namespace plexus {
namespace {

using testing::ElementsAre;

std::vector<InputPlanes> SomePlanes(int count) {
  const std::vector<TestPosition> positions = RandomGamePositions(count, 9);
  std::vector<InputPlanes> planes(positions.size());
  for (size_t i = 0; i < positions.size(); ++i) {
    EncodePlanes(InputFormat::kClassical, HistoryFill::kFenOnly, positions[i].history.all(),
                 &planes[i]);
  }
  return planes;
}

struct Numbers {
  std::vector<float> policy, value, moves_left;
};

// Each position wants all of `indices`.
Numbers Evaluate(const HashEvaluation& how, const std::vector<InputPlanes>& planes,
                 const std::vector<uint16_t>& indices) {
  std::vector<uint16_t> all;
  std::vector<uint32_t> begin = {0};
  for (size_t i = 0; i < planes.size(); ++i) {
    all.insert(all.end(), indices.begin(), indices.end());
    begin.push_back(static_cast<uint32_t>(all.size()));
  }
  Numbers numbers{std::vector<float>(all.size()), std::vector<float>(3 * planes.size()),
                  std::vector<float>(planes.size())};
  EvaluateByHash(how, {planes, all, begin}, {numbers.policy, numbers.value, numbers.moves_left});
  return numbers;
}

TEST(HashEvaluationTest, AnswersAreNumbersWrittenHere) {
  // The same on every compiler and machine: changing them changes the bench signature.
  const Numbers numbers = Evaluate({.moves_left = true}, SomePlanes(1), {0, 1857});
  std::vector<float> scaled;
  for (const auto* list : {&numbers.policy, &numbers.value}) {
    for (const float number : *list) scaled.push_back(number * 65536);
  }
  EXPECT_THAT(scaled, ElementsAre(5904, 56883, 490714, 287993, 505324));
  EXPECT_EQ(numbers.moves_left[0] * 512, 41533);
}

TEST(HashEvaluationTest, ALogitDoesNotDependOnWhichOthersAreWanted) {
  const std::vector<InputPlanes> planes = SomePlanes(2);
  const Numbers few = Evaluate({}, planes, {1857, 3, 3, 900});
  const Numbers more = Evaluate({}, planes, {3, 5, 900, 901, 1857});
  EXPECT_THAT(few.policy, ElementsAre(more.policy[4], more.policy[0], more.policy[0], more.policy[2],
                                      more.policy[9], more.policy[5], more.policy[5],
                                      more.policy[7]));
  EXPECT_EQ(few.value, more.value);
  EXPECT_NE(more.policy[0], more.policy[5]);
}

TEST(HashEvaluationTest, LogitsOfNeighbouringIndicesAreUnrelated) {
  // 100 positions times 1857 pairs: the correlation of independent numbers stays below 5 / sqrt(n).
  std::vector<uint16_t> indices(kPolicySize);
  for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<uint16_t>(i);
  const Numbers numbers = Evaluate({}, SomePlanes(100), indices);
  double sum = 0, squares = 0;
  for (size_t i = 0; i + 1 < numbers.policy.size(); ++i) {
    sum += (numbers.policy[i] - 1.5) * (numbers.policy[i + 1] - 1.5);
    squares += (numbers.policy[i] - 1.5) * (numbers.policy[i] - 1.5);
  }
  EXPECT_LT(std::abs(sum / squares), 5 / std::sqrt(numbers.policy.size()));
}

TEST(HashEvaluationTest, PositionsWithoutWantedMovesHaveAValue) {
  const Numbers numbers = Evaluate({.wdl = false}, SomePlanes(3), {});
  EXPECT_TRUE(numbers.policy.empty());
  EXPECT_NE(numbers.value[0], numbers.value[3]);
}

}  // namespace
}  // namespace plexus
