#pragma once
// Legal moves.

#include <array>
#include <cstdint>

#include "chess/board.h"

namespace plexus {

// A list without allocation. 256 holds the moves of any board of 64 pieces that FEN validation
// admits (the most for a reachable position is 218).
class MoveList {
 public:
  void push_back(Move m) { moves_[size_++] = m; }
  int size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Move operator[](int i) const { return moves_[i]; }
  Move& operator[](int i) { return moves_[i]; }
  const Move* begin() const { return moves_.data(); }
  const Move* end() const { return moves_.data() + size_; }
  Move* begin() { return moves_.data(); }
  Move* end() { return moves_.data() + size_; }
  void clear() { size_ = 0; }
  bool Contains(Move m) const;

 private:
  std::array<Move, 256> moves_;
  int size_ = 0;
};

// All legal moves of the side to move, in a fixed order that depends on the position alone.
MoveList LegalMoves(const Board& board);
void LegalMoves(const Board& board, MoveList* out);  // clears `out`
// As LegalMoves(board).size(), without writing them down.
int CountLegalMoves(const Board& board);
bool HasLegalMove(const Board& board);
bool IsLegal(const Board& board, Move move);  // `move` may be anything

}  // namespace plexus
