#include "chess/movegen.h"

#include "chess/movegen_impl.h"

namespace plexus {
namespace {

using movegen_detail::CountSink;
using movegen_detail::Generate;
using movegen_detail::ListSink;

template <class Sink>
void GenerateFor(const Board& board, Bitboard movers, Sink& sink) {
  if (board.side_to_move() == Color::kWhite) {
    Generate<Color::kWhite>(board, movers, sink);
  } else {
    Generate<Color::kBlack>(board, movers, sink);
  }
}

}  // namespace

void LegalMoves(const Board& board, MoveList* out) {
  out->clear();
  ListSink sink{out};
  GenerateFor(board, ~Bitboard{0}, sink);
}

MoveList LegalMoves(const Board& board) {
  MoveList list;
  LegalMoves(board, &list);
  return list;
}

int CountLegalMoves(const Board& board) {
  CountSink sink;
  GenerateFor(board, ~Bitboard{0}, sink);
  return sink.count;
}

bool HasLegalMove(const Board& board) { return CountLegalMoves(board) != 0; }

bool HasMateInOne(const Board& board) {
  for (const Move move : LegalMoves(board)) {
    Board after = board;
    after.Apply(move);
    if (after.InCheck() && !HasLegalMove(after)) return true;
  }
  return false;
}

bool IsLegal(const Board& board, Move move) {
  const Bitboard mover = Bit(move.from());
  if (!(board.pieces(board.side_to_move()) & mover)) return false;
  MoveList list;
  ListSink sink{&list};
  GenerateFor(board, mover, sink);
  return list.Contains(move);
}

}  // namespace plexus
