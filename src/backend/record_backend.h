#pragma once
// Evaluations written down, and answered from there again without any device: an exact repetition of a search.
//
// Both stand under the cache, which rounds priors: the file holds what the device said, to the last bit.

#include <memory>
#include <string>
#include <vector>

#include "backend/evaluation_file.h"
#include "net/backend.h"
#include "net/input_format.h"

namespace plexus {

// What answers depend on beside the question; written into the file.
struct RecordContext {
  float policy_temperature = 1;
  std::string history_fill;
  std::string network;  // tells networks apart; empty if there is none
};

inline constexpr const char* kRecordKeys =
    "file=PATH (a new one, or one of the same backend to go on with)";
inline constexpr const char* kReplayKeys = "file=PATH";

// Evaluates by `inner` and appends each new question with its answer. A question that the file knows gets the answer
// that stands there, so that one search sees what its repetition will. A file that cannot be written to any more is told
// once (TakeNotices); evaluation goes on.
class RecordBackend : public Backend {
 public:
  // Throws Exception if the file exists and is of another backend, network or version, or is damaged.
  RecordBackend(std::shared_ptr<Backend> inner, const std::string& path,
                const RecordContext& context);
  ~RecordBackend() override;

  BackendAttributes attributes() const override;
  std::unique_ptr<BackendComputation> NewComputation() override;
  std::vector<std::string> TakeNotices() override;
  std::vector<DeviceCounters> device_counters() const override { return inner_->device_counters(); }

 private:
  struct Shared;
  class Computation;
  const std::shared_ptr<Backend> inner_;
  std::shared_ptr<Shared> shared_;  // with every computation
};

// Answers what the file holds; anything else is an Exception with the position. Its attributes are those of the backend
// that was recorded, so that a search takes the same course.
class ReplayBackend : public Backend {
 public:
  // Throws Exception if the file cannot be used or was recorded with other options.
  ReplayBackend(const std::string& path, const RecordContext& context);
  ~ReplayBackend() override;

  BackendAttributes attributes() const override { return attributes_; }
  std::unique_ptr<BackendComputation> NewComputation() override;

 private:
  class Computation;
  std::shared_ptr<const EvaluationBook> book_;
  std::string path_;
  BackendAttributes attributes_;
};

}  // namespace plexus
