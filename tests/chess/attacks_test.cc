#include "chess/attacks.h"

#include <gtest/gtest.h>

#include <random>

namespace plexus {
namespace {

// Ray by ray on files and ranks, as one would by hand.
Bitboard SlowSlider(Square s, Bitboard occupied, bool diagonal) {
  Bitboard reached = 0;
  for (int df = -1; df <= 1; ++df) {
    for (int dr = -1; dr <= 1; ++dr) {
      if ((df == 0 && dr == 0) || (df != 0 && dr != 0) != diagonal) continue;
      int file = FileOf(s) + df;
      int rank = RankOf(s) + dr;
      while (file >= 0 && file < 8 && rank >= 0 && rank < 8) {
        reached |= Bit(MakeSquare(file, rank));
        if (occupied & Bit(MakeSquare(file, rank))) break;
        file += df;
        rank += dr;
      }
    }
  }
  return reached;
}

TEST(Attacks, SlidersStopAtTheFirstOccupiedSquare) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2000; ++round) {
    const Bitboard occupied = round % 2 ? random() & random() : random() & random() & random();
    for (Square s = 0; s < 64; ++s) {
      ASSERT_EQ(RookAttacks(s, occupied), SlowSlider(s, occupied, false))
          << int{s} << " " << occupied;
      ASSERT_EQ(BishopAttacks(s, occupied), SlowSlider(s, occupied, true))
          << int{s} << " " << occupied;
    }
  }
}

TEST(Attacks, QueenIsRookAndBishop) {
  EXPECT_EQ(QueenAttacks(27, 0), RookAttacks(27, 0) | BishopAttacks(27, 0));
  EXPECT_EQ(PopCount(QueenAttacks(27, 0)), 27);  // d4 on an empty board
}

TEST(Attacks, LeapersDoNotWrapAroundTheEdge) {
  EXPECT_EQ(KnightAttacks(0), Bit(10) | Bit(17));          // a1: c2, b3
  EXPECT_EQ(KingAttacks(7), Bit(6) | Bit(14) | Bit(15));   // h1: g1, g2, h2
  EXPECT_EQ(PawnAttacks(Color::kWhite, 8), Bit(17));       // a2: b3
  EXPECT_EQ(PawnAttacks(Color::kBlack, 55), Bit(46));      // h7: g6
  EXPECT_EQ(PawnAttacks(Color::kWhite, 56), Bitboard{0});  // a8: beyond the board
  EXPECT_EQ(PawnSetAttacks<Color::kWhite>(Bit(8) | Bit(15)), Bit(17) | Bit(22));
  EXPECT_EQ(PawnSetAttacks<Color::kBlack>(Bit(48) | Bit(55)), Bit(41) | Bit(46));
}

TEST(Attacks, LeapersAreSymmetric) {
  for (Square a = 0; a < 64; ++a) {
    for (Square b = 0; b < 64; ++b) {
      ASSERT_EQ(!(KnightAttacks(a) & Bit(b)), !(KnightAttacks(b) & Bit(a)));
      ASSERT_EQ(!(KingAttacks(a) & Bit(b)), !(KingAttacks(b) & Bit(a)));
      ASSERT_EQ(!(PawnAttacks(Color::kWhite, a) & Bit(b)),
                !(PawnAttacks(Color::kBlack, b) & Bit(a)));
    }
  }
}

TEST(Attacks, BetweenIsWhatTwoSlidersBothSee) {
  for (Square a = 0; a < 64; ++a) {
    for (Square b = 0; b < 64; ++b) {
      Bitboard expected = 0;
      if (a != b && (RookAttacks(a, 0) & Bit(b))) {
        expected = RookAttacks(a, Bit(b)) & RookAttacks(b, Bit(a));
      } else if (a != b && (BishopAttacks(a, 0) & Bit(b))) {
        expected = BishopAttacks(a, Bit(b)) & BishopAttacks(b, Bit(a));
      }
      // Neighbours see common squares that lie beside them; only the straight way counts.
      if (KingAttacks(a) & Bit(b)) expected = 0;
      ASSERT_EQ(Between(a, b), expected) << int{a} << " " << int{b};
    }
  }
}

TEST(Attacks, DiagonalsHoldTheirSquare) {
  EXPECT_EQ(PopCount(kDiagonals[0]), 8);
  EXPECT_EQ(PopCount(kAntiDiagonals[0]), 1);
  for (Square s = 0; s < 64; ++s) {
    EXPECT_EQ((kDiagonals[s] | kAntiDiagonals[s]) & ~Bit(s), BishopAttacks(s, 0));
  }
}

}  // namespace
}  // namespace plexus
