#pragma once
// What every searcher is. Callers know no other interface.

#include "chess/position.h"
#include "search/info.h"
#include "search/limits.h"
#include "search/snapshot.h"

namespace plexus {

// Thread safety: one controlling thread calls everything; Stop and Abort may also be called from others.
// Order: SetPosition, Start, (Stop | Abort)?, Wait, Snapshot/Counters. SetPosition and NewGame only between Wait and Start.
class Search {
 public:
  virtual ~Search() = default;                                  // aborts and waits
  virtual void NewGame() = 0;                                   // forget everything
  virtual void SetPosition(const PositionHistory& history) = 0; // keeps what is still reachable
  // Returns at once. `sink` must live until Wait returned. REQUIRES: no search runs.
  virtual void Start(const SearchLimits& limits, InfoSink* sink) = 0;
  virtual void PonderHit() = 0;                                 // the limits of the running `go ponder` count from now
  virtual void Stop() = 0;                                      // answer soon; idempotent; also when nothing runs
  virtual void Abort() = 0;                                     // do not answer
  virtual void Wait() = 0;                                      // until the answer is given; at once if nothing runs
  virtual SearchSnapshot Snapshot() const = 0;                  // REQUIRES: no search runs
  virtual SearchCounters Counters() const = 0;                  // any time
};

}  // namespace plexus
