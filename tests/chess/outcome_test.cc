#include "chess/outcome.h"

#include <gtest/gtest.h>

#include "chess/notation.h"
#include "chess/random_games.h"

namespace plexus {
namespace {

Outcome OutcomeAfter(const std::string& fen, const std::vector<std::string>& moves = {}) {
  PositionHistory history(fen);
  for (const std::string& move : moves) history.Append(ParseUci(history.Last().board, move, false));
  return OutcomeOf(history, LegalMoves(history.Last().board));
}

TEST(Outcome, AGameThatGoesOnIsUndecided) {
  EXPECT_FALSE(OutcomeAfter(kStartFen).over());
  EXPECT_EQ(OutcomeAfter(kStartFen).reason, GameEnd::kNone);
}

TEST(Outcome, CheckmateIsWonByTheSideThatGaveIt) {
  const Outcome fools_mate = OutcomeAfter(kStartFen, {"f2f3", "e7e5", "g2g4", "d8h4"});
  EXPECT_EQ(fools_mate.result, GameResult::kBlackWon);
  EXPECT_EQ(fools_mate.reason, GameEnd::kCheckmate);
  EXPECT_EQ(OutcomeAfter("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").result, GameResult::kWhiteWon);
}

TEST(Outcome, StalemateIsADraw) {
  const Outcome outcome = OutcomeAfter("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
  EXPECT_EQ(outcome.result, GameResult::kDraw);
  EXPECT_EQ(outcome.reason, GameEnd::kStalemate);
}

TEST(Outcome, FiftyMovesAreAHundredPlies) {
  EXPECT_FALSE(OutcomeAfter("7k/8/8/8/8/8/R7/K7 w - - 99 130").over());
  EXPECT_EQ(OutcomeAfter("7k/8/8/8/8/8/R7/K7 w - - 99 130", {"a2b2"}).reason, GameEnd::kFiftyMoves);
  EXPECT_EQ(OutcomeAfter("7k/8/8/8/8/8/R7/K7 w - - 104 130").reason, GameEnd::kFiftyMoves);
}

TEST(Outcome, CheckmateGoesBeforeTheFiftyMoveRule) {
  EXPECT_EQ(OutcomeAfter("6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 130", {"a1a8"}).reason,
            GameEnd::kCheckmate);
}

TEST(Outcome, TheThirdOccurrenceIsADraw) {
  std::vector<std::string> moves = {"g1f3", "g8f6", "f3g1", "f6g8"};
  EXPECT_FALSE(OutcomeAfter(kStartFen, moves).over());
  moves.insert(moves.end(), {"g1f3", "g8f6", "f3g1", "f6g8"});
  EXPECT_EQ(OutcomeAfter(kStartFen, moves).reason, GameEnd::kThreefold);
  EXPECT_EQ(OutcomeAfter(kStartFen, moves).result, GameResult::kDraw);
}

TEST(InsufficientMaterial, HoldsWhereNobodyCanEverMate) {
  for (const char* fen : {
           "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1",
           "4kb2/8/8/8/8/8/8/4K3 w - - 0 1",
           "4k1b1/8/8/8/8/8/8/4KB2 w - - 0 1",    // both on light squares
           "4k1b1/8/4b3/8/8/8/8/4KB2 w - - 0 1",  // three on light squares
       }) {
    EXPECT_TRUE(InsufficientMaterial(BoardOf(fen))) << fen;
    EXPECT_EQ(OutcomeAfter(fen).reason, GameEnd::kInsufficientMaterial) << fen;
  }
}

TEST(InsufficientMaterial, DoesNotHoldWhereAMateExistsEvenIfUnlikely) {
  for (const char* fen : {
           "4kb2/8/8/8/8/8/8/4KB2 w - - 0 1",  // dark and light bishop
           "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1",
           "4k3/8/8/8/8/8/8/3NKN2 w - - 0 1",
           "4kn2/8/8/8/8/8/8/4KB2 w - - 0 1",
           "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
           "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
           "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
       }) {
    EXPECT_FALSE(InsufficientMaterial(BoardOf(fen))) << fen;
  }
}

}  // namespace
}  // namespace plexus
