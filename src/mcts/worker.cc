#include "mcts/worker.h"

#include <algorithm>
#include <cmath>

#include "mcts/backup.h"
#include "mcts/noise.h"

namespace plexus {
namespace {

constexpr int64_t kSmallestShare = 8;

int ChooseMinibatchSize(const SearchParams& params, const BackendAttributes& attributes) {
  const int wanted = params.minibatch_size > 0 ? params.minibatch_size : attributes.suggested_batch;
  return std::clamp(wanted, 1, std::max(1, attributes.max_batch));
}

int ChooseWorkers(const SearchParams& params, const BackendAttributes& attributes) {
  return std::max(1, params.threads > 0 ? params.threads : attributes.suggested_threads);
}

ExtendParams MakeExtendParams(const SearchShared& shared) {
  return {shared.tree.rule50_limit(), shared.params.two_fold_draws, true};
}

}  // namespace

SearchShared::SearchShared(Tree* the_tree, Backend* the_backend, Clock* the_clock,
                           const SearchParams& search_params)
    : tree(*the_tree),
      backend(*the_backend),
      clock(*the_clock),
      params(search_params),
      attributes(backend.attributes()),
      selection(params, attributes.has_moves_left),
      workers(ChooseWorkers(params, attributes)),
      minibatch_size(ChooseMinibatchSize(params, attributes)),
      started_at(clock.Now()),
      gate(params.max_concurrent_searchers) {}

void SearchShared::SetTimeLeft(int64_t ms) {
  constexpr int64_t kNever = std::numeric_limits<int64_t>::max();
  stop_at_ns =
      ms > kNever / 2'000'000 ? kNever : (clock.Now() - started_at).count() + ms * 1'000'000;
}

Clock::Duration SearchShared::TimeLeft() const {
  const int64_t at = stop_at_ns;
  if (at == std::numeric_limits<int64_t>::max()) return Clock::Duration::max();
  return started_at + Clock::Duration(at) - clock.Now();
}

void Gate::Enter() {
  if (!limited_) return;
  MutexLock lock(mutex_);
  while (free_ == 0) freed_.wait(lock.native());
  --free_;
}

void Gate::Leave() {
  if (!limited_) return;
  MutexLock lock(mutex_);
  ++free_;
  freed_.notify_one();
}

SearchStats SearchShared::Stats(Move* leader) const {
  SearchStats stats;
  const Node& root = tree.node(tree.root());
  stats.nodes = root.n;
  stats.playouts = counters.playouts;
  stats.minibatches = counters.minibatches;
  stats.average_depth = counters.playouts > 0 ? static_cast<int>(depth_sum / counters.playouts) : 0;
  stats.max_depth = max_depth;
  stats.tree_bytes = tree.bytes_in_use();
  const RootEdges& root_edges = tree.root_edges();
  const std::span<const ChildSlot> slots = tree.children(root);
  float shortest_mate = 1e9f;
  for (size_t i = 0; i < slots.size(); ++i) {
    if (!root_edges.allowed[i]) continue;
    const Node& child = tree.node(slots[i].node);
    ++stats.root_moves;
    if (child.upper() < 0) ++stats.losing_moves;
    if (child.lower() > 0) shortest_mate = std::min(shortest_mate, child.m);
    if (child.n > stats.best_visits) {
      stats.second_visits = stats.best_visits;
      stats.best_visits = child.n;
      *leader = child.move.move();
    } else if (child.n > stats.second_visits) {
      stats.second_visits = child.n;
    }
    if (want_distribution) stats.root_visits.push_back(child.n);
  }
  stats.root_is_proven = root.is_expanded() && root.bounds_met();
  if (shortest_mate < 1e9f) {
    stats.best_is_proven_win = true;
    stats.proven_mate_moves = static_cast<int>(std::lround(shortest_mate)) / 2 + 1;
  }
  return stats;
}

SearchWorker::SearchWorker(SearchShared* shared)
    : shared_(*shared), extender_(shared->tree.root_history(), MakeExtendParams(*shared)) {}

SearchWorker::~SearchWorker() {
  if (in_flight_) TakeBack();
}

SearchWorker::Progress SearchWorker::RunOneIteration() {
  try {
    shared_.gate.Enter();
    try {
      Gather();
      Extend();
    } catch (...) {
      shared_.gate.Leave();
      throw;
    }
    shared_.gate.Leave();
    if (wants_help_) shared_.tree.nodes_mutex().WakeAnother();
    if (Compute()) {
      BackUp();
    } else {
      TakeBack();
    }
  } catch (...) {
    TakeBack();
    throw;
  }
  const bool found = !minibatch_.leaves.empty() || minibatch_.stats.terminal_visits > 0;
  return found ? Progress::kYes : Progress::kNothingToDo;
}

// A device that costs no core is worth looking longer for leaves, as long as that keeps nobody waiting. A lone worker
// decides without the clock: its searches are the same each time.
int SearchWorker::CollisionEvents() const {
  const int most = shared_.params.max_collision_events, batch = shared_.minibatch_size;
  if (shared_.attributes.is_cpu) return std::min(most, batch / 2 + 8);
  if (shared_.workers == 1) return std::min(most, batch + 8);
  return std::min(most, gather_time_ * 4 > compute_time_ ? batch / 2 + 8 : 3 * batch + 8);
}

GatherLimits SearchWorker::Limits() const {
  const SearchParams& params = shared_.params;
  const Node& root = shared_.tree.node(shared_.tree.root());
  const int64_t visits = int64_t{root.n};
  // Leaves in flight of all workers: see SearchParams::in_flight_share.
  const int64_t may_fly = std::max<int64_t>(
      params.in_flight_minimum, static_cast<int64_t>(static_cast<double>(params.in_flight_share) *
                                                     static_cast<double>(visits)));
  // While that is little, workers share it, so that all devices have a part and the next gather overlaps.
  const int64_t cap =
      std::min(may_fly - shared_.leaves_in_flight,
               std::max<int64_t>(kSmallestShare, may_fly / std::max(1, shared_.workers - 1)));
  double wanted = shared_.minibatch_size;
  if (params.out_of_order_eval) {
    const double factor = std::max(1.0, static_cast<double>(params.max_out_of_order_factor));
    wanted *= std::min(factor, 1.0 / std::max(0.01, 1.0 - static_cast<double>(free_share_)));
  }
  GatherLimits limits;
  limits.visits =
      shared_.node_limit.load(std::memory_order_relaxed) - visits - shared_.leaves_in_flight;
  limits.leaves = static_cast<int>(
      std::min({static_cast<int64_t>(wanted), cap,
                int64_t{std::max(1, shared_.attributes.max_batch)}, limits.visits}));
  // Where a position takes long, a full batch could overrun the time by more than a move may.
  if (position_time_.count() > 0) {
    const Clock::Duration left = shared_.TimeLeft();
    if (left < position_time_ * limits.leaves) {
      limits.leaves =
          std::max<int>(std::min(1, limits.leaves), static_cast<int>(left / position_time_));
    }
  }
  limits.collision_visits = CollisionVisits(params, visits, limits.leaves);
  limits.collision_events = CollisionEvents();
  limits.terminal_visits = std::max<int64_t>(
      1, static_cast<int64_t>(static_cast<double>(params.max_out_of_order_factor) *
                              shared_.minibatch_size));
  return limits;
}

void SearchWorker::Gather() {
  const Clock::TimePoint begin = shared_.clock.Now();
  minibatch_.Reset();
  PickParams pick;
  pick.selection = &shared_.selection;
  pick.hopeless_after = shared_.hopeless_after.load(std::memory_order_relaxed);
  TreeWriteLock lock(shared_.tree.nodes_mutex(), LockUse::kGather);
  epoch_ = shared_.tree.nodes_mutex().epoch();
  ++shared_.counters.lock_acquisitions_gather;
  const GatherLimits limits = Limits();
  if (limits.leaves > 0) {
    shared_.tree.Reserve(lock, limits.leaves);
    GatherMinibatch(lock, shared_.tree, pick, limits, &scratch_, &minibatch_);
  }
  in_flight_ = !minibatch_.leaves.empty();
  wants_help_ = in_flight_ && static_cast<int>(minibatch_.leaves.size()) == limits.leaves;
  shared_.leaves_in_flight += static_cast<int64_t>(minibatch_.leaves.size());
  shared_.depth_sum += minibatch_.stats.depth_sum;
  shared_.max_depth = std::max(shared_.max_depth, minibatch_.stats.max_depth);
  shared_.counters.playouts += minibatch_.stats.terminal_visits;
  shared_.counters.terminal_visits += minibatch_.stats.terminal_visits;
  shared_.counters.collisions += minibatch_.stats.collisions;
  stats_ = shared_.Stats(&leader_);
  gather_time_ += (shared_.clock.Now() - begin - gather_time_) / 8;
}

void SearchWorker::Extend() {
  if (minibatch_.leaves.empty()) return;
  minibatch_.computation = shared_.backend.NewComputation();
  extender_.Extend(&minibatch_);
}

bool SearchWorker::Compute() {
  if (minibatch_.leaves.empty()) return true;
  const Clock::TimePoint begin = shared_.clock.Now();
  const int positions = minibatch_.computation->queued();
  if (positions > 0 && !minibatch_.computation->ComputeOrCancel(shared_.cancel.get_token()))
    return false;
  const Clock::Duration taken = shared_.clock.Now() - begin;
  compute_time_ += (taken - compute_time_) / 8;
  if (positions > 0) {
    const Clock::Duration each = taken / positions;
    position_time_ =
        position_time_.count() == 0 ? each : position_time_ + (each - position_time_) / 4;
  }
  extender_.MakeEdges(&minibatch_);
  return true;
}

void SearchWorker::CountBatch() {
  int64_t evaluated = 0, cached = 0;
  for (const Leaf& leaf : minibatch_.leaves) {
    evaluated += leaf.needs_evaluation;
    cached += leaf.from_cache;
  }
  const int64_t leaves = static_cast<int64_t>(minibatch_.leaves.size());
  shared_.leaves_in_flight -= leaves;
  SearchCounters& counters = shared_.counters;
  counters.playouts += leaves;
  counters.evaluations += evaluated;
  counters.cache_hits += cached;
  if (leaves == 0) return;
  ++counters.minibatches;
  if (counters.first_batch_ns == 0)
    counters.first_batch_ns = (shared_.clock.Now() - shared_.started_at).count();
  free_share_ +=
      (1.0f - static_cast<float>(evaluated) / static_cast<float>(leaves) - free_share_) * 0.1f;
}

void SearchWorker::BackUp() {
  if (!in_flight_) return;
  std::array<PageRange, 2> pages;
  {
    TreeWriteLock lock(shared_.tree.nodes_mutex(), LockUse::kBackup);
    ++shared_.counters.lock_acquisitions_backup;
    const bool root_was_expanded = shared_.tree.node(shared_.tree.root()).is_expanded();
    shared_.tree.Reserve(lock, static_cast<int>(minibatch_.leaves.size()) + 256);
    BackUpMinibatch(lock, shared_.tree, shared_.params.sticky_endgames, &minibatch_);
    if (!root_was_expanded && shared_.noise) {
      ApplyRootNoise(lock, shared_.tree, shared_.params, &*shared_.noise);
    }
    CountBatch();
    stats_ = shared_.Stats(&leader_);
    in_flight_ = false;
    pages = shared_.tree.TakePagesToPrepare(lock);
  }
  shared_.tree.nodes_mutex().Changed();
  for (const PageRange& range : pages) PreparePages(range);
}

void SearchWorker::TakeBack() {
  if (!in_flight_) return;
  {
    TreeWriteLock lock(shared_.tree.nodes_mutex(), LockUse::kBackup);
    ++shared_.counters.lock_acquisitions_backup;
    TakeBackMinibatch(lock, shared_.tree, &minibatch_);
    shared_.leaves_in_flight -= static_cast<int64_t>(minibatch_.leaves.size());
    in_flight_ = false;
  }
  shared_.tree.nodes_mutex().Changed();
}

}  // namespace plexus
