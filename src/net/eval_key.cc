#include "net/eval_key.h"

#include <algorithm>
#include <cassert>

#include "base/hash.h"

namespace plexus {
namespace {

// What the planes of one history step show, small fields packed.
uint64_t StepFields(const Position& position) {
  const uint64_t repeated = position.repetitions > 0 ? 1 : 0;
  return repeated | (static_cast<uint64_t>(position.board.en_passant()) << 1);
}

}  // namespace

uint64_t EvalKey(std::span<const Position> history, int history_length) {
  assert(!history.empty());
  const Position& current = history.back();
  const int earlier = std::clamp(history_length, 0, 7);
  const int steps = std::min(earlier, static_cast<int>(history.size()) - 1);
  // A shorter history is encoded otherwise (see HistoryFill), so the number of known steps is part
  // of the key.
  uint64_t key = HashCombine(current.board.key(),
                             (static_cast<uint64_t>(current.rule50_ply) << 32) |
                                 (static_cast<uint64_t>(steps) << 16) | StepFields(current));
  for (int i = 1; i <= steps; ++i) {
    const Position& position = history[history.size() - 1 - i];
    key = HashCombine(key, position.board.key() ^ (StepFields(position) << 48));
  }
  return key;
}

}  // namespace plexus
