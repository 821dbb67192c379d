#include "tools/sweep_report.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace plexus {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kBusy = 0.9;       // devices with so much work have enough
constexpr double kSaturated = 0.8;  // a lock held, or CPUs at work, for this share: waiting is long
constexpr double kWorthwhile = 1.05;  // more devices that give less than this did not help
constexpr double kGoodEfficiency = 0.9;

std::string OrDash(const std::optional<double>& value) {
  return value ? Format("%.0f", *value) : "-";
}
Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::string Percent(double share) { return Format("%.0f%%", 100 * share); }

// "97" where all are alike, else "60-98".
template <class Value>
std::string Range(const std::vector<DeviceCounters>& devices, const Value& value) {
  if (devices.empty()) return "-";
  double least = value(devices[0]), most = least;
  for (const DeviceCounters& device : devices) {
    least = std::min(least, value(device));
    most = std::max(most, value(device));
  }
  const std::string low = Format("%.0f", least), high = Format("%.0f", most);
  return low == high ? low : low + "-" + high;
}

int FailedDevices(const SweepRow& row) {
  return static_cast<int>(std::ranges::count_if(row.devices, &DeviceCounters::failed));
}

bool SameButDevices(const SweepRow& a, const SweepRow& b) {
  return a.cell.combiner == b.cell.combiner && a.cell.threads == b.cell.threads &&
         a.cell.minibatch == b.cell.minibatch;
}

double LeastBusy(const SweepRow& row) {
  double least = 1;
  for (const DeviceCounters& device : row.devices) least = std::min(least, BusyShare(device));
  return least;
}

std::string Name(const SweepRow& row) {
  return Format("%s, %d %s, %d %s, minibatch %d", row.cell.combiner.c_str(), row.cell.devices,
                row.cell.devices == 1 ? "device" : "devices", row.threads,
                row.threads == 1 ? "thread" : "threads", row.minibatch);
}

std::string Explain(const SweepRow& row, double usable_cpus) {
  switch (FindBottleneck(row, usable_cpus)) {
    case Bottleneck::kDevices:
      return "the devices are busy all the time";
    case Bottleneck::kTreeLock:
      return "the limit is the tree lock, held " + Percent(LockShare(row)) + " of the time";
    case Bottleneck::kHostCpu:
      return "the limit is the host CPU, " + Percent(CpuShare(row, usable_cpus)) + " of it at work";
    case Bottleneck::kWaiting:
      break;
  }
  return "neither tree lock (" + Percent(LockShare(row)) + ") nor host CPU (" +
         Percent(CpuShare(row, usable_cpus)) +
         ") is the limit: too few positions are under way (short searches, or threads and "
         "minibatch "
         "that do not suit)";
}

// The next smaller number of devices of the same kind of row, or null.
const SweepRow* Smaller(const Sweep& sweep, const SweepRow& row) {
  const SweepRow* found = nullptr;
  for (const SweepRow& other : sweep.rows) {
    if (!other.error.empty() || !SameButDevices(other, row)) continue;
    if (other.cell.devices >= row.cell.devices) continue;
    if (!found || other.cell.devices > found->cell.devices) found = &other;
  }
  return found;
}

std::string TableRow(const Sweep& sweep, const SweepRow& row) {
  const auto automatic = [](int asked, int used) {
    return std::to_string(used) + (asked == 0 ? "*" : " ");
  };
  if (!row.error.empty()) {
    return Format(
               "%-13s %4d %5s %6s ", row.cell.combiner.c_str(), row.cell.devices,
               row.cell.threads == 0 ? "*" : (std::to_string(row.cell.threads) + " ").c_str(),
               row.cell.minibatch == 0 ? "*" : (std::to_string(row.cell.minibatch) + " ").c_str()) +
           "failed: " + row.error + "\n";
  }
  const BenchmarkFigures& f = row.figures;
  const std::optional<double> efficiency = Efficiency(sweep, row);
  const std::string batch = Range(row.devices, MeanBatch);
  const std::string busy =
      Range(row.devices, [](const DeviceCounters& device) { return 100 * BusyShare(device); });
  std::string text = Format(
      "%-13s %4d %5s %6s %9.0f %9.0f %7s %9s %9s %9s %8s %7.2f %7.2f %7.2f %5s %5s",
      row.cell.combiner.c_str(), row.cell.devices, automatic(row.cell.threads, row.threads).c_str(),
      automatic(row.cell.minibatch, row.minibatch).c_str(), f.nps, f.evals_per_second,
      efficiency ? Percent(*efficiency).c_str() : "-", OrDash(f.early_nps).c_str(),
      OrDash(f.steady_nps).c_str(), batch.c_str(), busy.c_str(), f.lock_held_us_per_node,
      f.gather_us_per_node, f.backup_us_per_node, Percent(LockShare(row)).c_str(),
      Percent(CpuShare(row, sweep.usable_cpus)).c_str());
  if (const int failed = FailedDevices(row); failed > 0)
    text += Format("  %d of %zu devices FAILED", failed, row.devices.size());
  return text + "\n";
}

