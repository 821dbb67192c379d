#pragma once
// What a network eats: 112 planes of 64 squares, each a mask and one value. Plane p of square s is value if bit s of
// mask is set, else 0. Bit order: a1 = 0 ... h8 = 63, seen by the side to move (and transformed, for canonical formats).

#include <array>
#include <cstdint>

namespace plexus {

inline constexpr int kInputPlanes = 112;
inline constexpr int kPolicySize = 1858;

struct InputPlanes {
  std::array<uint64_t, kInputPlanes> mask{};
  std::array<float, kInputPlanes> value{};
};

// A fingerprint to compare encoders by: FNV-1a over mask (8 bytes) and value (4 bytes) of each plane in order, little-
// endian, with the start value 1469598103934665603 (which published fingerprints use; FNV's own has one digit more).
uint64_t HashOfPlanes(const InputPlanes& planes);

}  // namespace plexus
