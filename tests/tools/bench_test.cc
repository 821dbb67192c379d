#include "tools/bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "base/error_of.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "tools/bench_positions.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

TEST(BenchPositions, AreDistinctAndNoneIsOver) {
  std::set<std::string> fens;
  for (const char* fen : kBenchPositions) {
    const FenPosition position = ParseFen(fen);
    EXPECT_GE(CountLegalMoves(position.board), 2) << fen;
    EXPECT_EQ(ToFen(position.board, position.rule50_ply, position.fullmove, false), fen);
    EXPECT_TRUE(fens.insert(fen).second) << fen;
  }
  EXPECT_EQ(fens.size(), 34u);
}

TEST(Bench, SignatureIsTheSameEveryTime) {
  const BenchRun first = RunBenchSearches(60), second = RunBenchSearches(60);
  EXPECT_EQ(first.signature, second.signature);
  EXPECT_EQ(first.nodes, second.nodes);
  for (size_t i = 0; i < first.positions.size(); ++i) {
    EXPECT_EQ(first.positions[i].signature, second.positions[i].signature)
        << first.positions[i].fen;
  }
}

TEST(Bench, SignatureDependsOnTheSearch) {
  EXPECT_NE(RunBenchSearches(40).signature, RunBenchSearches(41).signature);
}

TEST(Bench, EveryPositionIsSearchedWithABestMove) {
  const BenchRun run = RunBenchSearches(60);
  EXPECT_EQ(run.positions.size(), 17u);
  std::set<uint64_t> signatures;
  for (const BenchPosition& position : run.positions) {
    EXPECT_GE(position.nodes, 60) << position.fen;
    EXPECT_GE(position.best_move.size(), 4u) << position.fen;
    signatures.insert(position.signature);
  }
  EXPECT_EQ(signatures.size(), run.positions.size());
}

TEST(Bench, JsonHoldsSignatureAndCounts) {
  TemporaryFolder folder;
  const std::string path = folder.Path("bench.json");
  ::testing::internal::CaptureStdout();
  EXPECT_EQ(RunBench(std::vector<std::string>{"--json=" + path}), 0);
  const std::string output = ::testing::internal::GetCapturedStdout();
  const auto json = nlohmann::json::parse(ReadFile(path));
  EXPECT_THAT(output, HasSubstr("\nSignature: " + json.at("signature").get<std::string>() + "\n"));
  EXPECT_EQ(json.at("positions").size(), 17u);
  int64_t nodes = 0;
  for (const auto& position : json.at("positions")) nodes += position.at("nodes").get<int64_t>();
  EXPECT_EQ(json.at("nodes").get<int64_t>(), nodes);
}

TEST(Bench, BadArgumentsAreRefused) {
  EXPECT_THAT(ErrorOf([] { RunBench(std::vector<std::string>{"--jsno=x"}); }),
              HasSubstr("Did you mean \"json\"?"));
  EXPECT_THAT(ErrorOf([] { RunBench(std::vector<std::string>{"fast"}); }), HasSubstr("\"fast\""));
}

}  // namespace
}  // namespace plexus
