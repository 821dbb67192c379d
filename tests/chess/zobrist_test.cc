#include "chess/zobrist.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace plexus {
namespace {

TEST(Zobrist, AllKeysDiffer) {
  std::set<uint64_t> keys = {0, kZobrist.black_to_move};
  size_t expected = 2;
  for (const auto& color : kZobrist.piece) {
    for (const auto& type : color) {
      keys.insert(type.begin(), type.end());
      expected += type.size();
    }
  }
  for (const auto& color : kZobrist.castling) {
    keys.insert(color.begin(), color.end());
    expected += color.size();
  }
  keys.insert(kZobrist.en_passant.begin(), kZobrist.en_passant.end());
  expected += kZobrist.en_passant.size();
  EXPECT_EQ(keys.size(), expected);
}

TEST(Zobrist, KeysHaveAboutHalfTheirBitsSet) {
  int bits = 0;
  for (const uint64_t key : kZobrist.piece[1][3]) bits += std::popcount(key);
  EXPECT_NEAR(bits, 64 * 32, 200);
}

}  // namespace
}  // namespace plexus
