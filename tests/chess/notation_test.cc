#include "chess/notation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "chess/movegen.h"
#include "chess/random_games.h"

namespace plexus {
namespace {

using testing::HasSubstr;

const char* const kRooksAndKings = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

std::string UciOf(const std::string& fen, const std::string& text, bool chess960) {
  const Board board = BoardOf(fen);
  return ToUci(board, ParseUci(board, text, chess960), chess960);
}

std::string SanOf(const std::string& fen, const std::string& uci) {
  const Board board = BoardOf(fen);
  return ToSan(board, ParseUci(board, uci, true));
}

std::string UciOfSan(const std::string& fen, const std::string& san) {
  const Board board = BoardOf(fen);
  return ToUci(board, ParseSan(board, san), true);
}

std::string UciError(const std::string& fen, const std::string& text) {
  return ErrorOf([&] { ParseUci(BoardOf(fen), text, false); });
}

std::string SanError(const std::string& fen, const std::string& text) {
  return ErrorOf([&] { ParseSan(BoardOf(fen), text); });
}

TEST(Uci, EveryLegalMoveComesBackInBothSpellings) {
  VisitRandomPositions(20, 120, [](const Board& board) {
    for (const Move move : LegalMoves(board)) {
      for (const bool chess960 : {false, true}) {
        ASSERT_EQ(ParseUci(board, ToUci(board, move, chess960), chess960), move)
            << ToFen(board, 0, 1, true);
      }
    }
  });
}

// Case 44.
TEST(Uci, BothSpellingsOfCastlingAreReadAndOneIsWritten) {
  for (const bool chess960 : {false, true}) {
    EXPECT_EQ(UciOf(kRooksAndKings, "e1c1", chess960), chess960 ? "e1a1" : "e1c1");
    EXPECT_EQ(UciOf(kRooksAndKings, "e1a1", chess960), chess960 ? "e1a1" : "e1c1");
    EXPECT_EQ(UciOf(kRooksAndKings, "e1g1", chess960), chess960 ? "e1h1" : "e1g1");
  }
}

TEST(Uci, ACastlingThatIsNotStandardIsWrittenAsKingTakesRook) {
  EXPECT_EQ(UciOf("4k3/8/8/8/8/8/8/1R2K3 w B - 0 1", "e1b1", false), "e1b1");
  EXPECT_EQ(UciOf("4k3/8/8/8/8/8/8/3K3R w H - 0 1", "d1h1", false), "d1h1");
}

// The king on f1 may go to g1, or castle there: the two squares mean the plain move.
TEST(Uci, AnAmbiguousSpellingIsThePlainKingMove) {
  const std::string fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
  EXPECT_EQ(UciOf(fen, "f1g1", true), "f1g1");
  EXPECT_EQ(ParseUci(BoardOf(fen), "f1g1", true).kind(), Move::kNormal);
  EXPECT_EQ(ParseUci(BoardOf(fen), "f1h1", true).kind(), Move::kCastling);
}

TEST(Uci, PromotionsCarryTheirLetter) {
  const std::string fen = "3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1";
  EXPECT_EQ(UciOf(fen, "e7e8q", false), "e7e8q");
  EXPECT_EQ(UciOf(fen, "e7d8n", false), "e7d8n");
  EXPECT_EQ(UciOf(fen, "e7e8R", false), "e7e8r");
  EXPECT_THAT(UciError(fen, "e7e8"), HasSubstr("the letter of the promotion is missing"));
  EXPECT_THAT(UciError(fen, "e7e8k"), HasSubstr("promotes to one of"));
  EXPECT_THAT(UciError(fen, "e1e2q"), HasSubstr("not legal"));
}

TEST(Uci, TheNullMoveIsWrittenButNotRead) {
  EXPECT_EQ(ToUci(Board::StartPosition(), Move(), false), "0000");
  EXPECT_THAT(UciError(kStartFen, "0000"), HasSubstr("null move"));
}

TEST(UciError, NamesTextPositionAndReason) {
  EXPECT_THAT(UciError(kStartFen, "e2e5"), HasSubstr("\"e2e5\""));
  EXPECT_THAT(UciError(kStartFen, "e2e5"),
              HasSubstr("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"));
  EXPECT_THAT(UciError(kStartFen, "e2e5"), HasSubstr("not legal"));
  EXPECT_THAT(UciError(kStartFen, "e4e5"), HasSubstr("no piece stands on e4"));
  EXPECT_THAT(UciError(kStartFen, "e7e5"), HasSubstr("not of the side to move"));
  EXPECT_THAT(UciError(kStartFen, "d1d2"), HasSubstr("a piece of the same side stands on d2"));
  EXPECT_THAT(UciError("4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "a1a2"),
              HasSubstr("the king is in check"));
  for (const char* text : {"", "e2", "e2e", "i2e4", "e2e9", "e2e4qq", "\xc3\xa9-4"}) {
    EXPECT_THAT(UciError(kStartFen, text), HasSubstr("expected ")) << text;
  }
}

TEST(San, EveryLegalMoveComesBack) {
  VisitRandomPositions(8, 120, [](const Board& board) {
    for (const Move move : LegalMoves(board)) {
      ASSERT_EQ(ParseSan(board, ToSan(board, move)), move)
          << ToFen(board, 0, 1, true) << " " << ToSan(board, move);
    }
  });
}

TEST(San, SaysAsMuchAsNeeded) {
  EXPECT_EQ(SanOf(kStartFen, "g1f3"), "Nf3");
  EXPECT_EQ(SanOf(kStartFen, "e2e4"), "e4");
  EXPECT_EQ(SanOf("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5"), "exd5");
  EXPECT_EQ(SanOf("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "d4e3"), "dxe3");
  EXPECT_EQ(SanOf("3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e7d8n"), "exd8=N");
  EXPECT_EQ(SanOf(kRooksAndKings, "e1a1"), "O-O-O");
  EXPECT_EQ(SanOf(kRooksAndKings, "e1h1"), "O-O");
  EXPECT_EQ(SanOf("4k3/8/8/8/8/8/8/RN1K4 w - - 0 1", "b1c3"), "Nc3");
}

TEST(San, TellsTwinsApart) {
  EXPECT_EQ(SanOf("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "b1d2"), "Nbd2");    // by file
  EXPECT_EQ(SanOf("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3"), "R1a3");     // by rank
  EXPECT_EQ(SanOf("7k/8/8/8/2Q1Q3/8/4Q3/K7 w - - 0 1", "e4c2"), "Qe4c2");  // by both
  EXPECT_EQ(SanOf("4k3/4r3/8/8/8/8/4N3/N3K3 w - - 0 1", "a1c2"), "Nc2");   // the twin is pinned
}

TEST(San, MarksCheckAndMate) {
  EXPECT_EQ(SanOf("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"), "Ra8+");
  EXPECT_EQ(SanOf("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "a1a8"), "Ra8#");
  EXPECT_EQ(SanOf("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1"), "O-O+");
}

TEST(San, ReadsWhatPeopleWrite) {
  for (const char* text : {"O-O", "0-0", "o-o", "O-O+", "0-0!?"})
    EXPECT_EQ(UciOfSan(kRooksAndKings, text), "e1h1") << text;
  for (const char* text : {"O-O-O", "0-0-0"})
    EXPECT_EQ(UciOfSan(kRooksAndKings, text), "e1a1") << text;
  const std::string en_passant = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1";
  for (const char* text : {"dxe3", "de3", "dxe3 e.p.", "dxe3e.p.", "d4xe3", "d4e3", "dxe3 ep"}) {
    EXPECT_EQ(UciOfSan(en_passant, text), "d4e3") << text;
  }
  const std::string promotion = "3r4/4P3/8/8/8/8/k7/4K3 w - - 0 1";
  for (const char* text : {"e8=Q", "e8Q", "e8=Q+", "e8(Q)", "e8/Q", "e7e8q", "e7-e8=Q"}) {
    EXPECT_EQ(UciOfSan(promotion, text), "e7e8q") << text;
  }
  EXPECT_EQ(UciOfSan(promotion, "exd8=B"), "e7d8b");
  for (const char* text : {"Nf3", "Ng1f3", "Ng1-f3", "N1f3", "Ngf3", "Nf3+", "Nf3!!", "Nf3?"}) {
    EXPECT_EQ(UciOfSan(kStartFen, text), "g1f3") << text;
  }
}

// A bishop's letter and a file have the same name.
TEST(San, TellsBishopsFromPawns) {
  const std::string fen = "4k3/8/8/8/2p5/1P1B4/8/4K3 w - - 0 1";
  EXPECT_EQ(UciOfSan(fen, "bxc4"), "b3c4");
  EXPECT_EQ(UciOfSan(fen, "Bxc4"), "d3c4");
}

TEST(SanError, NamesTextPositionAndReason) {
  EXPECT_THAT(SanError(kStartFen, "Nf4"), HasSubstr("\"Nf4\" in position rnbqkbnr"));
  EXPECT_THAT(SanError(kStartFen, "Nf4"), HasSubstr("not legal"));
  EXPECT_THAT(SanError("4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2"), HasSubstr("ambiguous"));
  EXPECT_THAT(SanError("8/4P3/8/8/8/8/k7/4K3 w - - 0 1", "e8"), HasSubstr("not legal"));
  for (const char* text : {"", "x", "N", "Nf", "hello", "Nf9", "--", "e4e5e6", "O-O-O-O", "=Q"}) {
    EXPECT_THAT(SanError(kStartFen, text), HasSubstr("no move in short notation")) << text;
  }
}

TEST(SquareName, NamesSquaresAndNone) {
  EXPECT_EQ(SquareName(0), "a1");
  EXPECT_EQ(SquareName(63), "h8");
  EXPECT_EQ(SquareName(kNoSquare), "-");
}

TEST(Diagram, ShowsRankEightFirst) {
  const std::string text = Diagram(Board::StartPosition());
  EXPECT_TRUE(text.starts_with("8  r n b q k b n r\n7  p p p p p p p p\n6  . . . . . . . .\n"))
      << text;
  EXPECT_TRUE(text.ends_with("1  R N B Q K B N R\n   a b c d e f g h\n")) << text;
}

}  // namespace
}  // namespace plexus
