#include "backend/caching_backend.h"

#include <utility>
#include <vector>

#include "backend/policy_codec.h"
#include "base/mutex.h"
#include "net/eval_key.h"

namespace plexus {
namespace {

// A queued position whose answer will be remembered.
struct Pending {
  uint64_t key;
  uint16_t fingerprint;
  EvalOutput* out;
};

void Write(const CachedEval& eval, EvalOutput* out) {
  out->wl = eval.wl;
  out->d = eval.d;
  out->m = eval.m;
  DecodePolicy(std::span(eval.policy).first(eval.num_moves), out->policy);
}

}  // namespace

struct CachingBackend::Shared {
  Shared(int64_t entries, int length)
      : cache(entries), enabled(entries > 0), history_length(length) {}

  bool Find(uint64_t key, uint16_t fingerprint, EvalOutput* out) {
    CachedEval found;
    if (!cache.Find(key, static_cast<int>(out->policy.size()), fingerprint, &found)) return false;
    Write(found, out);
    return true;
  }

  NNCache cache;
  const bool enabled;
  const int history_length;
  // Lists of finished computations, kept for their capacity.
  Mutex mutex;
  std::vector<std::vector<Pending>> spare GUARDED_BY(mutex);
  std::vector<std::string> notices GUARDED_BY(mutex);
};

class CachingBackend::Computation : public BackendComputation {
 public:
  Computation(std::shared_ptr<Shared> shared, std::unique_ptr<BackendComputation> inner)
      : shared_(std::move(shared)), inner_(std::move(inner)) {
    MutexLock lock(shared_->mutex);
    if (shared_->spare.empty()) return;
    pending_.swap(shared_->spare.back());
    shared_->spare.pop_back();
  }
  ~Computation() override {
    pending_.clear();
    MutexLock lock(shared_->mutex);
    shared_->spare.push_back(std::move(pending_));
  }

  Added Add(const EvalInput& input, EvalOutput* out) override {
    uint64_t key = 0;
    uint16_t fingerprint = 0;
    if (shared_->enabled) {
      key = EvalKey(input.history, shared_->history_length);
      fingerprint = MovesFingerprint(input.legal_moves);
      if (shared_->Find(key, fingerprint, out)) return Added::kFromCache;
    }
    const Added added = inner_->Add(input, out);
    if (added == Added::kQueued) pending_.push_back({key, fingerprint, out});
    return added;
  }

  int queued() const override { return inner_->queued(); }

  void ComputeBlocking() override { ComputeOrCancel({}); }

  bool ComputeOrCancel(std::stop_token cancel) override {
    if (!inner_->ComputeOrCancel(std::move(cancel))) return false;
    Remember();
    return true;
  }

 private:
  void Remember() {
    CachedEval eval;
    for (const Pending& pending : pending_) {
      eval.wl = pending.out->wl;
      eval.d = pending.out->d;
      eval.m = pending.out->m;
      eval.num_moves = static_cast<int>(pending.out->policy.size());
      EncodePolicy(pending.out->policy, std::span(eval.policy).first(eval.num_moves));
      Write(eval, pending.out);
      if (shared_->enabled) shared_->cache.Insert(pending.key, pending.fingerprint, eval);
    }
  }

  const std::shared_ptr<Shared> shared_;
  const std::unique_ptr<BackendComputation> inner_;
  std::vector<Pending> pending_;
};

CachingBackend::CachingBackend(std::shared_ptr<Backend> inner, int64_t entries, int history_length,
                               std::vector<std::string> notices)
    : inner_(std::move(inner)), shared_(std::make_shared<Shared>(entries, history_length)) {
  MutexLock lock(shared_->mutex);
  shared_->notices = std::move(notices);
}

std::vector<std::string> CachingBackend::TakeNotices() {
  std::vector<std::string> notices;
  {
    MutexLock lock(shared_->mutex);
    notices.swap(shared_->notices);
  }
  for (std::string& notice : inner_->TakeNotices()) notices.push_back(std::move(notice));
  return notices;
}

CachingBackend::~CachingBackend() = default;

std::unique_ptr<BackendComputation> CachingBackend::NewComputation() {
  return std::make_unique<Computation>(shared_, inner_->NewComputation());
}

bool CachingBackend::Probe(const EvalInput& input, EvalOutput* out) {
  if (!shared_->enabled) return false;
  return shared_->Find(EvalKey(input.history, shared_->history_length),
                       MovesFingerprint(input.legal_moves), out);
}

bool CachingBackend::ClearCache() {
  shared_->cache.Clear();
  return shared_->enabled;
}

CacheCounters CachingBackend::cache_counters() const { return shared_->cache.counters(); }

}  // namespace plexus
