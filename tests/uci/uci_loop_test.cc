#include "uci/uci_loop.h"

#include <gtest/gtest.h>

#include <sstream>

#include "base/files.h"
#include "base/temporary_folder.h"
#include "support/fake_resources.h"
#include "support/fake_search.h"

namespace plexus {
namespace {

std::string RunText(const std::string& input, const std::string& notice = "") {
  TemporaryFolder folder;
  FakeFactory factory;
  FakeSearchLog log;
  UciStart start;
  start.paths = {folder.Path(""), ""};
  start.notice = notice;
  start.makers = factory.Makers();
  start.make_search = [&](const std::string&, const SearchContext&) {
    return std::make_unique<FakeSearch>(&log);
  };
  EngineOptions options;
  SteadyClock clock;
  std::istringstream lines(input);
  std::string output;
  RunUciLoop(&options, &clock, start, ReadFrom(&lines),
             [&](const std::string& text) { output += text; });
  return output;
}

TEST(UciLoop, APipedCommandIsAnsweredBeforeTheEnd) {
  EXPECT_NE(RunText("go nodes 10\n").find("\nbestmove "), std::string::npos);
  EXPECT_NE(RunText("go nodes 10").find("\nbestmove "), std::string::npos)
      << "last line without its end";
}

TEST(UciLoop, LineEndsOfWindowsAreFine) {
  const std::string output =
      RunText("uci\r\nisready\r\nposition startpos\r\ngo nodes 1\r\nquit\r\n");
  EXPECT_NE(output.find("readyok\n"), std::string::npos);
  EXPECT_EQ(output.find("unknown"), std::string::npos) << output;
}

TEST(UciLoop, AnEmptyInputEndsAtOnce) { EXPECT_EQ(RunText(""), ""); }

TEST(UciLoop, ANoticeOfTheStartIsToldFirst) {
  EXPECT_EQ(RunText("quit\n", "plexus.config:2: bad").find("info string plexus.config:2: bad\n"),
            0u);
}

TEST(UciLoop, HelpOfTheModeIsASuccess) {
  const std::vector<std::string> args = {"--help"};
  testing::internal::CaptureStdout();
  EXPECT_EQ(RunUci(args), 0);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_NE(text.find("--minibatch-size"), std::string::npos);
  EXPECT_EQ(text.find("--kldgain-average-interval"), std::string::npos);
}

TEST(UciLoop, AFaultOfTheCommandLineIsToldToTheInterfaceToo) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--config=", "nonsense"}, {"--nonsense"}, {"--config=/nowhere"}}) {
    testing::internal::CaptureStdout();
    EXPECT_THROW(RunUci(args), Exception);
    const std::string text = testing::internal::GetCapturedStdout();
    EXPECT_EQ(text.find("info string "), 0u) << text;
  }
}

TEST(UciLoop, TheLogHoldsWhatComesInAndGoesOut) {
  TemporaryFolder folder;
  const std::string file = folder.Path("log.txt");
  RunText("setoption name LogFile value " + file +
          "\nisready\nsetoption name LogFile value <empty>\n");
  const std::string log = ReadFile(file);
  EXPECT_NE(log.find("in  isready\n"), std::string::npos) << log;
  EXPECT_NE(log.find("out readyok\n"), std::string::npos) << log;
}

}  // namespace
}  // namespace plexus
