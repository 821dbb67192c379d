#include "mcts/mcts_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

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

TEST(MctsSearch, TreeIsReusedAfterTheExpectedReply) {
  SearchFixture f;
  f.Run(Nodes(2000));
  const BestMove answer = f.sink->best()[0];
  ASSERT_FALSE(answer.ponder.is_null());
  f.history.Append(answer.move);
  f.history.Append(answer.ponder);
  f.search->SetPosition(f.history);
  EXPECT_GT(f.search->Snapshot().visits, 20);
  const int64_t kept = f.search->Snapshot().visits;
  f.Run(Nodes(kept + 500));
  EXPECT_EQ(f.search->Counters().nodes, kept + 500);
  EXPECT_EQ(f.search->Counters().playouts, 500);
}

TEST(MctsSearch, AReusedTreeThatIsLargeEnoughAnswersAtOnce) {
  SearchFixture f;
  f.Run(Nodes(1000));
  f.Run(Nodes(500));
  EXPECT_EQ(f.search->Counters().playouts, 0);
  EXPECT_EQ(f.search->Counters().nodes, 1000);
}

TEST(MctsSearch, NodesMayCountNewPlayoutsOnly) {
  SearchFixture f;
  f.Run(Nodes(1000));
  f.stop_params.nodes_as_playouts = true;
  f.Run(Nodes(300));
  EXPECT_EQ(f.search->Counters().playouts, 300);
}

TEST(MctsSearch, SearchmovesRestrictsTheRootOnly) {
  SearchFixture f;
  SearchLimits limits = Nodes(600);
  limits.searchmoves = {ParseUci(f.history.Last().board, "a2a3", false)};
  f.Run(limits);
  EXPECT_EQ(f.best(), "a2a3");
  const SearchSnapshot snapshot = f.search->Snapshot();
  ASSERT_EQ(snapshot.moves.size(), 1u);
  EXPECT_EQ(snapshot.moves[0].visits, 599);
  // Below it every reply is free.
  const Tree& tree = f.search->tree();
  TreeReadLock lock(tree.nodes_mutex());
  for (const ChildSlot& slot : tree.children(tree.node(tree.root()))) {
    if (slot.n > 0) {
      EXPECT_GT(tree.node(slot.node).num_children, 5);
    }
  }
}

TEST(MctsSearch, SearchmovesOfOneSearchDoNotBindTheNext) {
  SearchFixture f;
  SearchLimits limits = Nodes(100);
  limits.searchmoves = {ParseUci(f.history.Last().board, "a2a3", false)};
  f.Run(limits);
  f.Run(Nodes(2000));
  EXPECT_EQ(f.search->Snapshot().moves.size(), 20u);
}

TEST(MctsSearch, AWinOutsideTheSearchmovesProvesNothing) {
  SearchFixture f(kMateInOneFen);
  f.Run(Nodes(1000));
  SearchLimits limits = Nodes(3000);
  limits.searchmoves = {ParseUci(f.history.Last().board, "a1a2", false)};
  f.Run(limits);
  EXPECT_EQ(f.best(), "a1a2");
  EXPECT_GT(f.search->Counters().playouts, 0);
}

TEST(MctsSearch, TheSlowerOfTwoLossesIsChosenAndProven) {
  SearchFixture f(kTwoLosingMovesFen);
  f.params.threads = 1;
  f.Run(Nodes(10000));
  EXPECT_EQ(f.best(), "f1g1");
  EXPECT_TRUE(f.search->Snapshot().proven);
  // The first proof found counts; it may be that of a slower mate.
  EXPECT_LE(f.last_info().lines[0].score.mate_moves.value_or(0), -2);
}

TEST(MctsSearch, ManyWorkersChooseTheSlowerOfTwoLosses) {
  SearchFixture f(kTwoLosingMovesFen);
  f.params.threads = 4;
  f.Run(Nodes(10000));
  EXPECT_EQ(f.best(), "f1g1");
  EXPECT_TRUE(f.search->Snapshot().proven);
  // The first proof found counts; with several workers it may be that of a slower mate.
  EXPECT_LE(f.last_info().lines[0].score.mate_moves.value_or(0), -2);
}

TEST(MctsSearch, DepthLimitsEndInASolvedTree) {
  SearchFixture f("3rr1k1/5pp1/p4P1p/P7/8/6bP/6P1/7K w - - 0 37");  // only moves to lose by
  SearchLimits limits;
  limits.depth = 40;
  f.Run(limits);
  EXPECT_EQ(f.search->Snapshot().proven, true);
  EXPECT_EQ(f.last_info().lines[0].score.mate_moves, -1);
}

