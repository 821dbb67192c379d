#include "backend/cpu/packing.h"

#include <string>

#include "base/exception.h"

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

// G of F(4x4, 3x3) for the points 0, 1, -1, 2, -2, infinity; matches InputLine and OutputLine of the kernels.
constexpr double kG[6][3] = {{1.0 / 4, 0, 0},
                             {-1.0 / 6, -1.0 / 6, -1.0 / 6},
                             {-1.0 / 6, 1.0 / 6, -1.0 / 6},
                             {1.0 / 24, 1.0 / 12, 1.0 / 6},
                             {1.0 / 24, -1.0 / 12, 1.0 / 6},
                             {0, 0, 1}};

// u[36] = G g G^T, in double so that only the last rounding is seen.
void TransformWeights(const float* g, float* u) {
  double left[6][3];
  for (int i = 0; i < 6; ++i) {
    for (int x = 0; x < 3; ++x) {
      left[i][x] = kG[i][0] * g[x] + kG[i][1] * g[3 + x] + kG[i][2] * g[6 + x];
    }
  }
  for (int i = 0; i < 6; ++i) {
    for (int j = 0; j < 6; ++j) {
      const double sum = left[i][0] * kG[j][0] + left[i][1] * kG[j][1] + left[i][2] * kG[j][2];
      u[i * 6 + j] = static_cast<float>(sum);
    }
  }
}

}  // namespace

PackedConvolution PackConvolution(const ConvWeights& conv, bool winograd) {
  const size_t pairs = static_cast<size_t>(conv.in_channels) * conv.out_channels;
  Require(conv.kernel, 3, "the kernel size of a body convolution");
  Require(conv.weights.size(), pairs * 9, "a 3x3 convolution");
  Require(conv.biases.size(), conv.out_channels, "the bias of a 3x3 convolution");
  PackedConvolution packed;
  packed.in = PadChannels(conv.in_channels);
  packed.out = PadChannels(conv.out_channels);
  packed.bias = PadBias(conv.biases, packed.out);
  const size_t matrix = static_cast<size_t>(packed.in) * packed.out;
  const int elements = winograd ? kWinogradElements : 9;
  AlignedBuffer& target = winograd ? packed.winograd : packed.taps;
  target = AlignedBuffer(matrix * elements);
  for (int o = 0; o < conv.out_channels; ++o) {
    for (int i = 0; i < conv.in_channels; ++i) {
      const float* g = conv.weights.data() + (static_cast<size_t>(o) * conv.in_channels + i) * 9;
      float u[kWinogradElements];
      if (winograd) TransformWeights(g, u);
      const size_t at = PackedIndex(i, o, packed.in, packed.out);
      for (int e = 0; e < elements; ++e) target[e * matrix + at] = winograd ? u[e] : g[e];
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
