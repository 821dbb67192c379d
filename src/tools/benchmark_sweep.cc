#include "tools/benchmark_sweep.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

#include "base/clock.h"
#include "base/cpu_info.h"
#include "engine/resources.h"
#include "engine/search_table.h"
#include "tools/benchmark_run.h"

namespace plexus {
namespace {

double ProcessCpuSeconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

double UsableCpus() {
  const CpuInfo info = ReadCpuInfo();
  return info.quota_cpus > 0 ? std::min<double>(info.quota_cpus, info.logical_cpus)
                             : info.logical_cpus;
}

void MeasureRow(const SweepRequest& request, const EngineOptions& options, Resources* resources,
                Clock* clock, SweepRow* row) {
  resources->Update(options.EffectiveBackend(),
                    [](const std::string& text) { std::fprintf(stderr, "%s\n", text.c_str()); });
  Backend& backend = *resources->backend();
  const BackendAttributes attributes = backend.attributes();
  row->backend = attributes.description;
  row->suggested_batch = attributes.suggested_batch;
  // As the search chooses them.
  row->threads = options.search.threads > 0 ? options.search.threads : attributes.suggested_threads;
  row->minibatch = std::clamp(options.search.minibatch_size > 0 ? options.search.minibatch_size
                                                                : attributes.suggested_batch,
                              1, std::max(1, attributes.max_batch));
  const std::unique_ptr<Search> search = MakeSearch(
      options.engine.search, {resources->backend(), clock, &options.search, &options.stop});
  const std::vector<DeviceCounters> before = backend.device_counters();
  const double cpu_before = ProcessCpuSeconds();
  std::vector<MeasuredPosition> positions;
  for (const std::string& fen : request.fens) {
    positions.push_back(
        MeasureSearch(fen, request.limits, options.engine.chess960, clock, &backend, search.get()));
  }
  row->cpu_seconds = ProcessCpuSeconds() - cpu_before;
  row->devices = Difference(backend.device_counters(), before);
  row->figures = FiguresOf(positions);
}

}  // namespace

Sweep RunSweep(const SweepRequest& request, EngineOptions* options) {
  const BackendParams backend = options->backend;
  const SearchParams search = options->search;
  const DeviceList list = SplitDevices(backend.backend, backend.backend_options);
  const std::vector<SweepCell> cells =
      SweepCells(request.lists, list, backend.backend, search.threads, search.minibatch_size);
  Sweep sweep;
  sweep.options = request.changed_options;
  sweep.usable_cpus = UsableCpus();
  SteadyClock clock;
  Resources resources(request.paths, &clock);
  for (const SweepCell& cell : cells) {
    SweepRow row;
    row.cell = cell;
    try {
      row.backend_options = OptionsOf(list, backend.backend, cell.devices);
      options->backend.backend = cell.combiner;
      options->backend.backend_options = row.backend_options;
      options->search.threads = cell.threads;
      options->search.minibatch_size = cell.minibatch;
      MeasureRow(request, *options, &resources, &clock, &row);
    } catch (const std::exception& e) {
      row.error = e.what();
    }
    sweep.rows.push_back(row);
    std::fputs(SweepProgress(row, sweep.rows.size(), cells.size()).c_str(), stderr);
  }
  options->backend = backend;
  options->search = search;
  return sweep;
}

}  // namespace plexus
