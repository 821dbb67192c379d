#pragma once
// Legal moves.

#include "chess/board.h"
#include "chess/move_list.h"

namespace plexus {

// All legal moves of the side to move, in a fixed order that depends on the position alone.
MoveList LegalMoves(const Board& board);
void LegalMoves(const Board& board, MoveList* out);  // clears `out`
// As LegalMoves(board).size(), without writing them down.
int CountLegalMoves(const Board& board);
bool HasLegalMove(const Board& board);
// Whether a legal move ends the game by checkmate. Plays every move: not for hot paths.
bool HasMateInOne(const Board& board);
bool IsLegal(const Board& board, Move move);  // `move` may be anything

}  // namespace plexus
