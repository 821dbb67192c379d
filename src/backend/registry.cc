#include "backend/registry.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "backend/caching_backend.h"
#include "backend/check_backend.h"
#include "backend/cpu/cpu_device.h"
#include "backend/fake/fake_device.h"
#include "backend/multiplexer.h"
#include "backend/record_backend.h"
#include "backend/reference/reference_device.h"
#include "backend/sim/sim_device.h"
#include "backend/specification.h"
#include "base/exception.h"
#include "base/hash.h"
#include "base/strings.h"

namespace plexus {
namespace {

const char* NoCuda() { return "this build has no CUDA part"; }

constexpr const char* kCudaKeys = "gpu=N, threads=N, max_batch=N";

// Best first: auto takes the first that is available.
constexpr BackendRow kRows[] = {
    {"cudnn-fp16", "cudnnfp16", "networks on NVIDIA cards in half precision", kCudaKeys, nullptr,
     true, NoCuda},
    {"cudnn", "", "networks on NVIDIA cards in single precision", kCudaKeys, nullptr, true, NoCuda},
    {"cpu", "", "convolutional networks on this machine's processor", kCpuOptionsHelp,
     PlanCpuDevices, true},
    {"fake", "", "evaluations from a hash of the position, for tests and for measuring the search",
     kFakeDeviceKeys, PlanFakeDevices, false},
    {"material", "", "counts material, likes every move equally; for tests", kFakeDeviceKeys,
     PlanMaterialDevices, false},
    {"reference", "", "plain loops over the network, slow; the measure for the other devices",
     kReferenceDeviceKeys, PlanReferenceDevices, true},
    {"sim", "", "a simulated card: evaluations of fake at the pace of a real card, without a load",
     kSimDeviceKeys, PlanSimDevices, false},
};

constexpr const char* kAuto = "auto";
constexpr const char* kMultiplexing = "multiplexing";
constexpr const char* kCheck = "check";
constexpr const char* kRecord = "record";
constexpr const char* kReplay = "replay";
constexpr const char* kJoinKeys =
    "policy=auto|fill|spread|demux|roundrobin, stall_timeout_ms (10000: a device that needs longer "
    "for a batch is out; 0 = never)";

constexpr CombinerRow kCombiners[] = {
    {kMultiplexing, BackendKind::kJoin,
     "joins several: full batches, or each over all idle devices, as suits them", kJoinKeys},
    {"demux", BackendKind::kJoin, "joins several: every batch is cut over all of them", kJoinKeys},
    {"roundrobin", BackendKind::kJoin, "joins several: whole batches, to each in turn", kJoinKeys},
    {kCheck, BackendKind::kPair,
     "asks two and tells how far they are apart; the first answers the search", kCheckKeys},
    {kRecord, BackendKind::kWrap, "writes all answers of another into a file", kRecordKeys},
    {kReplay, BackendKind::kAlone, "answers from such a file, without a device", kReplayKeys},
};

const BackendRow* FindRow(const std::string& name) {
  for (const BackendRow& row : kRows) {
    if (name == row.name || (*row.alias && name == row.alias)) return &row;
  }
  return nullptr;
}

const CombinerRow* FindCombiner(const std::string& name) {
  const auto found =
      std::ranges::find_if(kCombiners, [&](const auto& c) { return name == c.name; });
  return found == std::end(kCombiners) ? nullptr : &*found;
}

class TableNames : public BackendNames {
 public:
  std::string Resolve(const std::string& name) const override {
    if (name == kAuto) {
      for (const BackendRow& row : kRows) {
        if (IsAvailable(row)) return row.name;
      }
    }
    if (const BackendRow* row = FindRow(name)) return row->name;
    return FindCombiner(name) ? name : "";
  }
  BackendKind KindOf(const std::string& resolved) const override {
    const CombinerRow* combiner = FindCombiner(resolved);
    return combiner ? combiner->kind : BackendKind::kDevice;
  }
  [[noreturn]] void Refuse(const std::string& name) const override {
    std::vector<std::string> names;
    for (const BackendRow& row : kRows) names.push_back(row.name);
    for (const CombinerRow& combiner : kCombiners) names.push_back(combiner.name);
    throw Exception("Backend \"" + name + "\" is unknown.",
                    DidYouMean(name, names, "This program has: " + Join(names, ", ") + "."));
  }
};

BackendSpec Parse(const BackendParams& params) {
  return ParseSpecification(params.backend, params.backend_options, TableNames());
}

std::optional<SplitPolicy> ParsePolicy(const BackendSpec& spec) {
  const std::string text = spec.options.GetString("policy", "auto");
  std::optional<SplitPolicy> own;
  if (spec.backend == "demux") own = SplitPolicy::kDemux;
  if (spec.backend == "roundrobin") own = SplitPolicy::kRoundRobin;
  if (own && text != "auto" && text != spec.backend) {
    throw Exception("Backend " + spec.backend + ": policy=" + text + " contradicts it.",
                    "Write Backend=multiplexing for another policy.");
  }
  if (text == "auto") return own;
  if (text == "fill") return SplitPolicy::kFill;
  if (text == "spread") return SplitPolicy::kSpread;
  if (text == "demux") return SplitPolicy::kDemux;
  if (text == "roundrobin") return SplitPolicy::kRoundRobin;
  throw Exception("Backend options: policy \"" + text + "\" is unknown.",
                  "It can be auto, fill, spread, demux or roundrobin.");
}

// Two networks of the same shape differ here.
std::string DescribeNetwork(const NetworkWeights* weights) {
  if (!weights) return "";
  uint64_t hash = 0;
  const auto add = [&hash](const std::vector<float>& values) {
    hash = HashText({reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)},
                    hash);
  };
  add(weights->input.weights);
  for (const ResidualWeights& block : weights->residual) add(block.conv2.biases);
  for (const ValueHeadWeights& head : weights->value_heads) add(head.dense2.weights);
  return std::to_string(weights->channels) + " channels, " + std::to_string(hash);
}

// Makes the backends of a specification.
class Factory {
 public:
  Factory(const BackendParams& params, std::shared_ptr<const NetworkWeights> weights, Clock* clock)
      : weights_(std::move(weights)), clock_(clock) {
    if (weights_) options_.input_format = weights_->input_format;
    options_.history_fill = ParseHistoryFill(params.history_fill);
    options_.policy_temperature = params.policy_temperature;
    record_context_ = {params.policy_temperature, params.history_fill, ""};
  }

