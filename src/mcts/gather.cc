#include "mcts/gather.h"

#include <algorithm>
#include <cmath>

#include "mcts/backup.h"

namespace plexus {
namespace {

constexpr int64_t kGreatestScale = 16;
constexpr int64_t kManyVisits = 4096;  // more in one descent take long to split

}  // namespace

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
  // Where the tree wants many visits at few leaves that are being evaluated, a descent takes more of them down at once,
  // instead of many descents a few each.
  int64_t scale = scratch->first_scale, all_visits = 0;
  while (leaves_left > 0 && visits_left > 0 && collisions_left > 0 && terminals_left > 0 &&
         static_cast<int>(batch->collisions.size()) < limits.collision_events) {
    PickQuota quota;
    quota.leaves = static_cast<uint32_t>(leaves_left);
    quota.visits = static_cast<uint32_t>(std::min<int64_t>(visits_left, kMaxVisits));
    quota.terminal_visits = static_cast<uint32_t>(std::min<int64_t>(terminals_left, kMaxVisits));
    const int64_t wanted = std::min({int64_t{leaves_left}, visits_left, terminals_left});
    const int64_t visits =
        std::min({wanted * scale, std::max(wanted, kManyVisits), wanted + collisions_left});
    const int64_t events_before = static_cast<int64_t>(batch->collisions.size());
    const PickResult result =
        PickNodeToExtend(lock, tree, params, static_cast<uint32_t>(visits), quota, scratch, batch);
    all_visits += visits;
    const uint32_t found = result.leaves + result.terminal_visits;
    const int64_t events = static_cast<int64_t>(batch->collisions.size()) - events_before;
    scale = std::clamp<int64_t>(events == 0 ? 1 : result.collision_visits / events / 2, 1,
                                kGreatestScale);
    leaves_left -= static_cast<int>(result.leaves);
    visits_left -= found;
    terminals_left -= result.terminal_visits;
    collisions_left -= result.collision_visits;
    if (found == 0 && visits > wanted) break;  // the next would not find much either
  }
  // The next gather will find about as many for its visits. Half as many visits leave out no leaf that is better than
  // those it takes.
  const int64_t all_found = limits.visits - visits_left;
  scratch->first_scale =
      std::clamp<int64_t>(all_visits / std::max<int64_t>(1, all_found) / 2, 1, kGreatestScale);
  // They did their part, which was to make descents of this gather look elsewhere. Left in flight they would do so to
  // other workers for as long as a device takes, and visits would go to worse moves.
  TakeBackCollisions(lock, tree, batch);
}

}  // namespace plexus
