#include "chess/fen.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <random>

#include "base/error_of.h"
#include "chess/movegen.h"
#include "chess/random_games.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

std::string Error(const std::string& fen) {
  return ErrorOf([&] { ParseFen(fen); });
}

// What ToFen makes of what ParseFen read.
std::string Again(const std::string& fen, bool chess960 = false) {
  const FenPosition position = ParseFen(fen);
  return ToFen(position.board, position.rule50_ply, position.fullmove, chess960);
}

std::vector<std::string> Lines(const std::string& shared_file) {
  std::ifstream in(SharedPath(shared_file));
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

TEST(Fen, TheStartPositionComesBack) {
  EXPECT_EQ(Again(kStartFen), kStartFen);
  EXPECT_TRUE(ParseFen(kStartFen).board.SamePosition(Board::StartPosition()));
  EXPECT_EQ(ParseFen(kStartFen).board.key(), Board::StartPosition().key());
}

TEST(Fen, RandomPositionsComeBackInBothSpellings) {
  VisitRandomPositions(20, 120, [](const Board& board) {
    for (const bool chess960 : {false, true}) {
      const std::string fen = ToFen(board, 12, 34, chess960);
      const FenPosition position = ParseFen(fen);
      ASSERT_TRUE(position.board.SamePosition(board)) << fen;
      ASSERT_EQ(position.board.key(), board.key()) << fen;
      ASSERT_EQ(position.board.en_passant(), board.en_passant()) << fen;
      ASSERT_EQ(Again(fen, chess960), fen);
    }
  });
}

TEST(Fen, CountersAreRead) {
  const FenPosition position = ParseFen("7k/8/8/8/8/8/R7/K7 w - - 104 130");  // case 94
  EXPECT_EQ(position.rule50_ply, 104);
  EXPECT_EQ(position.fullmove, 130);
  EXPECT_EQ(ParseFen("7k/8/8/8/8/8/R7/K7 w - - 0 0").fullmove, 1);
}

// Case 154.
TEST(Fen, MissingFieldsAtTheEndHaveDefaults) {
  EXPECT_EQ(Again("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w"),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1");
  EXPECT_EQ(Again("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq"), kStartFen);
  EXPECT_EQ(Again("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"), kStartFen);
  EXPECT_EQ(Again("  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw  KQkq - 0\r\n"), kStartFen);
}

TEST(FenCastling, LettersMeanTheOutermostOrTheNamedRook) {
  const std::string placement = "2nkn3/2p1p3/8/8/8/6r1/7r/RR3K2 w ";  // case 100
  EXPECT_EQ(ParseFen(placement + "B - 0 1").board.castling().Rook(Color::kWhite, 0), 1);
  EXPECT_EQ(ParseFen(placement + "Q - 0 1").board.castling().Rook(Color::kWhite, 0), 0);
  EXPECT_EQ(Again(placement + "B - 0 1"), placement + "B - 0 1");
  EXPECT_EQ(Again(placement + "A - 0 1"), placement + "Q - 0 1");
  EXPECT_EQ(Again(placement + "Q - 0 1", true), placement + "A - 0 1");
}

// Case 101.
TEST(FenCastling, BothSpellingsMeanTheSame) {
  const std::string placement = "rnqbbnkr/pppppppp/8/8/8/8/PPPPPPPP/RNQBBNKR w ";
  EXPECT_EQ(ParseFen(placement + "HAha - 0 1").board.key(),
            ParseFen(placement + "KQkq - 0 1").board.key());
  EXPECT_EQ(Again(placement + "qkQK - 0 1", true), placement + "HAha - 0 1");
}

// Case 103: the king on c1 has a rook on either side of it, black's on c8 none to the west.
TEST(FenCastling, ARightThatNoRookBacksIsDropped) {
  EXPECT_EQ(Again("q1kn1br1/3p1p1p/1rpB2p1/1p6/p7/P4P2/BPPP2PP/QRKN3R w KQq - 1 13"),
            "q1kn1br1/3p1p1p/1rpB2p1/1p6/p7/P4P2/BPPP2PP/QRKN3R w KQ - 1 13");
  EXPECT_EQ(Again("4k3/8/8/8/8/8/4K3/R6R w KQkq - 0 1"), "4k3/8/8/8/8/8/4K3/R6R w - - 0 1");
  EXPECT_EQ(Again("4k3/8/8/8/8/8/8/4K2R w B - 0 1"), "4k3/8/8/8/8/8/8/4K2R w - - 0 1");
}

TEST(FenEnPassant, IsKeptWhereAPawnCanUseIt) {
  EXPECT_EQ(Again("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  EXPECT_EQ(Again("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
}

TEST(FenEnPassant, IsDroppedWhereNoPawnCanUseIt) {
  EXPECT_EQ(Again("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"),
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
}

// The knight on f1 gives check: it did so before black's last move, which then was not g7g5.
TEST(FenEnPassant, IsDroppedWhereACheckContradictsIt) {
  EXPECT_EQ(Again("8/1pp5/3Nkp2/1p2n1pP/4P1p1/2R1K3/2P5/5n1R w - g6 0 27"),
            "8/1pp5/3Nkp2/1p2n1pP/4P1p1/2R1K3/2P5/5n1R w - - 0 27");
}

TEST(FenError, NamesThePiecePlacement) {
  for (const char* placement : {
           "4k3/8/8/8/8/8/8/8",                                  // case 151: no white king
           "4k3/8/8/8/8/8/8/3KK3",                               // two kings
           "rnbqkbnr/pppppppp/8/8/8/N2NNNNN/PPPPPPPP/RNBQKBNR",  // case 152
           "4k3/8/8/8/8/8/PPPPPPPP/QQ2K3",                       // more queens than pawns allow
           "4k3/8/8/8/8/8/8/4K2P",                               // pawn on rank 1
           "p3k3/8/8/8/8/8/8/4K3",                               // pawn on rank 8
           "4k3/8/8/8/8/8/4K3",                                  // seven ranks
           "4k3/8/8/8/8/8/8/8/4K3",                              // nine
           "4k4/8/8/8/8/8/8/4K3",                                // nine files
           "4k2/8/8/8/8/8/8/4K3",                                // seven files
           "4k3/44/8/8/8/8/8/4K3",                               // two numbers
           "4k3/9/8/8/8/8/8/4K3",                                // bad number
           "4k3/8/8/3x4/8/8/8/4K3",                              // bad letter
           "4k3/8/8/b7/4r3/5n2/8/4K3",                           // three checkers
           "4k3/8/8/8/8/3n1n2/8/4K3",                            // two knights
       }) {
    EXPECT_THAT(Error(std::string(placement) + " w - - 0 1"), HasSubstr("piece placement: "))
        << placement;
  }
  EXPECT_THAT(Error(""), HasSubstr("piece placement: the text is empty"));
}

TEST(FenError, NamesTheSideToMove) {
  EXPECT_THAT(Error("4k3/8/8/8/8/8/8/4K3"), HasSubstr("side to move: missing"));
  EXPECT_THAT(Error("4k3/8/8/8/8/8/8/4K3 x - - 0 1"), HasSubstr("side to move: \"x\""));
  EXPECT_THAT(Error("4k3/8/8/8/8/8/8/K3R3 w - - 0 1"),
              HasSubstr("side to move: white is to move, but the king of black"));
  EXPECT_THAT(Error("8/8/8/3kK3/8/8/8/8 w - - 0 1"),
              HasSubstr("side to move: "));  // kings side by side
}

TEST(FenError, NamesTheCastlingField) {
  EXPECT_THAT(Error("r3k2r/8/8/8/8/8/8/R3K2R w KQxq - 0 1"), HasSubstr("castling: letter 'x'"));
  EXPECT_THAT(Error("r3k2r/8/8/8/8/8/8/R3K2R w K-q - 0 1"), HasSubstr("castling: "));
  EXPECT_THAT(Error("4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1"),
              HasSubstr("castling: two rooks on one side"));
}

TEST(FenError, NamesTheEnPassantField) {
  EXPECT_THAT(Error("4k3/8/8/8/3pP3/8/8/4K3 b - e9 0 1"),
              HasSubstr("en passant: \"e9\" is no square"));
  EXPECT_THAT(Error("4k3/8/8/8/3pP3/8/8/4K3 w - e3 0 1"),
              HasSubstr("en passant: e3 is not on rank 6"));
  EXPECT_THAT(Error("4k3/8/8/8/3pP3/8/8/4K3 b - f3 0 1"),
              HasSubstr("en passant: no pawn of white on f4"));
  EXPECT_THAT(Error("4k3/8/8/8/3pP3/8/4B3/4K3 b - e3 0 1"),
              HasSubstr("en passant: a piece stands on e3 or e2"));
}

TEST(FenError, NamesTheCounters) {
  for (const char* number : {"-1", "256", "99999999999999999999", "1.5", "x"}) {
    EXPECT_THAT(Error("4k3/8/8/8/8/8/8/4K3 w - - " + std::string(number) + " 1"),
                HasSubstr("half-move clock: "));
  }
  EXPECT_THAT(Error("4k3/8/8/8/8/8/8/4K3 w - - 0 65536"), HasSubstr("full-move number: "));
  EXPECT_THAT(Error("4k3/8/8/8/8/8/8/4K3 w - - 0 1 more"), HasSubstr("too many fields"));
}

TEST(FenError, ShowsTheTextButNotItsControlLettersOrAllOfIt) {
  EXPECT_THAT(Error("\x01\xff bad"), HasSubstr("FEN \"?? bad\""));
  EXPECT_LT(Error(std::string(100000, 'x')).size(), 400u);
}

TEST(Fen, RandomDamageIsRefusedOrRepairedButNeverCrashes) {
  const std::string letters = "pnbrqkPNBRQK12345678/ -wbKQkqAHah36\t\x80";
  std::mt19937_64 random(11);
  int accepted = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string fen = PropertyStarts()[random() % PropertyStarts().size()];
    for (int i = 0; i < 2; ++i) fen[random() % fen.size()] = letters[random() % letters.size()];
    try {
      const FenPosition position = ParseFen(fen);
      ++accepted;
      ASSERT_EQ(CountLegalMoves(position.board), LegalMoves(position.board).size());
      const std::string written = ToFen(position.board, position.rule50_ply, position.fullmove);
      ASSERT_EQ(Again(written), written) << fen;
    } catch (const Exception&) {
    }
  }
  EXPECT_GT(accepted, 300);
}

TEST(FenLists, ValidPositionsLoadAndComeBack) {
  PLEXUS_REQUIRE_SHARED("epd/invalid/cozy-valid.sfens");
  size_t read = 0;
  for (const char* file : {"cozy-valid.sfens", "cozy-chess960_start_positions.sfens"}) {
    for (const std::string& fen : Lines(std::string("epd/invalid/") + file)) {
      ++read;
      const Board board = BoardOf(fen);
      const std::string written = Again(fen, true);
      // The field that may rightly differ is an en-passant square that no pawn can use.
      std::vector<std::string> expected = SplitWords(fen);
      if (board.en_passant() == kNoSquare) expected[3] = "-";
      ASSERT_EQ(written, Join(expected, " "));
      ASSERT_TRUE(BoardOf(written).SamePosition(board)) << fen;
    }
  }
  EXPECT_EQ(read, 5960u);
}

TEST(FenLists, InvalidPositionsAreRefusedByFieldOrRepaired) {
  PLEXUS_REQUIRE_SHARED("epd/invalid/cozy-invalid.sfens");
  int repaired = 0;
  const std::vector<std::string> lines = Lines("epd/invalid/cozy-invalid.sfens");
  for (const std::string& fen : lines) {
    const std::string error = Error(fen);
    if (error != "no error") {
      ASSERT_THAT(error, AnyOf(HasSubstr("piece placement: "), HasSubstr("side to move: "),
                               HasSubstr("en passant: ")));
      continue;
    }
    ++repaired;
    // All that pass do so because their impossible en-passant square was dropped.
    ASSERT_THAT(fen, Not(HasSubstr(" - 0 "))) << fen;
    ASSERT_EQ(BoardOf(fen).en_passant(), kNoSquare) << fen;
  }
  EXPECT_EQ(lines.size(), 5000u);
  EXPECT_EQ(repaired, 17);
}

}  // namespace
}  // namespace plexus
