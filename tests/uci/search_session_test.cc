// Scripted sessions with the real search on evaluations without a network: every answer is checked against the rules.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "base/exception.h"
#include "base/temporary_folder.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "support/scripted_session.h"

namespace plexus {
namespace {

// What a strict client reads from one info line.
struct InfoLine {
  int depth = -1, multipv = 1;
  int64_t nodes = -1;
  std::string score;  // "cp 31", "mate -2"
  std::vector<int> wdl;
  std::vector<std::string> pv;
};

// Reads the fields that UCI knows, each with its number of values; anything else fails the test.
InfoLine ParseInfo(const std::string& line) {
  InfoLine info;
  const std::vector<std::string> words = SplitWords(line);
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto next = [&] { return ++i < words.size() ? words[i] : std::string("missing"); };
    if (word == "depth") {
      info.depth = static_cast<int>(ParseInt(next(), word));
    } else if (word == "multipv") {
      info.multipv = static_cast<int>(ParseInt(next(), word));
    } else if (word == "nodes") {
      info.nodes = ParseInt(next(), word);
    } else if (word == "seldepth" || word == "nps" || word == "hashfull" || word == "tbhits" ||
               word == "time") {
      EXPECT_GE(ParseInt(next(), word), 0) << line;
    } else if (word == "score") {
      info.score = next();
      EXPECT_TRUE(info.score == "cp" || info.score == "mate") << line;
      info.score += " " + std::to_string(ParseInt(next(), word));
    } else if (word == "wdl") {
      EXPECT_TRUE(words[i - 3] == "score") << line;
      for (int k = 0; k < 3; ++k) info.wdl.push_back(static_cast<int>(ParseInt(next(), word)));
    } else if (word == "pv") {
      info.pv.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    } else {
      ADD_FAILURE() << "unknown field " << word << " in " << line;
    }
  }
  return info;
}

struct Answer {
  std::string move;
  std::vector<InfoLine> infos;
  const InfoLine& last() const { return infos.back(); }
};

class SearchSession : public testing::Test {
 protected:
  SearchSession() {
    session_.options.set.Set("Backend", "fake");
    session_.options.set.Set("Threads", "2");
    session_.options.set.Set("MinibatchSize", "16");
  }
  UciStart Start() {
    UciStart start;
    start.paths = {folder_.Path(""), ""};
    return start;
  }
  void Set(const std::string& name, const std::string& value) {
    session_.Send("setoption name " + name + " value " + value);
  }
  // Lines behind the last answer up to and with the next one, checked: each line of moves and the answer are legal
  // from `board`.
  Answer Next(const Board& board) {
    const size_t from = read_;
    session_.WaitFor("bestmove");
    const std::vector<std::string> all = session_.Lines();
    Answer answer;
    for (size_t i = from; i < all.size(); ++i) {
      read_ = i + 1;
      if (all[i].starts_with("info depth")) {
        answer.infos.push_back(ParseInfo(all[i]));
        CheckLine(board, answer.infos.back().pv);
      }
      if (!all[i].starts_with("bestmove")) continue;
      std::vector<std::string> line = SplitWords(all[i]);
      answer.move = line[1];
      if (line.size() == 4) line.erase(line.begin() + 2);  // "ponder"
      line.erase(line.begin());
      if (answer.move != "(none)") CheckLine(board, line);
      break;
    }
    return answer;
  }
  Answer Go(const std::string& position, const std::string& go) {
    session_.Send("position " + position + "\ngo " + go);
    return Next(BoardOf(position));
  }
  bool chess960() { return session_.options.engine.chess960; }
  Board BoardOf(const std::string& position) {
    const size_t moves = position.find(" moves ");
    const std::string start = position.substr(0, moves);
    Board board = start == "startpos" ? Board::StartPosition() : ParseFen(start.substr(4)).board;
    if (moves != std::string::npos)
      for (const std::string& word : SplitWords(position.substr(moves + 7)))
        board.Apply(ParseUci(board, word, chess960()));
    return board;
  }
  void CheckLine(Board board, const std::vector<std::string>& line) {
    for (const std::string& word : line) {
      try {
        const Move move = ParseUci(board, word, chess960());
        EXPECT_EQ(ToUci(board, move, chess960()), word);
        board.Apply(move);
      } catch (const Exception& error) {
        ADD_FAILURE() << Join(line, " ") << ": " << error.what();
        return;
      }
    }
  }

