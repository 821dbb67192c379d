#pragma once
// Stops a search before the process outgrows its memory.

#include <cstdint>

#include "search/stopper.h"

namespace plexus {

// Memory of this process that is in RAM, in bytes; 0 if the system does not say.
int64_t ResidentBytes();
// What a process may use here: the machine's memory or the container's limit, whichever is less; 0
// if unknown.
int64_t MachineMemoryBytes();
// The limit that RamLimitMb stands for; 0 MiB: two thirds of `machine_bytes`. 0 = no limit (machine
// unknown).
int64_t MemoryLimitBytes(int ram_limit_mb, int64_t machine_bytes);

// Counts what the tree really allocated (SearchStats::tree_bytes) plus what the process used
// besides it at the start.
class MemoryStopper : public Stopper {
 public:
  MemoryStopper(int64_t limit_bytes, int64_t other_bytes)
      : limit_bytes_(limit_bytes), other_bytes_(other_bytes) {}
  bool ShouldStop(const SearchStats& stats, StopperHints* hints) override;
  const char* reason() const override { return "memory limit"; }

 private:
  const int64_t limit_bytes_, other_bytes_;
};

}  // namespace plexus
