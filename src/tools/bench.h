#pragma once
// `plexus bench`: a number that tells whether the search behaves as before.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace plexus {

struct BenchPosition {
  std::string fen;
  int64_t nodes = 0;       // visits made by the searches of this position
  std::string best_move;   // of the first search, UCI text
  uint64_t signature = 0;  // of its searches alone: tells which position changed
};

struct BenchRun {
  std::vector<BenchPosition> positions;
  int64_t nodes = 0;
  double seconds = 0;
  uint64_t signature = 0;
};

// Searches every second position of bench_positions.h on the fake backend with one thread, twice `nodes` visits each:
// once afresh, once after the best move and the best reply with the tree that is left. All options have their defaults
// except the batch size, which the backend would suggest; time stands still, so nothing depends on the machine. The
// signature covers the visits of every root move and what the searches counted.
BenchRun RunBenchSearches(int64_t nodes);

// args: what follows the mode word, as described by --help. Returns 0. Throws Exception for bad arguments.
int RunBench(std::span<const std::string> args);

}  // namespace plexus
