#pragma once
// What a search found, as text for a person and as JSON: pure functions of values.

#include <string>

#include "chess/position.h"
#include "search/info.h"
#include "search/snapshot.h"

namespace plexus {

// "+0.34", "mate in 3", "mated in 2": the side to move's view.
std::string ScoreText(const Score& score);
// The moves of a line in SAN, numbered: "12... Nf6 13. Bg5". At most `limit` moves.
std::string LineText(const Position& root, const std::vector<Move>& moves, size_t limit);
// A table of the best `rows` moves, the searched line and the speed.
std::string AnalysisText(const Position& root, const SearchInfo& info,
                         const SearchSnapshot& snapshot, size_t rows);
// The same as one JSON object on one line.
std::string AnalysisJson(const Position& root, const SearchInfo& info,
                         const SearchSnapshot& snapshot);

}  // namespace plexus
