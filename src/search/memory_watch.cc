#include "search/memory_watch.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace plexus {

int64_t ResidentBytes() {
  std::ifstream statm("/proc/self/statm");
  int64_t size = 0, resident = 0;
  if (!(statm >> size >> resident)) return 0;
  return resident * sysconf(_SC_PAGESIZE);
}

int64_t MachineMemoryBytes() {
  int64_t bytes = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (bytes < 0) bytes = 0;
  for (const char* path :
       {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::ifstream file(path);
    int64_t limit = 0;  // the text "max" fails to parse and means no limit
    if (file >> limit && limit > 0 && (bytes == 0 || limit < bytes)) bytes = limit;
  }
  return bytes;
}

int64_t MemoryLimitBytes(int ram_limit_mb, int64_t machine_bytes) {
  if (ram_limit_mb > 0) return static_cast<int64_t>(ram_limit_mb) << 20;
  return machine_bytes > 0 ? machine_bytes / 3 * 2 : 0;
}

bool MemoryStopper::ShouldStop(const SearchStats& stats, StopperHints*) {
  // What was used at the start may be more than a small limit; the tree still gets an eighth of it,
  // so that there is a move to play.
  const int64_t for_tree = limit_bytes_ - other_bytes_;
  return limit_bytes_ > 0 &&
         stats.tree_bytes >= (for_tree > limit_bytes_ / 8 ? for_tree : limit_bytes_ / 8);
}

}  // namespace plexus