Json RowJson(const Sweep& sweep, const SweepRow& row) {
  Json json = {{"combiner", row.cell.combiner},
               {"devices", row.cell.devices},
               {"threads", row.cell.threads},
               {"minibatch", row.cell.minibatch},
               {"backend_options", row.backend_options},
               {"error", row.error.empty() ? Json(nullptr) : Json(row.error)}};
  if (!row.error.empty()) return json;
  const BenchmarkFigures& f = row.figures;
  json["backend"] = row.backend;
  json["threads_used"] = row.threads;
  json["minibatch_used"] = row.minibatch;
  json["suggested_batch"] = row.suggested_batch;
  json["nodes"] = f.nodes;
  json["time_ms"] = f.seconds * 1e3;
  json["nps"] = f.nps;
  json["evals_per_second"] = f.evals_per_second;
  json["efficiency"] = OrNull(Efficiency(sweep, row));
  json["nps_first_half_second"] = OrNull(f.early_nps);
  json["nps_steady"] = OrNull(f.steady_nps);
  json["mean_minibatch"] = f.mean_minibatch;
  json["mean_batch"] = OrNull(MeanDeviceBatch(row.devices));
  json["cache_hit_share"] = f.cache_hit_share;
  json["lock_acquisitions_per_minibatch"] = f.locks_per_minibatch();
  json["lock_held_us_per_node"] = f.lock_held_us_per_node;
  json["lock_wait_us_per_node"] = f.lock_wait_us_per_node;
  json["gather_us_per_node"] = f.gather_us_per_node;
  json["backup_us_per_node"] = f.backup_us_per_node;
  json["lock_share"] = LockShare(row);
  json["cpu_share"] = CpuShare(row, sweep.usable_cpus);
  json["bottleneck"] = Explain(row, sweep.usable_cpus);
  json["per_device"] = Json::array();
  for (const DeviceCounters& device : row.devices) {
    json["per_device"].push_back({{"name", device.name},
                                  {"failed", device.failed},
                                  {"positions", device.positions},
                                  {"batches", device.batches},
                                  {"mean_batch", MeanBatch(device)},
                                  {"busy_share", BusyShare(device)}});
  }
  return json;
}

std::string Recommendation(const Sweep& sweep) {
  const SweepRow* best = FindBest(sweep);
  if (!best) return "\nRecommendation: none; every configuration failed or lost a device.\n";
  const auto number = [](int asked, int used) {
    return asked == 0 ? "0 (= " + std::to_string(used) + ")" : std::to_string(used);
  };
  std::string text = Format("\nRecommendation: Backend=%s, %d %s, Threads %s, MinibatchSize %s",
                            best->cell.combiner.c_str(), best->cell.devices,
                            best->cell.devices == 1 ? "device" : "devices",
                            number(best->cell.threads, best->threads).c_str(),
                            number(best->cell.minibatch, best->minibatch).c_str());
  text += Format(": %.0f nps, the most of all.\n", best->figures.nps);
  text += "  There, " + Explain(*best, sweep.usable_cpus) + ".\n";
  for (const BatchAdvice& advice : AdviseBatches(sweep, *best)) {
    text += Format("  %-6s moves: MinibatchSize %d (%.0f nps; each doubling must bring %.0f%%)\n",
                   advice.moves, advice.minibatch, advice.nps, 100 * advice.gain_per_doubling);
  }
  return text;
}

}  // namespace

std::optional<double> Efficiency(const Sweep& sweep, const SweepRow& row) {
  if (!row.error.empty()) return std::nullopt;
  for (const SweepRow& one : sweep.rows) {
    if (!one.error.empty() || one.cell.devices != 1 || !SameButDevices(one, row)) continue;
    if (one.figures.nps <= 0) return std::nullopt;
    return row.figures.nps / (row.cell.devices * one.figures.nps);
  }
  return std::nullopt;
}

double LockShare(const SweepRow& row) {
  return row.figures.lock_held_us_per_node * row.figures.nps / 1e6;
}

double CpuShare(const SweepRow& row, double usable_cpus) {
  if (row.figures.seconds <= 0 || usable_cpus <= 0) return 0;
  return row.cpu_seconds / (row.figures.seconds * usable_cpus);
}

Bottleneck FindBottleneck(const SweepRow& row, double usable_cpus) {
  const double lock = LockShare(row), cpu = CpuShare(row, usable_cpus);
  if (!row.devices.empty() && LeastBusy(row) >= kBusy &&
      !BatchesAreFarTooSmall(row.devices, row.suggested_batch))
    return Bottleneck::kDevices;
  if (lock >= kSaturated && lock >= cpu) return Bottleneck::kTreeLock;
  if (cpu >= kSaturated) return Bottleneck::kHostCpu;
  return Bottleneck::kWaiting;
}

