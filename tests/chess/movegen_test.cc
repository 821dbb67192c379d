#include "chess/movegen.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

#include "chess/notation.h"
#include "chess/perft.h"
#include "chess/random_games.h"

namespace plexus {
namespace {

std::set<std::string> MovesOf(const std::string& fen) {
  const Board board = BoardOf(fen);
  std::set<std::string> moves;
  for (const Move move : LegalMoves(board)) moves.insert(ToUci(board, move, true));
  return moves;
}

// Every (from, to, kind) that leaves the own king safe when played on a copy, by the slow way:
// pieces' reach without pins and check masks. Castling is left out.
std::set<uint16_t> SlowMoves(const Board& board) {
  std::set<uint16_t> moves;
  const Color us = board.side_to_move();
  for (int bits = 0; bits < 1 << 12; ++bits) {
    const Square from = bits & 63;
    const Square to = static_cast<Square>(bits >> 6);
    if (!(board.pieces(us) & Bit(from)) || (board.pieces(us) & Bit(to))) continue;
    const PieceType type = board.PieceAt(from);
    std::vector<Move::Kind> kinds = {Move::kNormal};
    if (type == PieceType::kPawn) {
      const int forward = us == Color::kWhite ? 1 : -1;
      const int df = FileOf(to) - FileOf(from);
      const int dr = (RankOf(to) - RankOf(from)) * forward;
      const int home = us == Color::kWhite ? 1 : 6;
      const bool is_free = !(board.occupied() & Bit(to));
      const Square passed = static_cast<Square>((from + to) / 2);
      const bool push = df == 0 && dr == 1 && is_free;
      const bool leap = df == 0 && dr == 2 && RankOf(from) == home && is_free &&
                        !(board.occupied() & Bit(passed));
      const bool capture = std::abs(df) == 1 && dr == 1 && !is_free;
      const bool en_passant = std::abs(df) == 1 && dr == 1 && to == board.en_passant();
      if (!push && !leap && !capture && !en_passant) continue;
      if (en_passant) kinds = {Move::kEnPassant};
      if (RankOf(to) == 0 || RankOf(to) == 7) {
        kinds = {Move::kPromoteKnight, Move::kPromoteBishop, Move::kPromoteRook,
                 Move::kPromoteQueen};
      }
    } else if (!(board.AttackersTo(to, board.occupied()) & Bit(from))) {
      continue;
    }
    for (const Move::Kind kind : kinds) {
      const Move move(from, to, kind);
      Board next = board;
      next.Apply(move);
      if (!next.IsAttacked(next.KingSquare(us), ~us)) moves.insert(move.bits());
    }
  }
  return moves;
}

TEST(LegalMoves, AgreeWithTryingEverything) {
  VisitRandomPositions(6, 100, [](const Board& board) {
    std::set<uint16_t> fast;
    for (const Move move : LegalMoves(board)) {
      if (move.kind() != Move::kCastling) fast.insert(move.bits());
    }
    ASSERT_EQ(fast, SlowMoves(board)) << ToFen(board, 0, 1, true);
  });
}

TEST(LegalMoves, AreCountedAsWritten) {
  VisitRandomPositions(20, 120, [](const Board& board) {
    const MoveList moves = LegalMoves(board);
    ASSERT_EQ(CountLegalMoves(board), moves.size()) << ToFen(board, 0, 1, true);
    ASSERT_EQ(HasLegalMove(board), !moves.empty()) << ToFen(board, 0, 1, true);
  });
}

TEST(LegalMoves, AreNeverListedTwice) {
  VisitRandomPositions(5, 120, [](const Board& board) {
    std::set<uint16_t> seen;
    for (const Move move : LegalMoves(board)) ASSERT_TRUE(seen.insert(move.bits()).second);
  });
}

TEST(IsLegal, AgreesWithTheListForEveryBitPattern) {
  int visited = 0;
  VisitRandomPositions(1, 120, [&](const Board& board) {
    if (++visited % 12 != 0) return;
    const MoveList moves = LegalMoves(board);
    for (int bits = 0; bits < 1 << 16; ++bits) {
      const Move move = Move::FromBits(static_cast<uint16_t>(bits));
      ASSERT_EQ(IsLegal(board, move), moves.Contains(move))
          << ToFen(board, 0, 1, true) << " " << bits;
    }
  });
  EXPECT_GT(visited, 300);
}

TEST(IsLegal, AgreesWithTheListForRandomBits) {
  std::mt19937_64 random(7);
  VisitRandomPositions(10, 120, [&](const Board& board) {
    const MoveList moves = LegalMoves(board);
    for (int i = 0; i < 50; ++i) {
      const Move move = Move::FromBits(static_cast<uint16_t>(random()));
      ASSERT_EQ(IsLegal(board, move), moves.Contains(move)) << ToFen(board, 0, 1, true);
    }
  });
}

TEST(LegalMoves, AreTheSameForTheMirroredPosition) {
  int visited = 0;
  VisitRandomPositions(4, 120, [&](const Board& board) {
    if (++visited % 10 != 0) return;
    const std::string fen = ToFen(board, 0, 1, true);
    ASSERT_EQ(Perft(board, 3), Perft(BoardOf(MirroredFen(fen)), 3)) << fen;
  });
}

TEST(LegalMoves, ADoubleCheckIsAnsweredByTheKingOnly) {
  EXPECT_EQ(MovesOf("4k3/8/5N2/8/8/8/2q5/K3R3 b - - 0 1"),
            (std::set<std::string>{"e8d8", "e8f8", "e8f7"}));
}

TEST(LegalMoves, APinnedPieceMovesAlongItsPinOnly) {
  EXPECT_EQ(MovesOf("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1").count("e2d2"), 0u);
  EXPECT_EQ(MovesOf("4k3/4r3/8/8/8/8/4R3/4K3 w - - 0 1").count("e2e7"), 1u);
  EXPECT_EQ(MovesOf("4k3/8/8/7b/8/8/4P3/3K4 w - - 0 1").count("e2e3"), 0u);
}

TEST(LegalMoves, EnPassantMayNotUncoverTheKingOnItsRank) {
  EXPECT_EQ(MovesOf("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1").count("d4e3"), 0u);
}

TEST(LegalMoves, EnPassantMayTakeTheCheckingPawn) {
  EXPECT_EQ(MovesOf("8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 1").count("e4d3"), 1u);
}

// Cases 100 and 104.
TEST(Castling, TheInnerRookOfTwoMayCastleTheOuterOneIsBlocked) {
  const std::set<std::string> inner = MovesOf("2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w B - 0 1");
  EXPECT_EQ(inner.size(), 19u);
  EXPECT_EQ(inner.count("f1b1"), 1u);
  const std::set<std::string> outer = MovesOf("2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w Q - 0 1");
  EXPECT_EQ(outer.size(), 18u);
  EXPECT_EQ(outer.count("f1b1") + outer.count("f1a1"), 0u);
}

TEST(Castling, ARookThatShieldsTheKingCannotCastle) {
  const std::set<std::string> moves = MovesOf("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1");
  EXPECT_EQ(moves.size(), 8u);
  EXPECT_EQ(moves.count("e1b1"), 0u);
}

TEST(Castling, IsNotLegalInOrThroughOrIntoCheck) {
  EXPECT_EQ(MovesOf("4r1k1/8/8/8/8/8/8/4K2R w K - 0 1").count("e1h1"), 0u);
  EXPECT_EQ(MovesOf("5rk1/8/8/8/8/8/8/4K2R w K - 0 1").count("e1h1"), 0u);
  EXPECT_EQ(MovesOf("k5r1/8/8/8/8/8/8/4K2R w K - 0 1").count("e1h1"), 0u);
  EXPECT_EQ(MovesOf("7r/6k1/8/8/8/8/8/4K2R w K - 0 1").count("e1h1"),
            1u);  // the rook may be attacked
}

TEST(Castling, OnTheASideTheBFileMayBeAttackedButNotOccupied) {
  EXPECT_EQ(MovesOf("1r4k1/8/8/8/8/8/8/R3K3 w Q - 0 1").count("e1a1"), 1u);
  EXPECT_EQ(MovesOf("6k1/8/8/8/8/8/8/RN2K3 w Q - 0 1").count("e1a1"), 0u);
}

TEST(Castling, AKingThatStaysMayCastle) {
  EXPECT_EQ(MovesOf("4k3/8/8/8/8/8/8/6KR w H - 0 1").count("g1h1"), 1u);
}

// The most moves of a reachable position (N. Petrovic 1964).
TEST(LegalMoves, TheRecordPositionHas218) {
  EXPECT_EQ(LegalMoves(BoardOf("R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1")).size(),
            218);
}

TEST(LegalMoves, MateAndStalemateHaveNone) {
  EXPECT_FALSE(HasLegalMove(BoardOf("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1")));
  EXPECT_FALSE(HasLegalMove(BoardOf("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")));
}

TEST(Movegen, AMateInOneIsSeenAndACheckOrAStalemateIsNone) {
  EXPECT_TRUE(HasMateInOne(BoardOf("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1")));   // Re8#
  EXPECT_FALSE(HasMateInOne(BoardOf("6k1/5pp1/8/8/8/8/8/4R1K1 w - - 0 1")));  // Re8+ Kh7
  EXPECT_FALSE(HasMateInOne(BoardOf("7k/8/6K1/8/8/8/8/5Q2 b - - 0 1")));
  EXPECT_FALSE(HasMateInOne(BoardOf("7k/5K2/8/6P1/8/8/8/8 w - - 0 1")));  // Kf8, g6: no check
}

}  // namespace
}  // namespace plexus
