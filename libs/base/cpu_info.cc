#include "base/cpu_info.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <thread>

#include "base/exception.h"
#include "base/files.h"
#include "base/strings.h"

namespace plexus {
namespace {

// Files of the system come and go with kernels; a missing one only means that it says nothing.
std::optional<std::string> ReadIfThere(const std::string& path) {
  try {
    return std::string(Trim(ReadFile(path, 1 << 16)));
  } catch (const Exception&) {
    return std::nullopt;
  }
}

double NumberOr(const std::string& text, double otherwise) {
  try {
    return ParseFloat(text, "");
  } catch (const Exception&) {
    return otherwise;
  }
}

// CPUs granted by the group in `folder`: version 2 of the interface, then version 1. 0 = no limit.
double QuotaOf(const std::string& folder) {
  if (const auto text = ReadIfThere(folder + "/cpu.max")) {
    const std::vector<std::string> words = SplitWords(*text);  // "max 100000" or "150000 100000"
    if (words.size() < 2) return 0;
    return std::max(0.0, NumberOr(words[0], 0) / NumberOr(words[1], 100000));
  }
  const auto quota = ReadIfThere(folder + "/cpu.cfs_quota_us");  // -1: no limit
  const auto period = ReadIfThere(folder + "/cpu.cfs_period_us");
  if (!quota || !period) return 0;
  return std::max(0.0, NumberOr(*quota, 0) / std::max(1.0, NumberOr(*period, 100000)));
}

// The least limit of the group and all groups around it.
double QuotaUpwards(const std::string& base, std::string group) {
  double least = 0;
  for (;;) {
    const double quota = QuotaOf(base + group);
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
    if (group.empty()) return least;
    group.erase(group.find_last_of('/') == std::string::npos ? 0 : group.find_last_of('/'));
  }
}

double ReadQuota(const std::string& root) {
  double least = 0;
  const auto consider = [&least](double quota) {
    if (quota > 0 && (least == 0 || quota < least)) least = quota;
  };
  const std::string base = root + "sys/fs/cgroup";
  // Lines "number:controllers:/group"; version 2 has one line, without controllers.
  for (const std::string& line : Split(ReadIfThere(root + "proc/self/cgroup").value_or(""), '\n')) {
    const std::vector<std::string> parts = Split(line, ':');
    if (parts.size() != 3) continue;
    const std::string group = parts[2] == "/" ? "" : parts[2];
    const std::vector<std::string> controllers = Split(parts[1], ',');
    if (parts[1].empty()) {
      consider(QuotaUpwards(base, group));
    } else if (std::count(controllers.begin(), controllers.end(), "cpu") > 0) {
      consider(QuotaUpwards(base + "/cpu", group));
      consider(QuotaUpwards(base + "/" + parts[1], group));
    }
  }
  return least;
}

}  // namespace

int CpuInfo::UsableCores() const {
  if (quota_cpus <= 0) return physical_cores;
  return std::clamp(static_cast<int>(std::lround(quota_cpus)), 1, physical_cores);
}

CpuInfo ReadCpuInfo(const std::vector<int>& allowed_cpus, const std::string& root) {
  CpuInfo info;
  info.logical_cpus = std::max<int>(1, static_cast<int>(allowed_cpus.size()));
  // Each core has one list of its hardware threads ("0,64"), the same text for all of them.
  std::set<std::string> cores;
  for (const int cpu : allowed_cpus) {
    const std::string topology =
        root + "sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/";
    auto siblings = ReadIfThere(topology + "core_cpus_list");
    if (!siblings) siblings = ReadIfThere(topology + "thread_siblings_list");
    cores.insert(siblings.value_or("cpu " + std::to_string(cpu)));
  }
  info.physical_cores = std::max<int>(1, static_cast<int>(cores.size()));
  info.quota_cpus = ReadQuota(root);
  return info;
}

CpuInfo ReadCpuInfo() {
  std::vector<int> allowed;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) allowed.push_back(cpu);
    }
  } else {
    // More than CPU_SETSIZE processors: count all of them.
    for (int cpu = 0; cpu < static_cast<int>(std::thread::hardware_concurrency()); ++cpu) {
      allowed.push_back(cpu);
    }
  }
  return ReadCpuInfo(allowed, "/");
}

}  // namespace plexus
