#pragma once
// A seeded generator whose draws are the same on all platforms, unlike those of <random>'s
// distributions.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plexus {

// xoshiro256**, seeded through splitmix64. Not thread-safe: one generator a thread. Usable with
// std::shuffle, though only the methods here are the same with every standard library.
class Random {
 public:
  using result_type = uint64_t;
  explicit Random(uint64_t seed);
  // A seed nobody can foresee.
  static uint64_t SeedFromSystem();

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return ~result_type{0}; }
  result_type operator()() { return Next(); }

  uint64_t Next();
  // 0 <= result < bound, all equally likely; bound > 0.
  uint64_t Below(uint64_t bound);
  // 0 <= result < 1, a multiple of 2^-53.
  double Uniform();
  // Mean 0, standard deviation 1.
  double Normal();
  // Shape alpha > 0, scale 1. Small alphas often give values that are exactly 0.
  double Gamma(double alpha);
  // `count` values >= 0 with sum 1, all with the same concentration alpha > 0. Empty for count 0.
  std::vector<double> Dirichlet(double alpha, size_t count);

 private:
  uint64_t state_[4];
};

}  // namespace plexus
