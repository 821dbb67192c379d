#pragma once
// Piece placement and what a move does to it. A value: copying is cheap and the usual way to make a
// move.

#include <array>
#include <cstdint>
#include <string>

#include "chess/bitboard.h"
#include "chess/types.h"

namespace plexus {

// The square of the rook that may still castle, per colour and side; kNoSquare if the right is
// gone. side 0 = a-side (queenside), 1 = h-side (kingside). Serves standard chess, Chess960 and
// DFRC alike.
struct CastlingRights {
  std::array<std::array<Square, 2>, 2> rook = {{{kNoSquare, kNoSquare}, {kNoSquare, kNoSquare}}};
  Square Rook(Color c, int side) const { return rook[Index(c)][side]; }
  bool Any() const;
  bool operator==(const CastlingRights&) const = default;
};

class Board {
 public:
  Board() = default;  // empty; make boards with ParseFen (fen.h)
  static Board StartPosition();

  Bitboard pieces(PieceType type) const { return by_type_[Index(type)]; }
  Bitboard pieces(Color color) const { return by_color_[Index(color)]; }
  Bitboard pieces(Color color, PieceType type) const {
    return by_color_[Index(color)] & by_type_[Index(type)];
  }
  Bitboard occupied() const { return by_color_[0] | by_color_[1]; }
  PieceType PieceAt(Square s) const;
  Square KingSquare(Color c) const { return LowestSquare(pieces(c, PieceType::kKing)); }
  // Pieces of `color` that move like bishops, or like rooks.
  Bitboard diagonal_sliders(Color color) const {
    return (by_type_[Index(PieceType::kBishop)] | by_type_[Index(PieceType::kQueen)]) &
           pieces(color);
  }
  Bitboard straight_sliders(Color color) const {
    return (by_type_[Index(PieceType::kRook)] | by_type_[Index(PieceType::kQueen)]) & pieces(color);
  }
  Color side_to_move() const { return side_to_move_; }
  const CastlingRights& castling() const { return castling_; }
  // The square behind a pawn that has just moved two squares, if an enemy pawn stands beside that
  // pawn (a pseudo-legal en-passant capture exists); else kNoSquare.
  Square en_passant() const { return en_passant_; }
  bool InCheck() const;                                     // the side to move
  Bitboard AttackersTo(Square s, Bitboard occupied) const;  // of both colours
  bool IsAttacked(Square s, Color by) const { return IsAttacked(s, by, occupied()); }
  bool IsAttacked(Square s, Color by, Bitboard occupied) const;
  // Whether the en-passant capture by the pawn on `from` leaves its king safe. REQUIRES:
  // pseudo-legal.
  bool EnPassantIsLegal(Square from) const;

  // Zobrist key of placement, side to move, castling rights, and the en-passant file if a *legal*
  // en-passant capture exists (so that equal keys mean "the same position" of the repetition rule).
  uint64_t key() const { return key_; }
  // REQUIRES: `move` is legal here. Returns true if the 50-move counter starts anew (capture or
  // pawn move).
  bool Apply(Move move);
  // As Apply, but leaves key() stale: for counting (perft), where nobody asks for keys.
  void ApplyWithoutKey(Move move);
  // Same placement, side, castling and legal en passant.
  bool SamePosition(const Board& other) const;

  // Used by fen.cc and by tests that build boards; finish with Finish(), which computes key and
  // caches.
  void Put(Color color, PieceType type, Square s);
  void SetSideToMove(Color c) { side_to_move_ = c; }
  void SetCastling(const CastlingRights& rights) { castling_ = rights; }
  void SetEnPassant(Square s) { en_passant_ = s; }
  void Finish();

 private:
  template <Color kUs, bool kWithKey>
  bool ApplyAs(Move move);
  template <Color kUs, bool kWithKey>
  void ApplyCastling(Move move);
  template <bool kWithKey>
  void Toggle(Color color, PieceType type, Square s);
  template <bool kWithKey>
  void DropCastlingRights(Square from, Square to);
  bool AnyEnPassantIsLegal() const;

  std::array<Bitboard, 6> by_type_{};
  std::array<Bitboard, 2> by_color_{};
  uint64_t key_ = 0;
  CastlingRights castling_;
  Square en_passant_ = kNoSquare;
  bool en_passant_is_legal_ = false;  // then the key holds its file
  Color side_to_move_ = Color::kWhite;
};

}  // namespace plexus
