#include "mcts/mcts_search.h"

#include <gtest/gtest.h>

#include "chess/movegen.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

TEST(MctsSearch, NodesAreCountedExactlyAndNotOverrun) {
  SearchFixture f;
  f.Run(Nodes(777));
  EXPECT_EQ(f.search->Counters().nodes, 777);
  EXPECT_EQ(f.search->Snapshot().visits, 777);
}

TEST(MctsSearch, NodesAreNotOverrunByManyWorkers) {
  SearchFixture f;
  f.params.threads = 4;
  f.Run(Nodes(3000));
  EXPECT_EQ(f.search->Counters().nodes, 3000);
}

TEST(MctsSearch, ZeroNodesAnswerALegalMoveAtOnce) {
  SearchFixture f;
  f.Run(Nodes(0));
  EXPECT_TRUE(IsLegal(f.history.Last().board, f.sink->best()[0].move));
  EXPECT_EQ(f.backend->computations(), 0);
}

TEST(MctsSearch, OneNodeAnswersTheMoveOfHighestPrior) {
  SearchFixture f(kMiddlegameFen);
  f.Run(Nodes(1));
  const SearchSnapshot snapshot = f.search->Snapshot();
  for (const RootMove& move : snapshot.moves)
    EXPECT_LE(move.prior, f.Find(snapshot, f.best())->prior);
}

TEST(MctsSearch, MateInOneIsAnsweredAndProven) {
  SearchFixture f(kMateInOneFen);
  f.Run(Nodes(10000));
  EXPECT_EQ(f.best(), "e1e8");
  EXPECT_TRUE(f.search->Snapshot().proven);
  EXPECT_LT(f.search->Counters().nodes, 10000);
  EXPECT_EQ(f.last_info().lines[0].score.mate_moves, 1);
}

TEST(MctsSearch, MateInTwoIsProvenAndStopsTheSearch) {
  SearchFixture f(kMateInTwoFen);
  f.Run(Nodes(200000));
  EXPECT_TRUE(f.search->Snapshot().proven);
  EXPECT_LT(f.search->Counters().nodes, 200000);
  ASSERT_TRUE(f.last_info().lines[0].score.mate_moves.has_value());
  EXPECT_GE(*f.last_info().lines[0].score.mate_moves, 2);
}

TEST(MctsSearch, ARootWithoutMovesAnswersTheNullMove) {
  for (const char* fen : {kStalemateFen, kCheckmateFen}) {
    SearchFixture f(fen);
    f.Run(Nodes(100));
    EXPECT_TRUE(f.sink->best()[0].move.is_null());
  }
}

}  // namespace
}  // namespace plexus
