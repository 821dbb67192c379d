#include "chess/position.h"

#include <gtest/gtest.h>

#include "chess/notation.h"
#include "chess/random_games.h"

namespace plexus {
namespace {

PositionHistory Played(const std::string& fen, const std::vector<std::string>& moves) {
  PositionHistory history(fen);
  for (const std::string& move : moves) history.Append(ParseUci(history.Last().board, move, false));
  return history;
}

const std::vector<std::string> kKnightsThereAndBack = {"g1f3", "g8f6", "f3g1", "f6g8"};

TEST(PositionHistory, StartsWithTheCountersOfTheFen) {
  const PositionHistory history("4k3/8/8/8/8/8/8/4K2R b K - 7 30");
  EXPECT_EQ(history.size(), 1);
  EXPECT_EQ(history.Last().rule50_ply, 7);
  EXPECT_EQ(history.Last().game_ply, 59);
  EXPECT_TRUE(history.Last().black_to_move());
}

TEST(PositionHistory, CountsRepetitionsAndCycles) {
  std::vector<std::string> moves = kKnightsThereAndBack;
  EXPECT_EQ(Played(kStartFen, moves).Last().repetitions, 1);
  EXPECT_EQ(Played(kStartFen, moves).Last().cycle_length, 4);
  moves.insert(moves.end(), kKnightsThereAndBack.begin(), kKnightsThereAndBack.end());
  EXPECT_EQ(Played(kStartFen, moves).Last().repetitions, 2);
  EXPECT_EQ(Played(kStartFen, moves).Last().cycle_length, 4);
  moves.push_back("e2e4");
  EXPECT_EQ(Played(kStartFen, moves).Last().repetitions, 0);
  EXPECT_EQ(Played(kStartFen, moves).Last().cycle_length, 0);
  EXPECT_EQ(Played(kStartFen, moves).Last().rule50_ply, 0);
}

TEST(PositionHistory, FindsACycleThatIsLongerThanFourPlies) {
  const PositionHistory history =
      Played("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"a1b1", "e8d8", "b1c1", "d8e7", "c1a1", "e7e8"});
  EXPECT_EQ(history.Last().repetitions, 1);
  EXPECT_EQ(history.Last().cycle_length, 6);
}

TEST(PositionHistory, LostCastlingRightsMakeAnotherPosition) {
  const PositionHistory history =
      Played("r3k3/8/8/8/8/8/8/4K2R w K - 0 1", {"h1g1", "a8b8", "g1h1", "b8a8"});
  EXPECT_EQ(history.Last().repetitions, 0);
  EXPECT_EQ(history.Last().rule50_ply, 4);
}

TEST(PositionHistory, AnEnPassantRightThatIsGoneMakesAnotherPosition) {
  const PositionHistory history =
      Played("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1",
             {"e2e4", "e8e7", "e1d1", "e7e8", "d1e1", "e8e7", "e1d1", "e7e8", "d1e1"});
  EXPECT_EQ(history[5].repetitions, 0);  // first with, then without the right to take
  EXPECT_EQ(history.Last().repetitions, 1);
}

// A clock that began before the game that we know must not look for positions before its first.
TEST(PositionHistory, ToleratesACounterOlderThanTheGame) {
  const PositionHistory history =
      Played("4k3/8/8/8/8/8/8/R3K3 w - - 60 90", {"a1b1", "e8d8", "b1a1", "d8e8"});
  EXPECT_EQ(history.Last().rule50_ply, 64);
  EXPECT_EQ(history.Last().repetitions, 1);
}

TEST(PositionHistory, AgreesWithComparingAllPositions) {
  std::mt19937_64 random(3);
  for (int game = 0; game < 30; ++game) {
    PositionHistory history("4k2r/8/8/8/8/8/7P/R3K3 w Qk - 0 1");  // few pieces repeat often
    for (int ply = 0; ply < 150; ++ply) {
      const MoveList moves = LegalMoves(history.Last().board);
      if (moves.empty()) break;
      history.Append(moves[static_cast<int>(random() % static_cast<uint64_t>(moves.size()))]);
      int repetitions = 0;
      int latest = -1;
      for (int i = 0; i + 1 < history.size(); ++i) {
        if (!history[i].board.SamePosition(history.Last().board)) continue;
        ++repetitions;
        latest = i;
      }
      ASSERT_EQ(history.Last().repetitions, repetitions);
      ASSERT_EQ(history.Last().cycle_length, latest < 0 ? 0 : history.size() - 1 - latest);
    }
  }
}

TEST(PositionHistory, PopAndTrimTakeBackMoves) {
  PositionHistory history = Played(kStartFen, kKnightsThereAndBack);
  history.Pop();
  EXPECT_EQ(history.size(), 4);
  EXPECT_EQ(history.Last().repetitions, 0);
  history.TrimTo(1);
  EXPECT_EQ(history.size(), 1);
  EXPECT_TRUE(history.Last().board.SamePosition(Board::StartPosition()));
  history.TrimTo(5);
  EXPECT_EQ(history.size(), 1);
}

TEST(PositionHistory, TailIsTheLastPositionsOldestFirst) {
  const PositionHistory history = Played(kStartFen, kKnightsThereAndBack);
  EXPECT_EQ(history.Tail(2).size(), 2u);
  EXPECT_EQ(history.Tail(2).data(), &history[3]);
  EXPECT_EQ(history.Tail(8).size(), 5u);
  EXPECT_EQ(history.Tail(0).size(), 0u);
}

TEST(PositionHistory, ResetForgetsTheGame) {
  PositionHistory history = Played(kStartFen, kKnightsThereAndBack);
  history.Reset(Board::StartPosition(), 3, 8);
  EXPECT_EQ(history.size(), 1);
  EXPECT_EQ(history.Last().repetitions, 0);
  EXPECT_EQ(history.Last().rule50_ply, 3);
  EXPECT_EQ(history.Last().game_ply, 8);
}

}  // namespace
}  // namespace plexus
