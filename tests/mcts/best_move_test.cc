#include "mcts/best_move.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "mcts/hand_made_tree.h"

namespace plexus {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Moves of the root, best first, by their edge number.
std::vector<int> Order(HandMadeTree& made) {
  TreeReadLock lock(made.tree.nodes_mutex());
  std::vector<int> order;
  for (const RankedMove& move : RankMoves(lock, made.tree, made.tree.root())) {
    order.push_back(move.edge);
  }
  return order;
}

BestMoveChoice Choose(HandMadeTree& made, const SearchParams& params = {}, Random* random = nullptr,
                      const std::vector<Move>& fallback = {}) {
  TreeReadLock lock(made.tree.nodes_mutex());
  return ChooseBestMove(lock, made.tree, params, fallback, random);
}

class BestMoveTest : public ::testing::Test {
 protected:
  void SetUp() override {
    made.Expand(made.root(), {{"e2e4", 0.4f}, {"d2d4", 0.3f}, {"c2c4", 0.2f}, {"g1f3", 0.1f}});
    for (int edge = 0; edge < 4; ++edge) child[edge] = made.Child(made.root(), edge);
    made.Visit(made.root(), 100, -0.1, 0.5, 60);
  }
  HandMadeTree made;
  NodeIndex child[4];
};

TEST_F(BestMoveTest, MoreVisitsWinThenValueThenPrior) {
  made.Visit(child[0], 10, 0.9, 0, 50);
  made.Visit(child[1], 30, 0.1, 0, 50);
  made.Visit(child[2], 30, 0.2, 0, 50);
  made.Visit(child[3], 10, 0.9, 0, 50);
  EXPECT_THAT(Order(made), ElementsAre(2, 1, 0, 3));
}

TEST_F(BestMoveTest, ProvenWinsComeFirstTheShorterBefore) {
  made.Visit(child[0], 1000, 0.9, 0, 50);
  made.Prove(child[2], 5, 1, 6);
  made.Prove(child[3], 1, 1, 2);
  EXPECT_THAT(Order(made), ElementsAre(3, 2, 0, 1));
}

TEST_F(BestMoveTest, ProvenLossesComeLastTheLongerBefore) {
  made.Prove(child[0], 500, -1, 3);
  made.Prove(child[1], 300, -1, 7);
  made.Visit(child[2], 1, -0.99, 0, 50);
  EXPECT_THAT(Order(made), ElementsAre(2, 3, 1, 0));
}

TEST(BestMove, ALossByMateInOneIsKnownWhateverMateProvedIt) {
  HandMadeTree made("6k1/8/8/8/8/7r/r7/5K2 w - - 0 1");
  made.Expand(made.root(), {{"f1e1", 0.6f}, {"f1g1", 0.4f}});
  made.Prove(made.Child(made.root(), 0), 500, -1, 5);  // Rh1# was not looked at
  made.Prove(made.Child(made.root(), 1), 300, -1, 3);
  TreeReadLock lock(made.tree.nodes_mutex());
  const std::vector<RankedMove> moves = RankMoves(lock, made.tree, made.tree.root());
  EXPECT_EQ(moves[0].move, PlainMove("f1g1"));
  EXPECT_EQ(moves[1].m, 1);
}

TEST_F(BestMoveTest, ProvenDrawsRankByVisits) {
  made.Prove(child[0], 20, 0, 3);
  made.Prove(child[1], 30, 0, 9);
  made.Visit(child[2], 25, -0.5, 0, 50);
  made.Prove(child[3], 90, -1, 9);
  EXPECT_THAT(Order(made), ElementsAre(1, 2, 0, 3));
}

TEST_F(BestMoveTest, MovesThatWereNotAskedForAreLeftOut) {
  made.Visit(child[0], 10, 0.9, 0, 50);
  made.Forbid(0);
  EXPECT_THAT(Order(made), ElementsAre(1, 2, 3));
  EXPECT_EQ(Choose(made).best, PlainMove("d2d4"));
}

TEST_F(BestMoveTest, UnvisitedMovesCarryTheValueOfTheirParentForTheSideToMove) {
  TreeReadLock lock(made.tree.nodes_mutex());
  const std::vector<RankedMove> moves = RankMoves(lock, made.tree, made.tree.root());
  EXPECT_EQ(moves[0].node, kNoNode);
  EXPECT_EQ(moves[0].visits, 0);
  EXPECT_FLOAT_EQ(moves[0].q, 0.1f);
  EXPECT_FLOAT_EQ(moves[0].d, 0.5f);
  EXPECT_EQ(moves[0].lower, -1);
  EXPECT_EQ(moves[0].upper, 1);
}

TEST_F(BestMoveTest, PriorsOfTheRootAreThoseWithNoise) {
  {
    TreeWriteLock lock(made.tree.nodes_mutex());
    made.tree.root_edges().priors = {0.1f, 0.2f, 0.3f, 0.4f};
  }
  EXPECT_THAT(Order(made), ElementsAre(3, 2, 1, 0));
}

TEST_F(BestMoveTest, PonderMoveIsTheBestVisitedReply) {
  made.Visit(child[1], 50, 0.2, 0, 50);
  EXPECT_TRUE(Choose(made).ponder.is_null());
  made.Expand(child[1], {{"d7d5", 0.6f}, {"g8f6", 0.4f}});
  EXPECT_TRUE(Choose(made).ponder.is_null()) << "no reply was visited";
  made.Visit(made.Child(child[1], 0), 10, 0, 0, 40);
  made.Visit(made.Child(child[1], 1), 30, 0, 0, 40);
  EXPECT_EQ(Choose(made).best, PlainMove("d2d4"));
  EXPECT_EQ(Choose(made).ponder, PlainMove("g8f6"));
}

TEST_F(BestMoveTest, ReplyThatMatesIsThePonderMoveWhenEverythingLoses) {
  for (const NodeIndex each : child) made.Prove(each, 5, -1, 1);
  made.Expand(child[0], {{"d8h4", 0.1f}});
  made.Prove(made.Child(child[0], 0), 1, 1, 0, Terminal::kGameOver);
  EXPECT_EQ(Choose(made).best, PlainMove("e2e4"));
  EXPECT_EQ(Choose(made).ponder, PlainMove("d8h4"));
}

TEST(BestMove, RootThatIsNotExpandedGivesTheFirstFallback) {
  HandMadeTree made;
  const std::vector<Move> fallback = {PlainMove("a2a3"), PlainMove("b2b3")};
  EXPECT_EQ(Choose(made, {}, nullptr, fallback).best, PlainMove("a2a3"));
  EXPECT_TRUE(Choose(made, {}, nullptr, fallback).ponder.is_null());
  EXPECT_TRUE(Choose(made).best.is_null());
  EXPECT_THAT(Order(made), IsEmpty());
}

TEST(Temperature, StaysWhenNoDecayIsAskedFor) {
  SearchParams params;
  params.temperature = 0.8f;
  EXPECT_EQ(TemperatureAt(params, 0), 0.8f);
  EXPECT_EQ(TemperatureAt(params, 500), 0.8f);
}

TEST(Temperature, FallsInAStraightLineAfterTheDelay) {
  SearchParams params;
  params.temperature = 1.0f;
  params.temp_decay_moves = 10;
  params.temp_decay_delay_moves = 5;
  EXPECT_FLOAT_EQ(TemperatureAt(params, 5), 1.0f);
  EXPECT_FLOAT_EQ(TemperatureAt(params, 6), 0.9f);
  EXPECT_FLOAT_EQ(TemperatureAt(params, 14), 0.1f);
  EXPECT_FLOAT_EQ(TemperatureAt(params, 15), 0.0f);
  EXPECT_FLOAT_EQ(TemperatureAt(params, 400), 0.0f);
}

TEST(Temperature, NeverFallsBelowThatOfTheEndgame) {
  SearchParams params;
  params.temperature = 1.0f;
  params.temp_decay_moves = 10;
  params.temp_endgame = 0.45f;
  EXPECT_FLOAT_EQ(TemperatureAt(params, 5), 0.5f);
  EXPECT_FLOAT_EQ(TemperatureAt(params, 6), 0.45f);
  EXPECT_FLOAT_EQ(TemperatureAt(params, 60), 0.45f);
}

TEST(Temperature, EndgameBeginsAtTheCutoffMove) {
  SearchParams params;
  params.temperature = 1.0f;
  params.temp_cutoff_move = 16;
  params.temp_endgame = 0.2f;
  EXPECT_EQ(TemperatureAt(params, 14), 1.0f);
  EXPECT_EQ(TemperatureAt(params, 15), 0.2f);
  params.temperature = 0;
  EXPECT_EQ(TemperatureAt(params, 15), 0.2f);
}

class RandomMoveTest : public BestMoveTest {
 protected:
  void SetUp() override {
    BestMoveTest::SetUp();
    made.Visit(child[0], 60, 0.5, 0.2, 50);
    made.Visit(child[1], 30, 0.4, 0.2, 50);
    made.Visit(child[2], 10, -0.3, 0.2, 50);
    params.temperature = 1;
  }
  // How often each move is played in 10000 choices, by edge.
  std::map<uint16_t, int> Count() {
    Random random(1);
    std::map<uint16_t, int> count;
    for (int i = 0; i < 10000; ++i) ++count[Choose(made, params, &random).best.bits()];
    return count;
  }
  int Of(std::map<uint16_t, int>& count, const char* move) { return count[PlainMove(move).bits()]; }
  SearchParams params;
};

TEST_F(RandomMoveTest, TemperatureOnePlaysInProportionToVisits) {
  std::map<uint16_t, int> count = Count();
  EXPECT_NEAR(Of(count, "e2e4"), 6000, 150);
  EXPECT_NEAR(Of(count, "d2d4"), 3000, 150);
  EXPECT_NEAR(Of(count, "c2c4"), 1000, 100);
  EXPECT_EQ(Of(count, "g1f3"), 0);
}

TEST_F(RandomMoveTest, TemperatureOneHalfSquaresTheVisits) {
  params.temperature = 0.5f;
  std::map<uint16_t, int> count = Count();
  EXPECT_NEAR(Of(count, "e2e4"), 7826, 150);  // 3600 of 4600
  EXPECT_NEAR(Of(count, "d2d4"), 1957, 150);
}

TEST_F(RandomMoveTest, TemperatureNearZeroPlaysTheBest) {
  params.temperature = 0.001f;
  std::map<uint16_t, int> count = Count();
  EXPECT_EQ(Of(count, "e2e4"), 10000);
}

TEST_F(RandomMoveTest, WithoutARandomGeneratorTheBestIsPlayed) {
  EXPECT_EQ(Choose(made, params).best, PlainMove("e2e4"));
}

TEST_F(RandomMoveTest, MovesThatAreTooMuchWorseAreNotPlayed) {
  params.temp_value_cutoff = 10;  // percent of winning chance: 0.2 of value
  std::map<uint16_t, int> count = Count();
  EXPECT_NEAR(Of(count, "d2d4"), 3333, 150);
  EXPECT_EQ(Of(count, "c2c4"), 0);
}

TEST_F(RandomMoveTest, DrawScoreCountsInTheCutoff) {
  made.Visit(child[0], 60, 0.0, 1.0, 50);
  made.Visit(child[1], 30, 0.0, 0.0, 50);
  params.temp_value_cutoff = 10;
  std::map<uint16_t, int> before = Count();
  EXPECT_GT(Of(before, "d2d4"), 0);
  params.draw_score = 0.5f;
  std::map<uint16_t, int> count = Count();
  EXPECT_EQ(Of(count, "d2d4"), 0);
}

TEST_F(RandomMoveTest, VisitOffsetCanSilenceRareMovesAndWakeUnvisitedOnes) {
  params.temp_visit_offset = -10;
  std::map<uint16_t, int> silenced = Count();
  EXPECT_EQ(Of(silenced, "c2c4"), 0);
  EXPECT_NEAR(Of(silenced, "e2e4"), 7143, 150);  // 50 of 70
  params.temp_visit_offset = 10;
  std::map<uint16_t, int> awake = Count();
  EXPECT_NEAR(Of(awake, "g1f3"), 714, 100);  // 10 of 140
  params.temp_visit_offset = -1000;
  std::map<uint16_t, int> nothing_left = Count();
  EXPECT_EQ(Of(nothing_left, "e2e4"), 10000);
}

TEST_F(RandomMoveTest, ProvenLossesAreNeverDrawnAndProvenWinsAlways) {
  made.Prove(child[1], 30, -1, 4);
  std::map<uint16_t, int> no_loss = Count();
  EXPECT_EQ(Of(no_loss, "d2d4"), 0);
  made.Prove(child[2], 10, 1, 4);
  std::map<uint16_t, int> win = Count();
  EXPECT_EQ(Of(win, "c2c4"), 10000);
}

TEST_F(RandomMoveTest, SameSeedPlaysTheSameMoves) {
  Random a(9), b(9);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(Choose(made, params, &a).best, Choose(made, params, &b).best);
  }
}

TEST(DrawScore, IsThatOfWhiteTurnedRoundForBlack) {
  SearchParams params;
  params.draw_score = 0.3f;
  EXPECT_EQ(DrawScoreAtRoot(params, HandMadeTree().tree), 0.3f);
  HandMadeTree black("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
  EXPECT_EQ(DrawScoreAtRoot(params, black.tree), -0.3f);
}

}  // namespace
}  // namespace plexus
