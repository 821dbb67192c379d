#include "chess/pgn.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "base/error_of.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/random_games.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

using testing::HasSubstr;

std::vector<PgnGame> ReadAll(const std::string& text) {
  std::istringstream in(text);
  PgnReader reader(&in);
  std::vector<PgnGame> games;
  PgnGame game;
  while (reader.Next(&game)) games.push_back(game);
  return games;
}

std::string MovesOf(const PgnGame& game) {
  std::string text;
  Board board = ParseFen(game.start_fen).board;
  for (const PgnMove& move : game.moves) {
    text += (text.empty() ? "" : " ") + ToSan(board, move.move);
    board.Apply(move.move);
  }
  return text;
}

std::string MovesIn(const std::string& text) {
  const std::vector<PgnGame> games = ReadAll(text);
  return games.size() == 1 ? MovesOf(games[0]) : std::to_string(games.size()) + " games";
}

std::string Error(const std::string& text) {
  return ErrorOf([&] { ReadAll(text); });
}

std::string Written(const PgnGame& game) {
  std::ostringstream out;
  WritePgn(game, &out);
  return out.str();
}

TEST(PgnReader, ReadsTagsMovesAndResult) {
  const std::vector<PgnGame> games = ReadAll(
      "[Event \"Cup\"]\n[White \"A \\\"B\\\" \\\\ C\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 1-0\n");
  ASSERT_EQ(games.size(), 1u);
  EXPECT_EQ(games[0].Tag("Event"), "Cup");
  EXPECT_EQ(games[0].Tag("White"), "A \"B\" \\ C");
  EXPECT_EQ(games[0].Tag("Black"), "");
  EXPECT_EQ(games[0].start_fen, kStartFen);
  EXPECT_EQ(MovesOf(games[0]), "e4 e5 Nf3");
  EXPECT_EQ(games[0].result, GameResult::kWhiteWon);
  EXPECT_FALSE(games[0].chess960);
}

TEST(PgnReader, ReadsAllResults) {
  EXPECT_EQ(ReadAll("1. e4 0-1").at(0).result, GameResult::kBlackWon);
  EXPECT_EQ(ReadAll("1. e4 1/2-1/2").at(0).result, GameResult::kDraw);
  EXPECT_EQ(ReadAll("1. e4 *").at(0).result, GameResult::kUndecided);
  EXPECT_EQ(ReadAll("[Result \"0-1\"]\n\n1. e4").at(0).result,
            GameResult::kBlackWon);  // only in the tag
}

TEST(PgnReader, ReadsGamesThatFollowEachOther) {
  const std::vector<PgnGame> games = ReadAll(
      "[Event \"1\"]\n\n1. e4 *\n\n[Event \"2\"]\n\n1. d4\n\n[Event \"3\"]\n\n1. c4 c5 1/2-1/2 1. "
      "f4 *\n");
  ASSERT_EQ(games.size(), 4u);  // the second without result, the fourth without tags
  EXPECT_EQ(MovesOf(games[1]), "d4");
  EXPECT_EQ(games[2].Tag("Event"), "3");
  EXPECT_EQ(MovesOf(games[3]), "f4");
}

TEST(PgnReader, KeepsGamesWithoutMoves) {
  const std::vector<PgnGame> games = ReadAll(
      "[Event \"1\"]\n[Result \"*\"]\n\n*\n\n[Event \"2\"]\n\n[Event \"3\"]\n\n1. e4 *\n[Event "
      "\"4\"]\n");
  ASSERT_EQ(games.size(), 4u);
  EXPECT_EQ(games[0].moves.size(), 0u);
  EXPECT_EQ(games[1].Tag("Event"), "2");
  EXPECT_EQ(games[1].moves.size(), 0u);
  EXPECT_EQ(MovesOf(games[2]), "e4");
  EXPECT_EQ(games[3].Tag("Event"), "4");
}

TEST(PgnReader, AnEmptyTextHasNoGame) {
  EXPECT_EQ(ReadAll("").size(), 0u);
  EXPECT_EQ(ReadAll(" \r\n\n% only an escape\n").size(), 0u);
}

TEST(PgnReader, KeepsCommentsWithTheirMoves) {
  const PgnGame game =
      ReadAll("{ before\n all } 1. e4 {first} ; second\n e5 {} 2. d4 {a (b} ({c}) *").at(0);
  EXPECT_EQ(game.comment, "before all");
  EXPECT_EQ(game.moves.at(0).comment, "first second");
  EXPECT_EQ(game.moves.at(1).comment, "");
  EXPECT_EQ(game.moves.at(2).comment, "a (b");
}

TEST(PgnReader, SkipsVariationsAndGlyphs) {
  EXPECT_EQ(MovesIn("1. e4! $1 (1. d4 d5 (1... Nf6 {a ) here} 2. c4) 2. c4 ; and ) here\n) e5?! 2. "
                    "Nf3 $14 $6 (2. f4) *"),
            "e4 e5 Nf3");
}