  std::shared_ptr<Backend> Make(const BackendSpec& spec) {
    if (spec.backend == kCheck) return MakeCheck(spec);
    if (spec.backend == kRecord) {
      const std::string file = RequireFile(spec);
      RecordContext context = record_context_;
      context.network = DescribeNetwork(weights_.get());
      return std::make_shared<RecordBackend>(Make(spec.children[0]), file, context);
    }
    if (spec.backend == kReplay)
      return std::make_shared<ReplayBackend>(RequireFile(spec), record_context_);
    return MakeDevices(spec);
  }

  std::vector<std::string> TakeNotices() { return std::move(notices_); }

 private:
  std::shared_ptr<Backend> MakeCheck(const BackendSpec& spec) {
    CheckOptions options;
    options.tolerance.absolute = spec.options.GetFloat("atol", options.tolerance.absolute, 0, 1);
    options.tolerance.relative = spec.options.GetFloat("rtol", options.tolerance.relative, 0, 1);
    options.share = spec.options.GetFloat("share", options.share, 0, 1);
    options.report_file = spec.options.GetString("report", "");
    return std::make_shared<CheckBackend>(Make(spec.children[0]), Make(spec.children[1]), options);
  }

  static std::string RequireFile(const BackendSpec& spec) {
    const std::string file = spec.options.GetString("file", "");
    if (file.empty()) {
      throw Exception("Backend " + spec.backend + " needs a file.",
                      "Write file=PATH in BackendOptions.");
    }
    return file;
  }

  std::shared_ptr<Backend> MakeDevices(const BackendSpec& spec) {
    MultiplexerOptions options = options_;
    options.policy = ParsePolicy(spec);
    options.stall_timeout_ms =
        spec.options.GetInt("stall_timeout_ms", options.stall_timeout_ms, 0, 3600000);
    std::vector<DeviceSpec> devices;
    AddDevices(spec, &devices);
    if (!spec.listed) SayThatNobodyWasListed(spec, static_cast<int>(devices.size()));
    return std::make_shared<MultiplexingBackend>(std::move(devices), options, clock_);
  }

