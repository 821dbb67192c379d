// The encoder and the policy map against an independent implementation, for every network there is.

#include <gtest/gtest.h>

#include "chess/movegen.h"
#include "net/encoder.h"
#include "net/policy_map.h"
#include "net/weights_file.h"
#include "support/expected_evaluations.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

TEST(ExpectedEncoding, PlanesTransformsAndIndicesAreIdenticalForEveryNetwork) {
  PLEXUS_REQUIRE_SHARED("expected/positions.txt");
  const std::vector<ExpectedNetwork> networks = ExpectedNetworks();
  ASSERT_EQ(networks.size(), 31u);
  for (const ExpectedNetwork& network : networks) {
    SCOPED_TRACE(network.name);
    const NetworkWeights weights = LoadWeights(network.weights_path);
    for (const ExpectedEvaluation& e : ReadExpectedEvaluations(network.expected_path)) {
      SCOPED_TRACE(e.line);
      InputPlanes planes;
      const int transform =
          EncodePlanes(weights.input_format, HistoryFill::kFenOnly, e.history.all(), &planes);
      EXPECT_EQ(transform, e.transform);
      for (size_t p = 0; p < e.planes.size(); ++p) {
        EXPECT_EQ(planes.mask[p], e.planes[p].first) << "plane " << p;
        EXPECT_EQ(planes.value[p], e.planes[p].second) << "plane " << p;
      }
      ASSERT_EQ(HashOfPlanes(planes), e.planes_hash);
      const Board& board = e.history.Last().board;
      ASSERT_EQ(LegalMoves(board).size(), static_cast<int>(e.policy.size()));
      for (const ExpectedEvaluation::PolicyEntry& entry : e.policy) {
        ASSERT_EQ(PolicyIndex(entry.move, board.side_to_move(), transform), entry.index);
      }
    }
  }
}

}  // namespace
}  // namespace plexus
