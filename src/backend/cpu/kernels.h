#pragma once
// What one instruction set must provide: a table of plain functions on raw float arrays. One source file an
// instruction set (kernels_*.cc), compiled with its own flags, fills one table.
//
// The one-definition trap: those files may not instantiate an inline function or a template that other files share
// (std::vector, std::max, ...). The linker keeps one copy, perhaps the wide one, and an older CPU dies of it. So this
// header holds nothing but plain data, and everything in kernels_*.cc is static or in an unnamed namespace.
//
// Layouts (floats unless said otherwise; "padded" = rounded up to a multiple of kChannelPad, the rest zero):
//   activations    [board][square][channel padded]
//   packed matrix  B[k][n]: panels of 32 columns, each [k][32]; a last panel of 16 columns is [k][16]
//   Winograd F(4x4,3x3): a board is 2x2 tiles of 4x4 outputs, read through 6x6 windows; 36 elements a tile
//     V[element][board*tiles + tile][channel padded]    transformed input, M likewise for the output
//     U[element][packed matrix in x out]                transformed weights
//   Winograd F(2x2,3x3) in bfloat16: 4x4 tiles of 2x2 outputs, 16 elements; V and U hold bfloat16, and a packed
//     matrix has pairs of k side by side: panels [k/2][32][2]
// Every output is one chain of multiply-adds over k in rising order, whatever the number of rows: a position's result
// does not depend on the batch it is in.

#include <cstdint>  // types only

namespace plexus {

inline constexpr int kChannelPad = 16;
inline constexpr int kPanelWidth = 32;

// How a table's Winograd convolutions lay out V and M.
struct WinogradShape {
  int elements;     // of a tile: 36 for F(4x4), 16 for F(2x2)
  int tiles;        // of a board: 4 or 16
  int value_bytes;  // of one value of V and U: 4 (float) or 2 (bfloat16)
};

// Activation as a plain number: the values of net/weights.h's Activation.
struct SqueezeExciteArgs {
  const float* squeeze = nullptr;  // packed [channels][se_channels]
  const float* squeeze_bias = nullptr;
  const float* excite =
      nullptr;  // packed [se_channels][2 * channels]: first the scales, then the shifts
  const float* excite_bias = nullptr;
  int se_channels = 0;  // padded; 0 = no such unit
  int activation = 0;
  float* scratch = nullptr;  // [64 * channels + 3 * channels + se_channels]
};

// What follows a convolution of one board: y = A^T M A + bias, squeeze-and-excite, + skip, activation, and the
// transformation into the next convolution's input.
struct OutputStepArgs {
  const float* m = nullptr;  // the board's first tile row, element 0
  long m_element_stride = 0;
  int channels = 0;  // padded
  const float* bias = nullptr;
  int activation = 0;
  SqueezeExciteArgs se;
  const float* skip = nullptr;  // [64][channels] or null; may be `x`
  float* x = nullptr;           // [64][channels] or null: where the activations go
  void* v = nullptr;  // or null: the board's first tile row of the next convolution's input
  long v_element_stride = 0;
};

// The first convolution of one board, straight from its planes: a piece touches nine squares, so what the 112 planes
// set on some 32 squares each is a quarter of the work of a dense convolution; planes that are set everywhere (counters,
// rights) add the same to all squares of a kind.
struct InputConvolutionArgs {
  const uint64_t* masks = nullptr;  // [112]
  const float* values = nullptr;    // [112]
  const float* taps = nullptr;      // [112][9][channels]
  const float* full = nullptr;  // [112][9][channels]: a full plane's sum of taps by class of square
  const float* bias = nullptr;  // [channels]
  int channels = 0;             // padded
  float* sums = nullptr;        // [64][channels]: the result with bias, before the activation
};

struct CpuKernels {
  const char* isa;
  const char* precision;  // "fp32" or "bf16"
  WinogradShape winograd;
  // c[rows][n] = bias[n] (or 0 where null) + a[rows][k] * packed b. n is a multiple of 16. lda, ldc in floats.
  void (*gemm)(const float* a, long lda, const float* b, const float* bias, float* c, long ldc,
               long rows, int k, int n);
  // The products of a Winograd convolution (strides in values, not bytes): M[e] = V[e] * U[e]; V rows are k floats, M rows n floats apart.
  void (*winograd_gemm)(const void* v, long v_element_stride, const void* u, float* m,
                        long m_element_stride, long rows, int k, int n);
  // One board [64][channels] -> its four rows in every element of V.
  void (*winograd_input)(const float* x, int channels, void* v, long v_element_stride);
  void (*winograd_output)(const OutputStepArgs& args);
  void (*input_convolution)(const InputConvolutionArgs& args);
  // What follows a direct convolution: `x` holds the sums with bias; as OutputStepArgs without m.
  void (*direct_output)(const OutputStepArgs& args, const float* sums);
  // Direct 3x3 of one board: padded input [10][10][in] (border zero), taps [9][packed in x out] -> out [64][out].
  void (*direct_conv)(const float* padded, int in, const float* taps, const float* bias, float* out,
                      int out_channels);
  // Elementwise, in place; count is a multiple of 16. Not for softmax.
  void (*activate)(float* x, long count, int activation);
  // Runs `rounds` rounds of independent multiply-adds from registers; returns the floating-point operations done.
  double (*fma_peak)(long rounds, float* sink);
};

extern const CpuKernels kPortableKernels;
extern const CpuKernels kAvx2Kernels;        // x86-64 builds only
extern const CpuKernels kAvx512Bf16Kernels;  // x86-64 builds only
extern const CpuKernels kAvx512Kernels;      // x86-64 builds only

}  // namespace plexus
