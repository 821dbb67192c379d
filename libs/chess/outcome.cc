#include "chess/outcome.h"

namespace plexus {

bool InsufficientMaterial(const Board& board) {
  if (board.pieces(PieceType::kPawn) | board.pieces(PieceType::kRook) |
      board.pieces(PieceType::kQueen)) {
    return false;
  }
  const Bitboard knights = board.pieces(PieceType::kKnight);
  const Bitboard bishops = board.pieces(PieceType::kBishop);
  if (knights) return PopCount(knights | bishops) == 1;
  constexpr Bitboard kDarkSquares = 0xaa55aa55aa55aa55ULL;  // a1 is dark
  return !(bishops & kDarkSquares) || !(bishops & ~kDarkSquares);
}

Outcome OutcomeOf(const PositionHistory& history, const MoveList& legal_moves) {
  const Position& last = history.Last();
  if (legal_moves.empty()) {
    if (!last.board.InCheck()) return {GameResult::kDraw, GameEnd::kStalemate};
    return {last.black_to_move() ? GameResult::kWhiteWon : GameResult::kBlackWon,
            GameEnd::kCheckmate};
  }
  if (InsufficientMaterial(last.board)) return {GameResult::kDraw, GameEnd::kInsufficientMaterial};
  if (last.rule50_ply >= 100) return {GameResult::kDraw, GameEnd::kFiftyMoves};
  if (last.repetitions >= 2) return {GameResult::kDraw, GameEnd::kThreefold};
  return {};
}

}  // namespace plexus
