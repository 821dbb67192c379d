#include "chess/zobrist.h"

namespace plexus {
namespace {

// SplitMix64 (Steele, Lea, Flood 2014): every state gives a different number, so no two keys are
// equal.
constexpr uint64_t Next(uint64_t* state) {
  uint64_t z = (*state += 0x9e3779b97f4a7c15ULL);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

constexpr ZobristKeys MakeKeys() {
  ZobristKeys keys{};
  uint64_t state = 0x506c65787573ULL;  // "Plexus"
  for (auto& color : keys.piece) {
    for (auto& type : color) {
      for (uint64_t& key : type) key = Next(&state);
    }
  }
  for (auto& color : keys.castling) {
    for (uint64_t& key : color) key = Next(&state);
  }
  for (uint64_t& key : keys.en_passant) key = Next(&state);
  keys.black_to_move = Next(&state);
  return keys;
}

}  // namespace

constinit const ZobristKeys kZobrist = MakeKeys();

}  // namespace plexus
