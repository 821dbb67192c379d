#pragma once
// The outcome of a search as a value: for training data, tests and tools.

#include <cstdint>
#include <vector>

#include "chess/types.h"

namespace plexus {

struct RootMove {
  Move move;
  int64_t visits = 0;
  float prior = 0;                  // after noise
  float q = 0, d = 0, m = 0;        // side to move's view; m in plies
  int lower = -1, upper = 1;        // proven bounds for the side to move: -1 loss, 0 draw, 1 win
};

struct SearchSnapshot {
  int64_t visits = 0;
  float q = 0, d = 0, m = 0;        // of the root, side to move's view
  float net_q = 0, net_d = 0, net_m = 0;   // what the network said of the root
  bool proven = false;
  std::vector<RootMove> moves;      // every legal (or searched) move, by rank
  Move best;                        // what was answered
};

}  // namespace plexus
