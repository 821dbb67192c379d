#include "tools/perft.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "base/error_of.h"

namespace plexus {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::internal::CaptureStdout;
using testing::internal::GetCapturedStdout;

struct Answer {
  int status = 0;
  std::string text;
};

Answer RunTool(const std::vector<std::string>& args) {
  CaptureStdout();
  Answer answer;
  answer.status = RunPerft(args);
  answer.text = GetCapturedStdout();
  return answer;
}

std::string Error(const std::vector<std::string>& args) {
  return ErrorOf([&] { RunPerft(args); });
}

class SuiteFile {
 public:
  explicit SuiteFile(const std::string& text)
      : path_(testing::TempDir() + "plexus_suite_" +
              std::to_string(std::hash<std::string>()(text)) + ".epd") {
    std::ofstream(path_) << text;
  }
  ~SuiteFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

TEST(PerftTool, PrintsMovesAndTheTotalAloneOnTheLastLine) {
  const Answer answer = RunTool({"2"});
  EXPECT_EQ(answer.status, 0);
  EXPECT_THAT(answer.text, HasSubstr("e2e4: 20\n"));
  EXPECT_THAT(answer.text, EndsWith("\n400\n"));
}

TEST(PerftTool, TakesAFenQuotedOrInWords) {
  const std::string fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
  EXPECT_THAT(RunTool({"1", fen}).text, EndsWith("\n15\n"));
  EXPECT_THAT(RunTool({"1", "4k3/8/8/8/8/8/8/4K2R", "w", "K", "-", "0", "1"}).text,
              EndsWith("\n15\n"));
  EXPECT_THAT(RunTool({"1", fen}).text, HasSubstr("e1g1: 1\n"));
  EXPECT_THAT(RunTool({"1", fen, "--chess960"}).text, HasSubstr("e1h1: 1\n"));
}

TEST(PerftTool, OfDepthZeroIsOne) { EXPECT_THAT(RunTool({"0"}).text, EndsWith("\n1\n")); }

TEST(PerftTool, PrintsJson) {
  const Answer answer = RunTool({"1", "8/8/8/8/8/k7/p7/K7 w - - 0 1", "--json"});
  EXPECT_THAT(answer.text,
              HasSubstr("{\"fen\":\"8/8/8/8/8/k7/p7/K7 w - - 0 1\",\"depth\":1,\"nodes\":0,"));
  EXPECT_THAT(RunTool({"1", "--json"}).text, HasSubstr("\"moves\":{\"a2a3\":1,"));
}

TEST(PerftTool, ChecksASuite) {
  const SuiteFile suite(
      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400 ;D3 8902\n");
  EXPECT_EQ(RunTool({"--suite=" + suite.path()}).status, 0);
  EXPECT_THAT(RunTool({"--suite", suite.path()}).text,
              EndsWith("3 of 3 counts checked, 0 wrong\n9322\n"));
  EXPECT_THAT(RunTool({"2", "--suite=" + suite.path()}).text, EndsWith("\n420\n"));
  EXPECT_THAT(RunTool({"--suite=" + suite.path(), "--max-nodes=1000"}).text, EndsWith("\n420\n"));
  EXPECT_THAT(RunTool({"--suite=" + suite.path(), "--json"}).text,
              HasSubstr("\"wrong\":0,\"nodes\":9322"));
}

TEST(PerftTool, AWrongCountIsShownAndEndsWithStatusOne) {
  const SuiteFile suite("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 21\n");
  const Answer answer = RunTool({"--suite=" + suite.path()});
  EXPECT_EQ(answer.status, 1);
  EXPECT_THAT(answer.text, HasSubstr("line 1: depth 1 of rnbqkbnr"));
  EXPECT_THAT(answer.text, HasSubstr("20, expected 21"));
}

TEST(PerftTool, HelpNamesItsOptions) {
  EXPECT_EQ(RunTool({"--help"}).status, 0);
  for (const char* option : {"--suite", "--max-nodes", "chess960", "json"}) {
    EXPECT_THAT(RunTool({"--help"}).text, HasSubstr(option));
  }
}

TEST(PerftTool, RefusesBadArguments) {
  EXPECT_THAT(Error({}), HasSubstr("needs a depth"));
  EXPECT_THAT(Error({"x"}), HasSubstr("perft depth"));
  EXPECT_THAT(Error({"31"}), HasSubstr("perft depth"));
  EXPECT_THAT(Error({"1", "nonsense"}), HasSubstr("piece placement"));
  EXPECT_THAT(Error({"1", "--max-nodes=5"}), HasSubstr("--suite"));
  EXPECT_THAT(Error({"--suite=/nonexistent/suite"}), HasSubstr("/nonexistent/suite"));
  const SuiteFile suite("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n");
  EXPECT_THAT(Error({"1", "startpos", "--suite=" + suite.path()}),
              HasSubstr("brings its own positions"));
  EXPECT_THAT(Error({"--suite=" + suite.path(), "--max-nodes=5"}),
              HasSubstr("none within the limits"));
  EXPECT_THAT(Error({"--suite=" + suite.path(), "--max-nodes=many"}), HasSubstr("--max-nodes"));
}

}  // namespace
}  // namespace plexus
