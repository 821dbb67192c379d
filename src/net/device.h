#pragma once
// What runs a network: planes in, logits out. Made, used and destroyed by one thread (see backend/device_thread.h).

#include <span>
#include <string>
#include <vector>

#include "net/planes.h"

namespace plexus {

// Where a device writes; storage belongs to the caller. Rows are positions in the order of the input.
struct LogitBatch {
  std::span<float> policy_logits;      // [batch][1858], order of policy_map.h
  std::span<float> value_logits;       // [batch][3] = win, draw, loss before softmax; without a W/D/L head
                                       // [batch][3] with the tanh value (win minus loss) first, then two zeros
  std::span<float> moves_left_plies;   // [batch], >= 0; zeros without such a head
};

struct DeviceAttributes {
  std::string name;              // "cpu fp32 avx512", "cudnn-fp16 gpu 0 (NVIDIA H200)"
  std::string precision;         // "fp32", "bf16", "fp16"
  int max_batch = 256;           // most positions of one Run
  int best_batch = 64;           // where throughput is near its best
  int batch_step = 1;            // batches of a multiple of this waste nothing
  bool has_wdl = false;
  bool has_moves_left = false;
  bool is_cpu = true;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceAttributes attributes() const = 0;
  // 1..max_batch positions. Throws Exception; *out is then undefined.
  virtual void Run(std::span<const InputPlanes> input, const LogitBatch& out) = 0;
};

}  // namespace plexus
