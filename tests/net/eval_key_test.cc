#include "net/eval_key.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

PositionHistory Play(const char* fen, const std::vector<std::string>& moves) {
  PositionHistory history(fen);
  for (const std::string& move : moves) history.Append(ParseUci(history.Last().board, move, true));
  return history;
}

uint64_t Key(const PositionHistory& history, int length) { return EvalKey(history.all(), length); }

// Case 92: a cache that ignores history gives the answer of another game.
TEST(EvalKey, TwoMoveOrdersToOneBoardDifferUnlessHistoryIsLeftOut) {
  const PositionHistory a = Play(kStartFen, {"g1f3", "g8f6", "b1c3", "b8c6"});
  const PositionHistory b = Play(kStartFen, {"b1c3", "b8c6", "g1f3", "g8f6"});
  EXPECT_EQ(Key(a, 0), Key(b, 0));
  for (int length = 1; length <= 7; ++length) EXPECT_NE(Key(a, length), Key(b, length)) << length;
}

// Case 91: the length was once read as a yes or no.
TEST(EvalKey, EachLengthSeesOneStepMore) {
  // The same last four positions after different beginnings that lead to one board.
  const PositionHistory a = Play(kStartFen, {"g1f3", "g8f6", "b1c3", "b8c6", "e2e3", "e7e6"});
  const PositionHistory b = Play(kStartFen, {"b1c3", "b8c6", "g1f3", "g8f6", "e2e3", "e7e6"});
  EXPECT_EQ(Key(a, 1), Key(b, 1));
  EXPECT_EQ(Key(a, 2), Key(b, 2));
  for (int length = 3; length <= 7; ++length) EXPECT_NE(Key(a, length), Key(b, length)) << length;
}

// All positions up to four plies deep: the longer the history, the more keys (so fewer cache hits).
TEST(EvalKey, LongerHistoriesShareLess) {
  std::set<uint64_t> keys[8];
  PositionHistory history(kStartFen);
  const auto visit = [&](const auto& self, int depth) -> void {
    for (const int length : {0, 1, 7}) keys[length].insert(Key(history, length));
    if (depth == 0) return;
    for (const Move move : LegalMoves(history.Last().board)) {
      history.Append(move);
      self(self, depth - 1);
      history.Pop();
    }
  };
  visit(visit, 4);
  EXPECT_LT(keys[0].size(), keys[1].size());
  EXPECT_LT(keys[1].size(), keys[7].size());
  EXPECT_EQ(keys[7].size(),
            1u + 20 + 400 + 8902 + 197281);  // no two paths share their whole history
}

TEST(EvalKey, WhatThePlanesShowChangesTheKey) {
  const PositionHistory base("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
  EXPECT_EQ(Key(base, 7), Key(PositionHistory("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 9"),
                              7));  // the move number is not shown
  EXPECT_NE(Key(base, 7), Key(PositionHistory("4k3/8/8/8/8/8/8/R3K2R b KQ - 0 1"), 7));  // side
  EXPECT_NE(Key(base, 7), Key(PositionHistory("4k3/8/8/8/8/8/8/R3K2R w K - 0 1"), 7));   // castling
  EXPECT_NE(Key(base, 7),
            Key(PositionHistory("4k3/8/8/8/8/8/8/R3K2R w KQ - 1 1"), 7));  // 50-move counter
  EXPECT_NE(Key(PositionHistory("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), 0),
            Key(PositionHistory("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1"), 0));  // en passant
}

TEST(EvalKey, ARepetitionIsAnotherPosition) {
  const PositionHistory once =
      Play("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"a1a2", "e8d8", "a2a1", "d8e8"});
  PositionHistory first("4k3/8/8/8/8/8/8/R3K3 w - - 4 3");
  EXPECT_NE(Key(once, 0), Key(first, 0));
}

TEST(EvalKey, AShorterPastIsAnotherInput) {
  const PositionHistory played = Play("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", {"a1a2", "e8d8"});
  const PositionHistory set_up("3k4/8/8/8/8/8/R7/4K3 w - - 2 2");
  EXPECT_EQ(Key(played, 0), Key(set_up, 0));
  EXPECT_NE(Key(played, 1), Key(set_up, 1));
}

TEST(EvalKey, ATailIsEnough) {
  std::vector<std::string> moves;
  for (int i = 0; i < 12; ++i)
    moves.push_back(std::vector<std::string>{"g1f3", "g8f6", "f3g1", "f6g8"}[i % 4]);
  const PositionHistory history = Play(kStartFen, moves);
  EXPECT_EQ(EvalKey(history.Tail(8), 7), EvalKey(history.all(), 7));
  EXPECT_EQ(EvalKey(history.Tail(1), 0), EvalKey(history.all(), 0));
}

}  // namespace
}  // namespace plexus
