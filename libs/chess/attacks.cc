#include "chess/attacks.h"

#include <cstddef>
#include <cstdint>

namespace plexus {
namespace attacks_detail {

std::array<Magic, 64> rook_magics;
std::array<Magic, 64> bishop_magics;
std::array<std::array<Bitboard, 64>, 64> between;

namespace {

// Found by scripts/find_magics.py with its default seed.
constexpr std::array<uint64_t, 64> kRookMagics = {
    0x0880002010804002, 0x1140004190002000, 0x090009b220010040, 0x1080041000080080,
    0x3300100801000402, 0x0100040008010002, 0x160000880b041600, 0x1200006044148302,
    0x2014800040002080, 0x1004400040201001, 0x0c31004100200690, 0x0000800800100080,
    0x0020800800800400, 0x00c0800400020080, 0x0204000102147008, 0x08020000904a0421,
    0x0002888004400420, 0x2140008080200040, 0x2001010010402000, 0x00080900100100a0,
    0x0008018018840080, 0x0002010100080400, 0x0040240022500188, 0x0001020000840041,
    0x004c400080148020, 0x1160100040204001, 0x0020004100110420, 0x0840100100082100,
    0x4848110100040800, 0x200c010040020040, 0x0008480400104201, 0x0090010200008044,
    0x10e0004000808000, 0x0c80810021004000, 0x0200104082002200, 0x8400082501001000,
    0x0010810801800400, 0x0000800200800400, 0x0e21004421000200, 0x28c021840200004d,
    0x0020204000808002, 0x0c50102000404000, 0x0310002000808012, 0x800820400a020010,
    0x4008080004008080, 0x8800020004008080, 0x8803020004010100, 0x008000844102001c,
    0x0040208000410100, 0x0920004000802880, 0x4840500080600180, 0x0000080080100080,
    0x0008802400480180, 0x080c004002010040, 0x4002010882100400, 0x8000802043000180,
    0x0000804202182102, 0x0202010240249182, 0x0001000844102001, 0x0002885000202d01,
    0x0c02001020080402, 0x0001000204000801, 0x8140010c90124804, 0x4800010400208042,
};
constexpr std::array<uint64_t, 64> kBishopMagics = {
    0x0402040802240020, 0x00f0040804a62010, 0x00cb081101008000, 0x44244100200e5004,
    0x8004042045000000, 0x4001010840111110, 0x1001040104404400, 0x2800104c10080800,
    0x4000881004080064, 0x0002201411020a21, 0x0002c83210520011, 0x8020049202008802,
    0x00220c0423000808, 0x00a0020210043006, 0x0500004a28444000, 0x00c100820cb00400,
    0x00088420089004c0, 0x0008803002888400, 0x0044003a04009204, 0x004e002020801008,
    0xc41a0004060a0040, 0x0002000308020a12, 0x340888044c042002, 0x0860848200440201,
    0x08a0d104a0020200, 0x0402200091092610, 0x0c80208204080082, 0x1000808008020002,
    0x0421001221004000, 0x0008408009101004, 0x0028524005040a08, 0x1200420401008220,
    0x0011208800a00880, 0x0011042000020822, 0x0000402800301040, 0x9002201108080080,
    0x3844004010040101, 0x0112080202a04040, 0xc011081080510454, 0x0801010210082200,
    0x0401041004084202, 0x1904010430800300, 0x000e002088001040, 0x0400044010450202,
    0x0000c0090a000900, 0x4040014c00200100, 0xa030810208820412, 0x0008468102c01203,
    0x0202010420640c41, 0x0200220802081101, 0x08004c2118082040, 0x084010002088000a,
    0x1000044008288402, 0x000245a004450100, 0x0030040908022804, 0x030208110c008080,
    0xe200104410182881, 0x0008803109101020, 0x2310246456009008, 0x000c120200420204,
    0x000001380810b400, 0x0303a06002029208, 0x0200888808482040, 0x3802100108011044,
};

using Directions = std::array<std::array<int, 2>, 4>;
constexpr Directions kRookDirections = {{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
constexpr Directions kBishopDirections = {{{1, 1}, {1, -1}, {-1, 1}, {-1, -1}}};
// Sum of 2^(relevant squares) over the board.
constexpr size_t kRookTableSize = 102400;
constexpr size_t kBishopTableSize = 5248;

std::array<Bitboard, kRookTableSize> rook_table;
std::array<Bitboard, kBishopTableSize> bishop_table;

// Ray by ray, up to and including the first occupied square.
Bitboard WalkRays(Square s, Bitboard occupied, const Directions& directions) {
  Bitboard reached = 0;
  for (const auto& [df, dr] : directions) {
    for (int i = 1; i < 8; ++i) {
      const Bitboard next = Step(FileOf(s) + i * df, RankOf(s) + i * dr);
      reached |= next;
      if (next == 0 || (next & occupied)) break;
    }
  }
  return reached;
}

// Squares whose occupation matters: all of a ray but its last.
Bitboard RelevantSquares(Square s, const Directions& directions) {
  const Bitboard edges = ((FileMask(0) | FileMask(7)) & ~FileMask(FileOf(s))) |
                         ((RankMask(0) | RankMask(7)) & ~RankMask(RankOf(s)));
  return WalkRays(s, 0, directions) & ~edges;
}

void FillSlider(const Directions& directions, const std::array<uint64_t, 64>& factors,
                Bitboard* table, std::array<Magic, 64>* magics) {
  for (Square s = 0; s < 64; ++s) {
    const Bitboard mask = RelevantSquares(s, directions);
    const int bits = PopCount(mask);
    (*magics)[s] = {table, mask, factors[s], static_cast<unsigned>(64 - bits)};
    Bitboard subset = 0;
    do {  // all subsets of mask, "carry-rippler"
      table[(subset * factors[s]) >> (64 - bits)] = WalkRays(s, subset, directions);
      subset = (subset - mask) & mask;
    } while (subset);
    table += size_t{1} << bits;
  }
}

void FillBetween() {
  for (Square a = 0; a < 64; ++a) {
    for (const Directions* directions : {&kRookDirections, &kBishopDirections}) {
      for (const auto& [df, dr] : *directions) {
        Bitboard passed = 0;
        for (int i = 1; i < 8; ++i) {
          const Bitboard next = Step(FileOf(a) + i * df, RankOf(a) + i * dr);
          if (next == 0) break;
          between[a][LowestSquare(next)] = passed;
          passed |= next;
        }
      }
    }
  }
}

struct TableFiller {
  TableFiller() {
    FillSlider(kRookDirections, kRookMagics, rook_table.data(), &rook_magics);
    FillSlider(kBishopDirections, kBishopMagics, bishop_table.data(), &bishop_magics);
    FillBetween();
  }
};
// Before initialisers of ordinary priority, in whatever file: they may already make boards.
__attribute__((init_priority(101))) TableFiller table_filler;

}  // namespace
}  // namespace attacks_detail
}  // namespace plexus
