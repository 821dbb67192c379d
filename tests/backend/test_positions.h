#pragma once
// Positions of games played at random, and their evaluation by a backend.

#include <memory>
#include <vector>

#include "base/random.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/position.h"
#include "net/backend.h"

namespace plexus {

struct TestPosition {
  PositionHistory history;
  MoveList moves;
  EvalInput Input() const {
    return {history.Tail(8), {moves.begin(), static_cast<size_t>(moves.size())}};
  }
};

// `count` different stages of random games from the start position, the same for the same seed.
inline std::vector<TestPosition> RandomGamePositions(int count, uint64_t seed) {
  Random random(seed);
  std::vector<TestPosition> result;
  PositionHistory history(kStartFen);
  while (static_cast<int>(result.size()) < count) {
    const MoveList moves = LegalMoves(history.Last().board);
    if (moves.empty() || history.size() > 120) {
      history = PositionHistory(kStartFen);
      continue;
    }
    result.push_back({history, moves});
    history.Append(moves[static_cast<int>(random.Below(moves.size()))]);
  }
  return result;
}

// One position with room for its answer, for tests of what becomes of a single computation.
struct OneQuestion {
  OneQuestion() { out.policy = policy; }
  OneQuestion(const OneQuestion&) = delete;
  OneQuestion& operator=(const OneQuestion&) = delete;

  const TestPosition position = RandomGamePositions(1, 6)[0];
  std::vector<float> policy =
      std::vector<float>(position.moves.size(), -7.0f);  // no answer is like that
  EvalOutput out;
};

struct TestAnswer {
  float wl = 0, d = 0, m = 0;
  std::vector<float> policy;
  bool from_cache = false;
  // Bit for bit, wherever it came from.
  bool operator==(const TestAnswer& other) const {
    return wl == other.wl && d == other.d && m == other.m && policy == other.policy;
  }
};

// All positions in one computation.
inline std::vector<TestAnswer> EvaluateAll(Backend* backend,
                                           std::span<const TestPosition> positions) {
  std::vector<TestAnswer> answers(positions.size());
  std::vector<EvalOutput> outputs(positions.size());
  const std::unique_ptr<BackendComputation> computation = backend->NewComputation();
  for (size_t i = 0; i < positions.size(); ++i) {
    answers[i].policy.resize(positions[i].moves.size());
    outputs[i].policy = answers[i].policy;
    answers[i].from_cache = computation->Add(positions[i].Input(), &outputs[i]) ==
                            BackendComputation::Added::kFromCache;
  }
  computation->ComputeBlocking();
  for (size_t i = 0; i < positions.size(); ++i) {
    answers[i].wl = outputs[i].wl;
    answers[i].d = outputs[i].d;
    answers[i].m = outputs[i].m;
  }
  return answers;
}

inline TestAnswer EvaluateOne(Backend* backend, const TestPosition& position) {
  return EvaluateAll(backend, {&position, 1})[0];
}

}  // namespace plexus
