#pragma once
// limits + options + facts of the root -> an ordered list of stoppers, asked as one.
//
// Use, by whoever runs a search:
//   StopperChain chain(limits, params, facts);
//   before the first batch and after each: chain.ShouldStop(stats, &hints) -> stop searching
//   watchdog: asks again at NextDeadlineMs() on the scale of SearchStats::elapsed_ms
//   on ponderhit: chain.PonderHit(), and elapsed_ms starts anew
//   after it said stop: if (!chain.MayAnswer()) the workers idle and the answer waits for Stop or
//   PonderHit
//     (UCI: `go infinite` and `go ponder` answer on order only; the memory limit may end their
//     growth before). After PonderHit ask again: the same stats may be enough now.
//
// Thread safety: every method may be called from any thread; a mutex (a leaf) serialises the
// questions. Invariants:
//  1. After ShouldStop returned true it returns true until PonderHit.
//  2. While pondering only the memory limit stops; with `infinite` only the memory limit stops,
//  ever.
//  3. Smart pruning, "only one move" and KLD gain stop games on the clock only (KLD gain: wherever
//  it is switched on,
//     outside analyse mode). movetime, nodes and depth are orders and are used in full, unless the
//     root is proven.

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "chess/types.h"
#include "search/limits.h"
#include "search/stop_params.h"
#include "search/stopper.h"

namespace plexus {

struct RootFacts {
  Color side = Color::kWhite;  // to move at the root
  int game_ply = 0;            // Position::game_ply of the root
  int64_t other_bytes = 0;     // memory of the process outside the tree: ResidentBytes()
                               // (memory_watch.h) minus the tree's bytes at Start; 0 if unknown
};

class StopperChain {
 public:
  StopperChain(const SearchLimits& limits, const StopParams& params, const RootFacts& facts);
  ~StopperChain();
  StopperChain(const StopperChain&) = delete;
  StopperChain& operator=(const StopperChain&) = delete;

  // Hints are reset and filled: the least remaining time and playouts over all stoppers.
  bool ShouldStop(const SearchStats& stats, StopperHints* hints);
  // When the watchdog should ask next, on the scale of SearchStats::elapsed_ms; max() = only when
  // batches end.
  int64_t NextDeadlineMs() const;
  // Whether SearchStats::root_visits must be filled.
  bool wants_distribution() const { return wants_distribution_; }
  // The running `go ponder` becomes an ordinary search; elapsed_ms restarts at 0 with this call.
  void PonderHit();
  // False while the answer has to wait for Stop or PonderHit: infinite, or pondering.
  bool MayAnswer() const;
  void OnSearchDone(const SearchStats& stats);

  // Of the stopper that said stop ("movetime", "smart pruning"); "" before.
  std::string reason() const;
  // One line for the user if something unusual ended the search (the memory limit); "" otherwise.
  std::string explanation() const;

 private:
  void AddOrders(const SearchLimits& limits, const StopParams& params, const RootFacts& facts)
      REQUIRES(mutex_);

  // True if this stopper is the one that ends the search. All are asked, also later ones: they also
  // give hints.
  bool Ask(Stopper& stopper, const SearchStats& stats, StopperHints* hints) REQUIRES(mutex_);

  bool wants_distribution_ = false;  // constant after construction
  bool answers_on_order_only_ = false;
  mutable Mutex mutex_;
  bool pondering_ GUARDED_BY(mutex_) = false;
  bool stopped_ GUARDED_BY(mutex_) = false;
  std::string reason_ GUARDED_BY(mutex_), explanation_ GUARDED_BY(mutex_);
  // always_: also while pondering. orders_: from the start, or from ponderhit on.
  std::vector<std::unique_ptr<Stopper>> always_ GUARDED_BY(mutex_), orders_ GUARDED_BY(mutex_);
};

}  // namespace plexus
