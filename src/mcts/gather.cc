#include "mcts/gather.h"

#include <algorithm>
#include <cmath>

#include "mcts/backup.h"

namespace plexus {

int64_t CollisionVisits(const SearchParams& params, int64_t tree_visits, int64_t leaves) {
  const double start = params.max_collision_visits_scaling_start;
  const double end = params.max_collision_visits_scaling_end;
  double visits = params.max_collision_visits;
  if (end > 0 && tree_visits < end) {
    const double share =
        std::max(0.0, (static_cast<double>(tree_visits) - start) / std::max(1.0, end - start));
    visits =
        1.0 + (visits - 1.0) *
                  std::pow(share, static_cast<double>(params.max_collision_visits_scaling_power));
  }
  return std::clamp<int64_t>(static_cast<int64_t>(visits),
                             std::min<int64_t>(leaves, params.max_collision_visits),
                             params.max_collision_visits);
}

void GatherMinibatch(const TreeWriteLock& lock, Tree& tree, const PickParams& params,
                     const GatherLimits& limits, PickScratch* scratch, Minibatch* batch) {
  int64_t visits_left = limits.visits, collisions_left = limits.collision_visits;
  int64_t terminals_left = limits.terminal_visits;
  int leaves_left = limits.leaves;
  while (leaves_left > 0 && visits_left > 0 && collisions_left > 0 && terminals_left > 0 &&
         static_cast<int>(batch->collisions.size()) < limits.collision_events) {
    const uint32_t visits =
        static_cast<uint32_t>(std::min({int64_t{leaves_left}, visits_left, terminals_left}));
    const PickResult result = PickNodeToExtend(lock, tree, params, visits, scratch, batch);
    leaves_left -= static_cast<int>(result.leaves);
    visits_left -= result.leaves + result.terminal_visits;
    terminals_left -= result.terminal_visits;
    collisions_left -= result.collision_visits;
  }
  // Nothing to wait for: the visits go back at once, and the worker waits for a change.
  if (batch->leaves.empty()) {
    TakeBackMinibatch(lock, tree, batch);
    batch->collisions.clear();
  }
}

}  // namespace plexus
