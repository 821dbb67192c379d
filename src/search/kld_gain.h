#pragma once
// Stops when more visits hardly change how visits are shared among the root moves.

#include <map>

#include "search/stopper.h"

namespace plexus {

// Every `interval` nodes: the Kullback-Leibler divergence of the present distribution from the
// former one, per node in between; below `minimum_gain` = stop.
class KldGainStopper : public Stopper {
 public:
  KldGainStopper(double minimum_gain, int64_t interval)
      : minimum_gain_(minimum_gain), interval_(interval) {}
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "distribution settled"; }

 private:
  const double minimum_gain_;
  const int64_t interval_;
  std::map<int64_t, int64_t> former_;  // move bits -> visits at the last look
  int64_t former_nodes_ = 0;
};

}  // namespace plexus
