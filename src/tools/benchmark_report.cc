#include "tools/benchmark_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace plexus {
namespace {

using Json = nlohmann::ordered_json;

double Ratio(double part, double whole) { return whole > 0 ? part / whole : 0; }

std::string OrDash(const std::optional<double>& value) {
  return value ? Format("%.0f", *value) : "-";
}

Json OrNull(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json PositionJson(const MeasuredPosition& position) {
  const BenchmarkFigures figures = FiguresOf({position});
  return {{"fen", position.fen},
          {"best_move", position.best_move},
          {"nodes", figures.nodes},
          {"time_ms", figures.seconds * 1e3},
          {"nps", figures.nps},
          {"evaluations", figures.evaluations},
          {"evals_per_second", figures.evals_per_second},
          {"mean_minibatch", figures.mean_minibatch},
          {"cache_hits", position.counters.cache_hits},
          {"lock_held_us_per_node", figures.lock_held_us_per_node},
          {"time_to_first_batch_ms", figures.first_batch_ms},
          {"nps_first_half_second", OrNull(figures.early_nps)},
          {"nps_steady", OrNull(figures.steady_nps)},
          {"tree_nodes", position.counters.tree_nodes},
          {"tree_bytes", position.counters.tree_bytes}};
}

Json DeviceJson(const DeviceCounters& device) {
  return {{"name", device.name},
          {"failed", device.failed},
          {"positions", device.positions},
          {"batches", device.batches},
          {"mean_batch", MeanBatch(device)},
          {"busy_share", BusyShare(device)}};
}

std::string DeviceText(const DeviceCounters& device) {
  return Format("  %-20s %10lld positions %8lld batches, mean %6.1f, busy %3.0f%%%s\n",
                device.name.c_str(), static_cast<long long>(device.positions),
                static_cast<long long>(device.batches), MeanBatch(device), 100 * BusyShare(device),
                device.failed ? ", FAILED" : "");
}

}  // namespace

double BusyShare(const DeviceCounters& device) {
  return Ratio(device.busy_s, device.busy_s + device.idle_s);
}

double MeanBatch(const DeviceCounters& device) {
  return Ratio(static_cast<double>(device.positions), static_cast<double>(device.batches));
}

BenchmarkFigures FiguresOf(const std::vector<MeasuredPosition>& positions) {
  BenchmarkFigures figures;
  SearchCounters sum;
  double early_nodes = 0, early_seconds = 0, late_nodes = 0, late_seconds = 0;
  for (const MeasuredPosition& position : positions) {
    const SearchCounters& counters = position.counters;
    figures.seconds += position.seconds;
    sum.playouts += counters.playouts;
    sum.evaluations += counters.evaluations;
    sum.cache_hits += counters.cache_hits;
    sum.minibatches += counters.minibatches;
    sum.lock_acquisitions_gather += counters.lock_acquisitions_gather;
    sum.lock_acquisitions_backup += counters.lock_acquisitions_backup;
    sum.lock_acquisitions_other += counters.lock_acquisitions_other;
    sum.lock_held_ns += counters.lock_held_ns;
    sum.lock_wait_ns += counters.lock_wait_ns;
    sum.gather_ns += counters.gather_ns;
    sum.backup_ns += counters.backup_ns;
    sum.tree_nodes += counters.tree_nodes;
    sum.tree_bytes += counters.tree_bytes;
    sum.first_batch_ns += counters.first_batch_ns;
    if (position.early_seconds > 0 && position.seconds > position.early_seconds) {
      early_nodes += static_cast<double>(position.early_nodes);
      early_seconds += position.early_seconds;
      late_nodes += static_cast<double>(counters.playouts - position.early_nodes);
      late_seconds += position.seconds - position.early_seconds;
    }
  }
  const double nodes = static_cast<double>(sum.playouts);
  const double minibatches = static_cast<double>(sum.minibatches);
  const double evaluations = static_cast<double>(sum.evaluations);
  const double hits = static_cast<double>(sum.cache_hits);
  figures.nodes = sum.playouts;
  figures.evaluations = sum.evaluations;
  figures.minibatches = sum.minibatches;
  figures.nps = Ratio(nodes, figures.seconds);
  figures.evals_per_second = Ratio(evaluations, figures.seconds);
  figures.mean_minibatch = Ratio(evaluations, minibatches);
  figures.cache_hit_share = Ratio(hits, hits + evaluations);
  figures.gather_locks = Ratio(static_cast<double>(sum.lock_acquisitions_gather), minibatches);
  figures.backup_locks = Ratio(static_cast<double>(sum.lock_acquisitions_backup), minibatches);
  figures.other_locks = Ratio(static_cast<double>(sum.lock_acquisitions_other), minibatches);
  figures.lock_held_us_per_node = Ratio(static_cast<double>(sum.lock_held_ns) / 1e3, nodes);
  figures.lock_wait_us_per_node = Ratio(static_cast<double>(sum.lock_wait_ns) / 1e3, nodes);
  figures.gather_us_per_node = Ratio(static_cast<double>(sum.gather_ns) / 1e3, nodes);
  figures.backup_us_per_node = Ratio(static_cast<double>(sum.backup_ns) / 1e3, nodes);
  figures.first_batch_ms =
      Ratio(static_cast<double>(sum.first_batch_ns) / 1e6, static_cast<double>(positions.size()));
  figures.bytes_per_node =
      Ratio(static_cast<double>(sum.tree_bytes), static_cast<double>(sum.tree_nodes));
  if (early_seconds > 0) {
    figures.early_nps = early_nodes / early_seconds;
    figures.steady_nps = late_nodes / late_seconds;
  }
  return figures;
}

std::vector<DeviceCounters> Difference(const std::vector<DeviceCounters>& after,
                                       const std::vector<DeviceCounters>& before) {
  if (after.size() != before.size()) return after;
  std::vector<DeviceCounters> result = after;
  for (size_t i = 0; i < result.size(); ++i) {
    result[i].positions -= before[i].positions;
    result[i].batches -= before[i].batches;
    result[i].busy_s -= before[i].busy_s;
    result[i].idle_s -= before[i].idle_s;
    const size_t buckets =
        std::min(result[i].batch_histogram.size(), before[i].batch_histogram.size());
    for (size_t b = 0; b < buckets; ++b) {
      result[i].batch_histogram[b] -= before[i].batch_histogram[b];
    }
  }
  return result;
}

std::optional<double> MeanDeviceBatch(const std::vector<DeviceCounters>& devices) {
  DeviceCounters sum;
  for (const DeviceCounters& device : devices) {
    sum.positions += device.positions;
    sum.batches += device.batches;
  }
  if (sum.batches == 0) return std::nullopt;
  return MeanBatch(sum);
}

bool BatchesAreFarTooSmall(const std::vector<DeviceCounters>& devices, int suggested) {
  const std::optional<double> batch = MeanDeviceBatch(devices);
  return batch && *batch < suggested / 4.0;
}

std::string PositionTableHead() {
  return "   #     nodes       ms      nps  evals/s  batch  cache%  first ms  nps@0.5s  held us  "
         "move    position\n";
}

std::string PositionTableRow(const MeasuredPosition& position, size_t number, size_t count) {
  const BenchmarkFigures figures = FiguresOf({position});
  return Format("%2zu/%-2zu %8lld %8.0f %8.0f %8.0f %6.1f  %5.1f%%  %8.1f  %8s  %7.2f  %-6s  ",
                number, count, static_cast<long long>(figures.nodes), figures.seconds * 1e3,
                figures.nps, figures.evals_per_second, figures.mean_minibatch,
                100 * figures.cache_hit_share, figures.first_batch_ms,
                OrDash(figures.early_nps).c_str(), figures.lock_held_us_per_node,
                position.best_move.c_str()) +
         position.fen + "\n";
}

std::string TotalsText(const Measurement& measurement) {
  const BenchmarkFigures figures = FiguresOf(measurement.positions);
  std::string text = Format(
      "\nTotal time (ms) : %.0f\nNodes searched  : %lld\nNodes/second    : %.0f\n"
      "Evaluations/s   : %.0f (%lld in %lld minibatches of %.1f)\n",
      figures.seconds * 1e3, static_cast<long long>(figures.nodes), figures.nps,
      figures.evals_per_second, static_cast<long long>(figures.evaluations),
      static_cast<long long>(figures.minibatches), figures.mean_minibatch);
  text += Format("Cache hits      : %.1f%% of new positions\n", 100 * figures.cache_hit_share);
  text += Format("First 0.5 s     : %s nps, then %s nps; first batch after %.1f ms\n",
                 OrDash(figures.early_nps).c_str(), OrDash(figures.steady_nps).c_str(),
                 figures.first_batch_ms);
  text += Format(
      "Tree lock       : %.3f a minibatch (gather %.3f, backup %.3f, other %.3f), held %.3f us "
      "a node (gather %.3f, backup %.3f), waited for %.3f us a node\n",
      figures.locks_per_minibatch(), figures.gather_locks, figures.backup_locks,
      figures.other_locks, figures.lock_held_us_per_node, figures.gather_us_per_node,
      figures.backup_us_per_node, figures.lock_wait_us_per_node);
  text += Format("Tree memory     : %.0f bytes a node\n", figures.bytes_per_node);
  if (!measurement.devices.empty()) text += "Devices:\n";
  for (const DeviceCounters& device : measurement.devices) text += DeviceText(device);
  if (BatchesAreFarTooSmall(measurement.devices, measurement.suggested_batch)) {
    text += Format(
        "Note: devices got %.1f positions at once, far fewer than the %d that they like. More\n"
        "threads or a larger minibatch may help; very short searches never fill batches.\n",
        *MeanDeviceBatch(measurement.devices), measurement.suggested_batch);
  }
  return text;
}

std::string BenchmarkJson(const Measurement& measurement) {
  const BenchmarkFigures figures = FiguresOf(measurement.positions);
  Json json = {
      {"backend", measurement.backend},
      {"options", measurement.options},
      {"nps", figures.nps},
      {"nodes", figures.nodes},
      {"time_ms", figures.seconds * 1e3},
      {"evaluations", figures.evaluations},
      {"evals_per_second", figures.evals_per_second},
      {"minibatches", figures.minibatches},
      {"mean_minibatch", figures.mean_minibatch},
      {"mean_batch", MeanDeviceBatch(measurement.devices).value_or(figures.mean_minibatch)},
      {"cache_hit_share", figures.cache_hit_share},
      {"lock_acquisitions_per_minibatch", figures.locks_per_minibatch()},
      {"lock_gather_per_minibatch", figures.gather_locks},
      {"lock_backup_per_minibatch", figures.backup_locks},
      {"lock_held_us_per_node", figures.lock_held_us_per_node},
      {"gather_us_per_node", figures.gather_us_per_node},
      {"backup_us_per_node", figures.backup_us_per_node},
      {"lock_wait_us_per_node", figures.lock_wait_us_per_node},
      {"time_to_first_batch_ms", figures.first_batch_ms},
      {"nps_first_half_second", OrNull(figures.early_nps)},
      {"nps_steady", OrNull(figures.steady_nps)},
      {"bytes_per_node", figures.bytes_per_node},
      {"devices", Json::array()},
      {"positions", Json::array()},
  };
  for (const DeviceCounters& device : measurement.devices) {
    json["devices"].push_back(DeviceJson(device));
  }
  for (const MeasuredPosition& position : measurement.positions) {
    json["positions"].push_back(PositionJson(position));
  }
  return json.dump(2);
}

}  // namespace plexus
