#pragma once
// Options -> weights -> backend. Rebuilds only what an option touched.

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "engine/engine_options.h"
#include "engine/find_weights.h"
#include "net/backend.h"
#include "net/weights.h"

namespace plexus {

// Takes one line for the user ("info string" in UCI).
using Tell = std::function<void(const std::string&)>;

// How things are made; tests hand in their own.
struct ResourceMakers {
  std::function<NetworkWeights(const WeightsChoice&)> load_weights;
  std::function<std::shared_ptr<Backend>(const BackendParams&,
                                         std::shared_ptr<const NetworkWeights>, Clock*)>
      make_backend;
  std::function<bool(const BackendParams&)> needs_weights;
};
ResourceMakers RealMakers();

// Not thread-safe: owned by the thread that reads commands.
class Resources {
 public:
  // `clock` outlives every backend that is handed out.
  Resources(const ProgramPaths& paths, Clock* clock, ResourceMakers makers = RealMakers());

  // Brings the backend to what `params` say, also if they are the same and all of its devices have failed; tells which network is used when it changes. Returns
  // true if backend() is another one than before. Throws Exception if something cannot be loaded or
  // made; backend() then stays what it was, and the same params are not tried again until Retry().
  bool Update(const BackendParams& params, const Tell& tell);
  // The next Update tries what failed before.
  void Retry() { failed_.reset(); }
  // Null until an Update succeeded.
  const std::shared_ptr<Backend>& backend() const { return backend_; }
  // Null if the backend needs none.
  const std::shared_ptr<const NetworkWeights>& weights() const { return weights_; }

 private:
  const ProgramPaths paths_;
  Clock* const clock_;
  const ResourceMakers makers_;
  std::optional<BackendParams> params_, failed_;
  WeightsChoice choice_;
  std::shared_ptr<const NetworkWeights> weights_;
  std::shared_ptr<Backend> backend_;
};

}  // namespace plexus