TEST(PgnReader, ReadsMoveNumbersInAnyShape) {
  EXPECT_EQ(MovesIn("1.e4 1...e5 2. Nf3 2... Nc6 3 . Bb5 ... a6 4.. Ba4 5 Nf6 *"),
            "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6");
}

TEST(PgnReader, ReadsForeignLineEndsMarksAndEscapes) {
  EXPECT_EQ(
      MovesIn(
          "\xef\xbb\xbf[Event \"x\"]\r\n\r\n1. e4 ; note\r\ne5\r\n% skipped Nf3\r\n2. d4 *\r\n"),
      "e4 e5 d4");
  EXPECT_EQ(MovesIn("[Event \"x\"]\r\r1. e4 ; note\re5 *\r"), "e4 e5");
}

TEST(PgnReader, ReadsCastlingWithZerosAndEnPassantMarks) {
  EXPECT_EQ(MovesIn("1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 0-0 5. d4 h6 6. d5 c5 7. dxc6 e.p. *"),
            "e4 e5 Nf3 Nf6 Be2 Be7 O-O O-O d4 h6 d5 c5 dxc6");
}

TEST(PgnReader, StartsFromTheFenTagWithOrWithoutSetUp) {
  const std::string fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 40";
  EXPECT_EQ(MovesIn("[FEN \"" + fen + "\"]\n\n40... dxe3 *"), "dxe3");
  EXPECT_EQ(ReadAll("[SetUp \"1\"]\n[FEN \"" + fen + "\"]\n\n40... dxe3 *").at(0).start_fen, fen);
}

TEST(PgnReader, ReadsChess960) {
  for (const char* variant :
       {"Chess960", "chess 960", "Fischerandom", "Fischer Random Chess", "DFRC"}) {
    const PgnGame game = ReadAll(std::string("[Variant \"") + variant +
                                 "\"]\n[FEN \"4k3/8/8/8/8/8/8/1R3KR1 w GB - 0 1\"]\n\n1. O-O *")
                             .at(0);
    EXPECT_TRUE(game.chess960) << variant;
    EXPECT_EQ(game.moves.at(0).move, Move(5, 6, Move::kCastling));
  }
  EXPECT_FALSE(ReadAll("[Variant \"Standard\"]\n\n1. e4 *").at(0).chess960);
}

TEST(PgnReader, NamesTheLineOfAFault) {
  EXPECT_THAT(Error("[Event \"x\"]\n\n1. e4 e5\n2. Nf6 *"), HasSubstr("line 4: "));
  EXPECT_THAT(Error("[Event \"x\"]\n\n1. e4 e5\n2. Nf6 *"), HasSubstr("\"Nf6\""));
  EXPECT_THAT(Error("1. e4 e5\r\n2. Nf6 *"), HasSubstr("line 2: "));
  EXPECT_THAT(Error("\n\n1. e4 {no end"),
              HasSubstr("line 3: the comment that begins here does not end"));
  EXPECT_THAT(Error("1. e4\n(1. d4"),
              HasSubstr("line 2: the variation that begins here does not end"));
  EXPECT_THAT(Error("1. e4\n) e5"), HasSubstr("line 2: ')' closes nothing"));
  EXPECT_THAT(Error("[Event \"x]\n"), HasSubstr("line 1: the value of tag Event does not end"));
  EXPECT_THAT(Error("[Event x]\n"), HasSubstr("line 1: expected a tag"));
  EXPECT_THAT(Error("[Event \"x\"\n1. e4"), HasSubstr("line 1"));
  EXPECT_THAT(Error("\n[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*"), HasSubstr("no king"));
  EXPECT_THAT(Error("[SetUp \"1\"]\n\n*"), HasSubstr("no FEN tag"));
  EXPECT_THAT(Error("[Variant \"Crazyhouse\"]\n\n*"), HasSubstr("Crazyhouse"));
  EXPECT_THAT(Error("[White \"a\"]\n[White \"b\"]\n\n*"), HasSubstr("tag White occurs twice"));
  EXPECT_THAT(Error("1. e4 -- *"), HasSubstr("line 1"));
}

TEST(PgnReader, GoesOnWithTheNextGameAfterAFault) {
  std::istringstream in(
      "[Event \"1\"]\n\n1. e4 e5\n2. Nf6 a6\n3. a3 *\n\n[Event \"2\"]\n\n1. d4 *\n[Event "
      "\"3\"]\n\n1. x *\n");
  PgnReader reader(&in);
  PgnGame game;
  EXPECT_THROW(reader.Next(&game), Exception);
  ASSERT_TRUE(reader.Next(&game));
  EXPECT_EQ(game.Tag("Event"), "2");
  EXPECT_EQ(MovesOf(game), "d4");
  EXPECT_THROW(reader.Next(&game), Exception);
  EXPECT_FALSE(reader.Next(&game));
}

