#pragma once
// One class per reason to stop. Stoppers see numbers only.

#include <cstdint>
#include <limits>
#include <vector>

#include "base/clock.h"

namespace plexus {

// Numbers copied from the tree under the lock that the worker held anyway.
struct SearchStats {
  int64_t elapsed_ms = 0;                 // since Start (or since ponderhit), on the injected clock
  int64_t nodes = 0;                      // visits of the root
  int64_t playouts = 0;                   // of this search
  int64_t minibatches = 0;
  int average_depth = 0, max_depth = 0;
  int64_t tree_bytes = 0;
  int64_t best_visits = 0, second_visits = 0;   // of the two most visited root moves
  int root_moves = 0;                     // that may still be chosen
  int losing_moves = 0;                   // proven losses among them
  bool best_is_proven_win = false;
  bool root_is_proven = false;            // root value known exactly
  int proven_mate_moves = 0;              // > 0: mate in so many moves is proven for the side to move; 0: none
  // Root moves flat: move bits, visits, move bits, visits, ... Filled only when a stopper asked for it through
  // StopperHints::want_distribution (StopperChain::wants_distribution).
  std::vector<int64_t> root_visits;
  int64_t nps_window_playouts = 0, nps_window_ms = 0;   // recent speed, for remaining-playout estimates
};

struct StopperHints {
  int64_t remaining_ms = std::numeric_limits<int64_t>::max();
  int64_t remaining_playouts = std::numeric_limits<int64_t>::max();   // most that can still happen
  bool want_distribution = false;
};

class Stopper {
 public:
  virtual ~Stopper() = default;
  // Thread-safe through its chain (one question at a time).
  virtual bool ShouldStop(const SearchStats& stats, StopperHints* hints) = 0;
  virtual void OnSearchDone(const SearchStats& stats) {}
  // The moment on which the watchdog should ask again even if no batch ended; max() = never.
  virtual int64_t DeadlineMs() const { return std::numeric_limits<int64_t>::max(); }
  virtual const char* reason() const = 0;   // "movetime", "smart pruning": for logs and tests
};

}  // namespace plexus
