#pragma once
// A device run for all 1858 logits of the policy, where a test does not care which moves are legal.

#include <numeric>
#include <span>
#include <vector>

#include "net/device.h"

namespace plexus {

// out.policy_logits: [planes.size()][1858]. Allocates on its first call with so many positions only.
inline void RunForAllLogits(Device* device, std::span<const InputPlanes> planes,
                            const LogitBatch& out) {
  thread_local std::vector<uint16_t> indices;
  thread_local std::vector<uint32_t> begin;
  if (begin.size() < planes.size() + 1) {
    indices.resize(planes.size() * kPolicySize);
    begin.resize(planes.size() + 1);
    for (size_t i = 0; i < indices.size(); ++i) indices[i] = static_cast<uint16_t>(i % kPolicySize);
    for (size_t i = 0; i < begin.size(); ++i) begin[i] = static_cast<uint32_t>(i * kPolicySize);
  }
  device->Run({planes, std::span(indices).first(planes.size() * kPolicySize),
               std::span(begin).first(planes.size() + 1)},
              out);
}

}  // namespace plexus
