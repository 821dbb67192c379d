#include "chess/perft.h"

#include "chess/movegen.h"

namespace plexus {

uint64_t Perft(const Board& board, int depth) {
  if (depth <= 0) return 1;
  if (depth == 1) return static_cast<uint64_t>(CountLegalMoves(board));
  MoveList moves;
  LegalMoves(board, &moves);
  uint64_t nodes = 0;
  for (const Move move : moves) {
    Board next = board;
    next.ApplyWithoutKey(move);
    nodes += Perft(next, depth - 1);
  }
  return nodes;
}

}  // namespace plexus
