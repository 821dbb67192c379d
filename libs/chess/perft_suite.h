#pragma once
// Lists of positions with known perft counts, in the two formats that are passed around:
//   FEN ;D1 20 ;D2 400 ...                        (*.epd)
//   epd FEN / perft 1 20 / perft 2 400 ...        (*.perft; # comments, id lines)

#include <cstdint>
#include <istream>
#include <string>
#include <vector>

namespace plexus {

struct PerftCount {
  std::string fen;
  int depth = 0;
  uint64_t nodes = 0;  // as the suite says
  int line = 0;
};

// In the order of the file. Throws Exception naming the line of the first thing that is neither
// format.
std::vector<PerftCount> ReadPerftSuite(std::istream* in);
// The counts of at most max_depth, cheapest first until max_nodes would be exceeded; returned in
// the order of the file.
std::vector<PerftCount> AffordableCounts(const std::vector<PerftCount>& counts, uint64_t max_nodes,
                                         int max_depth);

}  // namespace plexus
