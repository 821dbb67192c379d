// Scripted sessions on a search that thinks nothing: what the UCI layer itself has to get right.
#include "uci/commands.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "support/fake_resources.h"
#include "support/fake_search.h"
#include "support/scripted_session.h"

namespace plexus {
namespace {

class Session : public testing::Test {
 protected:
  UciStart Start() {
    UciStart start;
    start.paths = {folder_.Path(""), ""};
    start.makers = factory_.Makers();
    start.make_search = [this](const std::string&, const SearchContext&) {
      return std::make_unique<FakeSearch>(&log_);
    };
    return start;
  }
  // The answers to everything sent, once the input has ended.
  std::vector<std::string> Answers() {
    session_.Close();
    return session_.Lines("bestmove");
  }
  int Texts(const std::string& part) {
    int count = 0;
    for (const std::string& line : session_.Lines("info string"))
      if (line.find(part) != std::string::npos) ++count;
    return count;
  }

  TemporaryFolder folder_;
  FakeFactory factory_;
  FakeSearchLog log_;
  ScriptedSession session_{Start()};
};

TEST_F(Session, UciNamesTheEngineListsOptionsAndLoadsNothing) {
  session_.Send("uci");
  session_.WaitFor("uciok");
  EXPECT_EQ(session_.Lines("id name Plexus ").size(), 1u);
  EXPECT_EQ(session_.Lines("id author ").size(), 1u);
  EXPECT_GT(session_.Lines("option name ").size(), 20u);
  EXPECT_TRUE(factory_.backends.empty());
}

TEST_F(Session, EverythingHeavyIsDoneBeforeReadyok) {
  session_.Send("uci\nisready");
  session_.WaitFor("readyok");
  EXPECT_EQ(factory_.backends.size(), 1u);
  session_.Send("position startpos\ngo movetime 200");
  session_.WaitFor("bestmove");
  EXPECT_EQ(factory_.backends.size(), 1u);
}

TEST_F(Session, GoWorksWithoutIsreadyAndWithoutUcinewgame) {
  session_.Send("position startpos\ngo nodes 10");
  EXPECT_TRUE(session_.WaitFor("bestmove ").starts_with("bestmove "));
}

TEST_F(Session, UcinewgameBeforeTheFirstIsready) {
  session_.Send("uci\nucinewgame\nposition startpos\ngo nodes 10");
  EXPECT_EQ(Answers().size(), 1u);
}

TEST_F(Session, TheEndOfTheInputLetsAFiniteSearchFinish) {
  log_.HoldFinite();
  session_.Send("go nodes 10");
  log_.Finish();
  EXPECT_EQ(Answers().size(), 1u);
}

TEST_F(Session, TheEndOfTheInputStopsAnInfiniteSearch) {
  session_.Send("go infinite");
  EXPECT_EQ(Answers().size(), 1u);
}

TEST_F(Session, TheEndOfTheInputFinishesWhatIsHeld) {
  session_.Send(
      "go nodes 10\nposition startpos moves e2e4\ngo nodes 10\ngo ponder nodes 5\ngo infinite");
  EXPECT_EQ(Answers().size(), 4u);
}

TEST_F(Session, QuitEndsAnIdleSession) {
  session_.Send("uci\nquit");
  EXPECT_TRUE(session_.WaitForEnd());
}

TEST_F(Session, QuitEndsARunningSearchAndWhatIsHeld) {
  log_.HoldFinite();
  session_.Send("go nodes 10\ngo nodes 10\n  quit now");
  EXPECT_TRUE(session_.WaitForEnd());
}

TEST_F(Session, LinesBehindQuitAreNotRead) {
  session_.Send("quit\ngo nodes 10");
  EXPECT_TRUE(session_.WaitForEnd());
  EXPECT_TRUE(session_.Lines("bestmove").empty());
}

// stop, position and go in one burst: each go gets its own answer, for its own position.
TEST_F(Session, ABurstIsAnsweredInOrderEachForItsOwnPosition) {
  session_.Send(
      "go infinite\nstop\nposition startpos moves e2e4\ngo infinite\nstop\n"
      "position fen 7k/8/8/8/8/8/6R1/K7 w - - 0 1\ngo infinite searchmoves g2g7\nstop");
  const std::vector<std::string> answers = Answers();
  ASSERT_EQ(answers.size(), 3u);
  EXPECT_EQ(answers[2], "bestmove g2g7");
  MutexLock lock(log_.mutex);
  EXPECT_EQ(log_.history_sizes, (std::vector<int>{1, 2, 1}));
}

TEST_F(Session, TwoHundredStopsAtOnceGiveTwoHundredAnswers) {
  std::string script;
  for (int i = 0; i < 200; ++i) script += "go infinite\nstop\n";
  session_.Send(script);
  const std::vector<std::string> answers = Answers();
  EXPECT_EQ(answers.size(), 200u);
  for (const std::string& answer : answers) EXPECT_NE(answer, "bestmove (none)");
}

TEST_F(Session, StopWhilePonderingThenPositionAndGoAtOnce) {
  std::string script;
  for (int i = 0; i < 50; ++i)
    script +=
        "go ponder wtime 60000 btime 60000\nstop\nposition startpos moves d2d4 d7d5\ngo movetime "
        "100\n";
  session_.Send(script);
  EXPECT_EQ(Answers().size(), 100u);
}

TEST_F(Session, APositionDuringASearchIsHeldUntilItsAnswer) {
  session_.Send("position startpos\ngo infinite\nposition startpos moves e2e4\nisready");
  session_.WaitFor("readyok");
  EXPECT_TRUE(session_.Lines("bestmove").empty());
  session_.Send("stop");
  session_.WaitFor("bestmove");
  session_.Send("go nodes 1");
  EXPECT_EQ(Answers().size(), 2u);
  MutexLock lock(log_.mutex);
  EXPECT_EQ(log_.history_sizes, (std::vector<int>{1, 2}));
}

TEST_F(Session, GoDuringAFiniteSearchWaitsForItsAnswer) {
  log_.HoldFinite();
  session_.Send("go nodes 10\ngo nodes 20\nisready");
  session_.WaitFor("readyok");
  {
    MutexLock lock(log_.mutex);
    EXPECT_EQ(log_.limits.size(), 1u);
  }
  log_.Finish();
  session_.WaitFor("bestmove");
  log_.Finish();
  session_.WaitFor("bestmove");
  EXPECT_EQ(Answers().size(), 2u);
  MutexLock lock(log_.mutex);
  EXPECT_EQ(log_.limits[1].nodes, 20);
}

TEST_F(Session, GoDuringAnInfiniteSearchAnswersItFirst) {
  session_.Send("go infinite\nposition startpos moves e2e4\ngo nodes 5");
  EXPECT_EQ(Answers().size(), 2u);
  MutexLock lock(log_.mutex);
  EXPECT_EQ(log_.history_sizes, (std::vector<int>{1, 2}));
}

TEST_F(Session, StopDuringAFiniteSearchLetsHeldCommandsRun) {
  log_.HoldFinite();
  session_.Send("go nodes 1000000\nposition startpos moves e2e4\ngo nodes 7\nstop\nstop");
  EXPECT_EQ(Answers().size(), 2u);
}

TEST_F(Session, AnOptionSetDuringASearchIsHeldToo) {
  session_.Send("go infinite\nsetoption name MultiPV value 3\nisready");
  session_.WaitFor("readyok");
  session_.Send("stop\ngo nodes 1");
  Answers();
  EXPECT_EQ(session_.options.search.multi_pv, 3);
}

TEST_F(Session, APonderHitTurnsPonderingIntoASearch) {
  session_.Send("go ponder nodes 5\nisready");
  session_.WaitFor("readyok");
  EXPECT_TRUE(session_.Lines("bestmove").empty());
  session_.Send("ponderhit");
  session_.WaitFor("bestmove");
  EXPECT_EQ(Answers().size(), 1u);
}

TEST_F(Session, StrayStopAndPonderhitAreIgnored) {
  session_.Send("stop\nponderhit\nstop");
  session_.Sync();
  EXPECT_TRUE(session_.Lines("bestmove").empty());
}

TEST_F(Session, AnIllegalMoveInTheListIsNamedAndTheEngineLives) {
  session_.Send(
      "go nodes 50\nposition startpos moves a8a7\ngo nodes 50\nposition startpos moves e2e4 "
      "e2e4\ngo nodes 50");
  EXPECT_EQ(Answers().size(), 3u);
  EXPECT_EQ(Texts("a8a7"), 1);
  EXPECT_EQ(Texts("move 2 of the list"), 1);
  MutexLock lock(log_.mutex);
  EXPECT_EQ(log_.history_sizes, (std::vector<int>{1, 1, 2}))
      << "the legal moves before it are played";
}

TEST_F(Session, ImpossiblePositionsAreRefusedAndNeverSearched) {
  session_.Send(
      "position startpos moves e2e4\n"
      "position fen 4k3/8/8/8/8/8/8/8 w - - 0 1\n"
      "position fen rnbqkbnr/pppppppp/8/8/8/N2NNNNN/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"
      "position fen\nposition\nposition nonsense\nposition fen a b c d e f\n"
      "go depth 1");
  EXPECT_EQ(Answers().size(), 1u);
  EXPECT_EQ(Texts("position: "), 6);
  MutexLock lock(log_.mutex);
  EXPECT_EQ(log_.history_sizes, std::vector<int>{2}) << "the former position stays";
}

TEST_F(Session, AFenMayLackItsLastFields) {
  session_.Send(
      "position fen 4k3/8/8/8/8/8/8/4K2R w\nd\nposition fen 4k3/8/8/8/8/8/8/4K2R w K moves "
      "e1g1\nd");
  session_.Sync();
  EXPECT_EQ(Texts("position"), 0);
  EXPECT_EQ(session_.Lines("FEN: "),
            (std::vector<std::string>{"FEN: 4k3/8/8/8/8/8/8/4K2R w - - 0 1",
                                      "FEN: 4k3/8/8/8/8/8/8/5RK1 b - - 1 1"}));
}

TEST_F(Session, MateAndStalemateAreAnsweredWithNone) {
  session_.Send(
      "position fen 7k/5KQ1/8/8/8/8/8/8 b - - 0 1\ngo nodes 10\nposition fen 7k/5K2/6Q1/8/8/8/8/8 "
      "b - - 0 1\ngo movetime 10");
  EXPECT_EQ(Answers(), (std::vector<std::string>{"bestmove (none)", "bestmove (none)"}));
  EXPECT_EQ(Texts("checkmate"), 1);
  EXPECT_EQ(Texts("stalemate"), 1);
}

TEST_F(Session, OptionNamesMatchWithoutCaseAndUnknownOnesAreNamed) {
  session_.Send(
      "setoption name Move Overhead value 200\nsetoption name THREADS value 3\n"
      "setoption name moveoverheadms value 250\nsetoption name Mutipv value 3\nsetoption name "
      "nonsense\n"
      "setoption value 3\nsetoption");
  session_.Sync();
  EXPECT_EQ(session_.options.stop.move_overhead_ms, 250);
  EXPECT_EQ(session_.options.search.threads, 3);
  EXPECT_EQ(Texts("MultiPV"), 1);
  EXPECT_EQ(Texts("setoption"), 2);
}

TEST_F(Session, ARefusedValueIsNamedAndTheFormerOneStays) {
  session_.Send("setoption name Threads value 2");
  for (const char* value : {"-1", "999999999", "abc", ""})
    session_.Send(std::string("setoption name Threads value ") + value);
  session_.Send("setoption name Hash value 99999999999999999999\nsetoption name MultiPV value 0");
  session_.Sync();
  EXPECT_EQ(session_.options.search.threads, 2);
  EXPECT_EQ(session_.options.search.multi_pv, 1);
  EXPECT_EQ(Texts("Threads"), 4);
  EXPECT_EQ(Texts("Hash"), 1);
}

TEST_F(Session, APathWithBlanksIsOneValue) {
  session_.Send("setoption name WeightsFile value /some where/my  nët value.pb.gz\nisready");
  session_.WaitFor("readyok");
  EXPECT_EQ(factory_.loaded, std::vector<std::string>{"/some where/my  nët value.pb.gz"});
}

TEST_F(Session, AnEmptyValueClearsAText) {
  session_.Send("setoption name WeightsFile value x\nsetoption name WeightsFile value <empty>");
  session_.Sync();
  EXPECT_EQ(session_.options.backend.weights_file, "");
}

TEST_F(Session, AFailedLoadIsNamedBeforeReadyokAndGoStillAnswers) {
  factory_.broken_file = "/nets/broken.pb.gz";
  session_.Send(
      "isready\nsetoption name WeightsFile value /nets/broken.pb.gz\nisready\ngo nodes 5");
  EXPECT_EQ(Answers().size(), 1u);
  EXPECT_EQ(Texts("/nets/broken.pb.gz is damaged"), 1);
  EXPECT_EQ(Texts("former network"), 1);
  EXPECT_EQ(session_.Lines("readyok").size(), 2u);
}

TEST_F(Session, UnknownCommandsAndRubbishAreInfoStrings) {
  session_.Send("positon startpos\n\n   \t \nxyzzy\n" + std::string(100000, 'x') +
                "\n\x01\x02\xff");
  session_.Sync();
  EXPECT_EQ(Texts("unknown command"), 4);
  EXPECT_EQ(Texts("Did you mean \"position\"?"), 1);
}

TEST_F(Session, BadNumbersBehindGoAreNamedAndAnswered) {
  session_.Send("go depth abc\ngo nodes -5\ngo movetime x wtime y");
  EXPECT_EQ(Answers().size(), 3u);
  EXPECT_GE(Texts("go "), 3);
}

TEST_F(Session, SearchmovesReachTheSearch) {
  session_.Send(
      "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1\ngo nodes 50 searchmoves e1c1\ngo nodes "
      "50 searchmoves e1a1");
  EXPECT_EQ(Answers(), (std::vector<std::string>{"bestmove e1c1", "bestmove e1c1"}));
}

TEST_F(Session, Chess960WritesCastlingAsKingTakesRook) {
  session_.Send(
      "setoption name UCI_Chess960 value true\nposition fen r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1\n"
      "go nodes 50 searchmoves e1a1");
  EXPECT_EQ(Answers(), std::vector<std::string>{"bestmove e1a1"});
}

TEST_F(Session, PerftCountsPathsPerMove) {
  session_.Send("go perft 3\nposition startpos moves e2e4\ngo perft 1\ngo perft 0");
  session_.Sync();
  EXPECT_EQ(session_.Lines("Nodes searched: "),
            (std::vector<std::string>{"Nodes searched: 8902", "Nodes searched: 20",
                                      "Nodes searched: 1"}));
  EXPECT_EQ(session_.Lines("e2e4: "), std::vector<std::string>{"e2e4: 600"});
}

TEST_F(Session, DebugTellsWhatASearchDid) {
  session_.Send("debug on\ngo nodes 1");
  Answers();
  EXPECT_EQ(Texts("playouts"), 1);
}

TEST_F(Session, WithoutDebugASearchTellsNothingMore) {
  session_.Send("go nodes 1");
  Answers();
  EXPECT_EQ(Texts("playouts"), 0);
}

TEST_F(Session, HelpListsEveryCommand) {
  session_.Send("help");
  session_.Sync();
  for (const UciCommand& command : UciCommands())
    EXPECT_EQ(session_.Lines(std::string("  ") + command.name + " ").size(), 1u) << command.name;
}

TEST_F(Session, EveryInfoLineIsOfTheProtocol) {
  session_.Send("uci\nisready\ngo nodes 5\nbad\nposition bad\nsetoption name bad");
  Answers();
  for (const std::string& line : session_.Lines()) {
    const std::vector<std::string> words = SplitWords(line);
    ASSERT_FALSE(words.empty());
    EXPECT_TRUE(words[0] == "id" || words[0] == "option" || words[0] == "uciok" ||
                words[0] == "readyok" || words[0] == "info" || words[0] == "bestmove")
        << line;
  }
}

}  // namespace
}  // namespace plexus
