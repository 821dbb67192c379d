#include "uci/go_parser.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/strings.h"
#include "chess/fen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

ParsedGo Parse(const std::string& text, const std::string& fen = kStartFen, bool chess960 = false) {
  return ParseGo(SplitWords(text), ParseFen(fen).board, chess960);
}

TEST(GoParser, ReadsEveryField) {
  const ParsedGo go = Parse(
      "wtime 60000 btime 50000 winc 1000 binc 2000 movestogo 40 depth 12 nodes 34 mate 5 movetime "
      "100 ponder");
  const SearchLimits& limits = go.limits;
  EXPECT_EQ(limits.time_ms[0], 60000);
  EXPECT_EQ(limits.time_ms[1], 50000);
  EXPECT_EQ(limits.increment_ms[0], 1000);
  EXPECT_EQ(limits.increment_ms[1], 2000);
  EXPECT_EQ(limits.moves_to_go, 40);
  EXPECT_EQ(limits.depth, 12);
  EXPECT_EQ(limits.nodes, 34);
  EXPECT_EQ(limits.mate, 5);
  EXPECT_EQ(limits.movetime_ms, 100);
  EXPECT_TRUE(limits.ponder);
  EXPECT_FALSE(limits.infinite);
  EXPECT_TRUE(go.complaints.empty());
}

TEST(GoParser, WithoutALimitTheSearchIsInfinite) {
  for (const char* text : {"", "infinite", "ponder", "searchmoves e2e4"}) {
    const ParsedGo go = Parse(text);
    EXPECT_TRUE(go.limits.infinite) << text;
    EXPECT_TRUE(go.complaints.empty()) << text;
  }
}

TEST(GoParser, ZeroIsALimitOfItsOwn) {
  EXPECT_EQ(Parse("nodes 0").limits.nodes, 0);
  EXPECT_EQ(Parse("depth 0").limits.depth, 0);
  EXPECT_EQ(Parse("movetime 0").limits.movetime_ms, 0);
  EXPECT_EQ(Parse("wtime 0 btime 0").limits.time_ms[0], 0);
  EXPECT_FALSE(Parse("nodes 0").limits.infinite);
}

TEST(GoParser, AClockMayBeNegative) {
  EXPECT_EQ(Parse("wtime -250 btime 10").limits.time_ms[0], -250);
}

TEST(GoParser, MissingClockFieldsStayUnknown) {
  const SearchLimits limits = Parse("btime 1000").limits;
  EXPECT_FALSE(limits.time_ms[0].has_value());
  EXPECT_EQ(limits.time_ms[1], 1000);
  EXPECT_EQ(limits.increment_ms[1], 0);
  EXPECT_FALSE(limits.moves_to_go.has_value());
}

TEST(GoParser, MovesToGoZeroMeansNoTimeControl) {
  const ParsedGo go = Parse("wtime 1000 btime 1000 movestogo 0");
  EXPECT_FALSE(go.limits.moves_to_go.has_value());
  EXPECT_TRUE(go.complaints.empty());
  EXPECT_EQ(Parse("movestogo 1 wtime 500 btime 500").limits.moves_to_go, 1);
}

TEST(GoParser, BadNumbersAreNamedAndNeverMakeTheSearchEndless) {
  for (const char* text : {"depth abc", "nodes -1", "movetime 1.5", "wtime x btime y", "mate 0",
                           "depth", "nodes depth"}) {
    const ParsedGo go = Parse(text);
    EXPECT_FALSE(go.complaints.empty()) << text;
    EXPECT_FALSE(go.limits.infinite) << text;
    EXPECT_EQ(go.limits.movetime_ms, 100) << text;
  }
}

TEST(GoParser, ABadNumberBesideAGoodLimitIsJustLeftOut) {
  const ParsedGo go = Parse("depth abc nodes 50");
  EXPECT_EQ(go.limits.nodes, 50);
  EXPECT_FALSE(go.limits.movetime_ms.has_value());
  ASSERT_EQ(go.complaints.size(), 1u);
  EXPECT_NE(go.complaints[0].find("abc"), std::string::npos);
}

TEST(GoParser, HugeNumbersAreTakenAsTheLargest) {
  EXPECT_EQ(Parse("nodes 99999999999999999999").limits.nodes, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(Parse("depth 99999999999").limits.depth, std::numeric_limits<int>::max());
  EXPECT_EQ(Parse("wtime -99999999999999999999 btime 1").limits.time_ms[0],
            -std::numeric_limits<int64_t>::max());
}

TEST(GoParser, UnknownWordsAreNamed) {
  const ParsedGo go = Parse("nodes 50 quickly");
  EXPECT_EQ(go.limits.nodes, 50);
  ASSERT_EQ(go.complaints.size(), 1u);
  EXPECT_NE(go.complaints[0].find("quickly"), std::string::npos);
}

TEST(GoParser, SearchmovesEndAtTheNextKeyword) {
  const ParsedGo go = Parse("searchmoves e2e4 d2d4 e2e4 nodes 10");
  EXPECT_EQ(go.limits.searchmoves.size(), 2u);
  EXPECT_EQ(go.limits.nodes, 10);
}

// The castling that one interface writes as e1c1 and another as e1a1.
TEST(GoParser, SearchmovesTakeBothSpellingsOfCastling) {
  const std::string fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  for (const char* text : {"nodes 50 searchmoves e1c1", "nodes 50 searchmoves e1a1"}) {
    const ParsedGo go = Parse(text, fen);
    ASSERT_EQ(go.limits.searchmoves.size(), 1u) << text;
    EXPECT_EQ(go.limits.searchmoves[0].kind(), Move::kCastling) << text;
    EXPECT_EQ(ToUci(ParseFen(fen).board, go.limits.searchmoves[0], false), "e1c1");
  }
}

TEST(GoParser, IllegalSearchmovesAreNamedAndLeftOut) {
  const ParsedGo go = Parse("nodes 5 searchmoves e2e5 e2e4 xyz");
  EXPECT_EQ(go.limits.searchmoves.size(), 1u);
  EXPECT_EQ(go.complaints.size(), 2u);
  const ParsedGo none = Parse("nodes 5 searchmoves e2e5");
  EXPECT_TRUE(none.limits.searchmoves.empty());
  EXPECT_EQ(none.complaints.size(), 2u) << "also says that all moves are searched";
}

TEST(GoParser, PerftIsNoSearch) {
  EXPECT_EQ(Parse("perft 3").perft, 3);
  EXPECT_FALSE(Parse("depth 3").perft.has_value());
}

}  // namespace
}  // namespace plexus
