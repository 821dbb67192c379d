#pragma once
// A parsed `go`. Times in milliseconds.

#include <cstdint>
#include <optional>
#include <vector>

#include "chess/types.h"

namespace plexus {

struct SearchLimits {
  std::optional<int64_t> time_ms[2];        // wtime, btime: may be 0 or negative (the flag is about to fall)
  int64_t increment_ms[2] = {0, 0};         // winc, binc
  std::optional<int> moves_to_go;           // >= 1
  std::optional<int64_t> movetime_ms;
  std::optional<int64_t> nodes;             // tree visits; 0 is allowed and means "answer at once"
  std::optional<int> depth;
  std::optional<int> mate;                  // mate in so many moves
  bool infinite = false;
  bool ponder = false;                      // until ponderhit or stop, whatever the other limits say
  std::vector<Move> searchmoves;            // legal moves of the root; empty = all
};

}  // namespace plexus
