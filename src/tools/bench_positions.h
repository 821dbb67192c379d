#pragma once
// The positions of `bench` and `benchmark`: openings, middlegames and endgames in turn, so that any first few of them
// are varied too. Sources: well-known openings, the Bratko-Kopec test (Kopec and Bratko, 1982), positions of move
// generator tests, endgame studies. Changing them changes the signature and every figure ever measured.

#include <array>

namespace plexus {

inline constexpr std::array kBenchPositions = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",              // start
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  // "Kiwipete"
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",                               // Lasker-Reichhelm 1901
    "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",    // Ruy Lopez
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",                  // BK 1
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",                             // rook ending, pins
    "rnbqkb1r/pp2pp1p/3p1np1/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6",      // Dragon
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",                 // BK 2
    "7K/8/k1P5/7p/8/8/8/8 w - - 0 1",                                        // Reti 1921
    "rnbqkb1r/ppp2ppp/4pn2/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",      // Queen's Gambit
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",    // BK 3
    "8/8/1KP5/3r4/8/8/8/k7 w - - 0 1",                                       // Saavedra 1895
    "rnbqk2r/ppp1bppp/4pn2/3p2B1/2PP4/2N5/PP2PPPP/R2QKBNR w KQkq - 4 5",     // Orthodox
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",  // even middlegame
    "4b3/p3kp2/6p1/3pP2p/2pP1P2/4K1P1/P3N2P/8 w - - 0 1",                    // BK 8
    "rnbqk2r/ppppppbp/5np1/8/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 2 4",        // King's Indian
    "r1b2rk1/2q1b1pp/p2ppn2/1p6/3QP3/1BN1B3/PPP3PP/R4RK1 w - - 0 1",         // BK 5
    "2r3k1/pppR1pp1/4p3/4P1P1/5P2/1P4K1/P1P5/8 w - - 0 1",                   // BK 6
    "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",   // Two Knights
    "1nk1r1r1/pp2n1pp/4p3/q2pPp1N/b1pP1P2/B1P2R2/2P1B1PP/R2Q2K1 w - - 0 1",  // BK 7
    "8/8/8/8/8/3k4/8/R3K2R w KQ - 0 1",                                      // two rooks, castling
    "rnbqkbnr/pp2pppp/2p5/3pP3/3P4/8/PPP2PPP/RNBQKBNR b KQkq - 0 3",         // Caro-Kann, Advance
    "2kr1bnr/pbpq4/2n1pp2/3p3p/3P1P1B/2N2N1Q/PPP3PP/2KR1B1R w - - 0 1",      // BK 9
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",                            // pawns, breakthrough
    "rnbqkb1r/ppp1pp1p/5np1/3p4/2PP4/2N5/PP2PPPP/R1BQKBNR w KQkq - 0 4",     // Gruenfeld
    "2r1nrk1/p2q1ppp/bp1p4/n1pPp3/P1P1P3/2PBB1N1/4QPPP/R4RK1 w - - 0 1",     // BK 11
    "5k2/7R/4P2p/5K2/p1r2P1p/8/8/8 b - - 0 1",                               // rook ending
    "r1bq1rk1/pp2ppbp/2np2p1/2n5/P3PP2/N1P2N2/1PB3PP/R1B1QRK1 b - - 0 1",    // BK 18
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",      // promotions
    "8/8/4k3/3n1n2/5P2/8/3K4/8 b - - 0 12",                                  // two knights and a pawn
    "r1bqk2r/pp2bppp/2p5/3pP3/P2Q1P2/2N1B3/1PP3PP/R4RK1 b kq - 0 1",         // BK 23
    "6k1/6p1/8/6KQ/1r6/q2b4/8/8 w - - 0 32",                                 // open kings
    "3rn2k/ppb2rpp/2ppqp2/5N2/2P1P3/1P5Q/PB3PPP/3RR1K1 w - - 0 1",           // BK 21
    "8/8/8/8/4kp2/1R6/P2q1PPK/8 w - - 0 1",                                  // queen against rook
};

}  // namespace plexus
