#include "net/encoder.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "chess/fen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

constexpr uint64_t kAll = ~0ULL;
constexpr const char* kStartMoves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};

PositionHistory Play(const char* fen, const std::vector<std::string>& moves) {
  PositionHistory history(fen);
  for (const std::string& move : moves) history.Append(ParseUci(history.Last().board, move, true));
  return history;
}

InputPlanes Encode(const PositionHistory& history, InputFormat format = InputFormat::kClassical,
                   HistoryFill fill = HistoryFill::kFenOnly) {
  InputPlanes planes;
  EncodePlanes(format, fill, history.all(), &planes);
  return planes;
}

bool StepIsEmpty(const InputPlanes& planes, int step) {
  for (int p = 0; p < 13; ++p) {
    if (planes.mask[step * 13 + p]) return false;
  }
  return true;
}

// The 12 piece planes of a board, written square by square from the letters of its FEN.
std::vector<uint64_t> PlanesFromFen(const std::string& fen, bool black_view) {
  std::vector<uint64_t> planes(12);
  int rank = 7, file = 0;
  for (const char c : fen.substr(0, fen.find(' '))) {
    if (c == '/') {
      --rank;
      file = 0;
    } else if (c >= '1' && c <= '8') {
      file += c - '0';
    } else {
      const bool white = c < 'a';
      const auto type = std::string("pnbrqk").find(white ? static_cast<char>(c + 32) : c);
      const int shown_rank = black_view ? 7 - rank : rank;
      planes[type + (white == black_view ? 6 : 0)] |= 1ULL << (shown_rank * 8 + file);
      ++file;
    }
  }
  return planes;
}

// Case 106 of the public cases: wrong history planes made a network miss a hanging queen.
TEST(Encoder, EveryStepShowsTheBoardThatWasPlayedForBothColours) {
  const std::vector<std::string> game = {"c2c4", "e7e5", "b1c3", "g8f6", "g2g3", "d7d5", "c4d5",
                                         "f6d5", "f1g2", "d5b6", "g1f3", "b8c6", "e1h1", "f8e7",
                                         "d2d3", "e8h8", "a2a3", "c8e6", "c1e3", "f7f5"};
  std::vector<std::string> fens = {kStartFen};
  PositionHistory history(kStartFen);
  for (const std::string& move : game) {
    history.Append(ParseUci(history.Last().board, move, true));
    fens.push_back(ToFen(history.Last().board, history.Last().rule50_ply, 1));
    const bool black = history.Last().black_to_move();
    const InputPlanes planes = Encode(history);
    for (int step = 0; step < 8; ++step) {
      SCOPED_TRACE(fens.back() + ", step " + std::to_string(step));
      if (step >= history.size()) {
        EXPECT_TRUE(StepIsEmpty(planes, step));
        continue;
      }
      const std::vector<uint64_t> expected = PlanesFromFen(fens[fens.size() - 1 - step], black);
      for (int p = 0; p < 12; ++p)
        EXPECT_EQ(planes.mask[step * 13 + p], expected[p]) << "plane " << p;
    }
    EXPECT_EQ(planes.mask[108], black ? kAll : 0);
  }
}

// Case 89: repetition planes were never filled.
TEST(Encoder, RepeatedBoardsAreMarkedStepByStep) {
  std::vector<std::string> moves(std::begin(kStartMoves), std::end(kStartMoves));
  PositionHistory history = Play(kStartFen, moves);
  InputPlanes planes = Encode(history);
  EXPECT_EQ(planes.mask[12], kAll);
  for (int step = 1; step < 8; ++step) EXPECT_EQ(planes.mask[step * 13 + 12], 0u);
  moves.push_back("g1f3");  // that board stood after the first move
  planes = Encode(Play(kStartFen, moves));
  EXPECT_EQ(planes.mask[12], kAll);
  EXPECT_EQ(planes.mask[13 + 12], kAll);
  EXPECT_EQ(planes.mask[2 * 13 + 12], 0u);
}

TEST(Encoder, CastlingRightsAreWholePlanesQueensideFirst) {
  const InputPlanes white = Encode(PositionHistory("r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1"));
  EXPECT_EQ(white.mask[104], kAll);
  EXPECT_EQ(white.mask[105], 0u);
  EXPECT_EQ(white.mask[106], 0u);
  EXPECT_EQ(white.mask[107], kAll);
  const InputPlanes black = Encode(PositionHistory("r3k2r/8/8/8/8/8/8/R3K2R b Qk - 0 1"));
  EXPECT_EQ(black.mask[104], 0u);
  EXPECT_EQ(black.mask[105], kAll);
  EXPECT_EQ(black.mask[106], kAll);
  EXPECT_EQ(black.mask[107], 0u);
}

TEST(Encoder, LaterFormatsShowTheRooksThatMayCastle) {
  // Chess960: rooks on b and g, king on e.
  const InputPlanes planes = Encode(PositionHistory("1r2k1r1/8/8/8/8/8/8/1R2K1R1 b BGb - 0 1"),
                                    InputFormat::kCastlingPlane);
  EXPECT_EQ(planes.mask[104],
            Bit(MakeSquare(1, 0)) | Bit(MakeSquare(1, 7)));  // black's own rook on rank 1
  EXPECT_EQ(planes.mask[105], Bit(MakeSquare(6, 7)));        // white's h-side rook
  EXPECT_EQ(planes.mask[106] | planes.mask[107], 0u);
}

