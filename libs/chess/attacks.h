#pragma once
// Squares that a piece attacks. Tables are filled before any ordinary static initialiser runs;
// afterwards everything here is read-only and may be used from any thread.

#include <array>
#include <cstddef>

#include "chess/bitboard.h"
#include "chess/types.h"

namespace plexus {

inline constexpr Bitboard kFileA = 0x0101010101010101ULL;
inline constexpr Bitboard kFileH = kFileA << 7;
inline constexpr Bitboard kRank1 = 0xffULL;
constexpr Bitboard FileMask(int file) { return kFileA << file; }
constexpr Bitboard RankMask(int rank) { return kRank1 << (8 * rank); }

// One step of every piece of `b`; those that would leave the board vanish.
constexpr Bitboard ShiftEast(Bitboard b) { return (b & ~kFileH) << 1; }
constexpr Bitboard ShiftWest(Bitboard b) { return (b & ~kFileA) >> 1; }
template <Color kColor>
constexpr Bitboard ShiftForward(Bitboard b) {
  return kColor == Color::kWhite ? b << 8 : b >> 8;
}
// Squares attacked by the pawns `b` of kColor.
template <Color kColor>
constexpr Bitboard PawnSetAttacks(Bitboard b) {
  const Bitboard ahead = ShiftForward<kColor>(b);
  return ShiftEast(ahead) | ShiftWest(ahead);
}

namespace attacks_detail {

constexpr Bitboard Step(int file, int rank) {
  return file < 0 || file > 7 || rank < 0 || rank > 7 ? 0 : Bit(MakeSquare(file, rank));
}

struct Offset {
  int file;
  int rank;
};

template <size_t N>
constexpr std::array<Bitboard, 64> Leaper(const Offset (&steps)[N]) {
  std::array<Bitboard, 64> table{};
  for (Square s = 0; s < 64; ++s) {
    for (const Offset& step : steps) table[s] |= Step(FileOf(s) + step.file, RankOf(s) + step.rank);
  }
  return table;
}

// The whole line through s in direction (df, dr) and its opposite, with s.
constexpr std::array<Bitboard, 64> Lines(int df, int dr) {
  std::array<Bitboard, 64> table{};
  for (Square s = 0; s < 64; ++s) {
    for (int i = -7; i <= 7; ++i) table[s] |= Step(FileOf(s) + i * df, RankOf(s) + i * dr);
  }
  return table;
}

struct Magic {
  const Bitboard* table;
  Bitboard mask;
  uint64_t factor;
  unsigned shift;
  Bitboard Attacks(Bitboard occupied) const { return table[((occupied & mask) * factor) >> shift]; }
};
extern std::array<Magic, 64> rook_magics;
extern std::array<Magic, 64> bishop_magics;
extern std::array<std::array<Bitboard, 64>, 64> between;

}  // namespace attacks_detail

inline constexpr std::array<Bitboard, 64> kKnightAttacks = attacks_detail::Leaper(
    {{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}});
inline constexpr std::array<Bitboard, 64> kKingAttacks =
    attacks_detail::Leaper({{1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}, {0, -1}, {1, -1}});
inline constexpr std::array<std::array<Bitboard, 64>, 2> kPawnAttacks = {
    attacks_detail::Leaper({{-1, 1}, {1, 1}}), attacks_detail::Leaper({{-1, -1}, {1, -1}})};
inline constexpr std::array<Bitboard, 64> kDiagonals = attacks_detail::Lines(1, 1);  // a1-h8 way
inline constexpr std::array<Bitboard, 64> kAntiDiagonals =
    attacks_detail::Lines(1, -1);  // a8-h1 way

constexpr Bitboard KnightAttacks(Square s) { return kKnightAttacks[s]; }
constexpr Bitboard KingAttacks(Square s) { return kKingAttacks[s]; }
// Squares that a pawn of `color` on `s` attacks.
constexpr Bitboard PawnAttacks(Color color, Square s) { return kPawnAttacks[Index(color)][s]; }
// Sliders: up to and including the first occupied square of each ray.
inline Bitboard BishopAttacks(Square s, Bitboard occupied) {
  return attacks_detail::bishop_magics[s].Attacks(occupied);
}
inline Bitboard RookAttacks(Square s, Bitboard occupied) {
  return attacks_detail::rook_magics[s].Attacks(occupied);
}
inline Bitboard QueenAttacks(Square s, Bitboard occupied) {
  return BishopAttacks(s, occupied) | RookAttacks(s, occupied);
}
// Squares strictly between two squares of one rank, file or diagonal; none for others.
inline Bitboard Between(Square a, Square b) { return attacks_detail::between[a][b]; }

}  // namespace plexus
