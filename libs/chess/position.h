#pragma once
// A board with the counters of the rules, and the game that led to it.

#include <span>
#include <string_view>
#include <vector>

#include "chess/board.h"

namespace plexus {

struct Position {
  Board board;
  int rule50_ply = 0;    // half-moves since the last capture or pawn move
  int repetitions = 0;   // how often this position occurred before in the game (0 = first time)
  int cycle_length = 0;  // plies since its latest former occurrence; 0 if none
  int game_ply =
      0;  // plies since the start of the game by the FEN's move number (0 = white's first move)
  bool black_to_move() const { return board.side_to_move() == Color::kBlack; }
};

// The positions of a game, oldest first. Never empty once Reset.
class PositionHistory {
 public:
  PositionHistory() = default;
  explicit PositionHistory(std::string_view fen);
  void Reset(const Board& board, int rule50_ply, int game_ply);
  void Append(Move move);  // REQUIRES: legal; fills rule-50 counter and repetitions
  void Pop();              // REQUIRES: size() > 1
  void TrimTo(int size);   // pops until `size` positions are left
  const Position& Last() const { return positions_.back(); }
  const Position& operator[](int i) const { return positions_[i]; }
  int size() const { return static_cast<int>(positions_.size()); }
  std::span<const Position> all() const { return positions_; }
  // The last `count` positions or all, oldest first.
  std::span<const Position> Tail(int count) const;
  void Reserve(int positions) { positions_.reserve(positions); }

 private:
  std::vector<Position> positions_;
};

}  // namespace plexus
