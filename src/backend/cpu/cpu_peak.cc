#include "backend/cpu/cpu_peak.h"

#include <algorithm>
#include <chrono>

#include "backend/cpu/aligned_buffer.h"

namespace plexus {
namespace {

using SystemClock = std::chrono::steady_clock;

double SecondsSince(SystemClock::time_point start) {
  return std::chrono::duration<double>(SystemClock::now() - start).count();
}

// Not zero: the time of multiplications by zero or by subnormal numbers is another.
void Fill(AlignedBuffer* buffer) {
  for (size_t i = 0; i < buffer->size(); ++i)
    (*buffer)[i] = static_cast<float>(i % 17) * 0.01f - 0.08f;
}

}  // namespace

double MeasureFmaPeak(const CpuKernels& kernels, int tries) {
  constexpr long kRounds = 100000;
  double best = 0;
  for (int i = 0; i < tries; ++i) {
    alignas(64) float sink[16] = {0.999f, 0.0001f};
    const auto start = SystemClock::now();
    const double operations = kernels.fma_peak(kRounds, sink);
    best = std::max(best, operations / SecondsSince(start));
  }
  return best;
}

double MeasureConvolution(const CpuKernels& kernels, int channels, int boards, int tries) {
  // Blocks of 8 boards, as a network runs them.
  const int block = std::min(boards, 8);
  const WinogradShape& shape = kernels.winograd;
  const long tiles = shape.tiles;
  const long stride = tiles * block * channels + 32;
  // In bfloat16 the buffers of V and U are twice as large as needed.
  AlignedBuffer v(stride * shape.elements), m(stride * shape.elements), bias(channels);
  AlignedBuffer u(static_cast<size_t>(shape.elements) * channels * channels);
  Fill(&v);
  Fill(&u);
  Fill(&bias);
  const auto run = [&](int count) {
    kernels.winograd_gemm(v.data(), stride, u.data(), m.data(), stride, tiles * count, channels,
                          channels);
    OutputStepArgs args;
    args.m_element_stride = args.v_element_stride = stride;
    args.channels = channels;
    args.bias = bias.data();
    args.activation = 2;
    for (int b = 0; b < count; ++b) {
      args.m = m.data() + tiles * b * channels;
      args.v = reinterpret_cast<char*>(v.data()) + tiles * b * channels * shape.value_bytes;
      kernels.winograd_output(args);
    }
  };
  double best = 1e9;
  for (int i = 0; i < tries; ++i) {
    Fill(&v);
    const auto start = SystemClock::now();
    for (int b = 0; b < boards; b += block) run(std::min(block, boards - b));
    best = std::min(best, SecondsSince(start));
  }
  return best;
}

}  // namespace plexus
