#pragma once
// All kinds of backend as a table, and the one function that turns options into a Backend.
//
// What BackendOptions may say: backend/specification.h. Backend=auto is the fastest row that works on this machine;
// multiplexing without a list uses all its devices and says so.

#include <memory>
#include <span>
#include <string>

#include "backend/device_config.h"
#include "backend/params.h"
#include "backend/specification.h"
#include "net/backend.h"

namespace plexus {

struct BackendRow {
  const char* name;
  const char* alias;  // another spelling that is accepted; may be empty
  const char* help;
  const char* options;  // the keys that it understands, with their meaning
  DevicePlanner planner;
  bool needs_weights;  // without a network file it cannot work
  // Why it does not work in this build or on this machine, or null. Without the function it always works; with a null
  // planner it never does.
  const char* (*why_not)() = nullptr;
};
inline bool IsAvailable(const BackendRow& row) { return !row.why_not || !row.why_not(); }

// Backends that are made of others.
struct CombinerRow {
  const char* name;
  BackendKind kind;
  const char* help;
  const char* options;
};

std::span<const BackendRow> BackendRows();
std::span<const CombinerRow> CombinerRows();
// By name or alias. Throws Exception naming the rows.
const BackendRow& FindBackendRow(const std::string& name);
// Calls the planner. Throws Exception if the row is not available or lacks a network, and for keys that nobody reads.
std::vector<PlannedDevice> PlanBackendRow(const BackendRow& row, const DeviceConfig& config);
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
