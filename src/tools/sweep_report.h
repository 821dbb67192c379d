#pragma once
// Measured configurations -> table, JSON and advice. Pure functions.

#include <optional>
#include <string>
#include <vector>

#include "tools/benchmark_report.h"
#include "tools/sweep_grid.h"

namespace plexus {

struct SweepRow {
  SweepCell cell;
  std::string backend_options;
  std::string error;               // why it failed; then nothing below means anything
  std::string backend;             // description
  int threads = 0, minibatch = 0;  // that were used
  int suggested_batch = 0;         // that the backend would use by itself
  BenchmarkFigures figures;
  std::vector<DeviceCounters> devices;  // of these searches alone
  double cpu_seconds = 0;               // of the whole process
};

struct Sweep {
  std::string options;     // that differ from their defaults
  double usable_cpus = 1;  // CPU seconds that the machine grants a second
  std::vector<SweepRow> rows;
};

// nps / (devices x nps of the row with one device that is the same otherwise); nothing without such a row.
std::optional<double> Efficiency(const Sweep& sweep, const SweepRow& row);

// What keeps a configuration from being faster. Shares are of the time measured.
enum class Bottleneck {
  kDevices,   // all of them are busy: only more or faster devices help
  kTreeLock,  // somebody holds it nearly all the time
  kHostCpu,   // the machine has no more CPU time to give
  kWaiting,   // none of these: too little is under way
};
Bottleneck FindBottleneck(const SweepRow& row, double usable_cpus);
double LockShare(const SweepRow& row);
double CpuShare(const SweepRow& row, double usable_cpus);

// Larger batches choose their leaves on older knowledge, which costs most where the tree is small: a doubling must pay
// for itself.
struct BatchAdvice {
  const char* moves;         // "short", "medium", "long"
  double gain_per_doubling;  // that is asked for: 0.2, 0.1, 0.03
  int minibatch;
  double nps;
};
// The smallest minibatch that no larger one beats by the gain asked for at each doubling, among rows with combiner and
// devices of `best`, each size with the number of threads that suits it. Empty if only one size was measured.
std::vector<BatchAdvice> AdviseBatches(const Sweep& sweep, const SweepRow& best);

// The most nps of those that kept all devices; null if there is none.
const SweepRow* FindBest(const Sweep& sweep);
// Sentences: rows whose devices got far too small batches, and where more devices did not help, with the reason.
std::vector<std::string> Warnings(const Sweep& sweep);

// "2 devices, 5 threads, minibatch 256: 104000 nps", for the user who waits.
std::string SweepProgress(const SweepRow& row, size_t number, size_t count);
// Table, warnings and recommendation.
std::string SweepText(const Sweep& sweep);
// One object; the fields are documented in docs/benchmark.md. scripts/plot_sweep.py reads it.
std::string SweepJson(const Sweep& sweep);

}  // namespace plexus
