#include "chess/perft_suite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/exception.h"

namespace plexus {
namespace {

using testing::HasSubstr;

std::vector<PerftCount> Read(const std::string& text) {
  std::istringstream in(text);
  return ReadPerftSuite(&in);
}

TEST(PerftSuite, ReadsOneLineAPosition) {
  const std::vector<PerftCount> counts =
      Read("FEN w - - 0 1 ;D1 20 ;D2 400\r\n\nOTHER b - - ;D4 5\n");
  ASSERT_EQ(counts.size(), 3u);
  EXPECT_EQ(counts[1].fen, "FEN w - - 0 1");
  EXPECT_EQ(counts[1].depth, 2);
  EXPECT_EQ(counts[1].nodes, 400u);
  EXPECT_EQ(counts[2].line, 3);
}

TEST(PerftSuite, ReadsBlocks) {
  const std::vector<PerftCount> counts =
      Read("# note\nid 1\nepd FEN w - -\nperft 1 20\nperft 2 400\n");
  ASSERT_EQ(counts.size(), 2u);
  EXPECT_EQ(counts[1].fen, "FEN w - -");
  EXPECT_EQ(counts[1].nodes, 400u);
}

TEST(PerftSuite, NamesTheLineOfAFault) {
  for (const char* text :
       {"# ok\nnonsense\n", "# ok\nFEN ;D1 x\n", "# ok\nFEN ;E1 20\n", "# ok\nperft 1 20\n"}) {
    try {
      Read(text);
      ADD_FAILURE() << text;
    } catch (const Exception& e) {
      EXPECT_THAT(e.what(), HasSubstr("line 2")) << text;
    }
  }
}

TEST(PerftSuite, AffordsTheCheapestCountsInTheOrderOfTheFile) {
  const std::vector<PerftCount> all = Read("A ;D1 50 ;D2 900\nB ;D1 10 ;D2 30\nC ;D9 1\n");
  const std::vector<PerftCount> some = AffordableCounts(all, 100, 5);
  ASSERT_EQ(some.size(), 3u);
  EXPECT_EQ(some[0].nodes, 50u);
  EXPECT_EQ(some[1].nodes, 10u);
  EXPECT_EQ(some[2].nodes, 30u);
}

}  // namespace
}  // namespace plexus
