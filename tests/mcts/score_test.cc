#include <gtest/gtest.h>

#include <cmath>

#include "mcts/report.h"

namespace plexus {
namespace {

constexpr int kOpen = 2;

int Centipawns(const char* score_type, float wl, float d, float draw_score = 0,
               bool has_wdl = true) {
  SearchParams params;
  params.score_type = score_type;
  return MakeScore(params, wl, d, 80, kOpen, has_wdl, false, draw_score).centipawns;
}

const char* const kScoreTypes[] = {"centipawn",
                                   "centipawn_with_drawscore",
                                   "centipawn_2019",
                                   "centipawn_2018",
                                   "win_percentage",
                                   "Q",
                                   "W-L",
                                   "WDL_mu"};

TEST(MakeScore, EachScaleGivesItsKnownValue) {
  // 90 tan(1.5637541897 q), 295 q / (1 - 0.976953126 q^14), 290.680623072 tan(1.548090806 q), by hand.
  EXPECT_EQ(Centipawns("centipawn", 0.5f, 0.2f), 89);
  EXPECT_EQ(Centipawns("centipawn_2019", 0.5f, 0.2f), 148);
  EXPECT_EQ(Centipawns("centipawn_2018", 0.5f, 0.2f), 284);
  EXPECT_EQ(Centipawns("win_percentage", 0.5f, 0.2f), 7500);
  EXPECT_EQ(Centipawns("W-L", 0.5f, 0.2f), 5000);
  EXPECT_EQ(Centipawns("Q", 0.5f, 0.2f), 5000);
}

TEST(MakeScore, DrawScoreCountsInTwoScalesOnly) {
  EXPECT_EQ(Centipawns("Q", 0.5f, 0.2f, -0.5f), 4000);
  EXPECT_EQ(Centipawns("centipawn_with_drawscore", 0.5f, 0.2f, -0.5f), 65);
  for (const char* type :
       {"centipawn", "centipawn_2019", "centipawn_2018", "win_percentage", "W-L", "WDL_mu"}) {
    EXPECT_EQ(Centipawns(type, 0.5f, 0.2f, -0.5f), Centipawns(type, 0.5f, 0.2f)) << type;
  }
}

TEST(MakeScore, WdlMuIsTheMiddleOfTheLogisticFit) {
  // Win 0.4, draw 0.5, loss 0.1: a = ln 9, b = ln 1.5, mu = (a - b) / (a + b) = 0.688.
  EXPECT_EQ(Centipawns("WDL_mu", 0.3f, 0.5f), 69);
  // An even win chance of 50 percent is where the draw zone ends: 100.
  EXPECT_EQ(Centipawns("WDL_mu", 0.4f, 0.4f), std::lround(100 * 1.0));
}

TEST(MakeScore, WdlMuFallsBackWithoutDrawsInTheNetworkAndWhenCertain) {
  const auto fallback = [](double wl) { return std::lround(45 * std::tan(1.56728071628 * wl)); };
  EXPECT_EQ(Centipawns("WDL_mu", 0.3f, 0, 0, /*has_wdl=*/false), fallback(0.3f));
  EXPECT_EQ(Centipawns("WDL_mu", 0.998f, 0.001f), fallback(0.998f));
  EXPECT_EQ(Centipawns("WDL_mu", 0.01f, 0.99f), fallback(0.01f));
}

TEST(MakeScore, ScalesAreSymmetricBoundedAndMonotonic) {
  for (const char* type : kScoreTypes) {
    const bool is_percentage = std::string(type) == "win_percentage";
    int former = -1000000;
    for (int step = -1000; step <= 1000; ++step) {
      const float wl = static_cast<float>(step) / 1000;
      const float d = 0.5f * (1 - std::abs(wl));
      const int score = Centipawns(type, wl, d);
      EXPECT_GE(score, former) << type << " " << wl;
      EXPECT_LE(std::abs(score), 13000) << type << " " << wl;
      const int mirrored = Centipawns(type, -wl, d);
      EXPECT_EQ(score, is_percentage ? 10000 - mirrored : -mirrored) << type << " " << wl;
      former = score;
    }
    EXPECT_EQ(Centipawns(type, 0, 0.5f), is_percentage ? 5000 : 0) << type;
  }
}

TEST(MakeScore, NetworksThatHardlyKnowDrawsGiveBoundedScores) {
  for (const float d : {0.0f, 1e-7f, 1e-4f}) {
    EXPECT_LE(Centipawns("WDL_mu", 0.5f, d), 400) << d;
    EXPECT_GE(Centipawns("WDL_mu", 0.5f, d), 40) << d;
    EXPECT_EQ(Centipawns("WDL_mu", 0, d), 0) << d;
  }
}

TEST(MakeScore, PermilleSumUpAndNoneIsNegative) {
  for (int i = 0; i <= 200; ++i) {
    for (int j = 0; j <= 200; ++j) {
      const float wl = static_cast<float>(i - 100) / 100.0f;
      // Also values that rounding errors of a mean put slightly outside.
      const float d = static_cast<float>(j) / 199.0f * (1 - std::abs(wl)) + 1e-4f;
      const Score score = MakeScore({}, wl, d, 80, kOpen, true, false, 0);
      ASSERT_EQ(score.wdl[0] + score.wdl[1] + score.wdl[2], 1000) << wl << " " << d;
      for (const int part : score.wdl) ASSERT_GE(part, 0) << wl << " " << d;
      ASSERT_NEAR(score.wdl[0] - score.wdl[2], 1000 * wl, 1.5) << wl << " " << d;
    }
  }
}

TEST(MakeScore, PermilleAreUnknownWithoutDrawsInTheNetwork) {
  const Score score = MakeScore({}, 0.3f, 0, 80, kOpen, false, false, 0);
  EXPECT_EQ(score.wdl[0] + score.wdl[1] + score.wdl[2], 0);
}

TEST(MakeScore, MatesCountFullMoves) {
  const auto mate = [](int result, float plies) {
    return MakeScore({}, 0, 0, plies, result, true, true, 0).mate_moves;
  };
  EXPECT_EQ(mate(1, 1), 1);
  EXPECT_EQ(mate(1, 3), 2);
  EXPECT_EQ(mate(1, 21), 11);
  EXPECT_EQ(mate(-1, 2), -1);
  EXPECT_EQ(mate(-1, 4), -2);
  EXPECT_EQ(mate(1, 0), 1) << "never mate in 0";
  EXPECT_EQ(mate(0, 5), std::nullopt);
  EXPECT_EQ(mate(kOpen, 5), std::nullopt);
}

TEST(MakeScore, ProvenResultsAreCertainWhateverTheMeanSays) {
  const Score win = MakeScore({}, 0.2f, 0.5f, 3, 1, true, false, 0);
  EXPECT_EQ(win.wdl[0], 1000);
  EXPECT_GT(win.centipawns, 12000);
  const Score draw = MakeScore({}, 0.2f, 0.5f, 3, 0, false, false, 0);
  EXPECT_EQ(draw.wdl[1], 1000);
  EXPECT_EQ(draw.centipawns, 0);
}

TEST(MakeScore, MovesLeftAreFullMovesIfTheNetworkTells) {
  EXPECT_EQ(MakeScore({}, 0, 0, 61, kOpen, true, true, 0).moves_left, 31);
  EXPECT_EQ(MakeScore({}, 0, 0, 61, kOpen, true, false, 0).moves_left, std::nullopt);
  EXPECT_EQ(MakeScore({}, 0, 0, 4, -1, true, false, 0).moves_left, 2);
}

}  // namespace
}  // namespace plexus
