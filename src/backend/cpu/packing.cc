#include "backend/cpu/packing.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string>

#include "base/exception.h"
#include "net/planes.h"

namespace plexus {
namespace {

void Require(size_t actual, size_t expected, const char* what) {
  if (actual == expected) return;
  throw Exception(std::string("cpu backend: ") + what + " has " + std::to_string(actual) +
                      " floats, expected " + std::to_string(expected) + ".",
                  "The network is damaged.");
}

AlignedBuffer PadBias(const std::vector<float>& bias, int padded) {
  AlignedBuffer result(padded);
  for (size_t i = 0; i < bias.size(); ++i) result[i] = bias[i];
  return result;
}

// G of F(4x4, 3x3) for the points 0, 1, -1, 2, -2, infinity, and of F(2x2, 3x3) for 0, 1, -1, infinity; they match
// InputLine and OutputLine of the kernels.
constexpr double kG4[6][3] = {{1.0 / 4, 0, 0},
                              {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                              {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                              {1.0 / 24, 1.0 / 12, 1.0 / 6},
                              {1.0 / 24, -1.0 / 12, 1.0 / 6},
                              {0, 0, 1}};
constexpr double kG2[4][3] = {{1, 0, 0}, {0.5, 0.5, 0.5}, {0.5, -0.5, 0.5}, {0, 0, 1}};
constexpr int kMostElements = 36;

// u[points * points] = G g G^T, in double so that only the last rounding is seen.
void TransformWeights(const double (*matrix)[3], int points, const float* g, float* u) {
  double left[6][3];
  for (int i = 0; i < points; ++i) {
    for (int x = 0; x < 3; ++x) {
      left[i][x] = matrix[i][0] * g[x] + matrix[i][1] * g[3 + x] + matrix[i][2] * g[6 + x];
    }
  }
  for (int i = 0; i < points; ++i) {
    for (int j = 0; j < points; ++j) {
      const double sum =
          left[i][0] * matrix[j][0] + left[i][1] * matrix[j][1] + left[i][2] * matrix[j][2];
      u[i * points + j] = static_cast<float>(sum);
    }
  }
}

// u[elements of `method`] of one kernel; the taps themselves for a direct convolution.
int ElementsOf(ConvolutionMethod method, const float* g, float* u) {
  if (method == ConvolutionMethod::kWinograd4) {
    TransformWeights(kG4, 6, g, u);
    return 36;
  }
  if (method == ConvolutionMethod::kWinograd2Bf16) {
    TransformWeights(kG2, 4, g, u);
    return 16;
  }
  std::copy_n(g, 9, u);
  return 9;
}

}  // namespace

ConvolutionMethod MethodOf(const CpuKernels& kernels, bool winograd) {
  if (!winograd) return ConvolutionMethod::kDirect;
  return kernels.winograd.value_bytes == 2 ? ConvolutionMethod::kWinograd2Bf16
                                           : ConvolutionMethod::kWinograd4;
}

uint16_t ToBf16(float x) {
  const uint32_t bits = std::bit_cast<uint32_t>(x);
  return static_cast<uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

PackedConvolution PackConvolution(const ConvWeights& conv, ConvolutionMethod method) {
  const size_t pairs = static_cast<size_t>(conv.in_channels) * conv.out_channels;
  Require(conv.kernel, 3, "the kernel size of a body convolution");
  Require(conv.weights.size(), pairs * 9, "a 3x3 convolution");
  Require(conv.biases.size(), conv.out_channels, "the bias of a 3x3 convolution");
  PackedConvolution packed;
  packed.in = PadChannels(conv.in_channels);
  packed.out = PadChannels(conv.out_channels);
  packed.bias = PadBias(conv.biases, packed.out);
  const size_t matrix = static_cast<size_t>(packed.in) * packed.out;
  const bool bf16 = method == ConvolutionMethod::kWinograd2Bf16;
  float u[kMostElements] = {};
  const float no_taps[9] = {};
  const size_t values = matrix * ElementsOf(method, no_taps, u);
  AlignedBuffer& target = method == ConvolutionMethod::kDirect ? packed.taps : packed.winograd;
  target = AlignedBuffer(bf16 ? values / 2 : values);
  for (int o = 0; o < conv.out_channels; ++o) {
    for (int i = 0; i < conv.in_channels; ++i) {
      const float* g = conv.weights.data() + (static_cast<size_t>(o) * conv.in_channels + i) * 9;
      const int elements = ElementsOf(method, g, u);
      const size_t at = bf16 ? PackedPairIndex(i, o, packed.in, packed.out)
                             : PackedIndex(i, o, packed.in, packed.out);
      for (int e = 0; e < elements; ++e) {
        if (bf16) {
          const uint16_t value = ToBf16(u[e]);
          std::memcpy(reinterpret_cast<char*>(target.data()) + 2 * (e * matrix + at), &value,
                      sizeof(value));
        } else {
          target[e * matrix + at] = u[e];
        }
      }
    }
  }
  return packed;
}

PackedInput PackInput(const ConvWeights& conv) {
  Require(conv.kernel, 3, "the kernel size of the input convolution");
  Require(conv.in_channels, kInputPlanes, "the number of input planes");
  Require(conv.weights.size(), static_cast<size_t>(kInputPlanes) * conv.out_channels * 9,
          "the input convolution");
  Require(conv.biases.size(), conv.out_channels, "the bias of the input convolution");
  PackedInput packed;
  packed.channels = PadChannels(conv.out_channels);
  packed.bias = PadBias(conv.biases, packed.channels);
  packed.taps = AlignedBuffer(static_cast<size_t>(kInputPlanes) * 9 * packed.channels);
  packed.full = AlignedBuffer(packed.taps.size());
  for (int o = 0; o < conv.out_channels; ++o) {
    for (int p = 0; p < kInputPlanes; ++p) {
      const float* g = conv.weights.data() + (static_cast<size_t>(o) * kInputPlanes + p) * 9;
      const auto place = [&](int tap) {
        return (static_cast<size_t>(p) * 9 + tap) * packed.channels + o;
      };
      for (int tap = 0; tap < 9; ++tap) packed.taps[place(tap)] = g[tap];
      // Class 3 * row + column of a square: row 0 has no taps above it, row 2 none below, columns likewise.
      for (int edge = 0; edge < 9; ++edge) {
        double sum = 0;
        for (int tap = 0; tap < 9; ++tap) {
          const bool off = (edge / 3 == 0 && tap / 3 == 0) || (edge / 3 == 2 && tap / 3 == 2) ||
                           (edge % 3 == 0 && tap % 3 == 0) || (edge % 3 == 2 && tap % 3 == 2);
          if (!off) sum += g[tap];
        }
        packed.full[place(edge)] = static_cast<float>(sum);
      }
    }
  }
  return packed;
}

PackedDense PackPointwise(const ConvWeights& conv) {
  Require(conv.kernel, 1, "the kernel size of a head's convolution");
  Require(conv.weights.size(), static_cast<size_t>(conv.in_channels) * conv.out_channels,
          "a 1x1 convolution");
  Require(conv.biases.size(), conv.out_channels, "the bias of a 1x1 convolution");
  PackedDense packed;
  packed.inputs = PadChannels(conv.in_channels);
  packed.outputs = conv.out_channels;
  packed.padded_outputs = PadChannels(conv.out_channels);
  packed.bias = PadBias(conv.biases, packed.padded_outputs);
  packed.weights = AlignedBuffer(static_cast<size_t>(packed.inputs) * packed.padded_outputs);
  for (int o = 0; o < conv.out_channels; ++o) {
    for (int i = 0; i < conv.in_channels; ++i) {
      packed.weights[PackedIndex(i, o, packed.inputs, packed.padded_outputs)] =
          conv.weights[static_cast<size_t>(o) * conv.in_channels + i];
    }
  }
  return packed;
}

PackedDense PackDense(const DenseWeights& dense, int planes) {
  Require(dense.weights.size(), static_cast<size_t>(dense.inputs) * dense.outputs, "a dense layer");
  if (!dense.biases.empty())
    Require(dense.biases.size(), dense.outputs, "the bias of a dense layer");
  if (planes > 0)
    Require(dense.inputs, 64 * static_cast<size_t>(planes), "the input of a head's dense layer");
  PackedDense packed;
  packed.inputs = dense.inputs;
  packed.outputs = dense.outputs;
  packed.padded_outputs = PadChannels(dense.outputs);
  packed.bias = PadBias(dense.biases, packed.padded_outputs);
  packed.weights = AlignedBuffer(static_cast<size_t>(packed.inputs) * packed.padded_outputs);
  for (int o = 0; o < dense.outputs; ++o) {
    for (int i = 0; i < dense.inputs; ++i) {
      const int k = planes > 0 ? i % 64 * planes + i / 64 : i;
      packed.weights[PackedIndex(k, o, packed.inputs, packed.padded_outputs)] =
          dense.weights[static_cast<size_t>(o) * dense.inputs + i];
    }
  }
  return packed;
}

PackedSe PackSe(const SeWeights& se, int channels) {
  const int squeezed = se.squeeze.outputs;
  Require(se.squeeze.inputs, channels, "the input of a squeeze layer");
  Require(se.excite.inputs, squeezed, "the input of an excite layer");
  Require(se.excite.outputs, 2 * static_cast<size_t>(channels), "the output of an excite layer");
  Require(se.squeeze.weights.size(), static_cast<size_t>(channels) * squeezed, "a squeeze layer");
  Require(se.excite.weights.size(), static_cast<size_t>(channels) * squeezed * 2,
          "an excite layer");
  PackedSe packed;
  const int padded = PadChannels(channels);
  PackedDense& squeeze = packed.squeeze;
  squeeze.inputs = padded;
  squeeze.outputs = squeezed;
  squeeze.padded_outputs = PadChannels(squeezed);
  squeeze.weights = AlignedBuffer(static_cast<size_t>(padded) * squeeze.padded_outputs);
  squeeze.bias = PadBias(se.squeeze.biases, squeeze.padded_outputs);
  for (int o = 0; o < squeezed; ++o) {
    for (int i = 0; i < channels; ++i) {
      squeeze.weights[PackedIndex(i, o, padded, squeeze.padded_outputs)] =
          se.squeeze.weights[static_cast<size_t>(o) * channels + i];
    }
  }
  PackedDense& excite = packed.excite;
  excite.inputs = squeeze.padded_outputs;
  excite.outputs = 2 * channels;
  excite.padded_outputs = 2 * padded;
  excite.weights = AlignedBuffer(static_cast<size_t>(excite.inputs) * excite.padded_outputs);
  excite.bias = AlignedBuffer(excite.padded_outputs);
  for (int o = 0; o < 2 * channels; ++o) {
    const int column = o < channels ? o : padded + o - channels;  // each half padded on its own
    if (!se.excite.biases.empty()) excite.bias[column] = se.excite.biases[o];
    for (int i = 0; i < squeezed; ++i) {
      excite.weights[PackedIndex(i, column, excite.inputs, excite.padded_outputs)] =
          se.excite.weights[static_cast<size_t>(o) * squeezed + i];
    }
  }
  return packed;
}

}  // namespace plexus
