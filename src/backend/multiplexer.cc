#include "backend/multiplexer.h"

#include <algorithm>
#include <cassert>

#include "backend/device_thread.h"
#include "backend/dispatcher.h"
#include "backend/ticket.h"
#include "base/exception.h"
#include "net/decoder.h"
#include "net/encoder.h"
#include "net/policy_map.h"

namespace plexus {
namespace {

constexpr int kMaxBatch = 1024;

std::vector<std::string> Labels(const std::vector<DeviceSpec>& devices) {
  std::vector<std::string> labels;
  for (const DeviceSpec& device : devices) labels.push_back(device.label);
  return labels;
}

// "cpu fp32 avx512, 2 threads"; "3 x fake"; kinds joined by " + ".
std::string DescribeDevices(const std::vector<DeviceAttributes>& devices) {
  std::string text;
  for (size_t i = 0; i < devices.size(); ++i) {
    const auto same = [&](const DeviceAttributes& other) { return other.name == devices[i].name; };
    if (std::any_of(devices.begin(), devices.begin() + i, same)) continue;
    const auto count = std::ranges::count_if(devices, same);
    if (!text.empty()) text += " + ";
    if (devices[i].is_cpu) {
      text +=
          devices[i].name + ", " + std::to_string(count) + (count == 1 ? " thread" : " threads");
    } else {
      text += (count == 1 ? "" : std::to_string(count) + " x ") + devices[i].name;
    }
  }
  return text;
}

void CheckSameAnswers(const std::vector<DeviceAttributes>& devices) {
  const DeviceAttributes& first = devices[0];
  for (const DeviceAttributes& device : devices) {
    if (device.has_wdl == first.has_wdl && device.has_moves_left == first.has_moves_left) continue;
    throw Exception("Backends " + first.name + " and " + device.name +
                        " give different kinds of answers (win/draw/loss or value; with or without "
                        "moves left).",
                    "Join only backends that evaluate the same network.");
  }
}

BackendAttributes Combine(const std::vector<DeviceAttributes>& devices, SplitPolicy policy) {
  BackendAttributes result;
  result.description = DescribeDevices(devices);
  result.has_wdl = devices[0].has_wdl;
  result.has_moves_left = devices[0].has_moves_left;
  result.is_cpu = std::ranges::any_of(devices, &DeviceAttributes::is_cpu);
  int sum = 0, largest = 0;
  for (const DeviceAttributes& device : devices) {
    sum += device.best_batch;
    largest = std::max(largest, device.best_batch);
  }
  result.max_batch = std::max(kMaxBatch, sum);
  const bool all_cpus = std::ranges::all_of(devices, &DeviceAttributes::is_cpu);
  result.suggested_batch = policy == SplitPolicy::kSpread ? sum : largest;
  // A worker gathers while others wait for a device: one more than devices keeps those busy. On a CPU, device threads
  // need the cores.
  result.suggested_threads = all_cpus ? 1 : static_cast<int>(devices.size()) + 1;
  return result;
}

}  // namespace

struct MultiplexerShared {
  MultiplexerShared(std::vector<std::string> labels, const MultiplexerOptions& o, Clock* clock)
      : options(o), dispatcher(std::move(labels), clock) {}

  const MultiplexerOptions options;
  Dispatcher dispatcher;
  TicketPool tickets;
  bool has_wdl = false;  // constant once devices are made
  int max_batch = 0;
};

namespace {

class MultiplexingComputation : public BackendComputation {
 public:
  explicit MultiplexingComputation(std::shared_ptr<MultiplexerShared> shared)
      : shared_(std::move(shared)), ticket_(shared_->tickets.Take()) {}
  ~MultiplexingComputation() override { shared_->tickets.Return(ticket_); }

  Added Add(const EvalInput& input, EvalOutput* out) override {
    assert(!input.history.empty() && !input.legal_moves.empty());
    assert(out->policy.size() == input.legal_moves.size());
    if (queued() >= shared_->max_batch) {
      throw Exception("A batch of more than " + std::to_string(shared_->max_batch) +
                          " positions was asked for.",
                      "Lower MinibatchSize.");
    }
    const MultiplexerOptions& options = shared_->options;
    const int transform = EncodePlanes(options.input_format, options.history_fill, input.history,
                                       ticket_->AddPlanes());
    PolicyIndices(input.legal_moves, input.history.back().board.side_to_move(), transform,
                  ticket_->AddPolicyIndices(input.legal_moves.size()));
    ticket_->outputs.push_back(out);
    return Added::kQueued;
  }

  int queued() const override { return ticket_->size(); }

  void ComputeBlocking() override {
    if (queued() == 0) return;
    ticket_->Begin();
    shared_->dispatcher.Queue(ticket_);
    ticket_->Wait();
    for (int i = 0; i < ticket_->size(); ++i) {
      const LogitBatch logits = ticket_->Logits(i, 1);
      DecodeEvaluation(logits.policy_logits, logits.value_logits, logits.moves_left_plies[0],
                       shared_->has_wdl, shared_->options.policy_temperature, ticket_->outputs[i]);
    }
  }

 private:
  const std::shared_ptr<MultiplexerShared> shared_;
  Ticket* const ticket_;
};

}  // namespace

MultiplexingBackend::MultiplexingBackend(std::vector<DeviceSpec> devices,
                                         const MultiplexerOptions& options, Clock* clock)
    : shared_(std::make_shared<MultiplexerShared>(Labels(devices), options, clock)) {
  if (devices.empty())
    throw Exception("A backend of no devices was asked for.", "Name one in BackendOptions.");
  Dispatcher& dispatcher = shared_->dispatcher;
  try {
    for (size_t i = 0; i < devices.size(); ++i) {
      threads_.push_back(std::make_unique<DeviceThread>(
          static_cast<int>(i), std::move(devices[i].factory), &dispatcher, clock));
    }
    dispatcher.WaitUntilReady();
    CheckSameAnswers(dispatcher.attributes());
  } catch (...) {
    StopDevices();
    throw;
  }
  dispatcher.SetPolicy(options.policy);
  attributes_ = Combine(dispatcher.attributes(), dispatcher.policy());
  shared_->has_wdl = attributes_.has_wdl;
  shared_->max_batch = attributes_.max_batch;
}

MultiplexingBackend::~MultiplexingBackend() { StopDevices(); }

void MultiplexingBackend::StopDevices() {
  shared_->dispatcher.Shutdown();
  threads_.clear();  // joins
}

std::unique_ptr<BackendComputation> MultiplexingBackend::NewComputation() {
  return std::make_unique<MultiplexingComputation>(shared_);
}

std::vector<std::string> MultiplexingBackend::TakeNotices() {
  return shared_->dispatcher.TakeNotices();
}

std::vector<DeviceCounters> MultiplexingBackend::device_counters() const {
  return shared_->dispatcher.counters();
}

}  // namespace plexus
