#include "search/limit_stoppers.h"

#include <algorithm>

namespace plexus {

bool NodesStopper::ShouldStop(const SearchStats& stats, StopperHints* hints) {
  const int64_t done = counts_playouts_ ? stats.playouts : stats.nodes;
  hints->remaining_playouts =
      std::min(hints->remaining_playouts, std::max<int64_t>(0, limit_ - done));
  return done >= limit_;
}

MovetimeStopper::MovetimeStopper(int64_t movetime_ms, int64_t overhead_ms)
    : deadline_ms_(
          movetime_ms <= 0
              ? 0
              : std::max<int64_t>(1, movetime_ms - std::min(overhead_ms, movetime_ms / 10))) {}

bool MovetimeStopper::ShouldStop(const SearchStats& stats, StopperHints* hints) {
  hints->remaining_ms =
      std::min(hints->remaining_ms, std::max<int64_t>(0, deadline_ms_ - stats.elapsed_ms));
  return stats.elapsed_ms >= deadline_ms_;
}

bool DepthStopper::ShouldStop(const SearchStats& stats, StopperHints*) {
  return stats.average_depth >= depth_;
}

bool MateStopper::ShouldStop(const SearchStats& stats, StopperHints*) {
  return stats.proven_mate_moves > 0 && stats.proven_mate_moves <= moves_;
}

bool ProvenStopper::ShouldStop(const SearchStats& stats, StopperHints*) {
  return stats.root_is_proven || stats.best_is_proven_win;
}

}  // namespace plexus
