#pragma once
// Clock and increment -> how long to think. The one time policy.

#include <cstdint>

#include "search/limits.h"
#include "search/stop_params.h"
#include "search/stopper.h"

namespace plexus {

struct TimeBudget {
  int64_t target_ms = 0;   // think so long in an ordinary position
  int64_t maximum_ms = 0;  // never longer; target <= maximum
  bool operator==(const TimeBudget&) const = default;
};

// True if `limits` is a game on the clock: a clock of either side is known and no other order
// (movetime, infinite) is given. `side` without a clock of its own gets the opponent's.
bool PlaysOnClock(const SearchLimits& limits);

// game_ply: plies since the start of the game. REQUIRES: PlaysOnClock(limits).
// Always 1 <= target <= maximum. maximum <= clock - overhead where the clock is at least twice the
// overhead, and at most half of a shorter clock (but 1 ms); a clock of 0 or less gives 1 ms.
TimeBudget Budget(const SearchLimits& limits, Color side, int game_ply, const StopParams& params);

// Stops at the target, or later (at most at the maximum) while the two best moves are close.
class ClockStopper : public Stopper {
 public:
  explicit ClockStopper(const TimeBudget& budget) : budget_(budget) {}
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  int64_t DeadlineMs() const override { return deadline_ms_; }
  const char* reason() const override { return "time for the move"; }

 private:
  const TimeBudget budget_;
  int64_t deadline_ms_ = budget_.target_ms;
};

}  // namespace plexus
