#include "mcts/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mcts/hand_made_tree.h"

namespace plexus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ReportTest : public ::testing::Test {
 protected:
  // e2e4 e7e5 g1f3 is the main line, d2d4 the runner-up, c2c4 was never tried.
  void SetUp() override {
    made.Expand(made.root(), {{"e2e4", 0.5f}, {"d2d4", 0.25f}, {"c2c4", 0.125f}});
    made.Visit(made.root(), 100, -0.25, 0.5, 60);
    e4 = made.Child(made.root(), 0);
    d4 = made.Child(made.root(), 1);
    made.Visit(e4, 70, 0.3, 0.4, 59);
    made.Visit(d4, 29, 0.1, 0.6, 61);
    made.Expand(e4, {{"c7c5", 0.5f}, {"e7e5", 0.4f}});
    made.Visit(made.Child(e4, 0), 20, -0.4, 0.4, 58);
    e5 = made.Child(e4, 1);
    made.Visit(e5, 49, -0.2, 0.4, 58);
    made.Expand(e5, {{"g1f3", 0.9f}});
    made.Visit(made.Child(e5, 0), 48, 0.2, 0.4, 57);
  }
  SearchInfo Info() {
    TreeReadLock lock(made.tree.nodes_mutex());
    return BuildInfo(lock, made.tree, params, context);
  }
  std::vector<std::string> Stats() {
    TreeReadLock lock(made.tree.nodes_mutex());
    return BuildMoveStats(lock, made.tree, params);
  }
  SearchSnapshot Snapshot() {
    TreeReadLock lock(made.tree.nodes_mutex());
    return BuildSnapshot(lock, made.tree, params, PlainMove("e2e4"));
  }
  HandMadeTree made;
  NodeIndex e4 = kNoNode, d4 = kNoNode, e5 = kNoNode;
  SearchParams params;
  ReportContext context;
};

TEST_F(ReportTest, NumbersOfTheContextAreHandedOn) {
  context.depth = 5;
  context.seldepth = 9;
  context.elapsed_ms = 1234;
  context.nodes = 100;
  context.nps = 81;
  context.hashfull_permille = 17;
  const SearchInfo info = Info();
  EXPECT_EQ(info.depth, 5);
  EXPECT_EQ(info.seldepth, 9);
  EXPECT_EQ(info.time_ms, 1234);
  EXPECT_EQ(info.nodes, 100);
  EXPECT_EQ(info.nps, 81);
  EXPECT_EQ(info.hashfull_permille, 17);
}

TEST_F(ReportTest, PrincipalVariationFollowsTheBestRepliesAsFarAsTheyWereVisited) {
  const SearchInfo info = Info();
  ASSERT_EQ(info.lines.size(), 1u);
  EXPECT_THAT(info.lines[0].moves,
              ElementsAre(PlainMove("e2e4"), PlainMove("e7e5"), PlainMove("g1f3")));
  EXPECT_EQ(info.lines[0].visits, 70);
}

TEST_F(ReportTest, LinesComeInRankOrderAndTheFirstIsTheMoveThatWouldBePlayed) {
  params.multi_pv = 500;
  params.temperature = 1;  // does not touch the lines
  const SearchInfo info = Info();
  ASSERT_EQ(info.lines.size(), 3u);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(info.lines[static_cast<size_t>(i)].multipv, i + 1);
  EXPECT_THAT(info.lines[1].moves, ElementsAre(PlainMove("d2d4")));
  EXPECT_THAT(info.lines[2].moves, ElementsAre(PlainMove("c2c4")));
  TreeReadLock lock(made.tree.nodes_mutex());
  EXPECT_EQ(info.lines[0].moves[0], ChooseBestMove(lock, made.tree, params, {}, nullptr).best);
}

TEST_F(ReportTest, ProvenWinIsTheFirstLineHoweverFewItsVisits) {
  made.Prove(made.Child(made.root(), 2), 1, 1, 0, Terminal::kGameOver);
  params.multi_pv = 2;
  const SearchInfo info = Info();
  EXPECT_THAT(info.lines[0].moves, ElementsAre(PlainMove("c2c4")));
  EXPECT_EQ(info.lines[0].score.mate_moves, 1);
  EXPECT_EQ(info.lines[1].score.mate_moves, std::nullopt);
}

TEST_F(ReportTest, BeingMatedIsANegativeMate) {
  for (int edge = 0; edge < 3; ++edge) {
    made.Prove(made.Child(made.root(), edge), 10, -1, edge == 1 ? 3 : 1);
  }
  const SearchInfo info = Info();
  EXPECT_EQ(info.lines[0].moves[0], PlainMove("d2d4")) << "the longer resistance";
  EXPECT_EQ(info.lines[0].score.mate_moves, -2);
}

TEST_F(ReportTest, ScoresAreTheSideToMovesAndMovesLeftCountFromTheRoot) {
  context.has_moves_left = true;
  params.score_type = "W-L";
  params.multi_pv = 2;
  const SearchInfo info = Info();
  EXPECT_EQ(info.lines[0].score.centipawns, 3000);
  EXPECT_EQ(info.lines[0].score.wdl[1], 400);
  EXPECT_EQ(info.lines[0].score.moves_left, 30);
  EXPECT_EQ(info.lines[1].score.centipawns, 1000);
}

