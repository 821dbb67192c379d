#pragma once
// Random numbers of the position key (Zobrist 1970): fixed for ever, so that keys may be compared
// between processes.

#include <array>
#include <cstdint>

#include "chess/types.h"

namespace plexus {

struct ZobristKeys {
  std::array<std::array<std::array<uint64_t, 64>, 6>, 2> piece;  // [colour][type][square]
  std::array<std::array<uint64_t, 8>, 2> castling;  // [colour][file of the rook that may castle]
  std::array<uint64_t, 8> en_passant;               // [file]
  uint64_t black_to_move;
};

extern const ZobristKeys kZobrist;

}  // namespace plexus
