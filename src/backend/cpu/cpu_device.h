#pragma once
// The fast network on the CPU. One specification gives `threads` devices; each runs whole positions on its own thread
// and shares the packed weights with the others. Nothing is split inside a layer: a barrier there costs more than it
// gains as soon as another thread wants the core.

#include <vector>

#include "backend/device_config.h"

namespace plexus {

// The keys that a specification may carry, for help texts.
inline constexpr const char* kCpuOptionsHelp =
    "threads=N (device threads; 0 = one a physical core), isa=auto|avx512|avx2|portable, "
    "precision=fp32|bf16 (bf16 needs AVX512-BF16), "
    "winograd=true|false (false: direct convolutions), max_batch=N (256), batch=N (suggested size)";

// Packs the weights and picks the instruction set at once, so that a fault shows here and not on a device thread.
// Throws Exception for options out of range, an instruction set that this CPU lacks, and networks that this backend
// cannot run.
std::vector<PlannedDevice> PlanCpuDevices(const DeviceConfig& config);

}  // namespace plexus
