#pragma once
// What a search sees of networks: positions in, evaluations out.

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "chess/position.h"
#include "net/input_format.h"

namespace plexus {

struct EvalInput {  // borrowed until the computation is done
  std::span<const Position>
      history;  // oldest first, last = the position to evaluate; only the last 8 are read
  std::span<const Move> legal_moves;  // the order in which the policy is wanted; not empty
};

struct EvalOutput {         // owned by the caller
  float wl = 0;             // win minus loss for the side to move, [-1, 1]
  float d = 0;              // probability of a draw, [0, 1]; |wl| + d <= 1
  float m = 0;              // plies to the end, >= 0; 0 if the network cannot tell
  std::span<float> policy;  // one per legal move, >= 0, sums to 1; sized by the caller
};

struct BackendAttributes {
  std::string description;      // for the user: "cpu fp32 avx512, 2 threads"
  bool has_wdl = false;         // d means something
  bool has_moves_left = false;  // m means something
  int max_batch = 1024;         // positions that one computation may hold
  int suggested_batch = 64;     // where throughput is near its best
  int suggested_threads = 1;    // search workers that keep it busy
  bool is_cpu = true;           // evaluation costs this machine's cores
};

// One thread's batch. Results are valid after ComputeBlocking returned.
class BackendComputation {
 public:
  enum class Added { kQueued, kFromCache };
  virtual ~BackendComputation() = default;
  // kFromCache: *out is already filled and the position takes no place in the batch.
  // Inputs and *out are borrowed until ComputeBlocking has returned or the computation is destroyed.
  virtual Added Add(const EvalInput& input, EvalOutput* out) = 0;
  virtual int queued() const = 0;
  // Throws Exception with what the device threw; outputs are then not written. At most once per computation.
  virtual void ComputeBlocking() = 0;
  // As ComputeBlocking, but gives up when `cancel` is requested, from any thread: then returns false at once and writes
  // no output, though a device may still be at work on the batch. The computation is good for nothing but its end.
  virtual bool ComputeOrCancel(std::stop_token cancel) {
    ComputeBlocking();
    return true;
  }
};

// What a backend has done since it was made; for benchmarks and reports.
struct DeviceCounters {
  std::string name;
  bool failed = false;
  int64_t positions = 0, batches = 0;
  double busy_s = 0,
         idle_s = 0;    // with work and without, since it was made (by the backend's clock)
  double stream_s = 0;  // as busy_s, summed over its streams: / busy_s = batches in flight at once
  std::vector<int64_t> batch_histogram;  // [i] = batches of 2^i .. 2^(i+1)-1 positions
};
struct CacheCounters {
  int64_t probes = 0, hits = 0, entries = 0, bytes = 0;  // bytes: reserved, whether used yet or not
};

// Thread-safe.
class Backend {
 public:
  virtual ~Backend() = default;
  virtual BackendAttributes attributes() const = 0;
  virtual std::unique_ptr<BackendComputation> NewComputation() = 0;
  // Fills *out and returns true if the answer is known without evaluating (a cache); never blocks on a device.
  virtual bool Probe(const EvalInput& input, EvalOutput* out) { return false; }
  // Forget cached answers (a new game asks for it; false = nothing to forget).
  virtual bool ClearCache() { return false; }
  // What the user should hear and has not heard yet, one line each ("device 1 failed ...; 2 others go on"). Each line
  // is returned once.
  virtual std::vector<std::string> TakeNotices() { return {}; }
  virtual std::vector<DeviceCounters> device_counters() const { return {}; }
  virtual CacheCounters cache_counters() const { return {}; }
};

}  // namespace plexus
