#include "search/smart_pruning.h"

#include <algorithm>
#include <limits>

namespace plexus {
namespace {

// Visits per millisecond; recent speed before the average, because a tree kept from the move before
// distorts nothing there. 0 if unknown.
double Speed(const SearchStats& stats) {
  if (stats.nps_window_ms > 0)
    return static_cast<double>(stats.nps_window_playouts) / stats.nps_window_ms;
  if (stats.elapsed_ms > 0) return static_cast<double>(stats.playouts) / stats.elapsed_ms;
  return 0;
}

}  // namespace

bool SmartPruningStopper::ShouldStop(const SearchStats& stats, StopperHints* hints) {
  if (factor_ <= 0 || stats.minibatches < minimum_batches_ || stats.playouts <= 0) return false;
  double remaining = static_cast<double>(hints->remaining_playouts);
  if (hints->remaining_ms != std::numeric_limits<int64_t>::max()) {
    const double speed = Speed(stats);
    if (speed <= 0 || stats.elapsed_ms * 9 < hints->remaining_ms) return false;
    remaining = std::min(remaining, speed * static_cast<double>(hints->remaining_ms));
  }
  remaining /= factor_;
  if (remaining >= 9e18) return false;
  hints->remaining_playouts = std::min(hints->remaining_playouts, static_cast<int64_t>(remaining));
  return static_cast<double>(stats.best_visits - stats.second_visits) > remaining;
}

bool ForcedMoveStopper::ShouldStop(const SearchStats& stats, StopperHints*) {
  return stats.minibatches > 0 && stats.root_moves > 0 &&
         stats.root_moves - stats.losing_moves <= 1;
}

}  // namespace plexus