TEST(MctsSearch, AForcedMoveIsToldWithALineBeforeIt) {
  SearchFixture f(kStartFen);
  f.SetGame(kStartFen, {"h2h4", "e7e5", "h4h5", "d7d5", "h5h6", "g8h6", "g2g4", "h6g4", "f2f4",
                        "f8e7", "f4e5", "e7h4"});
  f.Run(Nodes(1000));
  EXPECT_EQ(f.best(), "h1h4");
  ASSERT_FALSE(f.sink->infos().empty());
  EXPECT_GE(f.last_info().depth, 1);
  EXPECT_EQ(f.last_info().lines[0].moves[0], f.sink->best()[0].move);
}

TEST(MctsSearch, ASingleSearchmoveIsSearchedInFull) {
  SearchFixture f;
  SearchLimits limits = Nodes(500);
  limits.searchmoves = {ParseUci(f.history.Last().board, "d2d4", false)};
  f.Run(limits);
  EXPECT_EQ(f.search->Counters().nodes, 500);
}

TEST(MctsSearch, TheLineShownBeginsWithTheMoveAnswered) {
  SearchFixture f;
  f.Run(Nodes(3000));
  f.SetGame(kStartFen, {ToUci(f.history.Last().board, f.sink->best()[0].move, false)});
  f.Run(Nodes(700));
  EXPECT_EQ(f.last_info().lines[0].moves[0], f.sink->best()[0].move);
}

TEST(MctsSearch, PastFiftyMovesTheRootIsSearchedAsIfPlayGoesOn) {
  // Any rook move but those that hang it keeps the win in hand: material decides.
  SearchFixture f(kPast50MovesFen, [](const EvalInput& input, EvalOutput* out) {
    FlatEvaluation(input, out);
    const Board& board = input.history.back().board;
    const bool white_to_move = board.side_to_move() == Color::kWhite;
    const bool has_rook = board.pieces(PieceType::kRook) != 0;
    out->d = has_rook ? 0.0f : 1.0f;
    out->wl = !has_rook ? 0.0f : white_to_move ? 0.9f : -0.9f;
  });
  f.Run(Nodes(300));
  EXPECT_EQ(f.search->Counters().nodes, 300);
  EXPECT_GT(f.search->Snapshot().q, 0.5);
}

TEST(MctsSearch, ARootThatStandsForTheThirdTimeIsSearched) {
  SearchFixture f;
  f.SetGame(kStartFen, {"g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"});
  f.Run(Nodes(200));
  EXPECT_EQ(f.search->Counters().nodes, 200);
}

TEST(MctsSearch, NewGameForgetsTheTreeAndGivesItsMemoryBack) {
  SearchFixture f;
  f.Run(Nodes(5000));
  f.search->NewGame();
  EXPECT_EQ(f.backend->cache_clears, 1);
  {
    TreeReadLock lock(f.search->tree().nodes_mutex());
    EXPECT_EQ(f.search->tree().bytes_reserved(), 0);
  }
  f.search->SetPosition(f.history);
  EXPECT_EQ(f.search->Snapshot().visits, 0);
}

TEST(MctsSearch, AnotherBackendStartsWithAnEmptyTree) {
  SearchFixture f;
  f.Run(Nodes(100));
  const auto other = std::make_shared<MockBackend>(FlatEvaluation);
  f.search->SetBackend(other);
  EXPECT_EQ(f.search->Snapshot().visits, 0);
  f.Run(Nodes(100));
  EXPECT_GT(other->computations(), 0);
}

TEST(MctsSearch, LessThanAMinibatchOfThreadsOrPositionsWorks) {
  SearchFixture f;
  f.params.minibatch_size = 64;
  f.backend->attributes_value.max_batch = 3;
  f.Run(Nodes(200));
  for (const int size : f.backend->batch_sizes()) EXPECT_LE(size, 3);
}

TEST(MctsSearch, NoiseChangesPriorsOnlyAtTheRootAndOnlyForASearch) {
  SearchFixture f;
  f.params.noise_epsilon = 0.5f;
  f.Run(Nodes(50));
  const Tree& tree = f.search->tree();
  TreeReadLock lock(tree.nodes_mutex());
  const auto children = tree.children(tree.node(tree.root()));
  double difference = 0, sum = 0;
  for (size_t i = 0; i < children.size(); ++i) {
    difference += std::abs(tree.root_edges().priors[i] - children[i].p());
    sum += tree.root_edges().priors[i];
  }
  EXPECT_GT(difference, 0.05);
  EXPECT_NEAR(sum, 1, 1e-3);
}

