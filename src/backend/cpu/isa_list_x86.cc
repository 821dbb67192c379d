// The instruction sets of x86-64 builds.

#include "backend/cpu/dispatch.h"

namespace plexus {
namespace {

// The compiler's check covers the operating system's part (XGETBV) too.
bool HasAvx512() {
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
         __builtin_cpu_supports("fma");
}
bool HasAvx512Bf16() { return HasAvx512() && __builtin_cpu_supports("avx512bf16"); }
bool HasAvx2() { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }
bool Always() { return true; }

constexpr CpuIsa kIsas[] = {
    {&kAvx512Kernels, HasAvx512, "AVX-512 F, BW, DQ and VL"},
    {&kAvx2Kernels, HasAvx2, "AVX2 and FMA"},
    {&kAvx512Bf16Kernels, HasAvx512Bf16, "AVX-512 F, BW, DQ, VL and BF16"},
    {&kPortableKernels, Always, "nothing beyond the baseline"},
};

}  // namespace

std::span<const CpuIsa> BuiltCpuIsas() { return kIsas; }

}  // namespace plexus
