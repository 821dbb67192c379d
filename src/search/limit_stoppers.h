#pragma once
// The orders of a `go` that are plain numbers: nodes, movetime, depth, mate; and "there is nothing
// left to find".

#include <cstdint>

#include "search/stopper.h"

namespace plexus {

// `go nodes N`: visits of the root, or (playouts) only those of this search.
class NodesStopper : public Stopper {
 public:
  NodesStopper(int64_t limit, bool counts_playouts)
      : limit_(limit), counts_playouts_(counts_playouts) {}
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "nodes"; }

 private:
  const int64_t limit_;
  const bool counts_playouts_;
};

// `go movetime T`. A little is kept back for the way to the GUI: the overhead, at most a tenth of
// T.
class MovetimeStopper : public Stopper {
 public:
  MovetimeStopper(int64_t movetime_ms, int64_t overhead_ms);
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  int64_t DeadlineMs() const override { return deadline_ms_; }
  const char* reason() const override { return "movetime"; }

 private:
  const int64_t deadline_ms_;
};

// `go depth D`: the average depth of a visit.
class DepthStopper : public Stopper {
 public:
  explicit DepthStopper(int depth) : depth_(depth) {}
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "depth"; }

 private:
  const int depth_;
};

// `go mate M`.
class MateStopper : public Stopper {
 public:
  explicit MateStopper(int moves) : moves_(moves) {}
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "mate found"; }

 private:
  const int moves_;
};

// The value of the root is known exactly, or a win is proven: more visits cannot change the answer.
class ProvenStopper : public Stopper {
 public:
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "proven"; }
};

}  // namespace plexus
