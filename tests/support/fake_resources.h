#pragma once
// Makers of resources that load nothing, count what is asked for and fail on order.

#include <memory>
#include <string>
#include <vector>

#include "base/exception.h"
#include "engine/resources.h"

namespace plexus {

class FakeBackend : public Backend {
 public:
  explicit FakeBackend(int* cleared) : cleared_(cleared) {}
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

 private:
  int* const cleared_;
};

struct FakeFactory {
  int cleared = 0;
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
              return std::make_shared<FakeBackend>(&cleared);
            },
            [](const BackendParams& params) { return params.backend != "fake"; }};
  }
};

}  // namespace plexus
