#include "backend/sim/sim_device.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "base/exception.h"
#include "base/hash.h"
#include "base/strings.h"

namespace plexus {
namespace {

struct SimProfile {
  const char* name;
  double rate;
  int max_batch;  // the batch at which the rate was measured, where the source says so
  int best_batch;
  int step;
};

// Latency: 150 us, what a launch with its copies takes where a graph is replayed; no source gives its own.
constexpr double kProfileLatencyUs = 150;
constexpr SimProfile kProfiles[] = {
    // Searches of a 20x256 network by the engine of lc0#147, minibatch 1024, one card, one lock a pick.
    {"titan-v-fp16", 53000, 1024, 256, 1},
    {"titan-v-fp32", 25460, 1024, 256, 1},
    // leela-zero#1858: search of network 11250, batch 512.
    {"rtx2080ti-20x256-fp16", 32472, 512, 256, 1},
    // lc0#1101: 101,279 at 192. There 97 positions cost 29% more than 96 in rate; by whole waves it is 46%.
    {"rtx2080super-10x128-fp16", 101279, 192, 192, 96},
    // lc0#1683, with graphs: 30,360 at 96 and 30,554 at 192.
    {"a100-30x384-fp16", 30554, 192, 192, 96},
    // Not measured: 93% of the card's peak, what the best engines reach with such networks.
    {"h200-20x256-fp16", 300000, 1024, 512, 1},
};

const SimProfile& FindProfile(const std::string& name) {
  std::vector<std::string> names;
  for (const SimProfile& profile : kProfiles) {
    if (name == profile.name) return profile;
    names.push_back(profile.name);
  }
  throw Exception("Backend sim: the profile \"" + name + "\" is unknown.",
                  DidYouMean(name, names, "There are: " + Join(names, ", ") + "."));
}

SimOptions ParseSimOptions(const OptionsDict& dict) {
  SimOptions options;
  options.profile = dict.GetString("profile", "");
  int best_batch = options.best_batch;
  if (!options.profile.empty()) {
    const SimProfile& profile = FindProfile(options.profile);
    options.rate = profile.rate;
    options.latency_us = kProfileLatencyUs;
    options.max_batch = profile.max_batch;
    options.step = profile.step;
    best_batch = profile.best_batch;
  }
  options.gpu = dict.GetInt("gpu", 0, 0, 1023);
  options.rate = dict.GetFloat("rate", options.rate, 0, 1e9);
  options.latency_us = dict.GetFloat("latency_us", options.latency_us, 0, 1e8);
  options.max_batch = dict.GetInt("max_batch", options.max_batch, 1, 65536);
  options.step = dict.GetInt("step", std::min(options.step, options.max_batch), 1, 65536);
  // Whole waves, if a batch holds one.
  best_batch = std::min(best_batch, options.max_batch);
  if (best_batch > options.step) best_batch -= best_batch % options.step;
  options.best_batch = dict.GetInt("batch", best_batch, 1, options.max_batch);
  options.jitter = dict.GetFloat("jitter", 0, 0, 0.9);
  options.fail_after = dict.GetInt("fail_after", -1, -1, 1 << 30);
  options.stall_after = dict.GetInt("stall_after", -1, -1, 1 << 30);
  options.streams = dict.GetInt("streams", dict.GetInt("threads", options.streams, 1, 16), 1, 16);
  options.evaluation.seed = static_cast<uint64_t>(dict.GetInt("seed", 0, 0, 1 << 30));
  options.evaluation.wdl = dict.GetBool("wdl", options.evaluation.wdl);
  options.evaluation.moves_left = dict.GetBool("moves_left", options.evaluation.moves_left);
  return options;
}

std::string NameOf(const SimOptions& options) {
  return "sim " + (options.profile.empty() ? "" : options.profile + " ") + "gpu " +
         std::to_string(options.gpu);
}

int Waves(const SimOptions& options, int positions) {
  return (positions + options.step - 1) / options.step;
}

}  // namespace

SimCard::SimCard(const SimOptions& options)
    : options_(options),
      random_(HashCombine(options.evaluation.seed, static_cast<uint64_t>(options.gpu))) {
  if (options.rate <= 0) return;
  const double full_ns = options.max_batch / options.rate * 1e9;
  const double waves_ns = full_ns - options.latency_us * 1e3;
  if (waves_ns <= 0) {
    throw Exception("Backend sim: " + std::to_string(options.max_batch) + " positions at " +
                        FormatNumber(options.rate) + " a second take " +
                        FormatNumber(std::round(full_ns / 1e3)) + " us, which the latency of " +
                        FormatNumber(options.latency_us) + " us exceeds.",
                    "Lower latency_us or rate, or raise max_batch.");
  }
  step_ns_ = waves_ns / Waves(options, options.max_batch);
}

SimCard::Admission SimCard::Admit(int positions, Clock::TimePoint now) {
  MutexLock lock(mutex_);
  ++batches_;
  if (options_.fail_after >= 0 && batches_ > options_.fail_after) {
    throw Exception("the simulated card was told to fail after " +
                        std::to_string(options_.fail_after) + " batches.",
                    "Remove fail_after from BackendOptions.");
  }
  if (options_.stall_after >= 0 && batches_ > options_.stall_after) return {now, true};
  double waves_ns = step_ns_ * Waves(options_, positions);
  if (options_.jitter > 0) waves_ns *= 1 + options_.jitter * (2 * random_.Uniform() - 1);
  const auto duration = [](double ns) {
    return Clock::Duration(static_cast<Clock::Duration::rep>(std::llround(ns)));
  };
  free_ = std::max(free_, now + duration(options_.latency_us * 1e3)) + duration(waves_ns);
  return {free_, false};
}

DeviceAttributes SimDevice::attributes() const {
  const SimOptions& options = card_->options();
  DeviceAttributes attributes;
  attributes.name = NameOf(options);
  attributes.precision = "exact";
  attributes.max_batch = options.max_batch;
  attributes.best_batch = options.best_batch;
  attributes.batch_step = options.step;
  attributes.has_wdl = options.evaluation.wdl;
  attributes.has_moves_left = options.evaluation.moves_left;
  attributes.is_cpu = false;
  return attributes;
}

void SimDevice::Run(const DeviceBatch& in, const LogitBatch& out) {
  const int positions = static_cast<int>(in.size());
  if (positions < 1 || positions > card_->options().max_batch) {
    throw Exception(NameOf(card_->options()) + ": a batch of " + std::to_string(positions) +
                        " positions; 1 to " + std::to_string(card_->options().max_batch) +
                        " are possible.",
                    "Raise max_batch in the backend's options.");
  }
  const SimCard::Admission admission = card_->Admit(positions, clock_->Now());
  if (admission.stalls) Stall();
  EvaluateByHash(card_->options().evaluation, in, out);
  clock_->SleepUntil(admission.done);
}

void SimDevice::Stall() {
  MutexLock lock(mutex_);
  while (!interrupted_) changed_.wait(lock.native());
  throw Exception("the simulated card was told to hang after " +
                      std::to_string(card_->options().stall_after) +
                      " batches, and was interrupted.",
                  "Remove stall_after from BackendOptions.");
}

void SimDevice::Interrupt() {
  {
    MutexLock lock(mutex_);
    interrupted_ = true;
  }
  changed_.notify_all();
}

std::vector<PlannedDevice> PlanSimDevices(const DeviceConfig& config) {
  const SimOptions options = ParseSimOptions(config.options);
  const auto card = std::make_shared<SimCard>(options);
  PlannedDevice device;
  device.name_suffix = NameOf(options).substr(4);
  for (int i = 0; i < options.streams; ++i) {
    device.streams.push_back(
        [card, clock = config.clock] { return std::make_unique<SimDevice>(card, clock); });
  }
  return {device};
}

}  // namespace plexus
