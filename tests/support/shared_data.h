#pragma once
// Test data that is not part of the repository: found through PLEXUS_SHARED (default: ../shared beside the checkout).

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace plexus {

inline std::string SharedPath(const std::string& relative) {
  // Meson sets the second one to the folder beside the checkout, since tests run in the build folder.
  for (const char* variable : {"PLEXUS_SHARED", "PLEXUS_SHARED_DEFAULT"}) {
    const char* root = std::getenv(variable);
    if (root && *root) return std::string(root) + "/" + relative;
  }
  return "../shared/" + relative;
}

inline bool RunsInCi() {
  const char* ci = std::getenv("PLEXUS_CI");
  return ci && *ci && *ci != '0';
}

// First statement of a test that reads `relative`: where the data is missing, CI fails and other machines skip.
#define PLEXUS_REQUIRE_SHARED(relative)                                                                     \
  if (!std::filesystem::exists(::plexus::SharedPath(relative))) {                                           \
    ASSERT_FALSE(::plexus::RunsInCi()) << ::plexus::SharedPath(relative) << " is missing; set PLEXUS_SHARED"; \
    GTEST_SKIP() << ::plexus::SharedPath(relative) << " is missing; set PLEXUS_SHARED";                     \
  }                                                                                                         \
  static_assert(true)

}  // namespace plexus
