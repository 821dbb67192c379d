#pragma once
// The symmetries of the board that canonical input formats use, for bitboards and for squares.

#include "chess/bitboard.h"
#include "net/input_format.h"

namespace plexus {

// Swaps a square with its image behind the diagonal a8-h1: (file, rank) -> (7 - rank, 7 - file).
constexpr Bitboard TransposeAntiDiagonal(Bitboard b) {
  Bitboard t = b ^ (b << 36);
  b ^= 0xf0f0f0f00f0f0f0fULL & (t ^ (b >> 36));
  t = 0xcccc0000cccc0000ULL & (b ^ (b << 18));
  b ^= t ^ (t >> 18);
  t = 0xaa00aa00aa00aa00ULL & (b ^ (b << 9));
  return b ^ t ^ (t >> 9);
}

// Flip, then mirror, then transpose, as the bits of `transform` say.
constexpr Bitboard TransformBitboard(Bitboard b, int transform) {
  if (transform & kFlipTransform) b = FlipFiles(b);
  if (transform & kMirrorTransform) b = FlipRanks(b);
  if (transform & kTransposeTransform) b = TransposeAntiDiagonal(b);
  return b;
}

constexpr Square TransformSquare(int square, int transform) {
  if (transform & kFlipTransform) square ^= 7;
  if (transform & kMirrorTransform) square ^= 56;
  if (transform & kTransposeTransform) square = ((7 - (square & 7)) << 3) | (7 - (square >> 3));
  return static_cast<Square>(square);
}

}  // namespace plexus
