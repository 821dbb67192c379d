#include "backend/check_backend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/exception.h"
#include "base/files.h"
#include "base/logging.h"
#include "base/mutex.h"
#include "chess/fen.h"

namespace plexus {
namespace {

constexpr int64_t kFirstSummary = 1000;

}  // namespace

struct CheckBackend::Shared {
  Shared(const Tolerance& tolerance, bool draws, bool moves_left)
      : comparison(tolerance, draws, moves_left) {}

  // Whether the next computation is compared: of n computations n * share are.
  bool TakeTurn(double share) {
    MutexLock lock(mutex);
    if (second_failed) return false;
    const double before = std::floor(static_cast<double>(computations) * share);
    ++computations;
    return std::floor(static_cast<double>(computations) * share) > before;
  }
  void OnSecondFailed(const std::string& what) {
    MutexLock lock(mutex);
    if (std::exchange(second_failed, true)) return;
    notices.push_back("check: the second backend failed, nothing is compared any more: " + what);
  }
  void SayIfDue(bool disagreed) REQUIRES(mutex) {
    if (disagreed && !std::exchange(said_disagreement, true)) {
      notices.push_back("check: the backends disagree: " + comparison.Summary());
    }
    if (comparison.positions() < next_summary) return;
    while (next_summary <= comparison.positions()) next_summary *= 2;
    notices.push_back("check: " + comparison.Summary());
  }

  Mutex mutex;
  Comparison comparison GUARDED_BY(mutex);
  int64_t computations GUARDED_BY(mutex) = 0;
  int64_t next_summary GUARDED_BY(mutex) = kFirstSummary;
  bool said_disagreement GUARDED_BY(mutex) = false;
  bool second_failed GUARDED_BY(mutex) = false;
  std::vector<std::string> notices GUARDED_BY(mutex);
};

class CheckBackend::Computation : public BackendComputation {
 public:
  // second: null if this one is not compared.
  Computation(std::shared_ptr<Shared> shared, std::unique_ptr<BackendComputation> first,
              std::unique_ptr<BackendComputation> second)
      : shared_(std::move(shared)), first_(std::move(first)), second_(std::move(second)) {}

  Added Add(const EvalInput& input, EvalOutput* out) override {
    const Added added = first_->Add(input, out);
    if (added == Added::kQueued && second_) {
      auto item = std::make_unique<Item>();  // its address stays
      item->position = input.history.back();
      item->out = out;
      item->policy.resize(input.legal_moves.size());
      item->second.policy = item->policy;
      second_->Add(input, &item->second);
      items_.push_back(std::move(item));
    }
    return added;
  }

  int queued() const override { return first_->queued(); }
  void ComputeBlocking() override { ComputeOrCancel({}); }

  bool ComputeOrCancel(std::stop_token cancel) override {
    // The second goes first: its outputs are nobody's, so that a cancelled computation has written none.
    bool compare = second_ != nullptr;
    if (compare) {
      try {
        if (!second_->ComputeOrCancel(cancel)) return false;
      } catch (const std::exception& e) {
        shared_->OnSecondFailed(e.what());
        compare = false;
      }
    }
    if (!first_->ComputeOrCancel(std::move(cancel))) return false;
    if (compare) Compare();
    return true;
  }

 private:
  struct Item {
    Position position;
    EvalOutput* out = nullptr;
    EvalOutput second;
    std::vector<float> policy;
  };

  void Compare() {
    MutexLock lock(shared_->mutex);
    bool disagreed = false;
    for (const auto& item : items_) {
      const Position& position = item->position;
      const auto fen = [&] {
        return ToFen(position.board, position.rule50_ply, position.game_ply / 2 + 1);
      };
      if (!shared_->comparison.Add(*item->out, item->second, fen)) disagreed = true;
    }
    shared_->SayIfDue(disagreed);
  }

  const std::shared_ptr<Shared> shared_;
  const std::unique_ptr<BackendComputation> first_, second_;
  std::vector<std::unique_ptr<Item>> items_;
};

CheckBackend::CheckBackend(std::shared_ptr<Backend> first, std::shared_ptr<Backend> second,
                           const CheckOptions& options)
    : first_(std::move(first)),
      second_(std::move(second)),
      options_(options),
      shared_(std::make_shared<Shared>(
          options.tolerance, first_->attributes().has_wdl && second_->attributes().has_wdl,
          first_->attributes().has_moves_left && second_->attributes().has_moves_left)) {}

CheckBackend::~CheckBackend() {
  std::string report;
  {
    MutexLock lock(shared_->mutex);
    report = shared_->comparison.Report();
  }
  Log(LogLevel::kInfo, "check: " + report);
  if (options_.report_file.empty()) return;
  try {
    WriteFile(options_.report_file, report);
  } catch (const Exception& e) {
    Log(LogLevel::kError,
        std::string("check: ") + e.what());  // nobody is left to be told otherwise
  }
}

BackendAttributes CheckBackend::attributes() const {
  BackendAttributes result = first_->attributes();
  const BackendAttributes second = second_->attributes();
  result.description = "check of " + result.description + " against " + second.description;
  result.max_batch = std::min(result.max_batch, second.max_batch);
  result.suggested_batch = std::min(result.suggested_batch, result.max_batch);
  result.is_cpu = result.is_cpu || second.is_cpu;
  return result;
}

std::unique_ptr<BackendComputation> CheckBackend::NewComputation() {
  const bool compare = shared_->TakeTurn(options_.share);
  return std::make_unique<Computation>(shared_, first_->NewComputation(),
                                       compare ? second_->NewComputation() : nullptr);
}

std::vector<std::string> CheckBackend::TakeNotices() {
  std::vector<std::string> notices = first_->TakeNotices();
  for (std::string& notice : second_->TakeNotices()) notices.push_back(std::move(notice));
  MutexLock lock(shared_->mutex);
  for (std::string& notice : shared_->notices) notices.push_back(std::move(notice));
  shared_->notices.clear();
  return notices;
}

std::vector<DeviceCounters> CheckBackend::device_counters() const {
  std::vector<DeviceCounters> counters = first_->device_counters();
  for (DeviceCounters& device : second_->device_counters()) counters.push_back(std::move(device));
  return counters;
}

}  // namespace plexus
