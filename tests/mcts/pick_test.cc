#include "mcts/pick.h"

#include <gtest/gtest.h>

#include <map>

#include "mcts/backup.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

class PickTest : public testing::Test {
 protected:
  // One descent of `visits`; how many of them went below each root move.
  std::map<std::string, uint32_t> Descend(
      PhaseFixture& f, uint32_t visits, const SelectionParams& selection = SelectionParams(),
      int64_t hopeless_after = std::numeric_limits<int64_t>::max()) {
    TreeWriteLock lock(f.tree.nodes_mutex());
    PickParams params{&selection, hopeless_after};
    PickScratch scratch;
    Minibatch batch;
    PickNodeToExtend(lock, f.tree, params, visits, {visits, visits, visits}, &scratch, &batch);
    std::map<std::string, uint32_t> visits_of;
    const Node& root = f.tree.node(f.tree.root());
    for (size_t i = 0; i < root.num_children; ++i) {
      const uint32_t n = f.tree.children(root)[i].n_in_flight;
      if (n > 0)
        visits_of[ToUci(f.tree.root_history().Last().board, f.tree.node(f.tree.children(root)[i].node).move.move(), false)] =
            n;
    }
    TakeBackMinibatch(lock, f.tree, &batch);
    return visits_of;
  }
};

TEST_F(PickTest, ManyVisitsInOneDescentGoWhereSingleOnesWouldGo) {
  PhaseFixture f(kMiddlegameFen);
  f.Grow(100);
  // Of a leaf in flight more visits may be wanted than one by one: compare what the root's moves got.
  std::map<std::string, uint32_t> singles;
  {
    TreeWriteLock lock(f.tree.nodes_mutex());
    const SelectionParams selection;
    PickParams params{&selection, std::numeric_limits<int64_t>::max()};
    PickScratch scratch;
    Minibatch batch;
    for (int i = 0; i < 40; ++i) {
      PickNodeToExtend(lock, f.tree, params, 1, {1, 1, 1}, &scratch, &batch);
    }
    const Node& root = f.tree.node(f.tree.root());
    for (size_t i = 0; i < root.num_children; ++i) {
      const uint32_t n = f.tree.children(root)[i].n_in_flight;
      if (n > 0)
        singles[ToUci(f.tree.root_history().Last().board, f.tree.node(f.tree.children(root)[i].node).move.move(), false)] = n;
    }
    TakeBackMinibatch(lock, f.tree, &batch);
  }
  EXPECT_EQ(Descend(f, 40), singles);
}

TEST_F(PickTest, SearchmovesAreTheOnlyOnesVisited) {
  PhaseFixture f;
  f.Grow(10);
  const Move a2a3 = ParseUci(f.tree.root_history().Last().board, "a2a3", false);
  {
    TreeWriteLock lock(f.tree.nodes_mutex());
    f.tree.SetRootFilter(lock, std::span<const Move>(&a2a3, 1));
  }
  EXPECT_EQ(Descend(f, 30), (std::map<std::string, uint32_t>{{"a2a3", 30}}));
}

TEST_F(PickTest, MovesThatCannotCatchUpAreLeftOut) {
  PhaseFixture f(kMiddlegameFen);
  f.Grow(200);
  EXPECT_GT(Descend(f, 60).size(), 1u);
  EXPECT_EQ(Descend(f, 60, SelectionParams(), /*hopeless_after=*/0).size(), 1u);
}

// A draw is worth 1 to white: white's quiet drawing tries, not black's, gain by it.
TEST_F(PickTest, DrawScoreIsWhitesView) {
  for (const char* fen : {"4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", "4k3/3pp3/8/8/8/8/8/4K3 b - - 0 1"}) {
    // One move leads to draws (d = 1), the others are open.
    PhaseFixture f(fen, [](const EvalInput& input, EvalOutput* out) {
      FlatEvaluation(input, out);
      const Board& board = input.history.back().board;
      const bool pawn_moved = (board.pieces(PieceType::kPawn) & 0x0018000000001800) == 0 ||
                              PopCount(board.pieces(PieceType::kPawn) & 0x0018000000001800) == 1;
      out->d = pawn_moved ? 1.0f : 0.0f;
    });
    f.Grow(12);
    SearchParams params;
    params.draw_score = 1.0f;
    params.cpuct = 0.01f;
    const bool white = !f.tree.root_history().Last().black_to_move();
    const auto visits = Descend(f, 20, SelectionParams(params, false));
    for (const auto& [move, n] : visits) {
      const bool is_pawn_move = move[0] != 'e' || (move[1] != '1' && move[1] != '8');
      if (n > 1) {
        EXPECT_EQ(is_pawn_move, white) << fen << " " << move;
      }
    }
  }
}

}  // namespace
}  // namespace plexus
