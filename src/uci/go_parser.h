#pragma once
// The words behind `go` -> SearchLimits.

#include <optional>
#include <string>
#include <vector>

#include "chess/board.h"
#include "search/limits.h"

namespace plexus {

struct ParsedGo {
  SearchLimits limits;
  std::optional<int> perft;  // `go perft N`: no search
  std::vector<std::string>
      complaints;  // one line for the user for each word that could not be used
};

// Never throws. What cannot be read is named in `complaints` and left out; numbers too large for us are
// taken as the largest. `go` without any limit is infinite; but if limits were given and none could be
// used, the search takes 100 ms rather than for ever. searchmoves: both castling spellings; illegal ones
// are left out; if none is left, all moves are searched.
ParsedGo ParseGo(const std::vector<std::string>& words, const Board& root, bool chess960);

}  // namespace plexus
