#pragma once
// History -> planes. The only place that turns the board to the mover's view.

#include <span>

#include "chess/position.h"
#include "net/input_format.h"
#include "net/planes.h"

namespace plexus {

// history: oldest first, last = the position to encode; at most the last 8 are read (so callers may pass a tail).
// Fills all 112 planes of *out. Returns the transform (bits of Transform) that planes and policy moves went through.
// A history whose first entry is not the start of the known game (a tail of 8) behaves as a longer one would; only the
// V2 formats, which pass over what is no repetition, look further back in a longer one.
int EncodePlanes(InputFormat format, HistoryFill fill, std::span<const Position> history,
                 InputPlanes* out);
// The transform alone, without encoding.
int TransformFor(InputFormat format, const Board& board);

}  // namespace plexus
