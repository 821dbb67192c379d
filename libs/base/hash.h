#pragma once
// 64-bit mixing: not cryptographic, the same on all platforms, never changed silently (test vectors
// pin it).

#include <cstdint>
#include <string_view>

namespace plexus {

// A bijection of 64-bit words in which every input bit changes about half of the output bits.
constexpr uint64_t MixBits(uint64_t x) {
  x += 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

// Adds `value` to the running hash `seed`; order matters.
constexpr uint64_t HashCombine(uint64_t seed, uint64_t value) {
  return MixBits(seed ^ MixBits(value));
}

constexpr uint64_t HashText(std::string_view text, uint64_t seed = 0) {
  uint64_t hash = HashCombine(seed, text.size());
  for (const char c : text) hash = HashCombine(hash, static_cast<unsigned char>(c));
  return hash;
}

}  // namespace plexus