  void AddDevices(const BackendSpec& spec, std::vector<DeviceSpec>* devices) {
    for (const BackendSpec& child : spec.children) AddDevices(child, devices);
    const BackendRow* row = FindRow(spec.backend);
    if (!row && FindCombiner(spec.backend)->kind == BackendKind::kJoin) return;
    if (!row) {
      throw Exception("Backend " + spec.backend + " cannot be one of the devices of another.",
                      "Put the devices into " + spec.backend + " instead.");
    }
    const DeviceConfig config{weights_, spec.options, clock_};
    for (const PlannedDevice& device : PlanBackendRow(*row, config)) {
      const std::string kind =
          row->name + (device.name_suffix.empty() ? "" : " " + device.name_suffix);
      const std::string label = spec.label.empty() ? kind : spec.label + " = " + kind;
      devices->push_back({label, device.streams});
    }
    spec.options.MarkRead(config.options);
  }

  void SayThatNobodyWasListed(const BackendSpec& spec, int devices) {
    notices_.push_back(
        spec.backend + ": no devices listed; using " +
        (devices == 1 ? "the only device" : "all " + std::to_string(devices) + " devices") +
        " of backend " + spec.children[0].backend + "; name them in BackendOptions to choose");
  }

  const std::shared_ptr<const NetworkWeights> weights_;
  Clock* const clock_;
  MultiplexerOptions options_;
  RecordContext record_context_;  // without the network, which takes a while to tell
  std::vector<std::string> notices_;
};

bool NeedsWeights(const BackendSpec& spec) {
  const BackendRow* row = FindRow(spec.backend);
  return (row && row->needs_weights) || std::ranges::any_of(spec.children, NeedsWeights);
}

}  // namespace

std::span<const BackendRow> BackendRows() { return kRows; }
std::span<const CombinerRow> CombinerRows() { return kCombiners; }

const BackendRow& FindBackendRow(const std::string& name) {
  const TableNames names;
  const BackendRow* row = FindRow(names.Resolve(name));
  if (row) return *row;
  if (FindCombiner(name)) {
    throw Exception("Backend " + name + " is made of others; one kind of device is needed here.",
                    "Name that.");
  }
  names.Refuse(name);
}

std::vector<PlannedDevice> PlanBackendRow(const BackendRow& row, const DeviceConfig& config) {
  if (!IsAvailable(row)) {
    throw Exception(
        std::string("Backend ") + row.name + " is not available here: " + row.why_not() + ".",
        "Use cpu, or for measurements sim with a profile.");
  }
  if (row.needs_weights && !config.weights) {
    throw Exception(std::string("Backend ") + row.name + " needs a network file.",
                    "Set WeightsFile.");
  }
  const std::vector<PlannedDevice> devices = row.planner(config);
  try {
    config.options.CheckAllRead(false);
  } catch (const Exception& e) {
    throw Exception(std::string("Backend ") + row.name + ": " + e.what(),
                    std::string("Keys: ") + row.options + ".");
  }
  return devices;
}

std::string DescribeBackends() {
  std::string text = "auto: the first of these that works here\n";
  for (const BackendRow& row : kRows) {
    text += std::string(row.name) + ": " + row.help;
    if (*row.alias) text += "; also called " + std::string(row.alias);
    if (!IsAvailable(row)) text += " (not available: " + std::string(row.why_not()) + ")";
    text += "\n  " + std::string(row.options) + "\n";
  }
  text +=
      "Made of others, written (backend=NAME,key=value,...),(...) in BackendOptions; keys outside "
      "the parentheses hold for all of them:\n";
  for (const CombinerRow& combiner : kCombiners) {
    text += std::string(combiner.name) + ": " + combiner.help + "\n  " + combiner.options + "\n";
  }
  return text;
}

bool BackendNeedsWeights(const BackendParams& params) { return NeedsWeights(Parse(params)); }

std::shared_ptr<Backend> MakeBackend(const BackendParams& params,
                                     std::shared_ptr<const NetworkWeights> weights, Clock* clock) {
  const BackendSpec spec = Parse(params);
  Factory factory(params, std::move(weights), clock);
  std::shared_ptr<Backend> backend = factory.Make(spec);
  CheckAllRead(spec);
  return std::make_shared<CachingBackend>(std::move(backend), params.nn_cache_size,
                                          params.cache_history_length, factory.TakeNotices());
}

}  // namespace plexus
