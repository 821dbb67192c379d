#include "backend/reference/reference_layers.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "net/policy_map.h"

namespace plexus {
namespace {

constexpr int kSquares = 64;

double Sigmoid(double x) { return 1.0 / (1.0 + std::exp(-x)); }

// Selu: Klambauer et al. 2017. Mish: Misra 2019, x tanh(ln(1 + e^x)).
double ActivateOne(Activation activation, double x) {
  switch (activation) {
    case Activation::kMish:
      return x * std::tanh(x > 30 ? x : std::log1p(std::exp(x)));
    case Activation::kRelu:
      return x > 0 ? x : 0;
    case Activation::kTanh:
      return std::tanh(x);
    case Activation::kSigmoid:
      return Sigmoid(x);
    case Activation::kSelu:
      return 1.0507009873554805 * (x > 0 ? x : 1.6732632423543772 * std::expm1(x));
    case Activation::kSwish:
      return x * Sigmoid(x);
    case Activation::kRelu2:
      return x > 0 ? x * x : 0;
    case Activation::kNone:
    case Activation::kSoftmax:
    case Activation::kDefault:
      return x;
  }
  return x;
}

void Softmax(Tensor* values) {
  const float highest = *std::max_element(values->begin(), values->end());
  double sum = 0;
  for (float& v : *values) {
    v = std::exp(v - highest);
    sum += v;
  }
  for (float& v : *values) v = static_cast<float>(v / sum);
}

// Attention logits in the flat order of AttentionPolicyMap: 64 x 64 from-to, then 8 x 8 x 3 promotions.
Tensor AttentionLogits(const PolicyHeadWeights& head, const Tensor& queries, const Tensor& keys) {
  const int depth = head.q.outputs;
  const double scale = 1.0 / std::sqrt(static_cast<double>(depth));
  Tensor logits(kSquares * kSquares + 8 * 8 * 3);
  for (int from = 0; from < kSquares; ++from) {
    for (int to = 0; to < kSquares; ++to) {
      double sum = 0;
      for (int i = 0; i < depth; ++i)
        sum += static_cast<double>(queries[from * depth + i]) * keys[to * depth + i];
      logits[from * kSquares + to] = static_cast<float>(sum * scale);
    }
  }
  // Each square of the last rank offers four numbers: queen, rook, bishop, and one that is added to all three.
  for (int to_file = 0; to_file < 8; ++to_file) {
    const int to = 56 + to_file;
    const Tensor offsets =
        Multiply(head.promotion, std::span(keys).subspan(static_cast<size_t>(to) * depth, depth));
    for (int from_file = 0; from_file < 8; ++from_file) {
      const float plain = logits[(48 + from_file) * kSquares + to];
      for (int piece = 0; piece < 3; ++piece) {
        logits[kSquares * kSquares + (from_file * 8 + to_file) * 3 + piece] =
            plain + offsets[piece] + offsets[3];
      }
    }
  }
  return logits;
}

}  // namespace

void Activate(Activation activation, Tensor* values) {
  assert(activation != Activation::kDefault);
  if (activation == Activation::kSoftmax) return Softmax(values);
  for (float& v : *values) v = static_cast<float>(ActivateOne(activation, v));
}

Tensor ExpandPlanes(const InputPlanes& planes) {
  Tensor result(kInputPlanes * kSquares);
  for (int p = 0; p < kInputPlanes; ++p) {
    for (int s = 0; s < kSquares; ++s) {
      if ((planes.mask[p] >> s) & 1) result[p * kSquares + s] = planes.value[p];
    }
  }
  return result;
}

Tensor Convolve(const ConvWeights& conv, const Tensor& input) {
  assert(input.size() == static_cast<size_t>(conv.in_channels) * kSquares);
  const int k = conv.kernel, border = k / 2;
  Tensor result(static_cast<size_t>(conv.out_channels) * kSquares);
  for (int out = 0; out < conv.out_channels; ++out) {
    double sums[kSquares];
    std::fill(sums, sums + kSquares, conv.biases[out]);
    for (int in = 0; in < conv.in_channels; ++in) {
      const float* board = &input[static_cast<size_t>(in) * kSquares];
      for (int ky = 0; ky < k; ++ky) {
        for (int kx = 0; kx < k; ++kx) {
          const double weight =
              conv.weights[((static_cast<size_t>(out) * conv.in_channels + in) * k + ky) * k + kx];
          const int dy = ky - border, dx = kx - border;
          for (int y = std::max(0, -dy); y < std::min(8, 8 - dy); ++y) {
            for (int x = std::max(0, -dx); x < std::min(8, 8 - dx); ++x) {
              sums[y * 8 + x] += weight * board[(y + dy) * 8 + x + dx];
            }
          }
        }
      }
    }
    for (int s = 0; s < kSquares; ++s)
      result[static_cast<size_t>(out) * kSquares + s] = static_cast<float>(sums[s]);
  }
  return result;
}

Tensor Multiply(const DenseWeights& dense, std::span<const float> input) {
  assert(input.size() == static_cast<size_t>(dense.inputs));
  Tensor result(dense.outputs);
  for (int out = 0; out < dense.outputs; ++out) {
    double sum = dense.biases.empty() ? 0 : dense.biases[out];
    const float* row = &dense.weights[static_cast<size_t>(out) * dense.inputs];
    for (int in = 0; in < dense.inputs; ++in) sum += static_cast<double>(row[in]) * input[in];
    result[out] = static_cast<float>(sum);
  }
  return result;
}

Tensor SqueezeExcite(const SeWeights& se, Activation activation, const Tensor& input) {
  const int channels = se.squeeze.inputs;
  Tensor means(channels);
  for (int c = 0; c < channels; ++c) {
    double sum = 0;
    for (int s = 0; s < kSquares; ++s) sum += input[static_cast<size_t>(c) * kSquares + s];
    means[c] = static_cast<float>(sum / kSquares);
  }
  Tensor squeezed = Multiply(se.squeeze, means);
  Activate(activation, &squeezed);
  const Tensor excited = Multiply(se.excite, squeezed);
  Tensor result(input.size());
  for (int c = 0; c < channels; ++c) {
    const auto scale = static_cast<float>(Sigmoid(excited[c]));
    const float shift = excited[channels + c];
    for (int s = 0; s < kSquares; ++s) {
      const size_t i = static_cast<size_t>(c) * kSquares + s;
      result[i] = scale * input[i] + shift;
    }
  }
  return result;
}

Tensor ResidualBlock(const ResidualWeights& block, Activation activation, const Tensor& input) {
  Tensor values = Convolve(block.conv1, input);
  Activate(activation, &values);
  values = Convolve(block.conv2, values);
  if (block.se.present()) values = SqueezeExcite(block.se, activation, values);
  for (size_t i = 0; i < values.size(); ++i) values[i] += input[i];
  Activate(activation, &values);
  return values;
}

Tensor MultiplySquares(const DenseWeights& dense, const Tensor& input) {
  Tensor result;
  Tensor channels(dense.inputs);
  for (int s = 0; s < kSquares; ++s) {
    for (int c = 0; c < dense.inputs; ++c)
      channels[c] = input[static_cast<size_t>(c) * kSquares + s];
    const Tensor row = Multiply(dense, channels);
    result.insert(result.end(), row.begin(), row.end());
  }
  return result;
}

Tensor PolicyLogits(const PolicyHeadWeights& head, Activation activation, const Tensor& body) {
  Tensor logits(kPolicySize);
  switch (head.kind) {
    case PolicyKind::kClassical: {
      Tensor planes = Convolve(head.conv, body);
      Activate(activation, &planes);
      return Multiply(head.dense, planes);
    }
    case PolicyKind::kConvolution: {
      Tensor hidden = Convolve(head.conv1, body);
      Activate(activation, &hidden);
      const Tensor planes = Convolve(head.conv, hidden);
      for (int i = 0; i < kPolicySize; ++i) logits[i] = planes[ConvolutionPolicyMap()[i]];
      return logits;
    }
    case PolicyKind::kAttention: {
      // In convolutional networks this embedding has its own activation, whatever the default.
      Tensor embedding = MultiplySquares(head.dense, body);
      Activate(Activation::kSelu, &embedding);
      Tensor queries, keys;
      for (int s = 0; s < kSquares; ++s) {
        const auto square = std::span(embedding).subspan(
            static_cast<size_t>(s) * head.dense.outputs, head.dense.outputs);
        const Tensor q = Multiply(head.q, square), k = Multiply(head.k, square);
        queries.insert(queries.end(), q.begin(), q.end());
        keys.insert(keys.end(), k.begin(), k.end());
      }
      const Tensor all = AttentionLogits(head, queries, keys);
      for (int i = 0; i < kPolicySize; ++i) logits[i] = all[AttentionPolicyMap()[i]];
      return logits;
    }
  }
  return logits;
}

Tensor ValueLogits(const ValueHeadWeights& head, Activation activation, const Tensor& body) {
  Tensor values = Convolve(head.conv, body);
  Activate(activation, &values);
  values = Multiply(head.dense1, values);
  Activate(activation, &values);
  values = Multiply(head.dense2, values);
  if (head.kind == ValueKind::kClassical) {
    Activate(Activation::kTanh, &values);
    values.resize(3, 0.0f);
  }
  return values;
}

float MovesLeftPlies(const MovesLeftHeadWeights& head, Activation activation, const Tensor& body) {
  Tensor values = Convolve(head.conv, body);
  Activate(activation, &values);
  values = Multiply(head.dense1, values);
  Activate(activation, &values);
  values = Multiply(head.dense2, values);
  return std::max(values[0], 0.0f);
}

}  // namespace plexus
