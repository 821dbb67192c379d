#pragma once
// Half precision on the host: IEEE binary16 and bfloat16 to float and back, rounding to nearest,
// ties to even. Exact for all values, with subnormals, infinities and NaN; fast enough for weights,
// not for inner loops.

#include <bit>
#include <cstdint>

namespace plexus {

using Half = uint16_t;      // the bits of an IEEE binary16
using Bfloat16 = uint16_t;  // the upper 16 bits of an IEEE binary32

constexpr float HalfToFloat(Half half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 0x1F;
  const uint32_t mantissa = half & 0x3FFu;
  if (exponent == 0x1F) return std::bit_cast<float>(sign | 0x7F800000u | (mantissa << 13));
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1.0p-24f;
    return sign != 0 ? -magnitude : magnitude;
  }
  return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

// Too large values become infinities; NaN stays NaN.
constexpr Half FloatToHalf(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = (bits >> 16) & 0x8000u;
  const uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) {
    return static_cast<Half>(sign | 0x7E00u | ((magnitude >> 13) & 0x3FFu));
  }
  if (magnitude >= 0x477FF000u) return static_cast<Half>(sign | 0x7C00u);  // rounds above 65504
  uint32_t result = 0;
  uint32_t rest = 0;  // what is cut off, and
  uint32_t half = 0;  // half a unit of the last place, on the same scale
  if (magnitude >= 0x38800000u) {
    result = (magnitude - 0x38000000u) >> 13;
    rest = magnitude & 0x1FFFu;
    half = 0x1000u;
  } else {
    // Below 2^-14: a multiple of 2^-24.
    const uint32_t shift = 126 - (magnitude >> 23);
    if (shift > 24) return static_cast<Half>(sign);
    const uint32_t mantissa = (magnitude & 0x7FFFFFu) | 0x800000u;
    result = mantissa >> shift;
    rest = mantissa & ((1u << shift) - 1);
    half = 1u << (shift - 1);
  }
  // A carry out of the mantissa moves into the exponent, which is right.
  if (rest > half || (rest == half && (result & 1) != 0)) ++result;
  return static_cast<Half>(sign | result);
}

constexpr float Bfloat16ToFloat(Bfloat16 value) {
  return std::bit_cast<float>(static_cast<uint32_t>(value) << 16);
}

constexpr Bfloat16 FloatToBfloat16(float value) {
  const uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<Bfloat16>((bits >> 16) | 0x40u);
  return static_cast<Bfloat16>((bits + 0x7FFFu + ((bits >> 16) & 1)) >> 16);
}

}  // namespace plexus
