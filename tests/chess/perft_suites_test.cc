// The published perft suites, together at most 10^8 nodes.

#include <gtest/gtest.h>

#include <fstream>

#include "chess/fen.h"
#include "chess/perft.h"
#include "chess/perft_suite.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

// Checks what the budget allows and returns how many counts that were.
size_t CheckSuite(const std::string& file, uint64_t max_nodes) {
  std::ifstream in(SharedPath("epd/perft/" + file));
  const std::vector<PerftCount> counts = AffordableCounts(ReadPerftSuite(&in), max_nodes, 99);
  for (const PerftCount& count : counts) {
    EXPECT_EQ(Perft(ParseFen(count.fen).board, count.depth), count.nodes)
        << file << ":" << count.line << " depth " << count.depth << " of " << count.fen;
  }
  return counts.size();
}

TEST(PerftSuites, Standard) {
  PLEXUS_REQUIRE_SHARED("epd/perft/standard.epd");
  EXPECT_GT(CheckSuite("standard.epd", 30'000'000), 650u);
}

TEST(PerftSuites, Tricky) {
  PLEXUS_REQUIRE_SHARED("epd/perft/tricky-pychess.perft");
  EXPECT_GT(CheckSuite("tricky-pychess.perft", 10'000'000), 60u);
}

TEST(PerftSuites, Chess960) {
  PLEXUS_REQUIRE_SHARED("epd/perft/fischer.epd");
  EXPECT_GT(CheckSuite("fischer.epd", 40'000'000), 2800u);
}

TEST(PerftSuites, Chess960InTheOtherFormat) {
  PLEXUS_REQUIRE_SHARED("epd/perft/chess960.perft");
  EXPECT_GT(CheckSuite("chess960.perft", 20'000'000), 2800u);
}

}  // namespace
}  // namespace plexus
