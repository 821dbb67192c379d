#pragma once
// Fills a minibatch: descents until it is full or not worth going on, under one held lock.

#include <cstdint>

#include "mcts/pick.h"

namespace plexus {

// What bounds a gather, and so the time that it holds the lock.
struct GatherLimits {
  int leaves = 1;      // wanted
  int64_t visits = 1;  // leaves and known results together: a limit on nodes is never overrun
  int64_t collision_visits = 1;  // a new descent begins only below these
  int collision_events = 1;
  int64_t terminal_visits = 1;
};

// Visits that a gather may lose to collisions in a tree of `tree_visits`: from 1 (or `leaves`, if that is more) in a
// small tree to max_collision_visits in a large one.
int64_t CollisionVisits(const SearchParams& params, int64_t tree_visits, int64_t leaves);

// Visits that collided are in flight during the gather only.
void GatherMinibatch(const TreeWriteLock& lock, Tree& tree, const PickParams& params,
                     const GatherLimits& limits, PickScratch* scratch, Minibatch* batch)
    REQUIRES(tree.nodes_mutex());

}  // namespace plexus
