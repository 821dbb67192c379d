#pragma once
// Weights in the order in which the kernels read them (layouts: kernels.h).

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

struct PackedConvolution {
  int in = 0, out = 0;     // padded
  AlignedBuffer winograd;  // [36][packed in x out], or empty
  AlignedBuffer taps;      // [9][packed in x out], or empty
  AlignedBuffer bias;      // [out]
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
PackedConvolution PackConvolution(const ConvWeights& conv, bool winograd);
// 1x1 convolution as a matrix: a row is a square, inputs are padded channels.
PackedDense PackPointwise(const ConvWeights& conv);
// `input_of(i)` would be the identity; a dense layer behind a convolution reads [square][plane] while the file has
// [plane][square], so `planes` > 0 reorders its inputs.
PackedDense PackDense(const DenseWeights& dense, int planes);
PackedSe PackSe(const SeWeights& se, int channels);

}  // namespace plexus
