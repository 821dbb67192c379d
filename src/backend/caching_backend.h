#pragma once
// A Backend around a Backend that remembers its answers; searches do not know that it is there.

#include <cstdint>
#include <memory>

#include "backend/nn_cache.h"
#include "net/backend.h"

namespace plexus {

// Every answer, remembered or not, goes through the 16-bit priors of policy_codec.h, also when nothing is remembered
// (entries = 0): so a search does not depend on the state or the size of the cache.
//
// Two computations that ask for the same position at the same time both evaluate it.
class CachingBackend : public Backend {
 public:
  // history_length: how many earlier positions must be equal too (see EvalKey).
  // notices: what the user should hear first.
  CachingBackend(std::shared_ptr<Backend> inner, int64_t entries, int history_length,
                 std::vector<std::string> notices = {});
  ~CachingBackend() override;

  BackendAttributes attributes() const override { return inner_->attributes(); }
  std::unique_ptr<BackendComputation> NewComputation() override;
  bool Probe(const EvalInput& input, EvalOutput* out) override;
  bool ClearCache() override;
  std::vector<std::string> TakeNotices() override;
  std::vector<DeviceCounters> device_counters() const override { return inner_->device_counters(); }
  CacheCounters cache_counters() const override;

 private:
  struct Shared;
  class Computation;
  const std::shared_ptr<Backend> inner_;
  const std::shared_ptr<Shared> shared_;  // with every computation
};

}  // namespace plexus
