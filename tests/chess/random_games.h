#pragma once
// Positions for property tests: random games from varied starts, the same in every run.

#include <cctype>
#include <random>
#include <string>
#include <vector>

#include "base/strings.h"
#include "chess/fen.h"
#include "chess/movegen.h"

namespace plexus {

inline const std::vector<std::string>& PropertyStarts() {
  static const std::vector<std::string> starts = {
      kStartFen,
      "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  // castling, pins
      "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  // en passant on a rank with the king
      "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",    // promotions
      "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",  // Chess960
      "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/R3K1R1 w GAea - 0 1",  // a side each of its own (DFRC)
  };
  return starts;
}

// Calls visit(board) for every position of `games` random games from each start, `plies` long at
// most.
template <class Visit>
void VisitRandomPositions(int games, int plies, Visit visit) {
  std::mt19937_64 random(20261130);
  for (const std::string& start : PropertyStarts()) {
    for (int game = 0; game < games; ++game) {
      Board board = ParseFen(start).board;
      for (int ply = 0; ply < plies; ++ply) {
        visit(board);
        const MoveList moves = LegalMoves(board);
        if (moves.empty()) break;
        board.Apply(moves[static_cast<int>(random() % static_cast<uint64_t>(moves.size()))]);
      }
    }
  }
}

// The same position with colours exchanged.
inline std::string MirroredFen(const std::string& fen) {
  std::vector<std::string> fields = SplitWords(fen);
  std::vector<std::string> ranks = Split(fields[0], '/');
  fields[0] = Join(std::vector<std::string>(ranks.rbegin(), ranks.rend()), "/");
  for (std::string* field : {&fields[0], &fields[2]}) {
    for (char& c : *field) {
      if (std::isalpha(static_cast<unsigned char>(c))) c = static_cast<char>(c ^ 0x20);
    }
  }
  fields[1] = fields[1] == "w" ? "b" : "w";
  if (fields[3] != "-") fields[3][1] = fields[3][1] == '3' ? '6' : '3';
  return Join(fields, " ");
}

inline Board BoardOf(const std::string& fen) { return ParseFen(fen).board; }

}  // namespace plexus
