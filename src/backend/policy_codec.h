#pragma once
// Priors in 16 bits: 5 bits of exponent, 11 of fraction, no sign. Half a unit in the last place is 1/4096 of the prior,
// finer than the 16-bit floats of the tree; below 2^-31 a prior is zero.

#include <cstdint>
#include <span>

namespace plexus {

// codes and policy have the same size; priors in [0, 1].
void EncodePolicy(std::span<const float> policy, std::span<uint16_t> codes);
// Sums to 1 again (if anything is above zero). The same codes give the same floats everywhere.
void DecodePolicy(std::span<const uint16_t> codes, std::span<float> policy);

}  // namespace plexus
