// Compiled with the AVX-512 and AVX512-BF16 flags; see kernels.h for what may not stand here.

#include <immintrin.h>

#include "backend/cpu/kernels.h"

namespace plexus {
namespace {

typedef __m512 Vec;
constexpr int kWidth = 16;
constexpr int kMaxRows = 12;  // 12 x 2 accumulators, 2 weights, 1 to 4 broadcasts: 32 registers
constexpr int kColumnVectors = 2;
constexpr int kFewRowPanels = 4;   // 2 x 8 accumulators
constexpr int kFourRowPanels = 2;  // 4 x 4
constexpr int kPeakChains = 24;

inline Vec Load(const float* p) { return _mm512_loadu_ps(p); }
inline void Store(float* p, Vec v) { _mm512_storeu_ps(p, v); }
inline Vec Broadcast(const float* p) { return _mm512_set1_ps(*p); }
inline Vec Set(float x) { return _mm512_set1_ps(x); }
inline Vec MulAdd(Vec a, Vec b, Vec c) { return _mm512_fmadd_ps(a, b, c); }
inline Vec NegMulAdd(Vec a, Vec b, Vec c) { return _mm512_fnmadd_ps(a, b, c); }
inline Vec Max(Vec a, Vec b) { return _mm512_max_ps(a, b); }
inline Vec Min(Vec a, Vec b) { return _mm512_min_ps(a, b); }

#include "backend/cpu/winograd2_bf16.inc"

// As FmaPeak, for products of bfloat16 pairs.
double Bf16Peak(long rounds, float* sink) {
  Vec acc[kPeakChains];
  Unroll<0, kPeakChains>([&](auto i) PLEXUS_INLINE { acc[i] = Set(0.001f * (i + 1)); });
  const __m512i a = (__m512i)_mm512_cvtne2ps_pbh(Set(sink[0]), Set(sink[1]));
  for (long r = 0; r < rounds; ++r) {
    Unroll<0, kPeakChains>(
        [&](auto i) PLEXUS_INLINE { acc[i] = _mm512_dpbf16_ps(acc[i], (__m512bh)a, (__m512bh)a); });
  }
  Unroll<1, kPeakChains>([&](auto i) PLEXUS_INLINE { acc[0] = acc[0] + acc[i]; });
  Store(sink, acc[0]);
  return 4.0 * kWidth * kPeakChains * static_cast<double>(rounds);
}

}  // namespace

const CpuKernels kAvx512Bf16Kernels = {
    "avx512",       "bf16",           {kTransformElements, kTransformTiles, sizeof(VValue)},
    Gemm,           WinogradGemm,     WinogradInput,
    WinogradOutput, InputConvolution, DirectOutput,
    DirectConv,     ActivateArray,    Bf16Peak};

}  // namespace plexus
