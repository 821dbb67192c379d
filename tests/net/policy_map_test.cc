#include "net/policy_map.h"

#include <gtest/gtest.h>

#include <set>

#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "net/input_format.h"

namespace plexus {
namespace {

int IndexOf(const char* fen, const char* move) {
  const Board board = ParseFen(fen).board;
  return PolicyIndex(ParseUci(board, move, true), board.side_to_move(), kNoTransform);
}

TEST(PolicyMap, NumbersMovesAsThePublicTableDoes) {
  EXPECT_EQ(IndexOf(kStartFen, "b1a3"), 34);
  EXPECT_EQ(IndexOf(kStartFen, "e2e4"), 322);
  EXPECT_EQ(IndexOf(kStartFen, "h2h4"), 403);
}

TEST(PolicyMap, BlackMovesAreSeenFromBlacksSide) {
  EXPECT_EQ(IndexOf("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "e7e5"),
            IndexOf(kStartFen, "e2e4"));
}

TEST(PolicyMap, PromotionsFollowThePlainMoves) {
  const char* fen = "1n6/P6k/8/8/8/8/8/K7 w - - 0 1";
  EXPECT_EQ(IndexOf(fen, "a7a8q"), 1792);
  EXPECT_EQ(IndexOf(fen, "a7a8r"), 1793);
  EXPECT_EQ(IndexOf(fen, "a7a8b"), 1794);
  EXPECT_EQ(IndexOf(fen, "a7b8q"), 1795);
  EXPECT_LT(IndexOf(fen, "a7a8n"), 1792);
  EXPECT_EQ(IndexOf("6n1/k6P/8/8/8/8/8/K7 w - - 0 1", "h7h8b"), 1857);
}

TEST(PolicyMap, CastlingGoesToTheRooksSquareInStandardChessToo) {
  EXPECT_EQ(IndexOf("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1h1"), 103);
}

TEST(PolicyMap, ATransformMovesBothSquares) {
  const Board board = ParseFen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").board;
  const Move plain = ParseUci(board, "a1b1", true), flipped(MakeSquare(7, 0), MakeSquare(6, 0));
  EXPECT_EQ(PolicyIndex(plain, Color::kWhite, kFlipTransform),
            PolicyIndex(flipped, Color::kWhite, kNoTransform));
}

TEST(PolicyMap, SeveralMovesGetTheirIndicesInOrder) {
  const Board board = ParseFen("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1").board;
  const MoveList moves = LegalMoves(board);
  std::vector<uint16_t> indices(moves.size());
  PolicyIndices({moves.begin(), indices.size()}, Color::kBlack, kFlipTransform, indices);
  for (int i = 0; i < moves.size(); ++i)
    EXPECT_EQ(indices[i], PolicyIndex(moves[i], Color::kBlack, kFlipTransform));
}

TEST(PolicyMap, LegalMovesOfAPositionHaveDistinctIndices) {
  for (const char* fen : {"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                          "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"}) {
    const Board board = ParseFen(fen).board;
    for (const int transform :
         {kNoTransform, kFlipTransform}) {  // with pawns, nothing else can happen
      std::set<int> seen;
      const MoveList moves = LegalMoves(board);
      for (const Move move : moves) {
        const int index = PolicyIndex(move, board.side_to_move(), transform);
        EXPECT_GE(index, 0);
        EXPECT_LT(index, kPolicySize);
        seen.insert(index);
      }
      EXPECT_EQ(static_cast<int>(seen.size()), moves.size());
    }
  }
}

TEST(PolicyMap, HeadsHaveAPlaceOfTheirOwnForEveryIndex) {
  const auto& convolution = ConvolutionPolicyMap();
  EXPECT_EQ(std::set<uint16_t>(convolution.begin(), convolution.end()).size(),
            static_cast<size_t>(kPolicySize));
  for (const uint16_t place : convolution) EXPECT_LT(place, 73 * 64);
  const auto& attention = AttentionPolicyMap();
  EXPECT_EQ(std::set<uint16_t>(attention.begin(), attention.end()).size(),
            static_cast<size_t>(kPolicySize));
  for (const uint16_t place : attention) EXPECT_LT(place, 64 * 64 + 8 * 24);
}

TEST(PolicyMap, ConvolutionPlanesFollowTheDirections) {
  const auto& map = ConvolutionPolicyMap();
  constexpr int kE2 = 12;
  EXPECT_EQ(map[322], 1 * 64 + kE2);             // e2e4: north, two squares
  EXPECT_EQ(map[159], 63 * 64 + 6);              // g1f3: the knight jump (-1, +2)
  EXPECT_EQ(map[1792], (64 + 3 + 2) * 64 + 48);  // a7a8q: straight, queen last of r, b, q
  EXPECT_EQ(map[1796], (64 + 6 + 0) * 64 + 48);  // a7b8r: capture to the east, rook first
}

}  // namespace
}  // namespace plexus
