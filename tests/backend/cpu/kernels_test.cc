// Every kernel of every instruction set that this machine runs, against plain loops.

#include "backend/cpu/kernels.h"

#include <cstring>

#include "backend/cpu/packing.h"
#include "backend/cpu/plain_network.h"

namespace plexus {
namespace {

class KernelsTest : public ::testing::TestWithParam<const CpuKernels*> {
 protected:
  const CpuKernels& kernels() const { return *GetParam(); }
};

// A dense layer outputs x inputs as weights.h has it.
DenseWeights RandomDense(int inputs, int outputs, uint32_t seed) {
  DenseWeights dense;
  dense.inputs = inputs;
  dense.outputs = outputs;
  dense.weights = RandomFloats(static_cast<size_t>(inputs) * outputs, seed);
  dense.biases = RandomFloats(outputs, seed + 1);
  return dense;
}

struct ProductCase {
  int rows, inputs, outputs;
};

TEST_P(KernelsTest, GemmEqualsPlainLoopsForAnyShape) {
  const std::vector<ProductCase> cases = {
      {1, 1, 1},    {1, 64, 64}, {1, 2048, 128}, {2, 33, 129}, {3, 17, 31},  {4, 64, 64},
      {5, 64, 33},  {7, 10, 48}, {8, 64, 80},    {11, 9, 16},  {12, 64, 64}, {13, 5, 100},
      {16, 64, 64}, {23, 3, 65}, {28, 128, 128}, {36, 96, 96}, {96, 7, 17}};
  for (const ProductCase& c : cases) {
    SCOPED_TRACE(std::to_string(c.rows) + "x" + std::to_string(c.inputs) + "x" +
                 std::to_string(c.outputs));
    const DenseWeights dense = RandomDense(c.inputs, c.outputs, c.rows);
    const PackedDense packed = PackDense(dense, 0);
    const int lda = c.inputs + 3, ldc = packed.padded_outputs + 16;
    const std::vector<float> a = RandomFloats(static_cast<size_t>(c.rows) * lda, 7);
    std::vector<float> result(static_cast<size_t>(c.rows) * ldc, -99.0f);
    kernels().gemm(a.data(), lda, packed.weights.data(), packed.bias.data(), result.data(), ldc,
                   c.rows, c.inputs, packed.padded_outputs);
    for (int r = 0; r < c.rows; ++r) {
      for (int o = 0; o < c.outputs; ++o) {
        double sum = dense.biases[o];
        for (int i = 0; i < c.inputs; ++i) {
          sum += static_cast<double>(a[r * lda + i]) *
                 dense.weights[static_cast<size_t>(o) * c.inputs + i];
        }
        ASSERT_NEAR(result[r * ldc + o], sum, 2e-6 * c.inputs + 1e-6) << r << " " << o;
      }
      for (int o = packed.padded_outputs; o < ldc; ++o)
        ASSERT_EQ(result[r * ldc + o], -99.0f) << "wrote beyond n";
    }
  }
}

TEST_P(KernelsTest, ARowsProductDoesNotDependOnTheNumberOfRows) {
  constexpr int kInputs = 77, kOutputs = 112, kRows = 40;
  const PackedDense packed = PackDense(RandomDense(kInputs, kOutputs, 1), 0);
  const std::vector<float> a = RandomFloats(kRows * kInputs, 2);
  std::vector<float> all(kRows * kOutputs);
  kernels().gemm(a.data(), kInputs, packed.weights.data(), packed.bias.data(), all.data(), kOutputs,
                 kRows, kInputs, kOutputs);
  for (int rows = 1; rows < kRows; ++rows) {
    std::vector<float> some(rows * kOutputs);
    kernels().gemm(a.data(), kInputs, packed.weights.data(), packed.bias.data(), some.data(),
                   kOutputs, rows, kInputs, kOutputs);
    ASSERT_EQ(std::memcmp(some.data(), all.data(), some.size() * sizeof(float)), 0)
        << rows << " rows";
  }
}

TEST_P(KernelsTest, ActivationsEqualTheStandardLibrarys) {
  std::vector<float> x;
  for (float value = -60; value <= 60; value += 0.037f) x.push_back(value);
  x.resize(x.size() / 16 * 16);
  for (const int activation : {1, 2, 3, 4, 5, 6, 7, 8}) {
    std::vector<float> y = x;
    kernels().activate(y.data(), static_cast<long>(y.size()), activation);
    for (size_t i = 0; i < x.size(); ++i) {
      const double expected = PlainActivation(x[i], activation);
      ASSERT_NEAR(y[i], expected, 1e-6 + 1e-6 * std::fabs(expected))
          << activation << " of " << x[i];
    }
  }
}

// ---- convolutions ----

struct ConvolutionCase {
  int in, out, boards, activation, se_channels;
  bool skip;
};

struct ConvolutionData {
  ConvWeights conv;
  SeWeights se;
  std::vector<float> x, skip;    // [board][64][padded]
  std::vector<double> expected;  // [board][64][out]
};

void PlainSqueezeExcite(const SeWeights& se, int channels, int activation, double* board) {
  std::vector<double> mean(channels), squeezed(se.squeeze.outputs), excited(2 * channels);
  for (int s = 0; s < 64; ++s) {
    for (int c = 0; c < channels; ++c) mean[c] += board[s * channels + c] / 64;
  }
  for (int o = 0; o < se.squeeze.outputs; ++o) {
    squeezed[o] = se.squeeze.biases[o];
    for (int i = 0; i < channels; ++i)
      squeezed[o] += mean[i] * se.squeeze.weights[o * channels + i];
    squeezed[o] = PlainActivation(squeezed[o], activation);
  }
  for (int o = 0; o < 2 * channels; ++o) {
    excited[o] = se.excite.biases[o];
    for (int i = 0; i < se.squeeze.outputs; ++i) {
      excited[o] += squeezed[i] * se.excite.weights[o * se.squeeze.outputs + i];
    }
  }
  for (int s = 0; s < 64; ++s) {
    for (int c = 0; c < channels; ++c) {
      double& value = board[s * channels + c];
      value = value / (1 + std::exp(-excited[c])) + excited[channels + c];
    }
  }
}

ConvolutionData MakeConvolution(const ConvolutionCase& c) {
  ConvolutionData data;
  data.conv.in_channels = c.in;
  data.conv.out_channels = c.out;
  data.conv.kernel = 3;
  const float scale = std::sqrt(6.0f / (9.0f * c.in));
  data.conv.weights = RandomFloats(static_cast<size_t>(c.in) * c.out * 9, 11, -scale, scale);
  data.conv.biases = RandomFloats(c.out, 12, -0.3f, 0.3f);
  if (c.se_channels > 0) {
    data.se.squeeze = RandomDense(c.out, c.se_channels, 13);
    data.se.excite = RandomDense(c.se_channels, 2 * c.out, 14);
  }
  const int in = PadChannels(c.in), out = PadChannels(c.out);
  data.x.resize(static_cast<size_t>(c.boards) * 64 * in);
  data.skip.resize(static_cast<size_t>(c.boards) * 64 * out);
  for (int b = 0; b < c.boards; ++b) {
    const std::vector<float> x = RandomFloats(64 * static_cast<size_t>(c.in), 20 + b, -0.5f, 1);
    const std::vector<float> skip = RandomFloats(64 * static_cast<size_t>(c.out), 90 + b);
    std::vector<double> y = PlainConvolution(x, c.in, c.out, data.conv.weights, data.conv.biases);
    if (c.se_channels > 0) PlainSqueezeExcite(data.se, c.out, c.activation, y.data());
    for (int s = 0; s < 64; ++s) {
      for (int i = 0; i < c.in; ++i) data.x[(b * 64l + s) * in + i] = x[s * c.in + i];
      for (int o = 0; o < c.out; ++o) {
        data.skip[(b * 64l + s) * out + o] = skip[s * c.out + o];
        double& value = y[s * c.out + o];
        value = PlainActivation(value + (c.skip ? skip[s * c.out + o] : 0), c.activation);
      }
    }
    data.expected.insert(data.expected.end(), y.begin(), y.end());
  }
  return data;
}

const std::vector<ConvolutionCase> kConvolutions = {
    {1, 1, 1, 3, 0, false},     {3, 5, 2, 2, 0, false},    {16, 16, 1, 2, 0, true},
    {17, 33, 3, 1, 4, true},    {32, 32, 5, 2, 8, true},   {40, 24, 4, 7, 3, false},
    {48, 80, 7, 3, 0, false},   {64, 64, 1, 2, 8, true},   {64, 64, 11, 2, 0, true},
    {64, 80, 8, 3, 0, false},   {112, 64, 6, 2, 0, false}, {96, 97, 2, 1, 17, true},
    {128, 128, 3, 2, 32, true}, {256, 64, 1, 2, 0, false}};

class Workspace {
 public:
  Workspace(const ConvolutionCase& c, const ConvolutionData& data)
      : packed_se(c.se_channels > 0 ? PackSe(data.se, c.out) : PackedSe()),
        scratch(67 * PadChannels(c.out) + 64) {
    args.channels = PadChannels(c.out);
    args.activation = c.activation;
    if (c.se_channels > 0) {
      args.se = {packed_se.squeeze.weights.data(),
                 packed_se.squeeze.bias.data(),
                 packed_se.excite.weights.data(),
                 packed_se.excite.bias.data(),
                 packed_se.squeeze.padded_outputs,
                 c.activation,
                 scratch.data()};
    }
  }
  PackedSe packed_se;
  AlignedBuffer scratch;
  OutputStepArgs args;
};

void ExpectNear(const ConvolutionCase& c, const ConvolutionData& data, const AlignedBuffer& result,
                double tolerance) {
  const int out = PadChannels(c.out);
  for (int b = 0; b < c.boards; ++b) {
    for (int s = 0; s < 64; ++s) {
      for (int o = 0; o < c.out; ++o) {
        ASSERT_NEAR(result[(b * 64l + s) * out + o], data.expected[(b * 64l + s) * c.out + o],
                    tolerance)
            << "board " << b << " square " << s << " channel " << o;
      }
    }
  }
}

std::string Describe(const ConvolutionCase& c) {
  return std::to_string(c.in) + "->" + std::to_string(c.out) + " boards " +
         std::to_string(c.boards) + " activation " + std::to_string(c.activation) + " se " +
         std::to_string(c.se_channels);
}

// V and U hold floats or bfloat16; their addresses count in bytes.
void* At(AlignedBuffer& v, const WinogradShape& shape, long value) {
  return reinterpret_cast<char*>(v.data()) + value * shape.value_bytes;
}

TEST_P(KernelsTest, WinogradConvolutionEqualsPlainLoops) {
  const WinogradShape& shape = kernels().winograd;
  // A sum of up to 1,000 products of values of 2^-9 relative error each.
  const double tolerance = shape.value_bytes == 2 ? 6e-2 : 3e-5;
  for (const ConvolutionCase& c : kConvolutions) {
    SCOPED_TRACE(Describe(c));
    const ConvolutionData data = MakeConvolution(c);
    const PackedConvolution conv = PackConvolution(data.conv, MethodOf(kernels(), true));
    const long rows = static_cast<long>(shape.tiles) * c.boards;
    const long v_stride = rows * conv.in + 16, m_stride = rows * conv.out;
    AlignedBuffer v(v_stride * shape.elements), m(m_stride * shape.elements);
    AlignedBuffer x(64l * c.boards * conv.out);
    for (int b = 0; b < c.boards; ++b) {
      kernels().winograd_input(data.x.data() + 64l * b * conv.in, conv.in,
                               At(v, shape, static_cast<long>(shape.tiles) * b * conv.in),
                               v_stride);
    }
    kernels().winograd_gemm(v.data(), v_stride, conv.winograd.data(), m.data(), m_stride, rows,
                            conv.in, conv.out);
    Workspace work(c, data);
    for (int b = 0; b < c.boards; ++b) {
      work.args.m = m.data() + static_cast<long>(shape.tiles) * b * conv.out;
      work.args.m_element_stride = m_stride;
      work.args.bias = conv.bias.data();
      work.args.skip = c.skip ? data.skip.data() + 64l * b * conv.out : nullptr;
      work.args.x = x.data() + 64l * b * conv.out;
      kernels().winograd_output(work.args);
    }
    ExpectNear(c, data, x, tolerance);
  }
}

TEST_P(KernelsTest, DirectConvolutionEqualsPlainLoops) {
  for (const ConvolutionCase& c : kConvolutions) {
    SCOPED_TRACE(Describe(c));
    const ConvolutionData data = MakeConvolution(c);
    const PackedConvolution conv = PackConvolution(data.conv, ConvolutionMethod::kDirect);
    AlignedBuffer x(64l * c.boards * conv.out), sums(64l * conv.out);
    Workspace work(c, data);
    for (int b = 0; b < c.boards; ++b) {
      AlignedBuffer padded(100l * conv.in);
      for (int s = 0; s < 64; ++s) {
        std::memcpy(padded.data() + ((s / 8 + 1) * 10l + s % 8 + 1) * conv.in,
                    data.x.data() + (64l * b + s) * conv.in, sizeof(float) * conv.in);
      }
      kernels().direct_conv(padded.data(), conv.in, conv.taps.data(), conv.bias.data(), sums.data(),
                            conv.out);
      work.args.skip = c.skip ? data.skip.data() + 64l * b * conv.out : nullptr;
      work.args.x = x.data() + 64l * b * conv.out;
      kernels().direct_output(work.args, sums.data());
    }
    ExpectNear(c, data, x, 1e-5);
  }
}

TEST_P(KernelsTest, TheFusedInputOfTheNextConvolutionIsTheTransformOfTheActivations) {
  for (const ConvolutionCase& c : kConvolutions) {
    SCOPED_TRACE(Describe(c));
    const ConvolutionData data = MakeConvolution(c);
    const int out = PadChannels(c.out);
    const WinogradShape& shape = kernels().winograd;
    const long m_stride = static_cast<long>(shape.tiles) * out + 16;
    const std::vector<float> m = RandomFloats(m_stride * shape.elements, 5);
    AlignedBuffer x(64l * out), fused(m_stride * shape.elements),
        separate(m_stride * shape.elements), bias(out);
    Workspace work(c, data);
    work.args.m = m.data();
    work.args.m_element_stride = m_stride;
    work.args.bias = bias.data();
    work.args.x = x.data();
    work.args.v = fused.data();
    work.args.v_element_stride = m_stride;
    kernels().winograd_output(work.args);
    kernels().winograd_input(x.data(), out, separate.data(), m_stride);
    ASSERT_EQ(std::memcmp(fused.data(), separate.data(), fused.size() * sizeof(float)), 0);
  }
}

TEST_P(KernelsTest, TheInputConvolutionEqualsPlainLoopsOverThePlanes) {
  std::mt19937_64 random(3);
  for (const int out : {1, 16, 40, 64, 100, 128}) {
    SCOPED_TRACE(out);
    ConvWeights conv;
    conv.in_channels = 112;
    conv.out_channels = out;
    conv.kernel = 3;
    conv.weights = RandomFloats(static_cast<size_t>(out) * 112 * 9, out);
    conv.biases = RandomFloats(out, 8);
    const PackedInput packed = PackInput(conv);
    uint64_t masks[112];
    float values[112];
    std::vector<float> dense(64 * 112);
    for (int p = 0; p < 112; ++p) {
      // Some empty, some full, some all but full, most with a few pieces.
      masks[p] = p % 7 == 0    ? 0
                 : p % 11 == 0 ? ~uint64_t{0}
                 : p % 13 == 0 ? ~uint64_t{1}
                               : random() & random() & random();
      values[p] = p % 5 == 0 ? 0.5f : 1.0f;
      for (int s = 0; s < 64; ++s) dense[s * 112 + p] = masks[p] >> s & 1 ? values[p] : 0.0f;
    }
    AlignedBuffer sums(64l * packed.channels);
    kernels().input_convolution({masks, values, packed.taps.data(), packed.full.data(),
                                 packed.bias.data(), packed.channels, sums.data()});
    const std::vector<double> expected =
        PlainConvolution(dense, 112, out, conv.weights, conv.biases);
    for (int s = 0; s < 64; ++s) {
      for (int o = 0; o < out; ++o) {
        ASSERT_NEAR(sums[s * packed.channels + o], expected[s * out + o], 1e-4) << s << " " << o;
      }
    }
  }
}

TEST_P(KernelsTest, PeakReportsWorkThatTakesTime) {
  alignas(64) float sink[16] = {0.999f, 0.0001f};
  const double operations = kernels().fma_peak(1000, sink);
  EXPECT_GE(operations, 1000 * 2.0 * 4);
  EXPECT_TRUE(std::isfinite(sink[0]));
}

INSTANTIATE_TEST_SUITE_P(EveryIsa, KernelsTest, ::testing::ValuesIn(RunnableKernels()), IsaName);

}  // namespace
}  // namespace plexus
