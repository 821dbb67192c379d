#pragma once
// Evaluations of real networks by an independent implementation, and comparisons with ours.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "chess/position.h"
#include "net/device.h"
#include "net/weights.h"

namespace plexus {

struct ExpectedEvaluation {
  struct PolicyEntry {
    Move move;
    int index = 0;
    float logit = 0;
  };
  std::string line;         // "FEN moves ...", for messages
  PositionHistory history;  // the whole game
  int transform = 0;
  uint64_t planes_hash = 0;
  std::vector<std::pair<uint64_t, float>> planes;  // of the first positions only
  float q = 0, d = 0, m = 0;
  std::vector<PolicyEntry> policy;  // all legal moves
};

struct ExpectedNetwork {
  std::string name;  // "maia-1100"
  std::string weights_path;
  std::string expected_path;
};

// All networks with expected evaluations, by name. Empty where the shared data is missing.
std::vector<ExpectedNetwork> ExpectedNetworks();
// Those whose body is convolutional and whose policy head is classical or convolutional.
std::vector<ExpectedNetwork> ExpectedConvolutionNetworks();
ExpectedNetwork ExpectedNetworkByName(const std::string& name);

// Every `stride`-th position of the file, the first included.
std::vector<ExpectedEvaluation> ReadExpectedEvaluations(const std::string& path, int stride = 1);

// Largest differences over positions. Positions without legal moves count for q, d and m.
struct EvaluationDifference {
  int positions = 0;
  float q = 0, d = 0, m = 0, logit = 0;
  float plies_scale = 0;    // largest expected m
  std::string worst_logit;  // position and move of the largest policy difference
};
EvaluationDifference CompareWithExpected(const std::vector<ExpectedEvaluation>& expected,
                                         const NetworkWeights& weights, Device* device);

}  // namespace plexus
