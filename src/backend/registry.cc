#include "backend/registry.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "backend/caching_backend.h"
#include "backend/cpu/cpu_device.h"
#include "backend/fake/fake_device.h"
#include "backend/multiplexer.h"
#include "backend/reference/reference_device.h"
#include "backend/sim/sim_device.h"
#include "base/exception.h"
#include "base/strings.h"

namespace plexus {
namespace {

// Best first: auto takes the first.
constexpr BackendRow kRows[] = {
    {"cpu", "convolutional networks on this machine's processor", kCpuOptionsHelp, PlanCpuDevices,
     true},
    {"fake", "evaluations from a hash of the position, for tests and for measuring the search",
     kFakeDeviceKeys, PlanFakeDevices, false},
    {"material", "counts material, likes every move equally; for tests", kFakeDeviceKeys,
     PlanMaterialDevices, false},
    {"reference", "plain loops over the network, slow; the measure for the other devices",
     kReferenceDeviceKeys, PlanReferenceDevices, true},
    {"sim", "a simulated card: evaluations of fake at the pace of a real card, without a load",
     kSimDeviceKeys, PlanSimDevices, false},
};

constexpr const char* kAuto = "auto";
constexpr const char* kMultiplexing = "multiplexing";

std::vector<std::string> RowNames() {
  std::vector<std::string> names;
  for (const BackendRow& row : kRows) names.push_back(row.name);
  return names;
}

struct Specification {
  const BackendRow* row;
  OptionsDict options;
};

struct ParsedOptions {
  std::vector<Specification> specifications;  // not empty
  std::optional<SplitPolicy> policy;
};

std::optional<SplitPolicy> ParsePolicy(const std::string& text) {
  if (text == "auto") return std::nullopt;
  if (text == "fill") return SplitPolicy::kFill;
  if (text == "spread") return SplitPolicy::kSpread;
  if (text == "demux") return SplitPolicy::kDemux;
  if (text == "roundrobin") return SplitPolicy::kRoundRobin;
  throw Exception("Backend options: policy \"" + text + "\" is unknown.",
                  "It can be auto, fill, spread, demux or roundrobin.");
}

ParsedOptions Parse(const BackendParams& params) {
  ParsedOptions result;
  OptionsDict all = OptionsDict::Parse(params.backend_options);
  result.policy = ParsePolicy(all.GetString("policy", "auto"));
  if (all.children().empty()) {
    std::string name = all.GetString("backend", params.backend);
    // Chosen in a GUI without options: all devices of the best kind, never silently just one of them.
    if (name == kMultiplexing) name = kAuto;
    result.specifications.push_back({&FindBackendRow(name), std::move(all)});
    return result;
  }
  for (const OptionsDict& child : all.children()) {
    const std::string fallback = !child.name().empty()             ? child.name()
                                 : params.backend == kMultiplexing ? std::string(kAuto)
                                                                   : params.backend;
    result.specifications.push_back({&FindBackendRow(child.GetString("backend", fallback)), child});
  }
  // Keys beside the parentheses belong to nobody; those inside are checked with their own specification.
  all.CheckAllRead(false);
  return result;
}

std::vector<DeviceSpec> PlanDevices(const ParsedOptions& parsed,
                                    const std::shared_ptr<const NetworkWeights>& weights,
                                    Clock* clock) {
  std::vector<DeviceSpec> devices;
  for (const Specification& specification : parsed.specifications) {
    const BackendRow& row = *specification.row;
    if (row.needs_weights && !weights) {
      throw Exception(std::string("Backend ") + row.name + " needs a network file.",
                      "Set WeightsFile.");
    }
    const DeviceConfig config{weights, specification.options, clock};
    const std::vector<PlannedDevice> planned = row.planner(config);
    try {
      config.options.CheckAllRead();
    } catch (const Exception& e) {
      throw Exception(std::string("Backend ") + row.name + ": " + e.what(),
                      std::string("Keys: ") + row.options + ".");
    }
    for (const PlannedDevice& device : planned) {
      const std::string label =
          row.name + (device.name_suffix.empty() ? "" : " " + device.name_suffix);
      devices.push_back({label, device.streams});
    }
  }
  return devices;
}

}  // namespace

std::span<const BackendRow> BackendRows() { return kRows; }

const BackendRow& FindBackendRow(const std::string& name) {
  if (name == kAuto) return kRows[0];
  for (const BackendRow& row : kRows) {
    if (name == row.name) return row;
  }
  throw Exception(
      "Backend \"" + name + "\" is unknown.",
      DidYouMean(name, RowNames(), "This program has: " + Join(RowNames(), ", ") + "."));
}

std::string DescribeBackends() {
  std::string text = "auto: the first of these that works here\n";
  for (const BackendRow& row : kRows) {
    text += std::string(row.name) + ": " + row.help + "\n  " + row.options + "\n";
  }
  return text +
         "multiplexing: joins several, written (backend=NAME,key=value,...),(...) in "
         "BackendOptions;\n" +
         "  beside them policy=auto|fill|spread|demux|roundrobin: full batches to whoever ends "
         "them "
         "first, every batch over all idle devices, cut evenly over all devices, or whole to each "
         "in turn\n";
}

bool BackendNeedsWeights(const BackendParams& params) {
  const ParsedOptions parsed = Parse(params);
  return std::ranges::any_of(parsed.specifications,
                             [](const Specification& s) { return s.row->needs_weights; });
}

std::shared_ptr<Backend> MakeBackend(const BackendParams& params,
                                     std::shared_ptr<const NetworkWeights> weights, Clock* clock) {
  const ParsedOptions parsed = Parse(params);
  MultiplexerOptions options;
  if (weights) options.input_format = weights->input_format;
  options.history_fill = ParseHistoryFill(params.history_fill);
  options.policy_temperature = params.policy_temperature;
  options.policy = parsed.policy;
  return std::make_shared<CachingBackend>(
      std::make_shared<MultiplexingBackend>(PlanDevices(parsed, weights, clock), options, clock),
      params.nn_cache_size, params.cache_history_length);
}

}  // namespace plexus
