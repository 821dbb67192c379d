#include "chess/perft.h"

#include <gtest/gtest.h>

#include "chess/random_games.h"

namespace plexus {
namespace {

struct Known {
  const char* name;
  const char* fen;
  std::vector<uint64_t> nodes;  // depth 1, 2, ...
};

// The six positions that everybody counts: https://www.chessprogramming.org/Perft_Results
const std::vector<Known>& UsualPositions() {
  static const std::vector<Known> positions = {
      {"start", kStartFen, {20, 400, 8902, 197281, 4865609}},
      {"kiwipete",
       "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
       {48, 2039, 97862, 4085603}},
      {"endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", {14, 191, 2812, 43238, 674624}},
      {"position 4",
       "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
       {6, 264, 9467, 422333}},
      {"position 5",
       "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
       {44, 1486, 62379, 2103487}},
      {"position 6",
       "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
       {46, 2079, 89890, 3894594}},
  };
  return positions;
}

TEST(Perft, CountsTheUsualPositions) {
  for (const Known& known : UsualPositions()) {
    const Board board = BoardOf(known.fen);
    for (size_t depth = 1; depth <= known.nodes.size(); ++depth) {
      EXPECT_EQ(Perft(board, static_cast<int>(depth)), known.nodes[depth - 1])
          << known.name << " depth " << depth;
    }
  }
}

TEST(Perft, OfDepthZeroIsOne) { EXPECT_EQ(Perft(Board::StartPosition(), 0), 1u); }

// Case 104.
TEST(Perft, CountsAChess960Position) {
  EXPECT_EQ(Perft(BoardOf("bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"), 4),
            326672u);
}

TEST(Perft, OfAMatedSideIsZero) {
  EXPECT_EQ(Perft(BoardOf("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1"), 3), 0u);
}

}  // namespace
}  // namespace plexus
