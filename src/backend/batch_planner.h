#pragma once
// Which idle device gets which waiting positions: a pure function, so that every policy is tested with numbers.

#include <cstdint>
#include <span>
#include <vector>

namespace plexus {

enum class SplitPolicy : uint8_t {
  kFill,  // join tickets until a device has its best batch, then the next device: few, full batches
  kSpread,  // cut what waits over all idle devices, by their speed: short waits, for devices that like any batch
};

struct IdleDevice {
  int device = 0;      // its number; any order
  int max_batch = 1;   // >= 1
  int best_batch = 1;  // 1..max_batch
  int batch_step = 1;  // >= 1; quotas are multiples of it where the work allows
  double positions_per_s =
      0;  // measured; 0 = not known yet, then all idle devices count as equally fast
};

// `count` positions of waiting[waiting], beginning at the `begin`-th of those that wait.
struct PlannedPart {
  int device = 0;
  int waiting = 0;
  int begin = 0;
  int count = 0;
  bool operator==(const PlannedPart&) const = default;
};

// waiting: how many positions each ticket still has in the queue, oldest first, all > 0.
// Fills *plan: the parts of one device stand together and are its next batch. Afterwards
//   - no position is in two parts, no device has more than its best_batch;
//   - positions remain only if every idle device has work, and a device remains idle only if no position does
//     (kFill leaves devices idle when fewer can take it all);
//   - what is planned is older than what remains.
void PlanSlices(std::span<const int> waiting, std::span<const IdleDevice> idle, SplitPolicy policy,
                std::vector<PlannedPart>* plan);

}  // namespace plexus
