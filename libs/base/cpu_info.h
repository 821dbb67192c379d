#pragma once
// What this machine lends to the process. Linux: from /proc and /sys; elsewhere the standard
// library's guess.

#include <string>
#include <vector>

namespace plexus {

struct CpuInfo {
  int logical_cpus = 1;    // hardware threads on which this process may run (affinity)
  int physical_cores = 1;  // the cores behind them: two hardware threads of a core count once
  double quota_cpus = 0;   // CPU time per second that the container grants; 0 = no limit
  // How many threads that compute all the time are worth starting: physical_cores, or the quota if
  // that is less.
  int UsableCores() const;
};

CpuInfo ReadCpuInfo();

// The same from given sources, for tests. allowed_cpus: numbers of the logical CPUs; root replaces
// "/" before proc and sys.
CpuInfo ReadCpuInfo(const std::vector<int>& allowed_cpus, const std::string& root);

}  // namespace plexus
