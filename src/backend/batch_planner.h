#pragma once
// Which device gets which waiting positions, and when: pure functions, so that every policy is tested with numbers.

#include <cstdint>
#include <span>
#include <vector>

#include "backend/device_speed.h"

namespace plexus {

enum class SplitPolicy : uint8_t {
  // Full batches, each to the device that is expected to end it first; a computation is cut only where devices would
  // idle otherwise and the slices are worth their latency.
  kFill,
  kSpread,  // cut what waits over all idle devices, by their speed: short waits, for devices that like any batch
  kDemux,   // cut every computation evenly over all devices
  kRoundRobin,  // every computation goes whole to the next device in turn
};

// kDemux and kRoundRobin decide when a computation is queued, the others when a device has room.
inline bool IsStatic(SplitPolicy policy) {
  return policy == SplitPolicy::kDemux || policy == SplitPolicy::kRoundRobin;
}

struct PlannerDevice {
  int device = 0;        // its number; any order
  int free_streams = 1;  // batches that it takes now
  int in_flight = 0;     // positions that it has; 0 = it is idle
  double backlog_s = 0;  // how long it still needs for those; only read if speed is known
  int max_batch = 1;     // >= 1
  int best_batch = 1;    // 1..max_batch
  int batch_step = 1;    // >= 1
  DeviceSpeed speed;     // unknown: taken for as fast as the mean of the known ones
};

struct PlannerInput {
  std::span<const int>
      waiting;  // positions that each ticket still has in the queue, oldest first, all > 0
  std::span<const PlannerDevice> devices;  // those with a free stream
  int working_devices = 1;                 // also those without
  int callers = 1;                         // computations that are usually under way at once
};

// `count` positions of waiting[waiting], beginning at the `begin`-th of those that wait.
struct PlannedPart {
  int batch = 0;  // parts of one batch stand together and have one number, ascending from 0
  int device = 0;
  int waiting = 0;
  int begin = 0;
  int count = 0;
  bool operator==(const PlannedPart&) const = default;
};

// One device while a plan is made; see the .cc.
struct PlannerLane {
  const PlannerDevice* device;
  double latency_s, position_s;
  double backlog_s;
  int free_streams;
  bool idle;
};

// A function in all but name: the object only keeps memory.
class BatchPlanner {
 public:
  // The batches that begin now, for kFill and kSpread. Afterwards
  //   - no position is in two parts, and what is planned is older than what remains;
  //   - no batch is above best_batch of its device; one above batch_step is a multiple of it;
  //   - no device has more batches than free streams;
  //   - positions remain only if a device is at work, and none is left idle that would end them before the busy ones.
  // A busy device gets whole batches ahead, or such that latency hardly shows; scraps wait to be joined with later work.
  void Plan(const PlannerInput& input, SplitPolicy policy, std::vector<PlannedPart>* plan);

 private:
  void MakeLanes();
  template <class Wanted>
  PlannerLane* Soonest(const Wanted& wanted);
  void Deal(PlannerLane* lane, int count);
  bool SendAhead();
  int WantedSharers() const;
  bool Share(PlannerLane* first);
  void DropScraps();
  double CommonFinish() const;
  void DealShares();

  const PlannerInput* input_ = nullptr;
  bool spread_ = false;
  std::vector<PlannedPart>* plan_ = nullptr;
  std::vector<PlannerLane> lanes_;
  std::vector<PlannerLane*> sharers_;
  int left_ = 0;
  int ticket_ = 0, begin_ = 0, batches_ = 0;
};

// The batches of one computation of `count` positions, for kDemux and kRoundRobin. devices: all that work, not empty;
// free_streams, in_flight and speed do not matter. *turn: the device whose turn it is, any number; kept by the caller.
void PlanComputation(int count, std::span<const PlannerDevice> devices, SplitPolicy policy,
                     int* turn, std::vector<PlannedPart>* plan);

}  // namespace plexus