TEST_F(ReportTest, VariationsEndWhereTheRulesEndTheGame) {
  {
    TreeWriteLock lock(made.tree.nodes_mutex());
    made.tree.node(e5).terminal = Terminal::kTwoFold;
  }
  EXPECT_THAT(Info().lines[0].moves, ElementsAre(PlainMove("e2e4"), PlainMove("e7e5")));
}

TEST_F(ReportTest, VariationsGoOnThroughProvenPositionsToTheMate) {
  made.Prove(e4, 70, 1, 2);
  made.Prove(made.Child(e4, 0), 9, -1, 1);
  made.Prove(e5, 49, -1, 1);
  made.Prove(made.Child(e5, 0), 1, 1, 0, Terminal::kGameOver);
  EXPECT_EQ(Info().lines[0].moves.size(), 3u);
  EXPECT_EQ(Info().lines[0].score.mate_moves, 2);
}

TEST_F(ReportTest, SearchmovesLeaveOnlyTheirLines) {
  params.multi_pv = 5;
  made.Forbid(0);
  const SearchInfo info = Info();
  ASSERT_EQ(info.lines.size(), 2u);
  EXPECT_EQ(info.lines[0].moves[0], PlainMove("d2d4"));
}

TEST_F(ReportTest, RootThatIsNotExpandedHasOneLineOfTheFallback) {
  HandMadeTree fresh;
  context.fallback = {PlainMove("g1f3"), PlainMove("a2a3")};
  params.multi_pv = 2;
  TreeReadLock lock(fresh.tree.nodes_mutex());
  const SearchInfo info = BuildInfo(lock, fresh.tree, params, context);
  ASSERT_EQ(info.lines.size(), 1u);
  EXPECT_THAT(info.lines[0].moves, ElementsAre(PlainMove("g1f3")));
  EXPECT_EQ(info.lines[0].multipv, 1);
}

TEST_F(ReportTest, RootWithoutMovesHasNoLine) {
  HandMadeTree fresh;
  TreeReadLock lock(fresh.tree.nodes_mutex());
  EXPECT_THAT(BuildInfo(lock, fresh.tree, params, context).lines, IsEmpty());
}

TEST_F(ReportTest, MoveStatisticsHaveAStableFormat) {
  made.Fly(d4, 3);
  EXPECT_THAT(
      Stats(),
      ElementsAre("c2c4  N:       0 (+  0) (P: 12.50%) (WL:  0.25000) (D: 0.500) (M:  61.0) "
                  "(Q:  0.25000) (V: -.----)",
                  "d2d4  N:      29 (+  3) (P: 25.00%) (WL:  0.10000) (D: 0.600) (M:  62.0) "
                  "(Q:  0.10000) (V: 0.1000)",
                  "e2e4  N:      70 (+  0) (P: 50.00%) (WL:  0.30000) (D: 0.400) (M:  60.0) "
                  "(Q:  0.30000) (V: 0.3000)",
                  "node  N:     100 (+  0) (P: 87.50%) (WL:  0.25000) (D: 0.500) (M:  60.0) "
                  "(Q:  0.25000) (V: 0.2500)"));
}

TEST_F(ReportTest, MoveStatisticsShowProvenResultsAndTheDrawScore) {
  params.draw_score = 0.5f;
  made.Prove(d4, 29, -1, 3);
  const std::vector<std::string> lines = Stats();
  EXPECT_THAT(lines[0], HasSubstr("d2d4"));
  EXPECT_THAT(lines[0], HasSubstr("(T: loss)"));
  EXPECT_THAT(lines[2], HasSubstr("(Q:  0.50000)"));
}

TEST_F(ReportTest, SnapshotHoldsRootAndMovesForTheSideToMove) {
  const SearchSnapshot snapshot = Snapshot();
  EXPECT_EQ(snapshot.visits, 100);
  EXPECT_FLOAT_EQ(snapshot.q, 0.25f);
  EXPECT_FLOAT_EQ(snapshot.d, 0.5f);
  EXPECT_NEAR(snapshot.net_q, 0.25f, 2e-5f);
  EXPECT_FALSE(snapshot.proven);
  EXPECT_EQ(snapshot.best, PlainMove("e2e4"));
  ASSERT_EQ(snapshot.moves.size(), 3u);
  EXPECT_EQ(snapshot.moves[0].move, PlainMove("e2e4"));
  EXPECT_EQ(snapshot.moves[0].visits, 70);
  EXPECT_FLOAT_EQ(snapshot.moves[0].q, 0.3f);
  EXPECT_NEAR(snapshot.moves[1].prior, 0.25f, 1e-3);
  int64_t visits = 1;
  for (const RootMove& move : snapshot.moves) visits += move.visits;
  EXPECT_EQ(visits, snapshot.visits);
}

TEST_F(ReportTest, SnapshotIsProvenByAWinOrIfEveryMoveIs) {
  made.Prove(d4, 29, 0, 3);
  EXPECT_FALSE(Snapshot().proven);
  made.Prove(e4, 70, -1, 3);
  made.Prove(made.Child(made.root(), 2), 1, -1, 3);
  EXPECT_TRUE(Snapshot().proven);
  made.Visit(e4, 70, 0, 0, 3);
  made.Prove(d4, 29, 1, 3);
  EXPECT_TRUE(Snapshot().proven);
}

}  // namespace
}  // namespace plexus
