#!/usr/bin/env python3
"""Finds the magic multipliers of libs/chess/attacks.cc and prints them as C++.

For each square a multiplier is wanted that maps every occupancy of the relevant squares to an index of exactly as many
bits as there are relevant squares, without a harmful collision. Candidates are random numbers with few bits set; the
seed is fixed, so that the output is reproducible. Takes a minute or two.
"""
import argparse
import random

MASK64 = (1 << 64) - 1
ROOK = ((1, 0), (-1, 0), (0, 1), (0, -1))
BISHOP = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def attacks(square, occupied, directions):
    result = 0
    for df, dr in directions:
        f, r = square % 8 + df, square // 8 + dr
        while 0 <= f < 8 and 0 <= r < 8:
            bit = 1 << (r * 8 + f)
            result |= bit
            if occupied & bit:
                break
            f, r = f + df, r + dr
    return result


def relevant(square, directions):
    """Squares whose occupation matters: the last square of each ray does not."""
    result = 0
    for df, dr in directions:
        f, r = square % 8 + df, square // 8 + dr
        while 0 <= f + df < 8 and 0 <= r + dr < 8:
            result |= 1 << (r * 8 + f)
            f, r = f + df, r + dr
    return result


def find(square, directions, rng):
    mask = relevant(square, directions)
    bits = bin(mask).count("1")
    shift = 64 - bits
    occupancies, subset = [], 0
    while True:
        occupancies.append((subset, attacks(square, subset, directions)))
        subset = (subset - mask) & mask
        if subset == 0:
            break
    rng.shuffle(occupancies)  # collisions then show up early
    while True:
        magic = rng.getrandbits(64) & rng.getrandbits(64) & rng.getrandbits(64)
        if bin((mask * magic & MASK64) >> 56).count("1") < 6:
            continue
        table = {}
        for occupied, wanted in occupancies:
            if table.setdefault((occupied * magic & MASK64) >> shift, wanted) != wanted:
                break
        else:
            return magic


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", type=int, default=20261130)
    rng = random.Random(parser.parse_args().seed)
    for name, directions in (("kRookMagics", ROOK), ("kBishopMagics", BISHOP)):
        print(f"constexpr std::array<uint64_t, 64> {name} = {{")
        for square in range(0, 64, 4):
            print("    " + " ".join(f"0x{find(s, directions, rng):016x}," for s in range(square, square + 4)))
        print("};")


if __name__ == "__main__":
    main()
