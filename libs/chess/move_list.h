#pragma once

#include <algorithm>
#include <array>

#include "chess/types.h"

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
  bool Contains(Move m) const { return std::find(begin(), end(), m) != end(); }

 private:
  std::array<Move, 256> moves_;
  int size_ = 0;
};

}  // namespace plexus