const SweepRow* FindBest(const Sweep& sweep) {
  const SweepRow* best = nullptr;
  for (const SweepRow& row : sweep.rows) {
    if (row.error.empty() && FailedDevices(row) == 0 &&
        (!best || row.figures.nps > best->figures.nps))
      best = &row;
  }
  return best;
}

std::vector<BatchAdvice> AdviseBatches(const Sweep& sweep, const SweepRow& best) {
  std::map<int, double> nps_of;  // minibatch -> the best of its rows
  for (const SweepRow& row : sweep.rows) {
    if (!row.error.empty() || row.cell.combiner != best.cell.combiner ||
        row.cell.devices != best.cell.devices)
      continue;
    double& nps = nps_of[row.minibatch];
    nps = std::max(nps, row.figures.nps);
  }
  std::vector<BatchAdvice> advice;
  if (nps_of.size() < 2) return advice;
  constexpr std::pair<const char*, double> kMoves[] = {
      {"short", 0.2}, {"medium", 0.1}, {"long", 0.03}};
  for (const auto& [moves, gain] : kMoves) {
    for (auto candidate = nps_of.begin(); candidate != nps_of.end(); ++candidate) {
      const bool is_enough =
          std::all_of(std::next(candidate), nps_of.end(), [&, gain = gain](const auto& other) {
            const double doublings = std::log2(static_cast<double>(other.first) / candidate->first);
            return other.second <= candidate->second * std::pow(1 + gain, doublings);
          });
      if (!is_enough) continue;
      advice.push_back({moves, gain, candidate->first, candidate->second});
      break;
    }
  }
  return advice;
}

std::vector<std::string> Warnings(const Sweep& sweep) {
  std::vector<std::string> warnings;
  for (const SweepRow& row : sweep.rows) {
    if (!row.error.empty()) continue;
    if (BatchesAreFarTooSmall(row.devices, row.suggested_batch)) {
      warnings.push_back(Name(row) + Format(": devices got %.1f positions at once, far fewer than "
                                            "the %d that they like",
                                            *MeanDeviceBatch(row.devices), row.suggested_batch));
    }
    const SweepRow* fewer = Smaller(sweep, row);
    if (!fewer) continue;
    const double gain = row.figures.nps / fewer->figures.nps;
    if (gain < kWorthwhile) {
      warnings.push_back(
          Name(row) +
          Format(": no faster than %d (%+.0f%%); ", fewer->cell.devices, 100 * (gain - 1)) +
          Explain(row, sweep.usable_cpus));
      continue;
    }
    const std::optional<double> efficiency = Efficiency(sweep, row);
    if (efficiency && *efficiency < kGoodEfficiency) {
      warnings.push_back(Name(row) + ": " + Percent(*efficiency) + " of linear; " +
                         Explain(row, sweep.usable_cpus));
    }
  }
  return warnings;
}

std::string SweepProgress(const SweepRow& row, size_t number, size_t count) {
  const std::string where = Format("[%zu/%zu] ", number, count);
  if (row.error.empty()) return where + Name(row) + Format(": %.0f nps\n", row.figures.nps);
  return where +
         Format("%s, %d devices, threads %d, minibatch %d failed: ", row.cell.combiner.c_str(),
                row.cell.devices, row.cell.threads, row.cell.minibatch) +
         row.error + "\n";
}

std::string SweepText(const Sweep& sweep) {
  std::string text =
      "combiner       dev   thr  batch       nps   evals/s     eff  nps@0.5s    steady  dev batch  "
      " "
      "busy%    held  gather  backup  lock   cpu\n";
  for (const SweepRow& row : sweep.rows) text += TableRow(sweep, row);
  text +=
      "(* automatic; eff: against devices times the nps of one; dev batch, busy%: of each device, "
      "lowest-highest;\n held, gather, backup: us a node under the tree lock; lock, cpu: share of "
      "time it is held, of the machine's CPUs)\n";
  const std::vector<std::string> warnings = Warnings(sweep);
  if (!warnings.empty()) text += "\n";
  for (const std::string& warning : warnings) text += "Warning: " + warning + ".\n";
  return text + Recommendation(sweep);
}

std::string SweepJson(const Sweep& sweep) {
  Json json = {{"options", sweep.options},
               {"usable_cpus", sweep.usable_cpus},
               {"rows", Json::array()},
               {"warnings", Warnings(sweep)},
               {"recommendation", nullptr}};
  for (const SweepRow& row : sweep.rows) json["rows"].push_back(RowJson(sweep, row));
  if (const SweepRow* best = FindBest(sweep)) {
    Json advice = {{"combiner", best->cell.combiner}, {"devices", best->cell.devices},
                   {"threads", best->threads},        {"minibatch", best->minibatch},
                   {"nps", best->figures.nps},        {"minibatch_by_move_length", Json::object()}};
    for (const BatchAdvice& batch : AdviseBatches(sweep, *best))
      advice["minibatch_by_move_length"][batch.moves] = batch.minibatch;
    json["recommendation"] = advice;
  }
  return json.dump(2);
}

}  // namespace plexus
