#pragma once
// Measurements of a benchmark -> figures -> table and JSON. Pure functions.

#include <optional>
#include <string>
#include <vector>

#include "net/backend.h"
#include "search/info.h"

namespace plexus {

// One measured search. Its tree was empty at the start.
struct MeasuredPosition {
  std::string fen, best_move;
  double seconds = 0;
  SearchCounters counters;   // at its end
  double early_seconds = 0;  // when it was looked at on the way; 0: it ended before
  int64_t early_nodes = 0;   // visits until then
};

struct Measurement {
  std::string backend, options;  // description; what differs from the defaults
  int suggested_batch = 0;
  std::vector<DeviceCounters> devices;  // of these searches alone
  std::vector<MeasuredPosition> positions;
};

// Of one search or of many together; nothing where it cannot be said.
struct BenchmarkFigures {
  int64_t nodes = 0, evaluations = 0, minibatches = 0;
  double seconds = 0;
  double nps = 0, evals_per_second = 0;
  double mean_minibatch = 0;   // evaluated positions a minibatch
  double cache_hit_share = 0;  // of the leaves that needed an evaluation
  double gather_locks = 0, backup_locks = 0, other_locks = 0;  // acquisitions a minibatch
  double lock_held_us_per_node = 0, lock_wait_us_per_node = 0;
  double gather_us_per_node = 0, backup_us_per_node = 0;  // parts of what it was held
  double first_batch_ms = 0;                              // mean over searches
  double bytes_per_node = 0;
  std::optional<double> early_nps;   // of the first moments, searches that lasted longer
  std::optional<double> steady_nps;  // of the rest of these searches
  double locks_per_minibatch() const { return gather_locks + backup_locks + other_locks; }
};
BenchmarkFigures FiguresOf(const std::vector<MeasuredPosition>& positions);

// Counters of `after` minus those of `before`, device by device; all of `after` if the lists do not match.
std::vector<DeviceCounters> Difference(const std::vector<DeviceCounters>& after,
                                       const std::vector<DeviceCounters>& before);
double MeanBatch(const DeviceCounters& device);
double BusyShare(const DeviceCounters& device);
// Whether devices got batches so far below the `suggested` one that they were mostly waste.
bool BatchesAreFarTooSmall(const std::vector<DeviceCounters>& devices, int suggested);
// Positions a batch as the devices saw it; nothing if there were no batches.
std::optional<double> MeanDeviceBatch(const std::vector<DeviceCounters>& devices);

std::string PositionTableHead();
std::string PositionTableRow(const MeasuredPosition& position, size_t number, size_t count);
// Totals, devices, and a remark if batches were far smaller than the backend likes.
std::string TotalsText(const Measurement& measurement);
// One object; the fields are documented in docs/benchmark.md.
std::string BenchmarkJson(const Measurement& measurement);

}  // namespace plexus
