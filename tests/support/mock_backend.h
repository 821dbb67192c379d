#pragma once
// A backend without devices: evaluates in the caller's thread by a function of the test.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <vector>

#include "base/clock.h"
#include "base/exception.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "net/backend.h"

namespace plexus {

// Values and priors from a hash of the position alone: bushy trees, the same on every machine.
inline void HashEvaluation(const EvalInput& input, EvalOutput* out) {
  uint64_t state = input.history.back().board.key();
  const auto next = [&state] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<float>(static_cast<double>(state >> 40) / 16777216.0);  // [0, 1)
  };
  next();
  out->wl = next() * 2 - 1;
  out->d = next() * (1 - std::abs(out->wl));
  out->m = next() * 100;
  float sum = 0;
  for (float& p : out->policy) sum += p = 0.05f + next();
  for (float& p : out->policy) p /= sum;
}

// Everything even, every move as likely.
inline void FlatEvaluation(const EvalInput& input, EvalOutput* out) {
  *out = {0, 0.5f, 50, out->policy};
  for (float& p : out->policy) p = 1.0f / static_cast<float>(out->policy.size());
}

// Thread-safe. Fields are set before the first computation.
class MockBackend : public Backend {
 public:
  using Evaluation = std::function<void(const EvalInput&, EvalOutput*)>;
  explicit MockBackend(Evaluation evaluation = HashEvaluation)
      : evaluation_(std::move(evaluation)) {}

  BackendAttributes attributes_value = {"mock", true, true, 1024, 32, 1, true};
  int fail_at = 0;         // the n-th computation and all later ones throw
  Clock* clock = nullptr;  // if set, a computation takes these costs on it
  Clock::Duration cost{}, cost_per_position{};
  int hang_at = 0;  // the n-th computation and all later ones end only when they are cancelled
  std::function<void()> before_compute;             // called in ComputeBlocking, with no lock held
  std::function<bool(const EvalInput&)> is_cached;  // answered at once by Add

  BackendAttributes attributes() const override { return attributes_value; }
  std::unique_ptr<BackendComputation> NewComputation() override {
    return std::make_unique<Computation>(this);
  }
  bool ClearCache() override {
    ++cache_clears;
    return true;
  }
  int computations() const {
    MutexLock lock(mutex_);
    return computations_;
  }
  std::vector<int> batch_sizes() const {
    MutexLock lock(mutex_);
    return batch_sizes_;
  }
  int cache_clears = 0;
  std::atomic<int> hanging = 0;  // computations that wait to be cancelled

 private:
  class Computation : public BackendComputation {
   public:
    explicit Computation(MockBackend* owner) : owner_(*owner) {}
    Added Add(const EvalInput& input, EvalOutput* out) override {
      if (owner_.is_cached && owner_.is_cached(input)) {
        owner_.evaluation_(input, out);
        return Added::kFromCache;
      }
      items_.push_back({input, out});
      return Added::kQueued;
    }
    int queued() const override { return static_cast<int>(items_.size()); }
    void ComputeBlocking() override {
      if (owner_.before_compute) owner_.before_compute();
      if (owner_.clock != nullptr)
        owner_.clock->SleepFor(owner_.cost + owner_.cost_per_position * queued());
      const int number = owner_.Count(queued());
      if (owner_.fail_at > 0 && number >= owner_.fail_at)
        throw Exception("mock device failed at computation " + std::to_string(number) + ".");
      for (Item& item : items_) owner_.evaluation_(item.input, item.out);
    }
    bool ComputeOrCancel(std::stop_token cancel) override {
      if (owner_.hang_at == 0 || owner_.computations() + 1 < owner_.hang_at) {
        ComputeBlocking();
        return true;
      }
      std::mutex mutex;
      std::condition_variable_any cancelled;
      std::unique_lock<std::mutex> lock(mutex);
      ++owner_.hanging;
      cancelled.wait(lock, cancel, [] { return false; });
      --owner_.hanging;
      return false;
    }

   private:
    struct Item {
      EvalInput input;
      EvalOutput* out;
    };
    MockBackend& owner_;
    std::vector<Item> items_;
  };

  int Count(int size) {
    MutexLock lock(mutex_);
    batch_sizes_.push_back(size);
    return ++computations_;
  }

  const Evaluation evaluation_;
  mutable Mutex mutex_;
  int computations_ GUARDED_BY(mutex_) = 0;
  std::vector<int> batch_sizes_ GUARDED_BY(mutex_);
};

}  // namespace plexus
