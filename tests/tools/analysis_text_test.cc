#include "tools/analysis_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "chess/fen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

Position PositionOf(const char* fen) { return PositionHistory(fen).Last(); }

SearchSnapshot TwoMoves(const Position& root) {
  SearchSnapshot snapshot;
  snapshot.visits = 101;
  snapshot.moves = {{ParseUci(root.board, "e2e4", false), 75, 0.6f, 0.2f, 0.5f, 80, -1, 1},
                    {ParseUci(root.board, "d2d4", false), 25, 0.4f, 0.1f, 0.5f, 80, -1, 1}};
  snapshot.best = snapshot.moves[0].move;
  return snapshot;
}

SearchInfo OneLine(const Position& root) {
  SearchInfo info;
  info.depth = 4;
  info.nodes = 101;
  info.lines.resize(1);
  info.lines[0].score.centipawns = 34;
  info.lines[0].moves = {ParseUci(root.board, "e2e4", false)};
  return info;
}

TEST(AnalysisText, ScoresAreSignedPawnsOrMates) {
  Score score;
  score.centipawns = -125;
  EXPECT_EQ(ScoreText(score), "-1.25");
  score.mate_moves = 3;
  EXPECT_EQ(ScoreText(score), "mate in 3");
  score.mate_moves = -2;
  EXPECT_EQ(ScoreText(score), "mated in 2");
}

TEST(AnalysisText, LinesOfBlackBeginWithDots) {
  const Position root = PositionOf("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  const Move reply = ParseUci(root.board, "e7e5", false);
  Board next = root.board;
  next.Apply(reply);
  EXPECT_EQ(LineText(root, {reply, ParseUci(next, "g1f3", false)}, 8), "1... e5 2. Nf3");
}

TEST(AnalysisText, TheTableShowsSharesAndChances) {
  const Position root = PositionOf(kStartFen);
  const std::string text = AnalysisText(root, OneLine(root), TwoMoves(root), 8);
  EXPECT_NE(text.find("e4            75  74.3%   60.0%        35 / 50 / 15"), std::string::npos)
      << text;
  EXPECT_NE(text.find("best move: e4"), std::string::npos) << text;
}

TEST(AnalysisText, MovesThatAreLeftOutAreCounted) {
  const Position root = PositionOf(kStartFen);
  EXPECT_NE(AnalysisText(root, OneLine(root), TwoMoves(root), 1).find("1 more move"),
            std::string::npos);
}

TEST(AnalysisText, AMatedSideIsToldSo) {
  const Position root = PositionOf("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
  EXPECT_EQ(AnalysisText(root, {}, {}, 8), "checkmate: there is no legal move\n");
}

TEST(AnalysisText, JsonHoldsEveryMove) {
  const Position root = PositionOf(kStartFen);
  const auto json = nlohmann::json::parse(AnalysisJson(root, OneLine(root), TwoMoves(root)));
  EXPECT_EQ(json["bestmove"], "e2e4");
  EXPECT_EQ(json["moves"].size(), 2u);
  EXPECT_EQ(json["score_cp"], 34);
  EXPECT_EQ(json["pv"][0], "e2e4");
}

}  // namespace
}  // namespace plexus
