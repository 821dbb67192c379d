#pragma once
// Makers of resources that load nothing, count what is asked for and fail on order.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/exception.h"
#include "engine/resources.h"

namespace plexus {

class FakeBackend : public Backend {
 public:
  FakeBackend(int* cleared, std::vector<std::string>* notices, const bool* devices_failed)
      : cleared_(cleared), notices_(notices), devices_failed_(devices_failed) {}
  BackendAttributes attributes() const override {
    BackendAttributes attributes;
    attributes.description = "fake of the test";
    return attributes;
  }
  std::unique_ptr<BackendComputation> NewComputation() override { return nullptr; }
  bool ClearCache() override {
    ++*cleared_;
    return true;
  }
  std::vector<std::string> TakeNotices() override { return std::exchange(*notices_, {}); }
  std::vector<DeviceCounters> device_counters() const override {
    DeviceCounters device;
    device.failed = *devices_failed_;
    return {device};
  }

 private:
  int* const cleared_;
  std::vector<std::string>* const notices_;
  const bool* const devices_failed_;
};

struct FakeFactory {
  int cleared = 0;
  std::vector<std::string> notices;     // what the backend has to tell
  bool devices_failed = false;          // all devices of the backend
  std::vector<std::string> loaded;      // path of each load; "" = built in
  std::vector<BackendParams> backends;  // params of each backend made
  std::string broken_file;              // loading it fails
  std::string broken_backend;           // making it fails
  bool built_in_is_broken = false;

  ResourceMakers Makers() {
    return {[this](const WeightsChoice& choice) {
              loaded.push_back(choice.path);
              const bool fails = choice.kind == WeightsChoice::Kind::kBuiltIn
                                     ? built_in_is_broken
                                     : choice.path == broken_file;
              if (fails)
                throw Exception("network " + choice.path + " is damaged.", "Fetch it again.");
              return NetworkWeights();
            },
            [this](const BackendParams& params, std::shared_ptr<const NetworkWeights>, Clock*) {
              backends.push_back(params);
              if (!broken_backend.empty() && params.backend == broken_backend)
                throw Exception("backend " + params.backend + " is absent.");
              return std::make_shared<FakeBackend>(&cleared, &notices, &devices_failed);
            },
            [](const BackendParams& params) { return params.backend != "fake"; }};
  }
};

}  // namespace plexus