  TemporaryFolder folder_;
  ScriptedSession session_{Start()};
  size_t read_ = 0;
};

TEST_F(SearchSession, AColdStartWithoutIsreadyAnswers) {
  const Answer answer = Go("startpos", "nodes 50");
  ASSERT_FALSE(answer.infos.empty());
  EXPECT_EQ(answer.last().pv.at(0), answer.move);
}

TEST_F(SearchSession, TheFirstMoveOfTheFirstLineIsTheAnswer) {
  Set("MultiPV", "5");
  const Answer answer = Go("startpos", "nodes 2000");
  ASSERT_GE(answer.infos.size(), 5u);
  for (int rank = 1; rank <= 5; ++rank)
    EXPECT_EQ(answer.infos[answer.infos.size() - 6 + static_cast<size_t>(rank)].multipv, rank);
  EXPECT_EQ(answer.infos[answer.infos.size() - 5].pv.at(0), answer.move);
}

TEST_F(SearchSession, CountsOfALineNeverFall) {
  Set("MultiPV", "20");
  Set("PerPVCounters", "true");
  std::map<std::string, int64_t> counts;
  for (const InfoLine& info : Go("startpos", "nodes 5000").infos) {
    if (info.pv.empty()) continue;
    EXPECT_GE(info.nodes, counts[info.pv[0]]) << info.pv[0];
    counts[info.pv[0]] = info.nodes;
  }
  EXPECT_EQ(counts.size(), 20u);
}

TEST_F(SearchSession, AnInfoLineGoesBeforeTheAnswerToAForcedMove) {
  const Answer answer = Go(
      "startpos moves h2h4 e7e5 h4h5 d7d5 h5h6 g8h6 g2g4 h6g4 f2f4 f8e7 f4e5 e7h4", "nodes 1000");
  EXPECT_EQ(answer.move, "h1h4");
  ASSERT_FALSE(answer.infos.empty());
  EXPECT_EQ(answer.last().pv.at(0), "h1h4");
  EXPECT_FALSE(answer.last().score.empty());
}

TEST_F(SearchSession, DepthEndsByItselfOnceTheTreeIsSolved) {
  const std::string position = "fen 3rr1k1/5pp1/p4P1p/P7/8/6bP/6P1/7K w - - 0 37";
  for (const char* go : {"depth 40", "mate 9", "nodes 1000000"}) {
    const Answer answer = Go(position, go);
    // Both legal moves are mated in one.
    EXPECT_TRUE(answer.move == "h1g1" || answer.move == "h3h4") << go << ": " << answer.move;
    ASSERT_FALSE(answer.infos.empty()) << go;
    // The first proof found counts, and it may be that of a slower mate.
    EXPECT_TRUE(answer.last().score.starts_with("mate -")) << go << ": " << answer.last().score;
  }
}

TEST_F(SearchSession, AMateInOneIsPlayedAtOnceOnAnyLimit) {
  for (const char* go :
       {"movetime 60000", "nodes 100000000", "wtime 600000 btime 600000", "depth 60", "mate 1"}) {
    const Answer answer = Go("fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", go);
    EXPECT_EQ(answer.move, "e1e8") << go;
    EXPECT_EQ(answer.last().score, "mate 1") << go;
  }
}

TEST_F(SearchSession, InfiniteWaitsForStopAlsoAtAMate) {
  for (const char* fen :
       {"fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1"}) {
    session_.Send(std::string("position ") + fen + "\ngo infinite");
    session_.Sync();
    const size_t before = session_.Lines("bestmove").size();
    session_.Send("stop");
    Next(BoardOf(fen));
    EXPECT_EQ(session_.Lines("bestmove").size(), before + 1) << fen;
  }
}

TEST_F(SearchSession, ZeroNodesAndZeroDepthAnswerAtOnce) {
  for (const char* go : {"nodes 0", "depth 0", "movetime 0", "nodes 1"})
    EXPECT_NE(Go("startpos", go).move, "") << go;
}

TEST_F(SearchSession, NodesAreWhatWasAskedFor) {
  for (int64_t nodes : {1, 2, 17, 100, 1000}) {
    const Answer answer = Go("startpos", "nodes " + std::to_string(nodes));
    EXPECT_GE(answer.last().nodes, nodes);
    EXPECT_LE(answer.last().nodes, nodes + 32) << "at most the batches in flight beyond";
    session_.Send("ucinewgame");
  }
}

TEST_F(SearchSession, OneSearchmoveIsSearchedWithAllNodes) {
  const Answer answer = Go("startpos", "nodes 500 searchmoves d2d4");
  EXPECT_EQ(answer.move, "d2d4");
  EXPECT_GE(answer.last().nodes, 500);
  EXPECT_EQ(answer.last().pv.at(0), "d2d4");
}

TEST_F(SearchSession, SearchmovesOfOneSearchDoNotBindTheNext) {
  Go("startpos", "nodes 50 searchmoves a2a3");
  const Answer answer = Go("startpos", "nodes 3000");
  std::map<std::string, int> first_moves;
  Set("MultiPV", "20");
  for (const InfoLine& info : Go("startpos", "nodes 4000").infos) ++first_moves[info.pv.at(0)];
  EXPECT_EQ(first_moves.size(), 20u);
}

TEST_F(SearchSession, CastlingIsReadInBothSpellingsAndWrittenInOne) {
  const std::string position = "fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  EXPECT_EQ(Go(position, "nodes 50 searchmoves e1c1").move, "e1c1");
  EXPECT_EQ(Go(position, "nodes 50 searchmoves e1a1").move, "e1c1");
  EXPECT_EQ(Go(position, "nodes 50 searchmoves e1g1").move, "e1g1");
}

TEST_F(SearchSession, AfterASearchTheSamePositionMayComeAsFenPlusMoves) {
  Go("startpos", "nodes 20");
  Go(std::string("fen ") + kStartFen + " moves e2e4 e7e5", "nodes 20");
  Go("startpos moves e2e4 e7e5 g1f3", "nodes 20");
  EXPECT_TRUE(session_.Lines("info string position").empty());
}

TEST_F(SearchSession, AnIllegalMoveInTheListLeavesAWorkingTree) {
  Go("startpos", "nodes 50");
  session_.Send("position startpos moves a8a7\ngo nodes 50");
  Next(Board::StartPosition());
  session_.Send("position startpos moves e2e4 e2e4\ngo nodes 50");
  Next(BoardOf("startpos moves e2e4"));
  EXPECT_EQ(session_.Lines("info string position").size(), 2u);
}

TEST_F(SearchSession, AfterAPonderMissLinesStartFromTheNewPosition) {
  session_.Send("position startpos moves e2e4 e7e5\ngo ponder");
  session_.Sync();
  session_.Send("stop");
  Next(BoardOf("startpos moves e2e4 e7e5"));
  Go("startpos moves e2e4 c7c5", "nodes 200");
}

TEST_F(SearchSession, AfterAPonderHitTheOrderOfThePonderedGoCounts) {
  session_.Send("position startpos moves e2e4 e7e5\ngo ponder wtime 3000 btime 3000 winc 0 binc 0");
  session_.Sync();
  EXPECT_TRUE(session_.Lines("bestmove").empty());
  session_.Send("ponderhit");
  Next(BoardOf("startpos moves e2e4 e7e5"));
}

TEST_F(SearchSession, ABurstOfSearchesIsAnsweredInOrder) {
  std::string script;
  for (int i = 0; i < 100; ++i)
    script +=
        "position startpos\ngo infinite\nstop\nposition startpos moves e2e4\ngo ponder wtime 6000 "
        "btime 6000\nstop\n";
  session_.Send(script);
  for (int i = 0; i < 100; ++i) {
    Next(BoardOf("startpos"));
    Next(BoardOf("startpos moves e2e4"));
  }
  session_.Close();
  EXPECT_EQ(session_.Lines("bestmove").size(), 200u);
}

TEST_F(SearchSession, EveryClockIsAnsweredWithinIt) {
  struct Row {
    const char* go;
    int64_t clock_ms;
  };
  for (const Row& row : {Row{"wtime 100 btime 100", 100},
                         {"wtime 1500 btime 1500 winc 2000 binc 2000", 1500},
                         {"wtime 1000 btime 1000", 1000},
                         {"btime 1000", 1000},
                         {"movestogo 1 wtime 500 btime 500", 500},
                         {"wtime 0 btime 0", 100},
                         {"wtime -50 btime 1000", 100},
                         {"movetime 100", 150}}) {
    session_.Sync();
    const auto before = std::chrono::steady_clock::now();
    Go("startpos", row.go);
    const auto used = std::chrono::steady_clock::now() - before;
    // Sanitizers and busy machines: generous beyond the clock, but far from the seconds that a lost clock would take.
    EXPECT_LT(used, std::chrono::milliseconds(row.clock_ms + 400)) << row.go;
  }
}

TEST_F(SearchSession, WdlStandsBehindTheScore) {
  Set("UCI_ShowWDL", "true");
  const Answer answer = Go("startpos", "nodes 100");
  ASSERT_EQ(answer.last().wdl.size(), 3u);
  EXPECT_EQ(answer.last().wdl[0] + answer.last().wdl[1] + answer.last().wdl[2], 1000);
}

TEST_F(SearchSession, PonderMovesAreLegalInRandomGames) {
  std::mt19937 random(7);
  for (int game = 0; game < 10; ++game) {
    std::string position = "startpos moves";
    Board board = Board::StartPosition();
    for (int ply = 0; ply < 30; ++ply) {
      const MoveList moves = LegalMoves(board);
      if (moves.empty()) break;
      const Move move = moves[static_cast<int>(random() % static_cast<unsigned>(moves.size()))];
      position += " " + ToUci(board, move, false);
      board.Apply(move);
      if (ply % 3 == 0 && HasLegalMove(board)) Go(position, "nodes 20");
    }
  }
}

TEST_F(SearchSession, AnalyseModeUsesAllTheTimeAndPlayStopsAtAMate) {
  Set("UCI_AnalyseMode", "true");
  const auto before = std::chrono::steady_clock::now();
  Go("fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", "movetime 300");
  EXPECT_GE(std::chrono::steady_clock::now() - before, std::chrono::milliseconds(250));
}

TEST_F(SearchSession, OptionsOfTheBackendMayChangeBetweenSearches) {
  for (const char* options :
       {"batch=8", "seed=3", "nonsense=1", "seed=4", "(backend=fake),(backend=material)"}) {
    Set("BackendOptions", options);
    Go("startpos", "nodes 50");
  }
  EXPECT_EQ(session_.Lines("info string cannot load").size(), 1u);
}

TEST_F(SearchSession, ADeviceThatFailsIsNamedAndAMoveIsStillPlayed) {
  Set("BackendOptions", "fail_at=3");
  const Answer answer = Go("startpos", "nodes 100000");
  EXPECT_NE(answer.move, "");
  bool named = false;
  for (const std::string& line : session_.Lines("info string"))
    named |= line.find("fake") != std::string::npos;
  EXPECT_TRUE(named);
}

TEST_F(SearchSession, AGameAgainstItselfEndsWithoutAFault) {
  std::string position = "startpos moves";
  Board board = Board::StartPosition();
  for (int ply = 0; ply < 60 && HasLegalMove(board); ++ply) {
    const Answer answer =
        Go(ply == 0 ? "startpos" : position, "wtime 300 btime 300 winc 10 binc 10");
    const Move move = ParseUci(board, answer.move, false);
    position += " " + answer.move;
    board.Apply(move);
  }
}

TEST_F(SearchSession, Chess960GamesUseKingTakesRook) {
  Set("UCI_Chess960", "true");
  session_.Sync();
  const std::string position = "fen bqrkrnnb/pppppppp/8/8/8/8/PPPPPPPP/BQRKRNNB w ECec - 0 1";
  Go(position, "nodes 200");
  EXPECT_EQ(Go("fen 1k6/8/8/8/8/8/8/RK5R w HA - 0 1", "nodes 50 searchmoves b1h1").move, "b1h1");
}

TEST_F(SearchSession, TheMemoryLimitIsToldAndInfiniteThenIdlesUntilStop) {
  Set("RamLimitMb", "1");
  session_.Send("position startpos\ngo infinite");
  EXPECT_NE(session_.WaitFor("info string the search tree").find("RamLimitMb"), std::string::npos);
  EXPECT_TRUE(session_.Lines("bestmove").empty());
  session_.Send("stop");
  Next(Board::StartPosition());
  EXPECT_EQ(session_.Lines("info string the search tree").size(), 1u) << "told once";
}

}  // namespace
}  // namespace plexus
