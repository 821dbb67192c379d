#include "chess/board.h"

#include <gtest/gtest.h>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/random_games.h"

namespace plexus {
namespace {

Board After(const std::string& fen, const std::vector<std::string>& moves) {
  Board board = BoardOf(fen);
  for (const std::string& move : moves) board.Apply(ParseUci(board, move, true));
  return board;
}

std::string FenAfter(const std::string& fen, const std::vector<std::string>& moves) {
  return ToFen(After(fen, moves), 0, 1);
}

TEST(Board, KeyIsKeptUpByApply) {
  VisitRandomPositions(20, 120, [](const Board& board) {
    Board fresh = board;
    fresh.Finish();
    ASSERT_EQ(fresh.key(), board.key()) << ToFen(board, 0, 1, true);
    ASSERT_TRUE(fresh.SamePosition(board)) << ToFen(board, 0, 1, true);
  });
}

TEST(Board, ApplyWithoutKeyMakesTheSameMoves) {
  VisitRandomPositions(5, 80, [](const Board& board) {
    for (const Move move : LegalMoves(board)) {
      Board with_key = board;
      Board without = board;
      with_key.Apply(move);
      without.ApplyWithoutKey(move);
      without.Finish();
      ASSERT_TRUE(without.SamePosition(with_key))
          << ToFen(board, 0, 1, true) << " " << ToUci(board, move, true);
    }
  });
}

TEST(Board, ApplySaysWhetherTheFiftyMoveCounterRestarts) {
  Board board = BoardOf("r3k2r/8/8/3p4/4P3/8/8/R3K2R w KQkq - 0 1");
  const auto restarts = [&](const char* move) {
    Board next = board;
    return next.Apply(ParseUci(board, move, false));
  };
  EXPECT_TRUE(restarts("e4e5"));  // pawn move
  EXPECT_TRUE(restarts("e4d5"));  // capture
  EXPECT_TRUE(restarts("a1a8"));  // capture by a piece
  EXPECT_FALSE(restarts("a1a7"));
  EXPECT_FALSE(restarts("e1g1"));  // castling, though the king's target holds the own rook
}

TEST(Board, EachKindOfMoveChangesTheBoardAsItShould) {
  EXPECT_EQ(FenAfter("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"e1h1", "e8a8"}),
            "2kr3r/8/8/8/8/8/8/R4RK1 w - - 0 1");
  EXPECT_EQ(FenAfter("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"e2e4", "d4e3"}),
            "4k3/8/8/8/8/4p3/8/4K3 w - - 0 1");
  EXPECT_EQ(FenAfter("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", {"e7d8n"}),
            "3Nk3/8/8/8/8/8/8/4K3 b - - 0 1");
  EXPECT_EQ(FenAfter("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", {"a1a8"}),
            "R3k2r/8/8/8/8/8/8/4K2R b Kk - 0 1");
}

TEST(Board, CastlingInChess960MayExchangeKingAndRook) {
  EXPECT_EQ(FenAfter("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", {"f1g1"}), "4k3/8/8/8/8/8/8/5RK1 b - - 0 1");
  EXPECT_EQ(FenAfter("4k3/8/8/8/8/8/8/2RK4 w C - 0 1", {"d1c1"}), "4k3/8/8/8/8/8/8/2KR4 b - - 0 1");
  EXPECT_EQ(FenAfter("4k3/8/8/8/8/8/8/R5K1 w A - 0 1", {"g1a1"}), "4k3/8/8/8/8/8/8/2KR4 b - - 0 1");
}

// Case 101: after ...Kg8xRh8 the king stands on g8 and the rook on f8.
TEST(Board, BlackCastlesOntoItsOwnSquare) {
  EXPECT_EQ(FenAfter("rnq3kr/pppppppp/8/8/8/8/PPPPPPPP/RNQ3KR b HAha - 0 1", {"g8h8"}),
            "rnq2rk1/pppppppp/8/8/8/8/PPPPPPPP/RNQ3KR w KQ - 0 1");
}

TEST(Board, EnPassantSquareIsKeptOnlyBesideAnEnemyPawn) {
  EXPECT_EQ(After(kStartFen, {"e2e4"}).en_passant(), kNoSquare);
  EXPECT_EQ(SquareName(After("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"e2e4"}).en_passant()), "e3");
  EXPECT_EQ(After("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1", {"e2e4", "e8e7"}).en_passant(), kNoSquare);
  EXPECT_EQ(After("4k3/8/8/p7/8/8/7P/4K3 w - - 0 1", {"h2h4"}).en_passant(),
            kNoSquare);  // a5 is not beside h4
}

// The pawn on d4 is pinned on the rank together with e4, so dxe3 is not legal: the same position as
// without.
TEST(Board, AnIllegalEnPassantCaptureIsNotInTheKey) {
  const Board with = BoardOf("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
  const Board without = BoardOf("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1");
  EXPECT_EQ(SquareName(with.en_passant()), "e3");
  EXPECT_EQ(with.key(), without.key());
  EXPECT_TRUE(with.SamePosition(without));
}

TEST(Board, ALegalEnPassantCaptureIsInTheKey) {
  const Board with = BoardOf("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  const Board without = BoardOf("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
  EXPECT_NE(with.key(), without.key());
  EXPECT_FALSE(with.SamePosition(without));
}

TEST(Board, SideAndCastlingAreInTheKey) {
  const Board board = BoardOf("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
  EXPECT_NE(board.key(), BoardOf("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1").key());
  EXPECT_NE(board.key(), BoardOf("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1").key());
  EXPECT_FALSE(board.SamePosition(BoardOf("r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1")));
}

TEST(Board, TranspositionsHaveOneKey) {
  EXPECT_EQ(After(kStartFen, {"g1f3", "g8f6", "b1c3", "b8c6"}).key(),
            After(kStartFen, {"b1c3", "b8c6", "g1f3", "g8f6"}).key());
}

TEST(Board, AttackersAgreeWithIsAttacked) {
  VisitRandomPositions(3, 60, [](const Board& board) {
    for (Square s = 0; s < 64; ++s) {
      const Bitboard attackers = board.AttackersTo(s, board.occupied());
      for (const Color color : {Color::kWhite, Color::kBlack}) {
        ASSERT_EQ((attackers & board.pieces(color)) != 0, board.IsAttacked(s, color));
      }
    }
  });
}

TEST(Board, PieceAtNamesEveryPiece) {
  const Board board = Board::StartPosition();
  EXPECT_EQ(board.PieceAt(0), PieceType::kRook);
  EXPECT_EQ(board.PieceAt(1), PieceType::kKnight);
  EXPECT_EQ(board.PieceAt(2), PieceType::kBishop);
  EXPECT_EQ(board.PieceAt(3), PieceType::kQueen);
  EXPECT_EQ(board.PieceAt(60), PieceType::kKing);
  EXPECT_EQ(board.PieceAt(8), PieceType::kPawn);
  EXPECT_EQ(board.PieceAt(27), PieceType::kNone);
  EXPECT_EQ(board.KingSquare(Color::kBlack), 60);
}

TEST(Board, InCheckIsAboutTheSideToMove) {
  EXPECT_TRUE(BoardOf("4k3/8/8/8/8/8/8/K3R3 b - - 0 1").InCheck());
  EXPECT_FALSE(BoardOf("3k4/8/8/8/8/8/8/K3R3 b - - 0 1").InCheck());
}

}  // namespace
}  // namespace plexus
