#include "uci/responder.h"

#include <gtest/gtest.h>

#include <thread>

#include "base/strings.h"
#include "chess/fen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

constexpr const char* kBothCastle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";

Board BoardOf(const char* fen) { return ParseFen(fen).board; }

std::vector<Move> Line(const Board& root, const std::string& text) {
  std::vector<Move> moves;
  Board board = root;
  for (const std::string& word : SplitWords(text)) {
    moves.push_back(ParseUci(board, word, false));
    board.Apply(moves.back());
  }
  return moves;
}

SearchInfo Info(const Board& root, const std::string& pv) {
  SearchInfo info;
  info.depth = 7;
  info.seldepth = 15;
  info.time_ms = 1234;
  info.nodes = 5678;
  info.nps = 4600;
  PvLine line;
  line.score.centipawns = 31;
  line.score.wdl[0] = 300;
  line.score.wdl[1] = 500;
  line.score.wdl[2] = 200;
  line.score.moves_left = 60;
  line.moves = Line(root, pv);
  line.visits = 4000;
  info.lines.push_back(line);
  return info;
}

TEST(FormatInfo, OneLineHoldsWhatInterfacesRead) {
  const Board root = Board::StartPosition();
  EXPECT_EQ(FormatInfo(Info(root, "e2e4 e7e5 g1f3"), root, {}),
            "info depth 7 seldepth 15 score cp 31 nodes 5678 nps 4600 tbhits 0 time 1234 pv e2e4 "
            "e7e5 g1f3");
}

// Parsers broke on wdl elsewhere than directly behind the score.
TEST(FormatInfo, WdlAndMovesLeftStandBehindTheScoreAndOnlyIfAskedFor) {
  const Board root = Board::StartPosition();
  ReportStyle style;
  style.show_wdl = style.show_moves_left = true;
  SearchInfo info = Info(root, "e2e4");
  EXPECT_NE(FormatInfo(info, root, style).find(" score cp 31 wdl 300 500 200 movesleft 60 nodes "),
            std::string::npos);
  info.lines[0].score.mate_moves = -3;
  EXPECT_NE(
      FormatInfo(info, root, style).find(" score mate -3 wdl 300 500 200 movesleft 60 nodes "),
      std::string::npos);
}

TEST(FormatInfo, UnknownWdlIsLeftOut) {
  const Board root = Board::StartPosition();
  ReportStyle style;
  style.show_wdl = true;
  SearchInfo info = Info(root, "e2e4");
  for (int& part : info.lines[0].score.wdl) part = 0;
  EXPECT_EQ(FormatInfo(info, root, style).find("wdl"), std::string::npos);
}

TEST(FormatInfo, SeveralLinesAreRankedInOneBlock) {
  const Board root = Board::StartPosition();
  SearchInfo info = Info(root, "e2e4");
  info.lines.push_back(info.lines[0]);
  info.lines[1].multipv = 2;
  info.lines[1].moves = Line(root, "d2d4");
  info.lines[1].visits = 1000;
  info.hashfull_permille = 12;
  ReportStyle style;
  style.per_pv_counters = true;
  const std::vector<std::string> lines = Split(FormatInfo(info, root, style), '\n');
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NE(lines[0].find(" multipv 1 "), std::string::npos);
  EXPECT_NE(lines[0].find(" nodes 4000 "), std::string::npos);
  EXPECT_NE(lines[0].find(" hashfull 12 "), std::string::npos);
  EXPECT_NE(lines[1].find(" multipv 2 "), std::string::npos);
  EXPECT_NE(lines[1].find(" nodes 1000 "), std::string::npos);
  EXPECT_TRUE(lines[1].ends_with(" pv d2d4"));
}

TEST(FormatInfo, CastlingInsideALineIsWrittenAsTheVariantWants) {
  const Board root = BoardOf(kBothCastle);
  const SearchInfo info = Info(root, "e1g1 e8c8");
  ReportStyle style;
  EXPECT_TRUE(FormatInfo(info, root, style).ends_with(" pv e1g1 e8c8"));
  style.chess960 = true;
  EXPECT_TRUE(FormatInfo(info, root, style).ends_with(" pv e1h1 e8a8"));
}

TEST(FormatBestMove, NamesThePonderMoveInThePositionAfterTheMove) {
  const Board root = BoardOf(kBothCastle);
  const std::vector<Move> line = Line(root, "e1c1 e8g8");
  EXPECT_EQ(FormatBestMove({line[0], line[1]}, root, {}), "bestmove e1c1 ponder e8g8");
  EXPECT_EQ(FormatBestMove({line[0], Move()}, root, {}), "bestmove e1c1");
  EXPECT_EQ(FormatBestMove({Move(), Move()}, root, {}), "bestmove (none)");
}

TEST(FormatText, IsAlwaysOneLine) { EXPECT_EQ(FormatText("a\nb\r\nc"), "info string a b  c"); }

struct Written {
  LineWriter Writer() {
    return [this](const std::string& lines) { text += lines; };
  }
  std::string text;
};

TEST(Responder, CheckmateAndStalemateAreExplainedAndScored) {
  Written written;
  Responder responder(written.Writer());
  responder.StartSearch(BoardOf("7k/5KQ1/8/8/8/8/8/8 b - - 0 1"), {});
  responder.OnBestMove({});
  EXPECT_EQ(written.text,
            "info depth 0 score mate 0\ninfo string checkmate: there is no legal move\nbestmove "
            "(none)\n");
  written.text.clear();
  responder.StartSearch(BoardOf("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), {});
  responder.OnBestMove({});
  EXPECT_EQ(
      written.text,
      "info depth 0 score cp 0\ninfo string stalemate: there is no legal move\nbestmove (none)\n");
}

TEST(Responder, LinesOfSeveralThreadsNeverMix) {
  Written written;
  Responder responder(written.Writer());
  std::vector<std::thread> threads;
  for (char c : {'a', 'b', 'c', 'd'})
    threads.emplace_back([&responder, c] {
      for (int i = 0; i < 200; ++i) responder.OnText(std::string(50, c));
    });
  for (std::thread& thread : threads) thread.join();
  for (const std::string& line : Split(written.text.substr(0, written.text.size() - 1), '\n'))
    ASSERT_EQ(line, "info string " + std::string(50, line.back()));
}

}  // namespace
}  // namespace plexus
