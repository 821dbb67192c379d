#include "net/policy_map.h"

#include <cstdlib>

#include "net/transform.h"

namespace plexus {
namespace {

constexpr int kPlainMoves = 1792;
constexpr uint16_t kNoIndex = 0xffff;

// A policy index as squares; promotion 0 = plain (also the knight promotion), 1 = queen, 2 = rook,
// 3 = bishop.
struct PolicyMove {
  uint8_t from = 0, to = 0, promotion = 0;
};

constexpr int Abs(int x) { return x < 0 ? -x : x; }

constexpr bool QueenOrKnightReaches(int from, int to) {
  const int files = Abs((to & 7) - (from & 7));
  const int ranks = Abs((to >> 3) - (from >> 3));
  if (from == to) return false;
  return files == 0 || ranks == 0 || files == ranks || files * ranks == 2;
}

constexpr std::array<PolicyMove, kPolicySize> MakePolicyMoves() {
  std::array<PolicyMove, kPolicySize> moves{};
  int n = 0;
  for (int from = 0; from < 64; ++from) {
    for (int to = 0; to < 64; ++to) {
      if (!QueenOrKnightReaches(from, to)) continue;
      moves[n++] = {static_cast<uint8_t>(from), static_cast<uint8_t>(to), 0};
    }
  }
  for (int from_file = 0; from_file < 8; ++from_file) {
    for (int to_file = from_file - 1; to_file <= from_file + 1; ++to_file) {
      if (to_file < 0 || to_file > 7) continue;
      for (int promotion = 1; promotion <= 3; ++promotion) {
        moves[n++] = {static_cast<uint8_t>(48 + from_file), static_cast<uint8_t>(56 + to_file),
                      static_cast<uint8_t>(promotion)};
      }
    }
  }
  return moves;
}
constexpr std::array<PolicyMove, kPolicySize> kPolicyMoves = MakePolicyMoves();
static_assert(kPolicyMoves[kPlainMoves - 1].promotion == 0 &&
              kPolicyMoves[kPlainMoves].promotion == 1);

constexpr std::array<uint16_t, 64 * 64> MakePlainIndex() {
  std::array<uint16_t, 64 * 64> index{};
  for (uint16_t& i : index) i = kNoIndex;
  for (int i = 0; i < kPlainMoves; ++i) {
    index[kPolicyMoves[i].from * 64 + kPolicyMoves[i].to] = static_cast<uint16_t>(i);
  }
  return index;
}
constexpr std::array<uint16_t, 64 * 64> kPlainIndex = MakePlainIndex();

// Planes of the convolution head: 8 directions x 7 distances, 8 knight jumps, 9 promotions.
constexpr int ConvolutionPlane(const PolicyMove& move) {
  constexpr int kDirections[8][2] = {{0, 1},  {1, 1},   {1, 0},  {1, -1},
                                     {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};
  constexpr int kKnight[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                 {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
  constexpr int kPromotionOrder[4] = {0, 2, 0, 1};  // the head lists rook, bishop, queen
  const int files = (move.to & 7) - (move.from & 7);
  const int ranks = (move.to >> 3) - (move.from >> 3);
  if (move.promotion) return 64 + 3 * (files + 1) + kPromotionOrder[move.promotion];
  for (int d = 0; d < 8; ++d) {
    if (files == kKnight[d][0] && ranks == kKnight[d][1]) return 56 + d;
    for (int distance = 1; distance <= 7; ++distance) {
      if (files == kDirections[d][0] * distance && ranks == kDirections[d][1] * distance) {
        return 7 * d + distance - 1;
      }
    }
  }
  return -1;
}

constexpr std::array<uint16_t, kPolicySize> MakeConvolutionMap() {
  std::array<uint16_t, kPolicySize> map{};
  for (int i = 0; i < kPolicySize; ++i) {
    map[i] = static_cast<uint16_t>(ConvolutionPlane(kPolicyMoves[i]) * 64 + kPolicyMoves[i].from);
  }
  return map;
}
constexpr std::array<uint16_t, kPolicySize> kConvolutionMap = MakeConvolutionMap();

constexpr std::array<uint16_t, kPolicySize> MakeAttentionMap() {
  std::array<uint16_t, kPolicySize> map{};
  for (int i = 0; i < kPolicySize; ++i) {
    const PolicyMove& move = kPolicyMoves[i];
    map[i] = static_cast<uint16_t>(
        move.promotion ? 64 * 64 + ((move.from & 7) * 8 + (move.to & 7)) * 3 + move.promotion - 1
                       : move.from * 64 + move.to);
  }
  return map;
}
constexpr std::array<uint16_t, kPolicySize> kAttentionMap = MakeAttentionMap();

// The three moves that a promoting pawn has are consecutive in the list, one file after the other;
// file a has no capture to the left, so everything after it starts one move earlier.
constexpr int PromotionIndex(int from_file, int to_file, int promotion) {
  const int moves_before = from_file == 0 ? to_file : 3 * from_file - 1 + (to_file - from_file + 1);
  return kPlainMoves + 3 * moves_before + promotion - 1;
}

constexpr bool PromotionIndicesMatch() {
  for (int i = kPlainMoves; i < kPolicySize; ++i) {
    const PolicyMove& move = kPolicyMoves[i];
    if (PromotionIndex(move.from & 7, move.to & 7, move.promotion) != i) return false;
  }
  return true;
}
static_assert(PromotionIndicesMatch());

}  // namespace

int PolicyIndex(Move move, Color side, int transform) {
  const int flip_ranks = side == Color::kBlack ? 56 : 0;
  const Square from = TransformSquare(move.from() ^ flip_ranks, transform);
  const Square to = TransformSquare(move.to() ^ flip_ranks, transform);
  switch (move.kind()) {
    case Move::kPromoteQueen:
      return PromotionIndex(FileOf(from), FileOf(to), 1);
    case Move::kPromoteRook:
      return PromotionIndex(FileOf(from), FileOf(to), 2);
    case Move::kPromoteBishop:
      return PromotionIndex(FileOf(from), FileOf(to), 3);
    default:
      return kPlainIndex[from * 64 + to];
  }
}

void PolicyIndices(std::span<const Move> moves, Color side, int transform,
                   std::span<uint16_t> indices) {
  for (size_t i = 0; i < moves.size(); ++i)
    indices[i] = static_cast<uint16_t>(PolicyIndex(moves[i], side, transform));
}

const std::array<uint16_t, kPolicySize>& ConvolutionPolicyMap() { return kConvolutionMap; }
const std::array<uint16_t, kPolicySize>& AttentionPolicyMap() { return kAttentionMap; }

}  // namespace plexus
