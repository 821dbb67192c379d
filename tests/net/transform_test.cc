#include "net/transform.h"

#include <gtest/gtest.h>

namespace plexus {
namespace {

TEST(Transform, BitboardsAndSquaresMoveAlike) {
  for (int transform = 0; transform < 8; ++transform) {
    for (int s = 0; s < 64; ++s) {
      EXPECT_EQ(TransformBitboard(Bit(static_cast<Square>(s)), transform),
                Bit(TransformSquare(s, transform)))
          << "square " << s << ", transform " << transform;
    }
  }
}

TEST(Transform, TransposeKeepsTheDiagonalFromA8ToH1) {
  for (int i = 0; i < 8; ++i) {
    const Square on_diagonal = MakeSquare(i, 7 - i);
    EXPECT_EQ(TransformSquare(on_diagonal, kTransposeTransform), on_diagonal);
  }
  EXPECT_EQ(TransformSquare(MakeSquare(0, 0), kTransposeTransform), MakeSquare(7, 7));  // a1 <-> h8
  EXPECT_EQ(TransformSquare(MakeSquare(7, 1), kTransposeTransform), MakeSquare(6, 0));  // h2 <-> g1
}

TEST(Transform, FlipGoesBeforeMirrorAndTranspose) {
  // a2, flipped h2, mirrored h7, transposed b1.
  EXPECT_EQ(
      TransformSquare(MakeSquare(0, 1), kFlipTransform | kMirrorTransform | kTransposeTransform),
      MakeSquare(1, 0));
}

}  // namespace
}  // namespace plexus
