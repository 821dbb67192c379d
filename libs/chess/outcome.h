#pragma once
// "This game is over, and how": the only place that says so.

#include "chess/movegen.h"
#include "chess/position.h"

namespace plexus {

enum class GameResult : uint8_t { kUndecided, kWhiteWon, kBlackWon, kDraw };
enum class GameEnd : uint8_t {
  kNone,
  kCheckmate,
  kStalemate,
  kInsufficientMaterial,
  kFiftyMoves,
  kThreefold
};

struct Outcome {
  GameResult result = GameResult::kUndecided;
  GameEnd reason = GameEnd::kNone;
  bool over() const { return result != GameResult::kUndecided; }
};

// Neither side can ever mate: K v K, K+minor v K, and only bishops that all stand on one colour.
bool InsufficientMaterial(const Board& board);
// Checkmate and stalemate go before the 50-move rule. REQUIRES: `legal_moves` are those of
// history.Last().
Outcome OutcomeOf(const PositionHistory& history, const MoveList& legal_moves);

}  // namespace plexus
