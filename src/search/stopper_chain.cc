#include "search/stopper_chain.h"

#include <algorithm>
#include <limits>

#include "search/kld_gain.h"
#include "search/limit_stoppers.h"
#include "search/memory_watch.h"
#include "search/smart_pruning.h"
#include "search/time_manager.h"

namespace plexus {

StopperChain::StopperChain(const SearchLimits& limits, const StopParams& params,
                           const RootFacts& facts)
    : wants_distribution_(params.minimum_kld_gain > 0 && !params.analyse_mode && !limits.infinite),
      answers_on_order_only_(limits.infinite),
      pondering_(limits.ponder) {
  const int64_t memory_limit = MemoryLimitBytes(params.ram_limit_mb, MachineMemoryBytes());
  always_.push_back(std::make_unique<MemoryStopper>(memory_limit, facts.other_bytes));
  if (!limits.infinite) AddOrders(limits, params, facts);
}

StopperChain::~StopperChain() = default;

void StopperChain::AddOrders(const SearchLimits& limits, const StopParams& params,
                             const RootFacts& facts) {
  const bool on_clock = PlaysOnClock(limits);
  const bool is_game = on_clock && !params.analyse_mode;
  // Analysis gets the time that it asked for; but visits to a solved root would never add up to an
  // order of nodes.
  const bool time_ends_it = on_clock || limits.movetime_ms;
  if (!params.analyse_mode || !time_ends_it) orders_.push_back(std::make_unique<ProvenStopper>());
  if (is_game) orders_.push_back(std::make_unique<ForcedMoveStopper>());
  if (limits.mate) orders_.push_back(std::make_unique<MateStopper>(*limits.mate));
  if (limits.nodes)
    orders_.push_back(std::make_unique<NodesStopper>(*limits.nodes, params.nodes_as_playouts));
  if (limits.depth) orders_.push_back(std::make_unique<DepthStopper>(*limits.depth));
  if (limits.movetime_ms)
    orders_.push_back(
        std::make_unique<MovetimeStopper>(*limits.movetime_ms, params.move_overhead_ms));
  if (on_clock)
    orders_.push_back(
        std::make_unique<ClockStopper>(Budget(limits, facts.side, facts.game_ply, params)));
  if (wants_distribution_)
    orders_.push_back(
        std::make_unique<KldGainStopper>(params.minimum_kld_gain, params.kld_gain_interval));
  // Last: it works with the hints of the others.
  if (is_game && params.smart_pruning_factor > 0)
    orders_.push_back(std::make_unique<SmartPruningStopper>(params.smart_pruning_factor,
                                                            params.smart_pruning_minimum_batches));
}

bool StopperChain::Ask(Stopper& stopper, const SearchStats& stats, StopperHints* hints) {
  const bool stop = stopper.ShouldStop(stats, hints);
  if (!stop || stopped_) return false;
  stopped_ = true;
  reason_ = stopper.reason();
  return true;
}

bool StopperChain::ShouldStop(const SearchStats& stats, StopperHints* hints) {
  MutexLock lock(mutex_);
  *hints = StopperHints();
  for (const auto& stopper : always_) {
    if (!Ask(*stopper, stats, hints)) continue;
    explanation_ = "the search tree has reached the memory limit (" +
                   std::to_string(stats.tree_bytes >> 20) +
                   " MiB in the tree); the search stops growing, set RamLimitMb to allow more";
  }
  if (!pondering_) {
    for (const auto& stopper : orders_) Ask(*stopper, stats, hints);
  }
  return stopped_;
}

int64_t StopperChain::NextDeadlineMs() const {
  MutexLock lock(mutex_);
  int64_t deadline = std::numeric_limits<int64_t>::max();
  if (pondering_ || stopped_) return deadline;
  for (const auto& stopper : orders_) deadline = std::min(deadline, stopper->DeadlineMs());
  return deadline;
}

void StopperChain::PonderHit() {
  MutexLock lock(mutex_);
  if (!pondering_) return;
  pondering_ = false;
  stopped_ = false;
  reason_.clear();
}

bool StopperChain::MayAnswer() const {
  MutexLock lock(mutex_);
  return !answers_on_order_only_ && !pondering_;
}

void StopperChain::OnSearchDone(const SearchStats& stats) {
  MutexLock lock(mutex_);
  for (const auto& stopper : orders_) stopper->OnSearchDone(stats);
}

std::string StopperChain::reason() const {
  MutexLock lock(mutex_);
  return reason_;
}

std::string StopperChain::explanation() const {
  MutexLock lock(mutex_);
  return explanation_;
}

}  // namespace plexus