TEST(Encoder, TheFiftyMoveCounterIsInPliesOrHundredths) {
  const PositionHistory history("8/8/4k3/8/8/3K4/8/R7 b - - 37 80");
  EXPECT_EQ(Encode(history).value[109], 37.0f);
  EXPECT_EQ(Encode(history, InputFormat::kCanonical).value[109], 37.0f);
  EXPECT_EQ(Encode(history, InputFormat::kCanonicalHectoplies).value[109], 0.37f);
  EXPECT_EQ(Encode(history, InputFormat::kCanonicalV2).value[109], 0.37f);
  EXPECT_EQ(Encode(history).mask[109], kAll);
}

TEST(Encoder, OnlyArmageddonFormatsTellThePlayersApart) {
  const PositionHistory black("8/8/4k3/8/8/3K4/8/R7 b - - 0 80"),
      white("8/8/4k3/8/8/3K4/8/R7 w - - 0 80");
  EXPECT_EQ(Encode(black, InputFormat::kCanonicalHectopliesArmageddon).mask[110], kAll);
  EXPECT_EQ(Encode(white, InputFormat::kCanonicalHectopliesArmageddon).mask[110], 0u);
  EXPECT_EQ(Encode(black, InputFormat::kCanonicalHectoplies).mask[110], 0u);
  EXPECT_EQ(Encode(black, InputFormat::kCanonicalV2Armageddon).mask[110], kAll);
}

TEST(Encoder, CanonicalFormatsShowTheEnPassantSquareOnTheLastRank) {
  const char* fen = "4k3/8/8/8/3pP3/8/8/R3K2R b KQ e3 0 1";
  EXPECT_EQ(Encode(PositionHistory(fen), InputFormat::kCanonical).mask[108], Bit(MakeSquare(4, 7)));
  EXPECT_EQ(Encode(PositionHistory(fen), InputFormat::kClassical).mask[108], kAll);  // black moves
}

// ---- history fill ----

TEST(Encoder, AnUnknownPastIsTheFirstPositionAgain) {
  const PositionHistory history("8/8/4k3/8/8/3K4/8/R7 w - - 0 80");
  const InputPlanes planes = Encode(history);
  for (int step = 1; step < 8; ++step) {
    for (int p = 0; p < 12; ++p) EXPECT_EQ(planes.mask[step * 13 + p], planes.mask[p]);
  }
  EXPECT_TRUE(StepIsEmpty(Encode(history, InputFormat::kClassical, HistoryFill::kNo), 1));
}

TEST(Encoder, NothingIsBeforeTheStartPositionUnlessAsked) {
  const PositionHistory history(kStartFen);
  EXPECT_TRUE(StepIsEmpty(Encode(history), 1));
  EXPECT_FALSE(StepIsEmpty(Encode(history, InputFormat::kClassical, HistoryFill::kAlways), 7));
  // Played from there, the known steps are shown and no more.
  const InputPlanes planes = Encode(Play(kStartFen, {"e2e4"}));
  EXPECT_FALSE(StepIsEmpty(planes, 1));
  EXPECT_TRUE(StepIsEmpty(planes, 2));
}

