#include "chess/board.h"

#include <cassert>

#include "chess/attacks.h"
#include "chess/zobrist.h"

namespace plexus {

bool CastlingRights::Any() const { return *this != CastlingRights{}; }

Board Board::StartPosition() {
  constexpr std::array<PieceType, 8> kBackRank = {
      PieceType::kRook, PieceType::kKnight, PieceType::kBishop, PieceType::kQueen,
      PieceType::kKing, PieceType::kBishop, PieceType::kKnight, PieceType::kRook};
  Board board;
  for (int file = 0; file < 8; ++file) {
    board.Put(Color::kWhite, kBackRank[static_cast<size_t>(file)], MakeSquare(file, 0));
    board.Put(Color::kWhite, PieceType::kPawn, MakeSquare(file, 1));
    board.Put(Color::kBlack, PieceType::kPawn, MakeSquare(file, 6));
    board.Put(Color::kBlack, kBackRank[static_cast<size_t>(file)], MakeSquare(file, 7));
  }
  board.SetCastling(
      {{{{MakeSquare(0, 0), MakeSquare(7, 0)}, {MakeSquare(0, 7), MakeSquare(7, 7)}}}});
  board.Finish();
  return board;
}

PieceType Board::PieceAt(Square s) const {
  for (int type = 0; type < 6; ++type) {
    if (by_type_[type] & Bit(s)) return static_cast<PieceType>(type);
  }
  return PieceType::kNone;
}

bool Board::InCheck() const { return IsAttacked(KingSquare(side_to_move_), ~side_to_move_); }

Bitboard Board::AttackersTo(Square s, Bitboard occupied) const {
  const Bitboard queens = pieces(PieceType::kQueen);
  return (PawnAttacks(Color::kBlack, s) & pieces(Color::kWhite, PieceType::kPawn)) |
         (PawnAttacks(Color::kWhite, s) & pieces(Color::kBlack, PieceType::kPawn)) |
         (KnightAttacks(s) & pieces(PieceType::kKnight)) |
         (KingAttacks(s) & pieces(PieceType::kKing)) |
         (BishopAttacks(s, occupied) & (pieces(PieceType::kBishop) | queens)) |
         (RookAttacks(s, occupied) & (pieces(PieceType::kRook) | queens));
}

bool Board::IsAttacked(Square s, Color by, Bitboard occupied) const {
  return (PawnAttacks(~by, s) & pieces(by, PieceType::kPawn)) ||
         (KnightAttacks(s) & pieces(by, PieceType::kKnight)) ||
         (KingAttacks(s) & pieces(by, PieceType::kKing)) ||
         (BishopAttacks(s, occupied) & diagonal_sliders(by)) ||
         (RookAttacks(s, occupied) & straight_sliders(by));
}

bool Board::EnPassantIsLegal(Square from) const {
  const Color us = side_to_move_;
  const Square captured = en_passant_ ^ 8;  // rank 6 <-> 5, rank 3 <-> 4
  const Bitboard after = (occupied() ^ Bit(from) ^ Bit(captured)) | Bit(en_passant_);
  return !(AttackersTo(KingSquare(us), after) & pieces(~us) & after);
}

bool Board::AnyEnPassantIsLegal() const {
  if (en_passant_ == kNoSquare) return false;
  Bitboard capturers =
      PawnAttacks(~side_to_move_, en_passant_) & pieces(side_to_move_, PieceType::kPawn);
  while (capturers) {
    if (EnPassantIsLegal(PopLowest(&capturers))) return true;
  }
  return false;
}

template <bool kWithKey>
void Board::Toggle(Color color, PieceType type, Square s) {
  by_type_[Index(type)] ^= Bit(s);
  by_color_[Index(color)] ^= Bit(s);
  if constexpr (kWithKey) key_ ^= kZobrist.piece[Index(color)][Index(type)][s];
}

// A move from or to the square of a castling rook ends its right; so does any move of the king, see
// ApplyAs.
template <bool kWithKey>
void Board::DropCastlingRights(Square from, Square to) {
  for (int color = 0; color < 2; ++color) {
    for (Square& rook : castling_.rook[color]) {
      if (rook != from && rook != to) continue;
      if constexpr (kWithKey) key_ ^= kZobrist.castling[color][FileOf(rook)];
      rook = kNoSquare;
    }
  }
}

template <Color kUs, bool kWithKey>
void Board::ApplyCastling(Move move) {
  const int rank = kUs == Color::kWhite ? 0 : 7;
  const bool h_side = move.to() > move.from();
  // Both leave before either arrives: in Chess960 one may land where the other stood.
  Toggle<kWithKey>(kUs, PieceType::kKing, move.from());
  Toggle<kWithKey>(kUs, PieceType::kRook, move.to());
  Toggle<kWithKey>(kUs, PieceType::kKing, MakeSquare(h_side ? 6 : 2, rank));
  Toggle<kWithKey>(kUs, PieceType::kRook, MakeSquare(h_side ? 5 : 3, rank));
}

template <Color kUs, bool kWithKey>
bool Board::ApplyAs(Move move) {
  constexpr Color kThem = ~kUs;
  const Square from = move.from();
  const Square to = move.to();
  if constexpr (kWithKey) {
    key_ ^= kZobrist.black_to_move;
    if (en_passant_is_legal_) key_ ^= kZobrist.en_passant[FileOf(en_passant_)];
  }
  en_passant_ = kNoSquare;
  en_passant_is_legal_ = false;
  side_to_move_ = kThem;
  const Bitboard from_bit = Bit(from);
  if (by_type_[Index(PieceType::kKing)] & from_bit) {
    for (Square& rook : castling_.rook[Index(kUs)]) {
      if (rook == kNoSquare) continue;
      if constexpr (kWithKey) key_ ^= kZobrist.castling[Index(kUs)][FileOf(rook)];
      rook = kNoSquare;
    }
    if (move.kind() == Move::kCastling) {
      ApplyCastling<kUs, kWithKey>(move);
      return false;
    }
  }
  DropCastlingRights<kWithKey>(from, to);
  bool irreversible = false;
  if (by_color_[Index(kThem)] & Bit(to)) {
    Toggle<kWithKey>(kThem, PieceAt(to), to);
    irreversible = true;
  }
  if (!(by_type_[Index(PieceType::kPawn)] & from_bit)) {
    const PieceType type = PieceAt(from);
    Toggle<kWithKey>(kUs, type, from);
    Toggle<kWithKey>(kUs, type, to);
    return irreversible;
  }
  Toggle<kWithKey>(kUs, PieceType::kPawn, from);
  Toggle<kWithKey>(kUs, move.is_promotion() ? move.promotion() : PieceType::kPawn, to);
  if (move.kind() == Move::kEnPassant) {
    Toggle<kWithKey>(kThem, PieceType::kPawn, to ^ 8);
  } else if ((from ^ to) == 16) {
    const Square passed = to ^ 8;
    if (PawnAttacks(kUs, passed) & pieces(kThem, PieceType::kPawn)) {
      en_passant_ = passed;
      if constexpr (kWithKey) {
        en_passant_is_legal_ = AnyEnPassantIsLegal();
        if (en_passant_is_legal_) key_ ^= kZobrist.en_passant[FileOf(passed)];
      }
    }
  }
  return true;
}

bool Board::Apply(Move move) {
  return side_to_move_ == Color::kWhite ? ApplyAs<Color::kWhite, true>(move)
                                        : ApplyAs<Color::kBlack, true>(move);
}

void Board::ApplyWithoutKey(Move move) {
  if (side_to_move_ == Color::kWhite) {
    ApplyAs<Color::kWhite, false>(move);
  } else {
    ApplyAs<Color::kBlack, false>(move);
  }
}

bool Board::SamePosition(const Board& other) const {
  return by_type_ == other.by_type_ && by_color_ == other.by_color_ &&
         side_to_move_ == other.side_to_move_ && castling_ == other.castling_ &&
         en_passant_is_legal_ == other.en_passant_is_legal_ &&
         (!en_passant_is_legal_ || en_passant_ == other.en_passant_);
}

void Board::Put(Color color, PieceType type, Square s) {
  assert(s < 64 && type != PieceType::kNone && !(occupied() & Bit(s)));
  by_type_[Index(type)] |= Bit(s);
  by_color_[Index(color)] |= Bit(s);
}

void Board::Finish() {
  key_ = side_to_move_ == Color::kBlack ? kZobrist.black_to_move : 0;
  for (int color = 0; color < 2; ++color) {
    for (int type = 0; type < 6; ++type) {
      Bitboard left = by_color_[color] & by_type_[type];
      while (left) key_ ^= kZobrist.piece[color][type][PopLowest(&left)];
    }
    for (const Square rook : castling_.rook[color]) {
      if (rook != kNoSquare) key_ ^= kZobrist.castling[color][FileOf(rook)];
    }
  }
  if (en_passant_ != kNoSquare &&
      !(PawnAttacks(~side_to_move_, en_passant_) & pieces(side_to_move_, PieceType::kPawn))) {
    en_passant_ = kNoSquare;
  }
  en_passant_is_legal_ = AnyEnPassantIsLegal();
  if (en_passant_is_legal_) key_ ^= kZobrist.en_passant[FileOf(en_passant_)];
}

}  // namespace plexus
