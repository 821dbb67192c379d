#pragma once
// Moves as text: UCI and SAN.

#include <string>
#include <string_view>

#include "chess/board.h"
#include "chess/square_name.h"

namespace plexus {

// UCI text. chess960: castling as king takes rook (e1h1), else as the king's two squares (e1g1)
// when the castling is a standard one (king from e1/e8, rook from a/h file), king takes rook
// otherwise. The null move is "0000".
std::string ToUci(const Board& board, Move move, bool chess960);
// Reads UCI text of a legal move of `board`; both castling spellings are accepted where they are
// not ambiguous. Throws Exception naming the text, the position's FEN and the reason.
Move ParseUci(const Board& board, std::string_view text, bool chess960);
std::string ToSan(const Board& board, Move move);  // with +, #
Move ParseSan(const Board& board,
              std::string_view text);  // lenient: 0-0, missing x, =, +, e.p., !?; throws Exception

// The board as eight lines of letters (white's in capitals, '.' = empty), rank 8 first, ranks and files named.
std::string Diagram(const Board& board);

}  // namespace plexus
