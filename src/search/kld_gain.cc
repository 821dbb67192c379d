#include "search/kld_gain.h"

#include <cmath>

namespace plexus {

bool KldGainStopper::ShouldStop(const SearchStats& stats, StopperHints* hints) {
  hints->want_distribution = true;
  if (stats.root_visits.empty() || (!former_.empty() && stats.nodes - former_nodes_ < interval_))
    return false;
  std::map<int64_t, int64_t> now;
  double now_sum = 0, former_sum = 0;
  for (size_t i = 0; i + 1 < stats.root_visits.size(); i += 2) {
    now[stats.root_visits[i]] = stats.root_visits[i + 1];
    now_sum += static_cast<double>(stats.root_visits[i + 1]);
  }
  if (now_sum <= 0) return false;
  for (const auto& [move, visits] : former_) former_sum += static_cast<double>(visits);
  double gain = 0;
  if (former_sum > 0) {
    for (const auto& [move, visits] : former_) {
      const auto found = now.find(move);
      if (visits <= 0 || found == now.end() || found->second <= 0) continue;
      const double p = static_cast<double>(visits) / former_sum;
      gain += p * std::log(p / (static_cast<double>(found->second) / now_sum));
    }
  }
  const int64_t nodes = stats.nodes - former_nodes_;
  former_ = std::move(now);
  former_nodes_ = stats.nodes;
  return former_sum > 0 && nodes > 0 && gain / static_cast<double>(nodes) < minimum_gain_;
}

}  // namespace plexus
