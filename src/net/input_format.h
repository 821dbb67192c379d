#pragma once
// How positions are turned into planes: the format a network was trained with, and what stands in for missing history.

#include <cstdint>

namespace plexus {

// Numbers of the public network format.
enum class InputFormat : uint8_t {
  kClassical = 1,
  kCastlingPlane = 2,
  kCanonical = 3,
  kCanonicalHectoplies = 4,
  kCanonicalV2 = 5,
  kCanonicalHectopliesArmageddon = 132,
  kCanonicalV2Armageddon = 133,
};
constexpr bool IsCanonical(InputFormat f) { return f >= InputFormat::kCanonical; }
constexpr bool IsV2(InputFormat f) { return f == InputFormat::kCanonicalV2 || f == InputFormat::kCanonicalV2Armageddon; }
constexpr bool IsHectoplies(InputFormat f) { return f >= InputFormat::kCanonicalHectoplies; }
constexpr bool IsArmageddon(InputFormat f) { return static_cast<int>(f) >= 132; }

enum class HistoryFill : uint8_t { kNo, kFenOnly, kAlways };

// Bits of a board transform, applied in the order flip, mirror, transpose.
enum Transform : uint8_t { kNoTransform = 0, kFlipTransform = 1, kMirrorTransform = 2, kTransposeTransform = 4 };

}  // namespace plexus
