#pragma once
// Yardsticks for benchmarks: what this machine's arithmetic units reach, measured in the same run as what is compared
// with it.

#include <span>
#include <string>
#include <vector>

#include "backend/cpu/kernels.h"

namespace plexus {

// Floating-point operations a second of multiply-adds from registers, one thread, best of `tries` tries of about
// 1 ms. Shared machines disturb single tries; call it again between other measurements and keep the best.
double MeasureFmaPeak(const CpuKernels& kernels, int tries);

// Seconds that one 3x3 convolution channels -> channels with bias, ReLU and both transforms takes for `boards` boards
// on one thread; best of `tries`. Its nominal operations are 2 * 64 * 9 * channels^2 * boards.
double MeasureConvolution(const CpuKernels& kernels, int channels, int boards, int tries);

}  // namespace plexus
