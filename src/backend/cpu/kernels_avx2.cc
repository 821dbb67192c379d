// Compiled with the AVX2 and FMA flags; see kernels.h for what may not stand here.

#include <immintrin.h>

#include "backend/cpu/kernels.h"

namespace plexus {
namespace {

typedef __m256 Vec;
constexpr int kWidth = 8;
constexpr int kMaxRows = 6;  // 6 x 2 accumulators, 2 weights, 1 or 2 broadcasts: 16 registers
constexpr int kColumnVectors = 2;
constexpr int kFewRowPanels = 2;  // 2 x 4 accumulators
constexpr int kFourRowPanels = 1;
constexpr int kPeakChains = 12;

inline Vec Load(const float* p) { return _mm256_loadu_ps(p); }
inline void Store(float* p, Vec v) { _mm256_storeu_ps(p, v); }
inline Vec Broadcast(const float* p) { return _mm256_set1_ps(*p); }
inline Vec Set(float x) { return _mm256_set1_ps(x); }
inline Vec MulAdd(Vec a, Vec b, Vec c) { return _mm256_fmadd_ps(a, b, c); }
inline Vec NegMulAdd(Vec a, Vec b, Vec c) { return _mm256_fnmadd_ps(a, b, c); }
inline Vec Max(Vec a, Vec b) { return _mm256_max_ps(a, b); }
inline Vec Min(Vec a, Vec b) { return _mm256_min_ps(a, b); }

#include "backend/cpu/winograd4.inc"

}  // namespace

const CpuKernels kAvx2Kernels = {
    "avx2",         "fp32",           {kTransformElements, kTransformTiles, sizeof(VValue)},
    Gemm,           WinogradGemm,     WinogradInput,
    WinogradOutput, InputConvolution, DirectOutput,
    DirectConv,     ActivateArray,    FmaPeak};

}  // namespace plexus