TEST(PgnReader, RandomDamageNeverCrashes) {
  const std::string text =
      "[Event \"x\"]\n[FEN \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 40\"]\n\n40... dxe3 {c} (40... Kd7 "
      "$3) 41. Ke2 1-0\n";
  const std::string letters = "[]{}()\";%\n\r\\$.*1e \xff";
  std::mt19937_64 random(5);
  int games = 0;
  for (int round = 0; round < 5000; ++round) {
    std::string damaged = text + text;
    for (int i = 0; i < 3; ++i)
      damaged[random() % damaged.size()] = letters[random() % letters.size()];
    std::istringstream in(damaged);
    PgnReader reader(&in);
    PgnGame game;
    int calls = 0;
    for (bool more = true; more && calls < 100; ++calls) {
      try {
        more = reader.Next(&game);
        games += more ? 1 : 0;
      } catch (const Exception&) {
      }
    }
    ASSERT_LT(calls, 100) << damaged;
  }
  EXPECT_GT(games, 1000);
}

TEST(PgnReader, ReadsABookOfOpenings) {
  PLEXUS_REQUIRE_SHARED("epd/openings/8moves_v3-first500.pgn");
  std::ifstream in(SharedPath("epd/openings/8moves_v3-first500.pgn"));
  PgnReader reader(&in);
  PgnGame game;
  int games = 0;
  while (reader.Next(&game)) {
    ++games;
    EXPECT_GE(game.moves.size(), 1u);
    EXPECT_EQ(game.Replay().size(), static_cast<int>(game.moves.size()) + 1);
  }
  EXPECT_EQ(games, 500);
}

TEST(WritePgn, WritesTheSevenTagsThenOthers) {
  PgnGame game =
      ReadAll("[Opening \"Open\"]\n[White \"A \\\"B\\\"\"]\n[Result \"*\"]\n\n1. e4 e5 1-0").at(0);
  EXPECT_EQ(Written(game),
            "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A "
            "\\\"B\\\"\"]\n[Black \"?\"]\n"
            "[Result \"1-0\"]\n[Opening \"Open\"]\n\n1. e4 e5 1-0\n\n");
}

TEST(WritePgn, NumbersBlacksMovesWhereNeeded) {
  PgnGame game =
      ReadAll("[FEN \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 40\"]\n\n40... dxe3 41. Ke2 {so} Kd7 *")
          .at(0);
  EXPECT_THAT(Written(game),
              HasSubstr("[SetUp \"1\"]\n[FEN \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 40\"]\n"));
  EXPECT_THAT(Written(game), HasSubstr("\n\n40... dxe3 41. Ke2 {so} 41... Kd7 *\n"));
}

TEST(WritePgn, GamesComeBack) {
  std::mt19937_64 random(9);
  for (const std::string& start : PropertyStarts()) {
    PgnGame game;
    game.start_fen = start;
    game.chess960 = true;
    game.comment = "a } brace and\nmany words";
    game.result = GameResult::kDraw;
    game.SetTag("White", "first \\ \"quoted\"");
    game.SetTag("White", "second");
    Board board = ParseFen(start).board;
    for (int ply = 0; ply < 80; ++ply) {
      const MoveList moves = LegalMoves(board);
      if (moves.empty()) break;
      const Move move = moves[static_cast<int>(random() % static_cast<uint64_t>(moves.size()))];
      game.moves.push_back({move, ply % 7 == 0 ? "comment " + std::to_string(ply) : ""});
      board.Apply(move);
    }
    const std::string text = Written(game);
    for (const std::string& line : Split(text, '\n')) EXPECT_LE(line.size(), 79u) << line;
    const std::vector<PgnGame> games = ReadAll(text + text);
    ASSERT_EQ(games.size(), 2u);
    EXPECT_EQ(MovesOf(games[1]), MovesOf(game));
    EXPECT_EQ(games[1].start_fen, start);
    EXPECT_EQ(games[1].chess960, true);
    EXPECT_EQ(games[1].result, GameResult::kDraw);
    EXPECT_EQ(games[1].Tag("White"), "second");
    EXPECT_EQ(games[1].comment, "a ) brace and many words");
    EXPECT_EQ(games[1].moves.at(7).comment, "comment 7");
    EXPECT_EQ(Written(games[1]), text);
  }
}

TEST(WritePgn, RefusesIllegalMoves) {
  PgnGame game;
  game.moves.push_back({Move(12, 36)});
  EXPECT_THAT(ErrorOf([&] { Written(game); }), HasSubstr("e2e5 is not legal"));
}

}  // namespace
}  // namespace plexus
