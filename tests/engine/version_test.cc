#include "engine/version.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace plexus {
namespace {

TEST(Version, HasThreeNumbers) {
  const std::vector<std::string> parts = Split(Version(), '.');
  ASSERT_EQ(parts.size(), 3u);
  for (const std::string& part : parts) EXPECT_GE(ParseInt(part, "version"), 0);
}

}  // namespace
}  // namespace plexus
