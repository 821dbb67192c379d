#pragma once
// Plain loops that the kernels are compared with, and seeded numbers to feed both.

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "backend/cpu/dispatch.h"

namespace plexus {

inline std::vector<float> RandomFloats(size_t count, uint32_t seed, float low = -1,
                                       float high = 1) {
  std::mt19937 generator(seed);
  std::vector<float> result(count);
  // Not std::uniform_real_distribution: its values differ between standard libraries.
  for (float& x : result)
    x = low + (high - low) * static_cast<float>(generator() >> 8) / 16777216.0f;
  return result;
}

// [out][in][3][3] on [64][in] -> [64][out] in double.
inline std::vector<double> PlainConvolution(const std::vector<float>& x, int in, int out,
                                            const std::vector<float>& weights,
                                            const std::vector<float>& bias) {
  std::vector<double> result(64 * static_cast<size_t>(out));
  for (int o = 0; o < out; ++o) {
    for (int y = 0; y < 8; ++y) {
      for (int file = 0; file < 8; ++file) {
        double sum = bias[o];
        for (int ky = 0; ky < 3; ++ky) {
          for (int kx = 0; kx < 3; ++kx) {
            const int sy = y + ky - 1, sx = file + kx - 1;
            if (sy < 0 || sy > 7 || sx < 0 || sx > 7) continue;
            for (int i = 0; i < in; ++i) {
              sum += static_cast<double>(x[(sy * 8 + sx) * in + i]) *
                     weights[((static_cast<size_t>(o) * in + i) * 3 + ky) * 3 + kx];
            }
          }
        }
        result[(y * 8 + file) * out + o] = sum;
      }
    }
  }
  return result;
}

inline double PlainActivation(double x, int activation) {
  switch (activation) {
    case 1:
      return x * std::tanh(std::log1p(std::exp(x)));
    case 2:
      return std::max(x, 0.0);
    case 4:
      return std::tanh(x);
    case 5:
      return 1 / (1 + std::exp(-x));
    case 6:
      return x > 0 ? 1.05070098 * x : 1.05070098 * 1.67326324 * std::expm1(x);
    case 7:
      return x / (1 + std::exp(-x));
    case 8:
      return x > 0 ? x * x : 0;
    default:
      return x;
  }
}

// Every table of this build that this machine can run, of one precision or of all.
inline std::vector<const CpuKernels*> RunnableKernels(const std::string& precision = "") {
  std::vector<const CpuKernels*> result;
  for (const CpuIsa& isa : BuiltCpuIsas()) {
    const bool wanted = precision.empty() || precision == isa.kernels->precision;
    if (wanted && isa.is_supported()) result.push_back(isa.kernels);
  }
  return result;
}

inline std::string IsaName(const ::testing::TestParamInfo<const CpuKernels*>& info) {
  return std::string(info.param->isa) + "_" + info.param->precision;
}

}  // namespace plexus
