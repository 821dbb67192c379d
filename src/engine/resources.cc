#include "engine/resources.h"

#include <algorithm>
#include <tuple>

#include "backend/registry.h"
#include "base/exception.h"
#include "engine/builtin_network.h"
#include "net/weights_file.h"

namespace plexus {
namespace {

auto Key(const BackendParams& p) {
  return std::tie(p.weights_file, p.backend, p.backend_options, p.policy_temperature,
                  p.history_fill, p.nn_cache_size, p.cache_history_length);
}

NetworkWeights LoadChoice(const WeightsChoice& choice) {
  if (choice.kind == WeightsChoice::Kind::kFile) return LoadWeights(choice.path);
  return LoadWeightsFromMemory(BuiltinNetwork(), "built in");
}

std::string Describe(const WeightsChoice& choice, const NetworkWeights& weights) {
  std::string text = "network: ";
  text += choice.kind == WeightsChoice::Kind::kFile ? choice.path : "built in";
  const size_t blocks = weights.body == BodyKind::kConvolution ? weights.residual.size()
                                                               : weights.attention.encoders.size();
  text += " (" + std::to_string(weights.channels) + " channels, " + std::to_string(blocks) +
          (weights.body == BodyKind::kConvolution ? " blocks; " : " encoders; ") + choice.reason +
          ")";
  return text;
}

bool AllDevicesFailed(const Backend& backend) {
  const std::vector<DeviceCounters> devices = backend.device_counters();
  return !devices.empty() && std::ranges::all_of(devices, &DeviceCounters::failed);
}

}  // namespace

ResourceMakers RealMakers() {
  return {LoadChoice,
          [](const BackendParams& params, std::shared_ptr<const NetworkWeights> weights,
             Clock* clock) { return MakeBackend(params, std::move(weights), clock); },
          BackendNeedsWeights};
}

Resources::Resources(const ProgramPaths& paths, Clock* clock, ResourceMakers makers)
    : paths_(paths), clock_(clock), makers_(std::move(makers)) {}

bool Resources::Update(const BackendParams& params, const Tell& tell) {
  const bool is_dead = backend_ && AllDevicesFailed(*backend_);
  if (params_ && Key(*params_) == Key(params) && !is_dead) return false;
  if (failed_ && Key(*failed_) == Key(params) && !is_dead) return false;
  try {
    std::shared_ptr<const NetworkWeights> weights;
    WeightsChoice choice;
    if (makers_.needs_weights(params)) {
      const bool is_same_file = weights_ && params_ && params_->weights_file == params.weights_file;
      choice = is_same_file ? choice_ : ChooseWeights(params.weights_file, paths_);
      weights = weights_ && choice == choice_
                    ? weights_
                    : std::make_shared<const NetworkWeights>(makers_.load_weights(choice));
    }
    // The former backend goes first only if the new one is ready: both may be in memory for a moment, but
    // a failure leaves a working engine.
    std::shared_ptr<Backend> backend = makers_.make_backend(params, weights, clock_);
    const bool is_new_network = weights && weights != weights_;
    if (is_new_network) {
      tell(Describe(choice, *weights));
      if (choice.kind == WeightsChoice::Kind::kBuiltIn && !BuiltinNetworkIsTrained())
        tell("this is an untrained random network; play is weak; set WeightsFile");
    }
    if (is_dead) tell("all devices of the former backend failed; it was made anew");
    tell("backend: " + backend->attributes().description);
    backend_ = std::move(backend);
    if (weights) choice_ = choice;
    weights_ = std::move(weights);
  } catch (...) {
    failed_ = params;
    throw;
  }
  params_ = params;
  return true;
}

}  // namespace plexus
