#pragma once
// How much arithmetic a network needs.

#include <cstdint>

#include "net/weights.h"

namespace plexus {

// Floating-point operations of one evaluation with the main heads: two for each multiply-add of convolutions, dense
// layers and attention; activations and normalisations are left out. A device that computes convolutions by Winograd's
// transforms does fewer.
uint64_t FlopsPerPosition(const NetworkWeights& weights);

}  // namespace plexus
