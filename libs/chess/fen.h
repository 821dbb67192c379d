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

// Accepts KQkq, X-FEN and Shredder-FEN castling letters whatever the variant. Missing fields after
// the side to move mean "no castling, no en passant, 0 1". A full-move number of 0 counts as 1.
//
// Repaired without a word, since the position itself is possible:
//   - a castling right that no king and rook on the back rank back (also KQ of a king that has left
//   it);
//   - an en-passant square that no enemy pawn can use, or that a check by another pawn or a knight
//   contradicts.
// Refused, with an Exception that shows the text and names the field and the reason:
//   - "piece placement": bad syntax; not one king a side; more than 16 pieces of a colour, or more
//   promoted pieces than
//     pawns are missing; a pawn on rank 1 or 8; a king attacked by three pieces at once, or by two
//     pawns or knights (two sliders pass, even on one line: the known perft suites contain such
//     positions);
//   - "side to move": neither w nor b; the side not to move is in check;
//   - "castling": unknown letters; two different rooks for one side of a king;
//   - "en passant": no square; not the rank behind the pawns of the side that has just moved; no
//   pawn in front of it;
//     a piece on it or on the square that the pawn came from;
//   - "half-move clock" (0-255) and "full-move number" (0-65535): no number, or out of range; more
//   than six fields.
FenPosition ParseFen(std::string_view fen);
// chess960: castling as Shredder-FEN letters (HAha), else KQkq when those name the same rooks
// (X-FEN otherwise).
std::string ToFen(const Board& board, int rule50_ply, int fullmove, bool chess960 = false);

}  // namespace plexus
