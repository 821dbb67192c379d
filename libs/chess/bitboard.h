#pragma once
// A set of squares as 64 bits, bit s = square s.

#include <bit>
#include <cstdint>

#include "chess/types.h"

namespace plexus {

using Bitboard = uint64_t;

constexpr Bitboard Bit(Square s) { return Bitboard{1} << s; }
constexpr int PopCount(Bitboard b) { return std::popcount(b); }
constexpr Square LowestSquare(Bitboard b) { return static_cast<Square>(std::countr_zero(b)); }
constexpr Square PopLowest(Bitboard* b) {
  const Square s = LowestSquare(*b);
  *b &= *b - 1;
  return s;
}
// Ranks mirrored (a1 <-> a8).
constexpr Bitboard FlipRanks(Bitboard b) { return __builtin_bswap64(b); }
// Files mirrored (a1 <-> h1).
constexpr Bitboard FlipFiles(Bitboard b) {
  b = ((b >> 1) & 0x5555555555555555ULL) | ((b & 0x5555555555555555ULL) << 1);
  b = ((b >> 2) & 0x3333333333333333ULL) | ((b & 0x3333333333333333ULL) << 2);
  return ((b >> 4) & 0x0f0f0f0f0f0f0f0fULL) | ((b & 0x0f0f0f0f0f0f0f0fULL) << 4);
}

}  // namespace plexus
