#pragma once
// All kinds of backend as a table, and the one function that turns options into a Backend.
//
//   Backend=cpu           BackendOptions="threads=2"                      one specification, its options
//   Backend=multiplexing  BackendOptions="(backend=cpu,threads=1),(backend=fake)"   several; also cpu(threads=1),fake()
//   Backend=multiplexing  BackendOptions=""                               as auto
//   Backend=auto          the fastest row that works on this machine; options go to it
// Beside the specifications may stand policy=auto|fill|spread (see batch_planner.h).

#include <memory>
#include <span>
#include <string>

#include "backend/device_config.h"
#include "backend/params.h"
#include "net/backend.h"

namespace plexus {

struct BackendRow {
  const char* name;
  const char* help;
  const char* options;  // the keys that it understands, with their meaning
  DevicePlanner planner;
  bool needs_weights;  // without a network file it cannot work
};

std::span<const BackendRow> BackendRows();
// Throws Exception naming the rows.
const BackendRow& FindBackendRow(const std::string& name);
// A text for `--help` and for the manual: every row with its options.
std::string DescribeBackends();

// Whether any device that `params` asks for evaluates a network file. Throws Exception for unknown names.
bool BackendNeedsWeights(const BackendParams& params);

// Devices, multiplexer and cache in one. Waits until every device is made; throws Exception naming the first device
// that is not, and for unknown backends or keys, naming the valid ones. weights may be null where no row needs them.
// The clock outlives the backend. Options are read once: a change of any of them needs a new backend (and so, by
// construction, an empty cache).
std::shared_ptr<Backend> MakeBackend(const BackendParams& params,
                                     std::shared_ptr<const NetworkWeights> weights, Clock* clock);

}  // namespace plexus
