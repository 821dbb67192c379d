#include "base/logging.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/error_of.h"
#include "base/files.h"
#include "base/strings.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

class LoggingTest : public ::testing::Test {
 protected:
  void TearDown() override { SetLogFile(""); }
  TemporaryFolder folder;
};

TEST_F(LoggingTest, IsOffByDefault) {
  EXPECT_FALSE(LogIsOn());
  Log(LogLevel::kInfo, "nobody reads this");
}

TEST_F(LoggingTest, LinesCarryTimeLevelAndThread) {
  SetLogFile(folder.Path("log"));
  EXPECT_TRUE(LogIsOn());
  Log(LogLevel::kWarning, "hello");
  SetLogFile("");
  EXPECT_THAT(ReadFile(folder.Path("log")),
              MatchesRegex("[0-9]+-[0-9]+-[0-9]+ [0-9]+:[0-9]+:[0-9]+\\.[0-9]+ warning \\[.+\\] "
                           "hello\n"));
}

TEST_F(LoggingTest, LinesAreInTheFileAtOnceAndAfterWhatWasThere) {
  const std::string path = folder.Write("log", "before\n");
  SetLogFile(path);
  Log(LogLevel::kInfo, "now");
  EXPECT_THAT(ReadFile(path), HasSubstr("before\n"));
  EXPECT_THAT(ReadFile(path), HasSubstr("now\n"));
}

TEST_F(LoggingTest, SwitchingOffStopsTheWriting) {
  SetLogFile(folder.Path("log"));
  SetLogFile("");
  Log(LogLevel::kInfo, "late");
  EXPECT_THAT(ReadFile(folder.Path("log")), Not(HasSubstr("late")));
}

TEST_F(LoggingTest, AFileThatCannotBeOpenedIsAnErrorAndTheLogIsOff) {
  SetLogFile(folder.Path("log"));
  EXPECT_THAT(ErrorOf([&] { SetLogFile(folder.Path("none/log")); }), HasSubstr("none/log"));
  EXPECT_FALSE(LogIsOn());
}

TEST_F(LoggingTest, LinesOfManyThreadsStayWhole) {
  SetLogFile(folder.Path("log"));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 100; ++i) Log(LogLevel::kInfo, "a line of some length, whole");
    });
  }
  for (std::thread& thread : threads) thread.join();
  SetLogFile("");
  const std::vector<std::string> lines = Split(Trim(ReadFile(folder.Path("log"))), '\n');
  EXPECT_EQ(lines.size(), 400u);
  for (const std::string& line : lines) {
    EXPECT_TRUE(line.ends_with("] a line of some length, whole")) << line;
  }
}

}  // namespace
}  // namespace plexus
