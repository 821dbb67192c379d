#pragma once
// Colours, pieces, squares, moves. Colours and squares are absolute: a1 = 0, b1 = 1, ..., h8 = 63.

#include <cstdint>

namespace plexus {

enum class Color : uint8_t { kWhite = 0, kBlack = 1 };
constexpr Color operator~(Color c) { return static_cast<Color>(static_cast<uint8_t>(c) ^ 1); }
constexpr int Index(Color c) { return static_cast<int>(c); }

enum class PieceType : uint8_t { kPawn = 0, kKnight, kBishop, kRook, kQueen, kKing, kNone };
constexpr int Index(PieceType p) { return static_cast<int>(p); }

using Square = uint8_t;
constexpr Square kNoSquare = 64;
constexpr int FileOf(Square s) { return s & 7; }
constexpr int RankOf(Square s) { return s >> 3; }
constexpr Square MakeSquare(int file, int rank) { return static_cast<Square>(rank * 8 + file); }

// 16 bits: from (6), to (6), kind (4). The same in the tree, in a table, on the wire and in UCI
// code. Castling is "king takes own rook": `to` is the rook's square, in standard chess too; text
// conversion is notation.h's.
class Move {
 public:
  enum Kind : uint8_t {
    kNormal = 0,
    kCastling = 1,
    kEnPassant = 2,
    kPromoteKnight = 4,
    kPromoteBishop = 5,
    kPromoteRook = 6,
    kPromoteQueen = 7,
  };
  constexpr Move() = default;
  constexpr Move(Square from, Square to, Kind kind = kNormal)
      : bits_(static_cast<uint16_t>(from | (to << 6) | (kind << 12))) {}
  static constexpr Move FromBits(uint16_t bits) {
    Move m;
    m.bits_ = bits;
    return m;
  }
  constexpr Square from() const { return bits_ & 63; }
  constexpr Square to() const { return (bits_ >> 6) & 63; }
  constexpr Kind kind() const { return static_cast<Kind>(bits_ >> 12); }
  constexpr bool is_promotion() const { return (bits_ >> 12) >= kPromoteKnight; }
  constexpr PieceType promotion() const {
    return is_promotion() ? static_cast<PieceType>((bits_ >> 12) - kPromoteKnight + 1)
                          : PieceType::kNone;
  }
  constexpr uint16_t bits() const { return bits_; }
  constexpr bool operator==(const Move&) const = default;
  // The null move (a1a1) is never legal; it means "no move".
  constexpr bool is_null() const { return bits_ == 0; }

 private:
  uint16_t bits_ = 0;
};

}  // namespace plexus
