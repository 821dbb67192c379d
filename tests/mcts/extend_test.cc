#include "mcts/extend.h"

#include <gtest/gtest.h>

#include "base/exception.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

LeafOutcome Judge(const PositionHistory& history, int depth, const ExtendParams& params = {}) {
  return JudgeLeaf(history, LegalMoves(history.Last().board), depth, params);
}

TEST(JudgeLeaf, MateIsWonByTheOneWhoMovedIntoIt) {
  const LeafOutcome outcome = Judge(Game(kCheckmateFen), 3);
  EXPECT_EQ(outcome.terminal, Terminal::kGameOver);
  EXPECT_EQ(outcome.result, 1);
}

TEST(JudgeLeaf, StalemateAndBareKingsAreDraws) {
  for (const char* fen : {kStalemateFen, "8/8/4k3/8/8/3K4/8/8 w - - 0 1"}) {
    EXPECT_EQ(Judge(Game(fen), 3).terminal, Terminal::kGameOver) << fen;
    EXPECT_EQ(Judge(Game(fen), 3).result, 0) << fen;
  }
}

TEST(JudgeLeaf, FiftyMovesAreADrawBelowTheRootOnly) {
  const PositionHistory history = Game("7k/8/8/8/8/8/R7/K7 w - - 100 130");
  EXPECT_EQ(Judge(history, 1).terminal, Terminal::kGameOver);
  EXPECT_EQ(Judge(history, 0).terminal, Terminal::kNone);
  EXPECT_EQ(Judge(history, 1, {150, true, true}).terminal, Terminal::kNone);
}

const std::vector<std::string> kThereAndBack = {"g1f3", "g8f6", "f3g1", "f6g8"};

TEST(JudgeLeaf, FirstRepetitionInsideTheTreeIsATwoFoldDraw) {
  const PositionHistory history = Game(kStartFen, kThereAndBack);
  EXPECT_EQ(Judge(history, 4).terminal, Terminal::kTwoFold);
  EXPECT_EQ(Judge(history, 4).cycle_plies, 4);
  EXPECT_EQ(Judge(history, 4, {100, false, true}).terminal, Terminal::kNone);
}

TEST(JudgeLeaf, RepetitionOfAPositionOfTheGameIsNoTwoFoldDraw) {
  EXPECT_EQ(Judge(Game(kStartFen, kThereAndBack), 3).terminal, Terminal::kNone);
}

TEST(JudgeLeaf, ThirdOccurrenceIsADraw) {
  std::vector<std::string> moves = kThereAndBack;
  moves.insert(moves.end(), kThereAndBack.begin(), kThereAndBack.end());
  EXPECT_EQ(Judge(Game(kStartFen, moves), 1).terminal, Terminal::kGameOver);
  EXPECT_EQ(Judge(Game(kStartFen, moves), 0).terminal,
            Terminal::kNone);  // as a root it is searched
}

TEST(Extender, GivesTheBackendTheLastEightPositionsOldestFirst) {
  std::vector<std::vector<uint64_t>> seen;
  PhaseFixture f(kStartFen, [&](const EvalInput& input, EvalOutput* out) {
    std::vector<uint64_t> keys;
    for (const Position& position : input.history) keys.push_back(position.board.key());
    seen.push_back(keys);
    FlatEvaluation(input, out);
  });
  PositionHistory history =
      Game(kStartFen, {"e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "d2d3"});
  {
    TreeWriteLock lock(f.tree.nodes_mutex());
    f.tree.SetPosition(lock, history);
  }
  f.Grow(3);
  ASSERT_GT(seen.size(), 2u);
  EXPECT_EQ(seen[0].size(), 8u);
  EXPECT_EQ(seen[0].back(), history.Last().board.key());
  EXPECT_EQ(seen[1].size(), 8u);
  EXPECT_EQ(seen[1][6], history.Last().board.key());  // a child: its parent stands before it
}

TEST(Extender, ChildrenComeByFallingPriorAndKnowTheirMoves) {
  PhaseFixture f(kStartFen, [](const EvalInput& input, EvalOutput* out) {
    FlatEvaluation(input, out);
    for (size_t i = 0; i < out->policy.size(); ++i) {
      out->policy[i] = input.legal_moves[i].to() == MakeSquare(4, 3) ? 0.5f : 0.5f / 19;  // e4
    }
  });
  f.Grow(1);
  TreeReadLock lock(f.tree.nodes_mutex());
  const auto children = f.tree.children(f.tree.node(f.tree.root()));
  ASSERT_EQ(children.size(), 20u);
  EXPECT_EQ(f.tree.node(children[0].node).move.move().to(), MakeSquare(4, 3));
  EXPECT_NEAR(children[0].p(), 0.5f, 1e-3);
}

TEST(Extender, NumbersThatMeanNothingAreRefused) {
  PhaseFixture f(kStartFen, [](const EvalInput& input, EvalOutput* out) {
    FlatEvaluation(input, out);
    out->wl = std::numeric_limits<float>::quiet_NaN();
  });
  SearchWorker worker(f.shared());
  EXPECT_THROW(worker.RunOneIteration(), Exception);
  EXPECT_EQ(CheckTree(f.tree), "");
}

}  // namespace
}  // namespace plexus
