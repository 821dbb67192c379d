#include "backend/multiplexer.h"

#include <algorithm>
#include <cassert>

#include "backend/device_thread.h"
#include "backend/dispatcher.h"
#include "backend/ticket.h"
#include "base/cpu_info.h"
#include "base/exception.h"
#include "base/logging.h"
#include "net/decoder.h"
#include "net/encoder.h"
#include "net/policy_map.h"

namespace plexus {
namespace {

constexpr int kMaxBatch = 1024;

std::vector<DispatcherDevice> DispatcherDevices(const std::vector<DeviceSpec>& devices) {
  std::vector<DispatcherDevice> result;
  for (const DeviceSpec& device : devices)
    result.push_back({device.label, static_cast<int>(device.streams.size())});
  return result;
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

// One worker gathers while each device has a batch to work on and the next one ready. Far more workers than cores only
// wait for the tree: on two cores, eight simulated cards at 53,000/s had 8% more from 9 workers than from 17, and four
// of them 7% more from 9 than from 5.
int SuggestedThreads(int devices, int cpus) {
  return std::min(2 * devices + 1, std::max(devices + 1, 4 * cpus + 1));
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
  const bool cuts = policy == SplitPolicy::kSpread || policy == SplitPolicy::kDemux;
  const int number = static_cast<int>(devices.size());
  result.suggested_threads = all_cpus ? 1 : SuggestedThreads(number, ReadCpuInfo().logical_cpus);
  // Fewer workers than two for each device and one have larger batches, so that as much is under way.
  const int times =
      all_cpus ? 1 : (2 * number + result.suggested_threads) / result.suggested_threads;
  result.suggested_batch = cuts ? sum : largest * times;
  return result;
}

}  // namespace

// With the backend, every computation and every device thread.
struct MultiplexerShared {
  MultiplexerShared(const std::vector<DeviceSpec>& devices, const MultiplexerOptions& o,
                    Clock* clock)
      : options(o),
        dispatcher(DispatcherDevices(devices), std::chrono::milliseconds(o.stall_timeout_ms),
                   clock) {}

  const MultiplexerOptions options;
  TicketPool tickets;  // before the dispatcher, which holds references
  Dispatcher dispatcher;
  bool has_wdl = false;  // constant once devices are made
  int max_batch = 0;
};

namespace {

class MultiplexingComputation : public BackendComputation {
 public:
  explicit MultiplexingComputation(std::shared_ptr<MultiplexerShared> shared)
      : shared_(std::move(shared)), ticket_(shared_->tickets.Take()) {}

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

  void ComputeBlocking() override { ComputeOrCancel({}); }

  bool ComputeOrCancel(std::stop_token cancel) override {
    if (queued() == 0) return true;
    ticket_->Begin();
    if (!shared_->dispatcher.Evaluate(ticket_, std::move(cancel))) return false;
    for (int i = 0; i < ticket_->size(); ++i) {
      const LogitBatch logits = ticket_->Logits(i, 1);
      DecodeEvaluation(logits.policy_logits, logits.value_logits, logits.moves_left_plies[0],
                       shared_->has_wdl, shared_->options.policy_temperature, ticket_->outputs[i]);
    }
    return true;
  }

 private:
  const std::shared_ptr<MultiplexerShared> shared_;  // first: the ticket goes back to its pool
  const TicketRef ticket_;
};

}  // namespace

MultiplexingBackend::MultiplexingBackend(std::vector<DeviceSpec> devices,
                                         const MultiplexerOptions& options, Clock* clock)
    : shared_(std::make_shared<MultiplexerShared>(devices, options, clock)) {
  if (devices.empty())
    throw Exception("A backend of no devices was asked for.", "Name one in BackendOptions.");
  Dispatcher& dispatcher = shared_->dispatcher;
  try {
    const std::shared_ptr<DeviceHost> host(shared_, &dispatcher);
    for (DeviceSpec& device : devices) {
      for (DeviceFactory& factory : device.streams) {
        threads_.push_back(std::make_unique<DeviceThread>(static_cast<int>(threads_.size()),
                                                          std::move(factory), host));
      }
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
  using std::chrono::steady_clock;
  const std::chrono::milliseconds patience(shared_->options.shutdown_patience_ms);
  const auto working =
      std::chrono::duration_cast<steady_clock::duration>(2 * shared_->dispatcher.Shutdown());
  const auto all_end_by = [&](steady_clock::time_point deadline) {
    return std::ranges::all_of(threads_,
                               [&](const auto& thread) { return thread->EndsBy(deadline); });
  };
  const steady_clock::time_point begin = steady_clock::now();
  if (!all_end_by(begin + working + patience / 2)) {
    for (const auto& thread : threads_) thread->Interrupt();
    all_end_by(begin + working + patience);
  }
  for (size_t i = 0; i < threads_.size(); ++i) {
    if (threads_[i]->EndsBy(begin)) continue;
    Log(LogLevel::kError, "A device does not end its work; its thread is left behind.");
    shared_->dispatcher.Abandon(static_cast<int>(i));
    threads_[i]->Abandon();
  }
  threads_.clear();  // joins the others
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
