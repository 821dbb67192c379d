#pragma once
// A simulated card: evaluations of hash_evaluation.h at the pace of a real one, for machines without. It sleeps on the
// clock, so that it costs a core nothing but the hashing.

#include <condition_variable>
#include <memory>
#include <string>
#include <vector>

#include "backend/device_config.h"
#include "backend/fake/hash_evaluation.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"
#include "net/device.h"

namespace plexus {

// A batch of b positions takes latency + waves * wave time, where waves = b / step rounded up: 97 positions on a card
// with step 96 cost as much as 192. `rate` says how long a wave is: max_batch positions take max_batch / rate.
struct SimOptions {
  std::string profile;  // for the name only
  int gpu = 0;
  double rate = 0;  // positions a second at max_batch, one batch after another; 0: no time at all
  double latency_us = 0;  // of a batch, whatever its size
  int max_batch = 1024;
  int best_batch = 256;
  int step = 1;
  double jitter = 0;     // a batch's waves take 1 - jitter .. 1 + jitter times as long
  int fail_after = -1;   // after so many batches of the card, every further one throws; -1: none
  int stall_after = -1;  // ... hangs until Interrupt(), then throws; -1: none
  int streams = 2;
  HashEvaluation evaluation;  // with the seed
};

// What the streams of a card share: the order of their batches in time. Thread-safe.
class SimCard {
 public:
  struct Admission {
    Clock::TimePoint done;
    bool stalls = false;
  };

  // Throws Exception if the latency alone exceeds the time of a full batch.
  explicit SimCard(const SimOptions& options);
  const SimOptions& options() const { return options_; }
  // A batch arrives at `now`. First come, first served: its latency passes while an earlier batch computes, its waves
  // wait for that one. Throws Exception from the batch on that the card was told to fail at.
  Admission Admit(int positions, Clock::TimePoint now);

 private:
  const SimOptions options_;
  double step_ns_ = 0;  // of a wave
  Mutex mutex_;
  Clock::TimePoint free_ GUARDED_BY(mutex_){};
  int64_t batches_ GUARDED_BY(mutex_) = 0;
  Random random_ GUARDED_BY(mutex_);
};

// One stream of a card.
class SimDevice : public Device {
 public:
  SimDevice(std::shared_ptr<SimCard> card, Clock* clock) : card_(std::move(card)), clock_(clock) {}

  DeviceAttributes attributes() const override;
  void Run(const DeviceBatch& in, const LogitBatch& out) override;
  void Interrupt() override;

 private:
  void Stall();

  const std::shared_ptr<SimCard> card_;
  Clock* const clock_;
  Mutex mutex_;
  std::condition_variable changed_;
  bool interrupted_ GUARDED_BY(mutex_) = false;
};

inline constexpr const char* kSimDeviceKeys =
    "profile=titan-v-fp16|titan-v-fp32|rtx2080ti-20x256-fp16|rtx2080super-10x128-fp16|"
    "a100-30x384-fp16|h200-20x256-fp16 (a card to imitate; further keys change it), rate "
    "(positions/s at max_batch; 0 = takes no time), latency_us (0), max_batch (1024), batch (256 "
    "or "
    "less), step (1: batches cost the next multiple of it), jitter (0..0.9), streams (2; threads "
    "is "
    "the same), gpu (0: its number), fail_after (-1: after so many batches it throws), stall_after "
    "(-1: after so many batches it hangs), seed (0), wdl (true), moves_left (false)";

std::vector<PlannedDevice> PlanSimDevices(const DeviceConfig& config);

}  // namespace plexus
