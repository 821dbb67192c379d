#pragma once
// Two backends asked the same: the search sees the answers of the first, the user hears how far the second is off.

#include <memory>
#include <string>
#include <vector>

#include "backend/comparison.h"
#include "net/backend.h"

namespace plexus {

struct CheckOptions {
  Tolerance tolerance;
  double share = 1;         // of computations that are compared, evenly spread
  std::string report_file;  // the histograms are written here at the end; empty: nowhere
};

inline constexpr const char* kCheckKeys =
    "atol (0.001) and rtol (0.01: numbers agree if they differ by at most atol + rtol * the "
    "second), share (1: of batches that are compared), report=FILE (histograms, written when the "
    "backend is given up)";

// Tells (TakeNotices) at the first position beyond tolerance, a summary at 1000 compared positions and whenever their
// number has doubled, and once if the second backend fails; then the first goes on alone.
class CheckBackend : public Backend {
 public:
  CheckBackend(std::shared_ptr<Backend> first, std::shared_ptr<Backend> second,
               const CheckOptions& options);
  ~CheckBackend() override;

  BackendAttributes attributes() const override;
  std::unique_ptr<BackendComputation> NewComputation() override;
  std::vector<std::string> TakeNotices() override;
  std::vector<DeviceCounters> device_counters() const override;

 private:
  struct Shared;
  class Computation;
  const std::shared_ptr<Backend> first_, second_;
  const CheckOptions options_;
  const std::shared_ptr<Shared> shared_;  // with every computation
};

}  // namespace plexus
