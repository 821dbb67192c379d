#pragma once
// Threads that evaluate batches at the same time, started and stopped together, for `backendbench`.

#include <barrier>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/device_config.h"
#include "base/joining_thread.h"
#include "net/backend.h"
#include "net/decoder.h"

namespace plexus {

// Positions of seeded random games, with all that a device or a backend wants of them.
struct CrewPosition {
  std::vector<Position> history;
  std::vector<Move> legal_moves;
  InputPlanes planes;
  std::vector<uint16_t> policy_indices;  // of legal_moves
};
std::vector<CrewPosition> MakeCrewPositions(InputFormat format, int count, uint64_t seed);

// What one thread does again and again; `batch` positions a call.
using BatchRunner = std::function<void(int batch)>;
// Called on the thread that will use it.
using BatchRunnerMaker = std::function<BatchRunner()>;

class BenchCrew {
 public:
  // Throws what a maker throws.
  explicit BenchCrew(const std::vector<BatchRunnerMaker>& makers);
  ~BenchCrew();
  int threads() const { return static_cast<int>(threads_.size()); }
  // Every thread runs `runs` batches; the seconds from the first thread's start to the last one's end, by the
  // threads' own clocks (the caller may be off the CPU at either moment). Throws what a runner throws.
  double Time(int batch, int runs);

 private:
  using TimePoint = std::chrono::steady_clock::time_point;
  struct Span {
    TimePoint begin, end;
  };
  void Work(const BatchRunnerMaker& make, Span* span);

  std::barrier<> start_, end_;
  int batch_ = 0, runs_ = 0;  // written between end and start; runs_ < 0 ends the threads
  std::vector<Span> spans_;   // each written by its thread between start and end
  Mutex mutex_;
  std::exception_ptr failure_ GUARDED_BY(mutex_);
  std::vector<JoiningThread> threads_;
};

// Runs a device on prepared planes.
BatchRunnerMaker DeviceRunner(DeviceFactory factory, const std::vector<CrewPosition>* positions);
// Runs computations of a backend: encoding, queueing and decoding included.
BatchRunnerMaker ComputationRunner(Backend* backend, const std::vector<CrewPosition>* positions);

}  // namespace plexus
