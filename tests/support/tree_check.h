#pragma once
// The invariants of mcts/tree.h.

#include <string>

#include "mcts/tree.h"

namespace plexus {

// The first violation in words, or "" if there is none. quiet: no search runs, so nothing may be in flight.
std::string CheckTree(const Tree& tree, bool quiet = true);

}  // namespace plexus
