#pragma once
// `plexus benchmark --sweep`: the same searches in a grid of configurations.

#include <string>
#include <vector>

#include "engine/engine_options.h"
#include "search/limits.h"
#include "tools/sweep_report.h"

namespace plexus {

struct SweepRequest {
  SweepLists lists;
  std::vector<std::string> fens;  // searched in every configuration
  SearchLimits limits;            // of each
  std::string changed_options;    // for the report
  ProgramPaths paths;
};

// A line for each configuration goes to the standard error stream. A configuration that fails is a row with the reason.
// Backend, BackendOptions, Threads and MinibatchSize of *options are what they were afterwards. Throws Exception for
// lists that cannot be read.
Sweep RunSweep(const SweepRequest& request, EngineOptions* options);

}  // namespace plexus
