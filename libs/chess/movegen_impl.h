#pragma once
// The one move generator, a template over what is done with the moves: written to a list or only
// counted. Internal to movegen.cc; everybody else includes chess/movegen.h.
//
// Fully legal without playing moves: enemy sliders that see the king through at most one of our
// pieces give the check mask (squares that answer the check) and the pinned pieces, in one loop.
// Only en passant, where two pieces leave a rank at once, is tried out.

#include "chess/attacks.h"
#include "chess/board.h"
#include "chess/move_list.h"

namespace plexus::movegen_detail {

// Counts moves.
struct CountSink {
  int count = 0;
  void Moves(Square, Bitboard targets) { count += PopCount(targets); }
  void PawnMoves(Bitboard targets, int) { count += PopCount(targets); }
  void Promotions(Bitboard targets, int) { count += 4 * PopCount(targets); }
  void One(Move) { ++count; }
};

// Writes moves to a list.
struct ListSink {
  MoveList* list;
  void Moves(Square from, Bitboard targets) {
    while (targets) list->push_back(Move(from, PopLowest(&targets)));
  }
  // step: target minus origin.
  void PawnMoves(Bitboard targets, int step) {
    while (targets) {
      const Square to = PopLowest(&targets);
      list->push_back(Move(static_cast<Square>(to - step), to));
    }
  }
  void Promotions(Bitboard targets, int step) {
    while (targets) {
      const Square to = PopLowest(&targets);
      const Square from = static_cast<Square>(to - step);
      for (const Move::Kind kind :
           {Move::kPromoteQueen, Move::kPromoteRook, Move::kPromoteBishop, Move::kPromoteKnight}) {
        list->push_back(Move(from, to, kind));
      }
    }
  }
  void One(Move move) { list->push_back(move); }
};

// Facts about the king of the side to move.
struct KingState {
  Square square;
  Bitboard checkers = 0;
  Bitboard answers = ~Bitboard{0};  // squares to which another piece than the king may move
  Bitboard pinned = 0;
};

template <Color kUs>
inline KingState LookAtKing(const Board& board) {
  constexpr Color kThem = ~kUs;
  KingState king;
  king.square = board.KingSquare(kUs);
  const Bitboard us = board.pieces(kUs);
  const Bitboard them = board.pieces(kThem);
  king.checkers = (PawnAttacks(kUs, king.square) & board.pieces(kThem, PieceType::kPawn)) |
                  (KnightAttacks(king.square) & board.pieces(kThem, PieceType::kKnight));
  if (king.checkers) king.answers = king.checkers;
  Bitboard snipers = (BishopAttacks(king.square, them) & board.diagonal_sliders(kThem)) |
                     (RookAttacks(king.square, them) & board.straight_sliders(kThem));
  while (snipers) {
    const Square sniper = PopLowest(&snipers);
    const Bitboard way = Between(king.square, sniper);
    const Bitboard shield = way & us;
    if (shield == 0) {
      king.answers = king.checkers ? 0 : (way | Bit(sniper));
      king.checkers |= Bit(sniper);
    } else if ((shield & (shield - 1)) == 0) {
      king.pinned |= shield;
    }
  }
  return king;
}

template <Color kUs, class Sink>
inline void GenerateKing(const Board& board, const KingState& king, Sink& sink) {
  constexpr Color kThem = ~kUs;
  Bitboard targets = KingAttacks(king.square) & ~board.pieces(kUs) &
                     ~KingAttacks(board.KingSquare(kThem)) &
                     ~PawnSetAttacks<kThem>(board.pieces(kThem, PieceType::kPawn));
  if (!targets) return;
  const Bitboard knights = board.pieces(kThem, PieceType::kKnight);
  const Bitboard diagonal = board.diagonal_sliders(kThem);
  const Bitboard straight = board.straight_sliders(kThem);
  const Bitboard without_king = board.occupied() ^ Bit(king.square);
  Bitboard safe = 0;
  while (targets) {
    const Square to = PopLowest(&targets);
    if (!(KnightAttacks(to) & knights) && !(BishopAttacks(to, without_king) & diagonal) &&
        !(RookAttacks(to, without_king) & straight)) {
      safe |= Bit(to);
    }
  }
  sink.Moves(king.square, safe);
}

// REQUIRES: the king is not in check.
template <Color kUs, class Sink>
inline void GenerateCastling(const Board& board, Square king, Sink& sink) {
  constexpr Square kBackRank = kUs == Color::kWhite ? 0 : 56;
  for (int side = 0; side < 2; ++side) {
    const Square rook = board.castling().Rook(kUs, side);
    if (rook == kNoSquare) continue;
    const Square king_to = kBackRank + (side == 1 ? 6 : 2);
    const Square rook_to = kBackRank + (side == 1 ? 5 : 3);
    const Bitboard occupied = board.occupied() & ~Bit(king) & ~Bit(rook);
    const Bitboard king_way = Between(king, king_to) | Bit(king_to);
    if ((king_way | Between(rook, rook_to) | Bit(rook_to)) & occupied) continue;
    // Final occupancy: in Chess960 the rook may have shielded the king from a slider on the back
    // rank. It says the same about the squares on the way, which no rook on that rank can attack
    // otherwise.
    const Bitboard after = occupied | Bit(king_to) | Bit(rook_to);
    bool safe = !board.IsAttacked(king_to, ~kUs, after);
    Bitboard way = king_way & ~Bit(king_to);
    while (safe && way) safe = !board.IsAttacked(PopLowest(&way), ~kUs, occupied | Bit(rook));
    if (safe) sink.One(Move(king, rook, Move::kCastling));
  }
}

template <Color kUs, class Sink>
inline void GeneratePawns(const Board& board, const KingState& king, Bitboard pawns, Sink& sink) {
  constexpr int kUp = kUs == Color::kWhite ? 8 : -8;
  constexpr Bitboard kPromotionRank = RankMask(kUs == Color::kWhite ? 7 : 0);
  constexpr Bitboard kThirdRank = RankMask(kUs == Color::kWhite ? 2 : 5);
  // A pinned pawn moves along its pin only: up if it stands on the king's file, sideways along a
  // diagonal of the king.
  const Bitboard free = pawns & ~king.pinned;
  const Bitboard held = pawns & king.pinned;
  const Bitboard east_line =
      kUs == Color::kWhite ? kDiagonals[king.square] : kAntiDiagonals[king.square];
  const Bitboard west_line =
      kUs == Color::kWhite ? kAntiDiagonals[king.square] : kDiagonals[king.square];
  const Bitboard can_push = free | (held & FileMask(FileOf(king.square)));
  const Bitboard empty = ~board.occupied();
  const Bitboard push = ShiftForward<kUs>(can_push) & empty;
  const Bitboard double_push = ShiftForward<kUs>(push & kThirdRank) & empty & king.answers;
  const Bitboard prey = board.pieces(~kUs) & king.answers;
  const Bitboard single = push & king.answers;
  const Bitboard east = ShiftEast(ShiftForward<kUs>(free | (held & east_line))) & prey;
  const Bitboard west = ShiftWest(ShiftForward<kUs>(free | (held & west_line))) & prey;
  sink.PawnMoves(single & ~kPromotionRank, kUp);
  sink.PawnMoves(double_push, 2 * kUp);
  sink.PawnMoves(east & ~kPromotionRank, kUp + 1);
  sink.PawnMoves(west & ~kPromotionRank, kUp - 1);
  if ((single | east | west) & kPromotionRank) {
    sink.Promotions(single & kPromotionRank, kUp);
    sink.Promotions(east & kPromotionRank, kUp + 1);
    sink.Promotions(west & kPromotionRank, kUp - 1);
  }
  if (board.en_passant() != kNoSquare) {
    Bitboard capturers = PawnAttacks(~kUs, board.en_passant()) & pawns;
    while (capturers) {
      const Square from = PopLowest(&capturers);
      if (board.EnPassantIsLegal(from)) sink.One(Move(from, board.en_passant(), Move::kEnPassant));
    }
  }
}

template <Color kUs, class Sink>
inline void GeneratePieces(const Board& board, const KingState& king, Bitboard movers, Sink& sink) {
  const Bitboard occupied = board.occupied();
  const Bitboard targets = ~board.pieces(kUs) & king.answers;
  const Bitboard free = movers & ~king.pinned;
  Bitboard knights = free & board.pieces(PieceType::kKnight);  // a pinned knight never moves
  while (knights) {
    const Square from = PopLowest(&knights);
    sink.Moves(from, KnightAttacks(from) & targets);
  }
  const Bitboard queens = board.pieces(PieceType::kQueen);
  Bitboard diagonal = free & (board.pieces(PieceType::kBishop) | queens);
  while (diagonal) {
    const Square from = PopLowest(&diagonal);
    sink.Moves(from, BishopAttacks(from, occupied) & targets);
  }
  Bitboard straight = free & (board.pieces(PieceType::kRook) | queens);
  while (straight) {
    const Square from = PopLowest(&straight);
    sink.Moves(from, RookAttacks(from, occupied) & targets);
  }
  // Along the pin; a slider of the other kind cannot move at all.
  const Bitboard king_diagonals = kDiagonals[king.square] | kAntiDiagonals[king.square];
  Bitboard held = movers & king.pinned;
  if (!held) return;
  Bitboard held_diagonal = held & king_diagonals & (board.pieces(PieceType::kBishop) | queens);
  while (held_diagonal) {
    const Square from = PopLowest(&held_diagonal);
    const bool rising = kDiagonals[king.square] & Bit(from);
    const Bitboard line = rising ? kDiagonals[from] : kAntiDiagonals[from];
    sink.Moves(from, BishopAttacks(from, occupied) & targets & line);
  }
  Bitboard held_straight = held & ~king_diagonals & (board.pieces(PieceType::kRook) | queens);
  while (held_straight) {
    const Square from = PopLowest(&held_straight);
    const bool upright = FileOf(from) == FileOf(king.square);
    const Bitboard line = upright ? FileMask(FileOf(from)) : RankMask(RankOf(from));
    sink.Moves(from, RookAttacks(from, occupied) & targets & line);
  }
}

// Hands every legal move of the pieces in `movers` to `sink`.
template <Color kUs, class Sink>
inline void Generate(const Board& board, Bitboard movers, Sink& sink) {
  const KingState king = LookAtKing<kUs>(board);
  movers &= board.pieces(kUs);
  if (king.answers) {  // else two checkers: only the king can move
    GeneratePawns<kUs>(board, king, movers & board.pieces(PieceType::kPawn), sink);
    GeneratePieces<kUs>(board, king, movers, sink);
  }
  if (movers & Bit(king.square)) {
    GenerateKing<kUs>(board, king, sink);
    if (!king.checkers) GenerateCastling<kUs>(board, king.square, sink);
  }
}

}  // namespace plexus::movegen_detail
