#pragma once
// One measured search, for `benchmark` with and without --sweep.

#include <string>

#include "base/clock.h"
#include "net/backend.h"
#include "search/limits.h"
#include "search/search.h"
#include "tools/benchmark_report.h"

namespace plexus {

// Searches `fen` with an empty tree and an empty cache, and looks at it after half a second on the way. What the search
// has to say goes to the standard error stream. Throws Exception if the game is over there, or if not one visit was
// made.
MeasuredPosition MeasureSearch(const std::string& fen, const SearchLimits& limits, bool chess960,
                               Clock* clock, Backend* backend, Search* search);

}  // namespace plexus
