#pragma once
#include <string>

#include "chess/types.h"

namespace plexus {

// "e4"; "-" for kNoSquare.
inline std::string SquareName(Square s) {
  if (s >= 64) return "-";
  return {static_cast<char>('a' + FileOf(s)), static_cast<char>('1' + RankOf(s))};
}

}  // namespace plexus
