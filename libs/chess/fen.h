#pragma once
// FEN, X-FEN and Shredder-FEN, in and out.

#include <string>
#include <string_view>

#include "chess/board.h"

namespace plexus {

inline constexpr const char* kStartFen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

struct FenPosition {
  Board board;
  int rule50_ply = 0;  // half-moves since the last capture or pawn move
  int fullmove = 1;
};

// Accepts KQkq, X-FEN and Shredder-FEN castling letters whatever the variant; missing trailing
// fields default to "no castling, no en passant, 0 1". An en-passant square that no pawn can use,
// or a castling right that no rook backs, is dropped. Throws Exception naming the field and the
// reason: wrong counts of kings, more than 32 pieces or 16 of a colour, pawns on rank 1 or 8, side
// not to move in check, impossible check or en passant, bad syntax, numbers out of range.
FenPosition ParseFen(std::string_view fen);
// chess960: castling as Shredder-FEN letters (HAha), else KQkq when those name the same rooks
// (X-FEN otherwise).
std::string ToFen(const Board& board, int rule50_ply, int fullmove, bool chess960 = false);

}  // namespace plexus
