#include "tools/tool_args.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/files.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ToolArgs, JsonAloneMeansTheStandardOutput) {
  EXPECT_THAT(ExpandJsonFlag(std::vector<std::string>{"a", "--json", "--json=f", "--", "--json"}),
              ElementsAre("a", "--json=-", "--json=f", "--", "--json"));
}

TEST(ToolArgs, JsonGoesWhereItWasAskedFor) {
  TemporaryFolder folder;
  WriteJson(folder.Path("x"), "{}");
  EXPECT_EQ(ReadFile(folder.Path("x")), "{}\n");
  ::testing::internal::CaptureStdout();
  WriteJson("-", "{}");
  WriteJson("", "nothing");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "{}\n");
}

TEST(ToolArgs, WordsThatNobodyUnderstandsAreNamed) {
  RefuseWords({}, "bench");
  const std::string error = ErrorOf([] { RefuseWords({"a", "b"}, "bench"); });
  EXPECT_THAT(error, HasSubstr("bench does not understand \"a\", \"b\""));
}

}  // namespace
}  // namespace plexus
