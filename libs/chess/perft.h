#pragma once
#include <cstdint>

#include "chess/board.h"

namespace plexus {

// Number of move paths of `depth` plies (1 for depth 0); the last ply is counted, not played.
uint64_t Perft(const Board& board, int depth);

}  // namespace plexus
