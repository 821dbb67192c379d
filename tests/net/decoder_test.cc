#include "net/decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace plexus {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Decoded {
  EvalOutput out;
  std::vector<float> policy;
  float Sum() const { return std::accumulate(policy.begin(), policy.end(), 0.0f); }
};

class DecoderTest : public ::testing::Test {
 protected:
  void SetLogit(int move, float logit) { logits_[move] = logit; }
  Decoded Decode(std::vector<float> value, bool has_wdl, float temperature = 1,
                 float plies = 0) const {
    Decoded result;
    result.policy.resize(logits_.size());
    result.out.policy = result.policy;
    DecodeEvaluation(logits_, value, plies, has_wdl, temperature, &result.out);
    return result;
  }

  static constexpr int kMoves = 20;
  std::vector<float> logits_ = std::vector<float>(kMoves, 0.0f);
};

TEST_F(DecoderTest, EqualLogitsGiveEqualShares) {
  for (const float p : Decode({0, 0, 0}, true).policy) EXPECT_FLOAT_EQ(p, 1.0f / 20);
}

TEST_F(DecoderTest, SharesFollowTheSoftmaxInTheOrderOfTheMoves) {
  for (int i = 0; i < kMoves; ++i) SetLogit(i, -100);
  SetLogit(3, std::log(3.0f));
  SetLogit(7, 0);
  const Decoded decoded = Decode({0, 0, 0}, true);
  EXPECT_NEAR(decoded.policy[3], 0.75f, 1e-6);
  EXPECT_NEAR(decoded.policy[7], 0.25f, 1e-6);
}

TEST_F(DecoderTest, TemperatureDividesTheLogits) {
  for (int i = 0; i < kMoves; ++i) SetLogit(i, -1000);
  SetLogit(0, 2 * std::log(3.0f));
  SetLogit(1, 0);
  const Decoded decoded = Decode({0, 0, 0}, true, 2.0f);
  EXPECT_NEAR(decoded.policy[0], 0.75f, 1e-6);
}

TEST_F(DecoderTest, WinDrawLossAreASoftmaxOfThree) {
  const Decoded decoded = Decode({std::log(5.0f), std::log(3.0f), std::log(2.0f)}, true, 1, 42.5f);
  EXPECT_NEAR(decoded.out.wl, 0.3f, 1e-6);
  EXPECT_NEAR(decoded.out.d, 0.3f, 1e-6);
  EXPECT_EQ(decoded.out.m, 42.5f);
}

TEST_F(DecoderTest, WithoutWdlTheValueIsTakenAsItIs) {
  const Decoded decoded = Decode({-0.75f, 0, 0}, false);
  EXPECT_EQ(decoded.out.wl, -0.75f);
  EXPECT_EQ(decoded.out.d, 0.0f);
}

// Case 134: half-precision devices deliver infinities.
TEST_F(DecoderTest, StaysFiniteWhateverTheLogits) {
  const float bad[] = {kInf,
                       -kInf,
                       kNan,
                       65504.0f,
                       -65504.0f,
                       std::numeric_limits<float>::max(),
                       std::numeric_limits<float>::lowest(),
                       0.0f};
  for (const float a : bad) {
    for (const float b : bad) {
      for (const float temperature : {0.01f, 1.0f, 10.0f}) {
        logits_.assign(kMoves, a);
        SetLogit(5, b);
        for (const bool has_wdl : {true, false}) {
          const Decoded decoded = Decode({a, b, a}, has_wdl, temperature, b);
          EXPECT_NEAR(decoded.Sum(), 1.0f, 1e-5f) << a << " " << b;
          for (const float p : decoded.policy) {
            EXPECT_TRUE(std::isfinite(p));
            EXPECT_GE(p, 0.0f);
          }
          EXPECT_TRUE(std::isfinite(decoded.out.m) && decoded.out.m >= 0);
          EXPECT_GE(decoded.out.d, 0.0f);
          EXPECT_LE(std::fabs(decoded.out.wl) + decoded.out.d, 1.0f) << a << " " << b;
        }
      }
    }
  }
}

TEST_F(DecoderTest, AnInfiniteLogitTakesEverythingAndNanNothing) {
  SetLogit(4, kInf);
  SetLogit(6, kNan);
  const Decoded decoded = Decode({kInf, 0, kNan}, true);
  EXPECT_EQ(decoded.policy[4], 1.0f);
  EXPECT_EQ(decoded.policy[6], 0.0f);
  EXPECT_EQ(decoded.out.wl, 1.0f);
}

TEST_F(DecoderTest, AGameThatIsOverHasNoPolicyButAValue) {
  EvalOutput out;
  DecodeEvaluation({}, std::vector<float>{3, 1, 0}, 5, true, 1, &out);
  EXPECT_GT(out.wl, 0.5f);
}

}  // namespace
}  // namespace plexus