TEST(Encoder, APendingEnPassantIsUndoneInTheFilledPast) {
  // White has just played e2e4; black sees it from the other side: e7 before, e5 now.
  const PositionHistory history("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
  const uint64_t before = Bit(MakeSquare(4, 6)), after = Bit(MakeSquare(4, 4));
  for (const HistoryFill fill : {HistoryFill::kFenOnly, HistoryFill::kAlways}) {
    const InputPlanes planes = Encode(history, InputFormat::kClassical, fill);
    EXPECT_EQ(planes.mask[6], after);
    for (int step = 1; step < 8; ++step)
      EXPECT_EQ(planes.mask[step * 13 + 6], before) << "step " << step;
  }
  // Even without filling, that one step is known.
  const InputPlanes planes = Encode(history, InputFormat::kClassical, HistoryFill::kNo);
  EXPECT_EQ(planes.mask[13 + 6], before);
  EXPECT_TRUE(StepIsEmpty(planes, 2));
}

TEST(Encoder, AfterAMoveTheUndoneDoubleStepStaysBehindTheFirstPosition) {
  // The pawn that stepped belongs to the side that moves again now: plane 0.
  const PositionHistory history = Play("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", {"e8d8"});
  const InputPlanes planes = Encode(history);
  EXPECT_EQ(planes.mask[13], Bit(MakeSquare(4, 3)));
  EXPECT_EQ(planes.mask[2 * 13], Bit(MakeSquare(4, 1)));
}

TEST(Encoder, ATailOfEightIsAsGoodAsTheWholeGame) {
  std::vector<std::string> moves;
  for (int i = 0; i < 12; ++i) moves.push_back(kStartMoves[i % 4]);
  const PositionHistory history = Play(kStartFen, moves);
  for (const InputFormat format :
       {InputFormat::kClassical, InputFormat::kCanonical, InputFormat::kCanonicalV2}) {
    for (const HistoryFill fill : {HistoryFill::kNo, HistoryFill::kFenOnly, HistoryFill::kAlways}) {
      InputPlanes whole, tail;
      EncodePlanes(format, fill, history.all(), &whole);
      EncodePlanes(format, fill, history.Tail(8), &tail);
      EXPECT_EQ(whole.mask, tail.mask);
      EXPECT_EQ(whole.value, tail.value);
    }
  }
}

// ---- canonical formats ----

TEST(Encoder, CanonicalHistoriesEndAtIrreversibleMoves) {
  const char* fen = "4k3/7p/8/8/8/8/8/R3K2R w KQ - 5 40";
  // A quiet move keeps the past, ...
  EXPECT_FALSE(
      StepIsEmpty(Encode(Play(fen, {"a1a2", "e8e7", "a2a1"}), InputFormat::kCanonical), 1));
  // ... a loss of castling rights hides what was before it, ...
  const InputPlanes castling = Encode(Play(fen, {"h1h2", "e8e7", "h2h1"}), InputFormat::kCanonical);
  EXPECT_FALSE(StepIsEmpty(castling, 2));
  EXPECT_TRUE(StepIsEmpty(castling, 3));
  // ... and a pawn move hides everything before itself.
  const InputPlanes pawn = Encode(Play(fen, {"a1a2", "h7h6", "a2a3"}), InputFormat::kCanonical);
  EXPECT_FALSE(StepIsEmpty(pawn, 1));
  EXPECT_TRUE(StepIsEmpty(pawn, 2));
}

TEST(Encoder, V2HistoriesHoldRepetitionsOnlyWithoutGaps) {
  std::vector<std::string> moves(std::begin(kStartMoves), std::end(kStartMoves));
  moves.push_back("g1f3");
  moves.push_back(
      "b8c6");  // new position; before it two that are repetitions, then four that are not
  const PositionHistory history = Play(kStartFen, moves);
  const InputPlanes planes = Encode(history, InputFormat::kCanonicalV2);
  EXPECT_EQ(planes.mask[12], 0u);
  EXPECT_EQ(planes.mask[13 + 12], kAll);
  EXPECT_EQ(planes.mask[2 * 13 + 12], kAll);
  EXPECT_TRUE(StepIsEmpty(planes, 3));
}

int TransformOf(const char* fen) {
  return TransformFor(InputFormat::kCanonical, ParseFen(fen).board);
}

TEST(Encoder, CanonicalTransformsFollowTheKing) {
  EXPECT_EQ(TransformOf("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"), kNoTransform);
  EXPECT_EQ(TransformOf("4k3/7p/8/8/8/8/8/R1K4R w - - 0 1"), kFlipTransform);
  EXPECT_EQ(TransformOf("4k3/7p/2K5/8/8/8/8/R6R w - - 0 1"), kFlipTransform);  // pawns: files only
  EXPECT_EQ(TransformOf("4k3/8/3K4/8/8/8/8/R6R w - - 0 1"), kFlipTransform | kMirrorTransform);
  EXPECT_EQ(TransformOf("k7/8/8/8/8/7K/8/1R6 w - - 0 1"),
            kTransposeTransform);                                          // h3 is above h1-e4
  EXPECT_EQ(TransformOf("k7/8/8/8/8/8/8/1R4K1 w - - 0 1"), kNoTransform);  // g1 is below
  EXPECT_EQ(
      TransformFor(InputFormat::kCastlingPlane, ParseFen("4k3/8/8/8/8/8/8/R1K4R w - - 0 1").board),
      kNoTransform);
}

TEST(Encoder, AKingOnTheDiagonalTakesTheSmallerBoard) {
  // King h1. A rook on g1 (bit 6) would transpose to h2 (bit 15), which makes a larger board.
  EXPECT_EQ(TransformOf("k7/8/8/8/8/8/8/6RK w - - 0 1"), kNoTransform);
  EXPECT_EQ(TransformOf("k7/8/8/8/8/8/7R/7K w - - 0 1"), kTransposeTransform);
}

TEST(Encoder, ATransformMovesAllPlanesOfSquares) {
  const PositionHistory history("4k3/8/8/8/8/8/8/R1K4R w - - 3 40");
  InputPlanes planes;
  const int transform =
      EncodePlanes(InputFormat::kCanonical, HistoryFill::kFenOnly, history.all(), &planes);
  ASSERT_EQ(transform, kFlipTransform);
  EXPECT_EQ(planes.mask[5], Bit(MakeSquare(5, 0)));   // king c1 -> f1
  EXPECT_EQ(planes.mask[11], Bit(MakeSquare(3, 7)));  // their king e8 -> d8
  EXPECT_EQ(planes.mask[13 + 5], Bit(MakeSquare(5, 0)));
  EXPECT_EQ(planes.mask[111], kAll);
}

}  // namespace
}  // namespace plexus
