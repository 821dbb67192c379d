#pragma once
// The one definition of "same position for the network".

#include <cstdint>
#include <span>

#include "chess/position.h"

namespace plexus {

// Board, side, castling, legal en passant, 50-move counter and repetition mark of the last position, and as many
// earlier positions as history_length says (0..7). An en-passant square that only a pinned pawn could use counts too,
// since canonical planes show it.
uint64_t EvalKey(std::span<const Position> history, int history_length);

}  // namespace plexus
