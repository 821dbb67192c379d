#pragma once
// Positions by name. A word on why each.

#include "chess/fen.h"

namespace plexus {

inline constexpr const char* kMiddlegameFen =  // many moves, tactics
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
inline constexpr const char* kMateInOneFen =  // back rank: Re8#
    "6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1";
inline constexpr const char* kMateInTwoFen =  // two rooks: Ra7 and Rb8#, among others
    "7k/8/8/8/8/8/1R6/R3K3 w - - 0 1";
inline constexpr const char* kTwoLosingMovesFen =  // f1e1 is mated in one, f1g1 in two
    "6k1/8/8/8/8/7r/r7/5K2 w - - 0 1";
inline constexpr const char* kStalemateFen =  // black to move has no move and is not in check
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
inline constexpr const char* kCheckmateFen =  // fool's mate
    "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
inline constexpr const char* kOneMoveFen =  // only Kxb2 is legal
    "7k/8/8/8/8/8/1q6/K7 w - - 0 1";
inline constexpr const char*
    kPast50MovesFen =  // the rook would win, had the 50-move rule not passed unclaimed
    "7k/8/8/8/8/8/R7/K7 w - - 104 130";

inline constexpr const char* kPerpetualFen =  // Qe8+ Kh7 Qh5+ Kg8, for ever
    "6k1/6p1/8/7Q/8/8/rr6/7K w - - 0 1";

}  // namespace plexus
