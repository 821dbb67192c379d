#pragma once
// What runs a network: planes in, logits of the wanted moves out. Made, used and destroyed by one thread (see
// backend/device_thread.h).

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "net/planes.h"

namespace plexus {

// What a device is asked; storage belongs to the caller. Only the logits of wanted moves are answered: 35 numbers a
// position rather than 1858, so that neither the link to a card nor memory limits small networks.
struct DeviceBatch {
  std::span<const InputPlanes> planes;  // [batch]
  // Wanted entries of the policy head (0..1857, order of policy_map.h, for transformed planes already transformed),
  // position after position: position i owns policy_begin[i] - policy_begin[0] up to policy_begin[i + 1] -
  // policy_begin[0]. Usually the legal moves; none and all 1858 are allowed too.
  std::span<const uint16_t> policy_indices;
  std::span<const uint32_t> policy_begin;  // [batch + 1], ascending

  size_t size() const { return planes.size(); }
  // Where among policy_indices those of `position` begin; size() is allowed.
  size_t Begin(size_t position) const { return policy_begin[position] - policy_begin[0]; }
  std::span<const uint16_t> Indices(size_t position) const {
    return policy_indices.subspan(Begin(position), Begin(position + 1) - Begin(position));
  }
  DeviceBatch Part(size_t first, size_t count) const {
    return {planes.subspan(first, count),
            policy_indices.subspan(Begin(first), Begin(first + count) - Begin(first)),
            policy_begin.subspan(first, count + 1)};
  }
};

// Where a device writes; storage belongs to the caller. Rows are positions in the order of the input.
struct LogitBatch {
  std::span<float> policy_logits;  // one for each of DeviceBatch::policy_indices, in their order
  // [batch][3] = win, draw, loss before softmax; without a W/D/L head the tanh value (win minus loss), then two zeros
  std::span<float> value_logits;
  std::span<float> moves_left_plies;  // [batch], >= 0; zeros without such a head

  // What belongs to in.Part(first, count).
  LogitBatch Part(const DeviceBatch& in, size_t first, size_t count) const {
    return {policy_logits.subspan(in.Begin(first), in.Begin(first + count) - in.Begin(first)),
            value_logits.subspan(3 * first, 3 * count), moves_left_plies.subspan(first, count)};
  }
};

// For devices whose policy head comes whole: all = its 1858 entries of one position.
inline void GatherLogits(std::span<const uint16_t> indices, std::span<const float> all,
                         std::span<float> out) {
  for (size_t i = 0; i < indices.size(); ++i) out[i] = all[indices[i]];
}

struct DeviceAttributes {
  std::string name;       // "cpu fp32 avx512", "cudnn-fp16 gpu 0 (NVIDIA H200)"
  std::string precision;  // "fp32", "bf16", "fp16"
  int max_batch = 256;    // most positions of one Run
  int best_batch = 64;    // where throughput is near its best
  int batch_step = 1;     // batches of a multiple of this waste nothing
  bool has_wdl = false;
  bool has_moves_left = false;
  bool is_cpu = true;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual DeviceAttributes attributes() const = 0;
  // 1..max_batch positions. Throws Exception; *out is then undefined.
  virtual void Run(const DeviceBatch& in, const LogitBatch& out) = 0;
  // From another thread: a Run that hangs shall end soon, best by throwing. Does nothing where a Run cannot hang or
  // cannot be ended.
  virtual void Interrupt() {}
};

}  // namespace plexus
