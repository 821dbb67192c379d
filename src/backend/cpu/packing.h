#pragma once
// Weights in the order in which the kernels read them (layouts: kernels.h).

#include <cstdint>

#include "backend/cpu/aligned_buffer.h"
#include "backend/cpu/kernels.h"
#include "net/weights.h"

namespace plexus {

constexpr int PadChannels(int channels) {
  return (channels + kChannelPad - 1) / kChannelPad * kChannelPad;
}

// Where element (k, n) of a packed matrix with `rows` = K rows and `columns` = padded N columns lies.
constexpr size_t PackedIndex(int k, int n, int rows, int columns) {
  const int panel = n / kPanelWidth * kPanelWidth;
  const int width = columns - panel < kPanelWidth ? columns - panel : kPanelWidth;
  return static_cast<size_t>(panel) * rows + static_cast<size_t>(k) * width + (n - panel);
}

// The same for a packed matrix of bfloat16: pairs of k side by side. Rows is even.
constexpr size_t PackedPairIndex(int k, int n, int rows, int columns) {
  const int panel = n / kPanelWidth * kPanelWidth;
  const int width = columns - panel < kPanelWidth ? columns - panel : kPanelWidth;
  return static_cast<size_t>(panel) * rows + static_cast<size_t>(k / 2) * 2 * width +
         (n - panel) * 2 + k % 2;
}

enum class ConvolutionMethod { kDirect, kWinograd4, kWinograd2Bf16 };

// What the Winograd of `kernels` is, or kDirect.
ConvolutionMethod MethodOf(const CpuKernels& kernels, bool winograd);

struct PackedConvolution {
  int in = 0, out = 0;     // padded
  AlignedBuffer winograd;  // [elements][packed in x out], or empty; bfloat16 for that method
  AlignedBuffer taps;      // [9][packed in x out], or empty
  AlignedBuffer bias;      // [out]
};

// The first convolution; see InputConvolutionArgs.
struct PackedInput {
  int channels = 0;          // padded
  AlignedBuffer taps, full;  // [112][9][channels]
  AlignedBuffer bias;        // [channels]
};

struct PackedDense {
  int inputs = 0;   // rows of the packed matrix
  int outputs = 0;  // true width
  int padded_outputs = 0;
  AlignedBuffer weights;  // packed inputs x padded_outputs
  AlignedBuffer bias;     // [padded_outputs]
  bool present() const { return outputs > 0; }
};

struct PackedSe {
  PackedDense squeeze, excite;
};

// 3x3 only. Throws Exception if the tensors do not have the sizes that they claim.
PackedConvolution PackConvolution(const ConvWeights& conv, ConvolutionMethod method);
// Rounded to nearest even, as the CPU does.
uint16_t ToBf16(float x);
// 3x3 over the 112 input planes.
PackedInput PackInput(const ConvWeights& conv);
// 1x1 convolution as a matrix: a row is a square, inputs are padded channels.
PackedDense PackPointwise(const ConvWeights& conv);
// `input_of(i)` would be the identity; a dense layer behind a convolution reads [square][plane] while the file has
// [plane][square], so `planes` > 0 reorders its inputs.
PackedDense PackDense(const DenseWeights& dense, int planes);
PackedSe PackSe(const SeWeights& se, int channels);

}  // namespace plexus
