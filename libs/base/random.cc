#include "base/random.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <random>

#include "base/hash.h"

namespace plexus {

Random::Random(uint64_t seed) {
  for (uint64_t& word : state_) {
    word = MixBits(seed);
    seed += 0x9E3779B97F4A7C15u;
  }
}

uint64_t Random::SeedFromSystem() {
  std::random_device device;
  return (static_cast<uint64_t>(device()) << 32) ^ device();
}

uint64_t Random::Next() {
  const uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
  const uint64_t shifted = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= shifted;
  state_[3] = std::rotl(state_[3], 45);
  return result;
}

uint64_t Random::Below(uint64_t bound) {
  assert(bound > 0);
  // The first 2^64 mod bound values are refused, so that every remainder is equally likely.
  const uint64_t threshold = (0 - bound) % bound;
  uint64_t draw = Next();
  while (draw < threshold) draw = Next();
  return draw % bound;
}

double Random::Uniform() { return static_cast<double>(Next() >> 11) * 0x1.0p-53; }

double Random::Normal() {
  // Marsaglia's polar method; the second value of the pair is dropped, so that the generator has no
  // other state.
  for (;;) {
    const double x = 2 * Uniform() - 1;
    const double y = 2 * Uniform() - 1;
    const double square = x * x + y * y;
    if (square > 0 && square < 1) return x * std::sqrt(-2 * std::log(square) / square);
  }
}

double Random::Gamma(double alpha) {
  assert(alpha > 0);
  if (alpha < 1) {
    const double power = std::pow(1 - Uniform(), 1 / alpha);
    return Gamma(alpha + 1) * power;
  }
  // Marsaglia and Tsang, 2000.
  const double d = alpha - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = Normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = 1 - Uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

std::vector<double> Random::Dirichlet(double alpha, size_t count) {
  std::vector<double> result(count);
  if (count == 0) return result;
  double sum = 0;
  for (double& value : result) sum += value = Gamma(alpha);
  if (sum <= 0) {
    // Every draw underflowed: the limit for small alphas is one component that has everything.
    result[Below(count)] = 1;
    return result;
  }
  for (double& value : result) value /= sum;
  return result;
}

}  // namespace plexus
