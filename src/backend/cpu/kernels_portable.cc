// Vectors of four floats in the compiler's own notation: SSE2 on x86-64, NEON on ARM. See kernels.h for what may not
// stand here.

#include "backend/cpu/kernels.h"

namespace plexus {
namespace {

typedef float Vec __attribute__((vector_size(16)));
typedef float UnalignedVec __attribute__((vector_size(16), aligned(4)));
constexpr int kWidth = 4;
constexpr int kMaxRows =
    4;  // 4 x 2 accumulators, 2 weights, a broadcast and a product: 16 registers
constexpr int kColumnVectors = 2;
constexpr int kFewRowPanels = 2;
constexpr int kFourRowPanels = 1;
constexpr int kPeakChains = 12;

inline Vec Load(const float* p) { return *reinterpret_cast<const UnalignedVec*>(p); }
inline void Store(float* p, Vec v) { *reinterpret_cast<UnalignedVec*>(p) = v; }
inline Vec Set(float x) { return Vec{x, x, x, x}; }
inline Vec Broadcast(const float* p) { return Set(*p); }
inline Vec MulAdd(Vec a, Vec b, Vec c) { return a * b + c; }
inline Vec NegMulAdd(Vec a, Vec b, Vec c) { return c - a * b; }
inline Vec Max(Vec a, Vec b) { return a > b ? a : b; }
inline Vec Min(Vec a, Vec b) { return a < b ? a : b; }

#include "backend/cpu/winograd4.inc"

}  // namespace

const CpuKernels kPortableKernels = {
    "portable",     "fp32",           {kTransformElements, kTransformTiles, sizeof(VValue)},
    Gemm,           WinogradGemm,     WinogradInput,
    WinogradOutput, InputConvolution, DirectOutput,
    DirectConv,     ActivateArray,    FmaPeak};

}  // namespace plexus
