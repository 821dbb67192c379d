#pragma once
// What a search tells while it runs and when it ends. Values; no node leaves a search.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "chess/types.h"

namespace plexus {

struct Score {
  std::optional<int> mate_moves;    // in full moves, negative: the side to move is mated; else centipawns count
  int centipawns = 0;               // side to move's view
  int wdl[3] = {0, 0, 0};           // per mille, sums to 1000; all 0 if unknown
  std::optional<int> moves_left;    // full moves to the end
};

struct PvLine {
  int multipv = 1;                  // 1 = the move that would be played now
  Score score;
  std::vector<Move> moves;          // from the root
  int64_t visits = 0;
};

struct SearchInfo {
  int depth = 0, seldepth = 0;
  int64_t time_ms = 0, nodes = 0, nps = 0, tb_hits = 0;
  int hashfull_permille = -1;       // -1: not known
  std::vector<PvLine> lines;        // rank order, all of one moment
};

struct BestMove {
  Move move;                        // null only if the root has no legal move
  Move ponder;                      // null if none is known; legal after `move`
};

// Counters for benchmarks and tests. Sums since Start.
struct SearchCounters {
  int64_t nodes = 0;                // tree visits of the root, reused ones included
  int64_t playouts = 0;             // visits made by this search
  int64_t evaluations = 0;          // positions sent to a device
  int64_t cache_hits = 0;
  int64_t terminal_visits = 0;
  int64_t collisions = 0;           // visits taken back
  int64_t minibatches = 0;
  int64_t lock_acquisitions_gather = 0, lock_acquisitions_backup = 0, lock_acquisitions_other = 0;
  int64_t lock_held_ns = 0, lock_wait_ns = 0;
  int64_t gather_ns = 0, backup_ns = 0;   // parts of lock_held_ns
  int64_t tree_nodes = 0, tree_bytes = 0;
  int64_t first_batch_ns = 0;       // from Start to the end of the first backup
};

// Called from search threads, one call at a time, with no lock of the tree held.
class InfoSink {
 public:
  virtual ~InfoSink() = default;
  virtual void OnInfo(const SearchInfo& info) = 0;
  virtual void OnText(const std::string& text) {}      // one line, for "info string"
  virtual void OnBestMove(const BestMove& best) = 0;   // exactly once per Start that is not aborted
};

}  // namespace plexus
