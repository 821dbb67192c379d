#include "chess/position.h"

#include <algorithm>
#include <cassert>

#include "chess/fen.h"

namespace plexus {

PositionHistory::PositionHistory(std::string_view fen) {
  const FenPosition parsed = ParseFen(fen);
  const bool black = parsed.board.side_to_move() == Color::kBlack;
  Reset(parsed.board, parsed.rule50_ply, 2 * (parsed.fullmove - 1) + (black ? 1 : 0));
}

void PositionHistory::Reset(const Board& board, int rule50_ply, int game_ply) {
  positions_.clear();
  Position position;
  position.board = board;
  position.rule50_ply = rule50_ply;
  position.game_ply = game_ply;
  positions_.push_back(position);
}

void PositionHistory::Append(Move move) {
  assert(!positions_.empty());
  Position next = positions_.back();
  next.rule50_ply = next.board.Apply(move) ? 0 : next.rule50_ply + 1;
  next.game_ply += 1;
  next.repetitions = 0;
  next.cycle_length = 0;
  // A position cannot come back before four plies, nor across a capture or pawn move.
  const int index = size();
  const int oldest = index - std::min(index, next.rule50_ply);
  for (int i = index - 4; i >= oldest; i -= 2) {
    if (positions_[i].board.key() != next.board.key() ||
        !positions_[i].board.SamePosition(next.board)) {
      continue;
    }
    next.repetitions = positions_[i].repetitions + 1;
    next.cycle_length = index - i;
    break;
  }
  positions_.push_back(next);
}

void PositionHistory::Pop() {
  assert(size() > 1);
  positions_.pop_back();
}

void PositionHistory::TrimTo(int size) {
  assert(size >= 1);
  if (size < this->size()) positions_.resize(static_cast<size_t>(size));
}

std::span<const Position> PositionHistory::Tail(int count) const {
  const int kept = std::clamp(count, 0, size());
  return std::span<const Position>(positions_).last(static_cast<size_t>(kept));
}

}  // namespace plexus