TEST(MctsSearch, DrawScoreAloneChangesOnlyWhatDrawsAreWorth) {
  // Where no draw is expected, the draw score changes nothing.
  const auto visits = [](float draw_score) {
    SearchFixture f(kMiddlegameFen, [](const EvalInput& input, EvalOutput* out) {
      HashEvaluation(input, out);
      out->d = 0;
    });
    f.params.draw_score = draw_score;
    f.params.two_fold_draws = false;
    f.Run(Nodes(500));
    std::vector<int64_t> n;
    for (const RootMove& move : f.search->Snapshot().moves) n.push_back(move.visits);
    return n;
  };
  EXPECT_EQ(visits(0.0f), visits(0.1f));
}

TEST(MctsSearch, PerMoveVisitsNeverDecreaseWhileItSearches) {
  SearchFixture f(kMiddlegameFen);
  f.params.multi_pv = 20;
  f.backend->clock = &f.clock;
  f.backend->cost = std::chrono::milliseconds(30);
  f.Run(Nodes(1500));
  std::map<uint16_t, int64_t> last;
  ASSERT_GT(f.sink->infos().size(), 3u);
  for (const SearchInfo& info : f.sink->infos()) {
    for (const PvLine& line : info.lines) {
      EXPECT_GE(line.visits, last[line.moves[0].bits()]);
      last[line.moves[0].bits()] = line.visits;
    }
  }
}

TEST(MctsSearch, CountersNameTheLocksOfEachPhase) {
  SearchFixture f(kMiddlegameFen);
  f.Run(Nodes(2000));
  const SearchCounters c = f.search->Counters();
  EXPECT_EQ(c.lock_acquisitions_gather, c.minibatches);
  EXPECT_EQ(c.lock_acquisitions_backup, c.minibatches);
  EXPECT_LT(c.lock_acquisitions_other, 40);
  EXPECT_GT(c.lock_held_ns, 0);
  EXPECT_GT(c.gather_ns, 0);
  EXPECT_GT(c.backup_ns, 0);
  EXPECT_LE(c.gather_ns + c.backup_ns, c.lock_held_ns);
  EXPECT_GT(c.tree_bytes, c.tree_nodes * 64);
  EXPECT_GT(c.tree_nodes, 1000);
}

// Pawn 1, knight and bishop 3, rook 5, queen 9; a lead of 10 is 0.7 of a win.
void MaterialEvaluation(const EvalInput& input, EvalOutput* out) {
  FlatEvaluation(input, out);
  const Board& board = input.history.back().board;
  const Color mover = board.side_to_move();
  const int worth[] = {1, 3, 3, 5, 9, 0};
  float lead = 0;
  for (int i = 0; i < 6; ++i) {
    const PieceType type = static_cast<PieceType>(i);
    lead += static_cast<float>(
        worth[i] * (PopCount(board.pieces(mover, type)) - PopCount(board.pieces(~mover, type))));
  }
  out->wl = std::clamp(lead * 0.07f, -0.95f, 0.95f);
  out->d = (1 - std::abs(out->wl)) / 2;
}

// A tree that is reused across a forced perpetual must not forget the draws that it found (two-fold draws are lifted
// when their first occurrence becomes part of the game).
TEST(MctsSearch, TheValueOfAPerpetualTendsToADrawAndDoesNotJump) {
  SearchFixture f(kPerpetualFen, MaterialEvaluation);
  const std::vector<std::string> checks = {"h5e8", "g8h7", "e8h5", "h7g8"};
  std::vector<std::string> moves;
  for (int ply = 0; ply < 6; ++ply) {
    f.Run(Nodes(f.search->Snapshot().visits + 1500));
    const SearchSnapshot before = f.search->Snapshot();
    const RootMove* played = f.Find(before, checks[ply % 4]);
    ASSERT_NE(played, nullptr);
    EXPECT_NEAR(played->q, 0, 0.2) << ply;
    const float q = played->q;
    moves.push_back(checks[ply % 4]);
    f.SetGame(kPerpetualFen, moves);
    const SearchSnapshot after = f.search->Snapshot();
    EXPECT_EQ(CheckTree(f.search->tree()), "");
    if (after.visits > 0) {
      EXPECT_NEAR(-after.q, q, 0.02) << ply;
    }
  }
}

}  // namespace
}  // namespace plexus
