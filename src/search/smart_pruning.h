#pragma once
// Stops a game on the clock when what is left of the time cannot change the answer.

#include "search/stopper.h"

namespace plexus {

// The visits that still fit, by the speed so far and divided by `factor`, are fewer than the lead
// of the best move. Never before `minimum_batches` batches, nor before a tenth of the move's time
// is used (so that a tree kept from the move before, with a large lead, still gets some thought).
// Lowers hints->remaining_playouts to its estimate.
class SmartPruningStopper : public Stopper {
 public:
  SmartPruningStopper(float factor, int64_t minimum_batches)
      : factor_(factor), minimum_batches_(minimum_batches) {}
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "smart pruning"; }

 private:
  const double factor_;
  const int64_t minimum_batches_;
};

// Only one root move can be chosen: there is only one, or all others are proven losses. Waits for
// the first batch, so that a score and a line can be shown.
class ForcedMoveStopper : public Stopper {
 public:
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "only one move"; }
};

}  // namespace plexus
