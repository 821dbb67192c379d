#include "backend/cpu/network_runner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace plexus {
namespace {

// Boards whose dense layers run together: their weights (1 MB for 2048 -> 128) are read once a chunk.
constexpr int kChunkBoards = 96;
// A block's V, M and activations should fill about half of a second-level cache of 1 MB; the weights stream by.
constexpr size_t kBlockBytes = size_t{640} << 10;
constexpr int kNone = 3;  // Activation::kNone

int WidestLayer(const PackedNetwork& network) {
  return std::max({network.channels, network.policy_conv1.out, network.policy_conv2.out,
                   network.policy_planes.padded_outputs, network.value.conv.padded_outputs,
                   network.moves_left.conv.padded_outputs});
}

int BlockBoards(const PackedNetwork& network, const WinogradShape& shape) {
  const size_t bytes_per_board =
      static_cast<size_t>(network.channels) *
      (static_cast<size_t>(shape.elements) * shape.tiles * (shape.value_bytes + sizeof(float)) +
       64 * sizeof(float));
  // A wide network's transformed weights pass through the caches once a block: with 6 boards a 128x10 network ran at
  // 0.75 of the speed that it has with 16, a 256x20 one at 0.85 of that with 24 (on a busy machine, batch 48).
  const int least = std::clamp(network.channels / 8, 6, 24);
  return std::clamp(static_cast<int>(kBlockBytes / bytes_per_board), least, 24);
}

// Padding between elements of V and M: without it they are a power of two apart and fight for the same cache sets.
long ElementStride(const WinogradShape& shape, int boards, int channels) {
  return static_cast<long>(shape.tiles) * boards * channels +
         16 * sizeof(float) / shape.value_bytes;
}

}  // namespace

NetworkRunner::NetworkRunner(const CpuKernels& kernels,
                             std::shared_ptr<const PackedNetwork> network)
    : kernels_(kernels),
      network_(std::move(network)),
      block_boards_(BlockBoards(*network_, kernels.winograd)) {
  const PackedNetwork& net = *network_;
  const int widest = WidestLayer(net);
  work_stride_ = 64l * widest;
  x_ = AlignedBuffer(64 * static_cast<size_t>(net.channels) * block_boards_);
  work_ = AlignedBuffer(static_cast<size_t>(work_stride_) * block_boards_);
  if (net.method != ConvolutionMethod::kDirect) {
    const WinogradShape& shape = kernels_.winograd;
    v_ = AlignedBuffer(ElementStride(shape, block_boards_, widest) * shape.elements);
    m_ = AlignedBuffer(ElementStride(shape, block_boards_, widest) * shape.elements);
  } else {
    padded_ = AlignedBuffer(100 * static_cast<size_t>(widest));
  }
  sums_ = AlignedBuffer(work_stride_);
  int se_channels = 0;
  for (const PackedResidual& block : net.residual) {
    se_channels = std::max(se_channels, block.se.squeeze.padded_outputs);
  }
  se_scratch_ = AlignedBuffer(67 * static_cast<size_t>(net.channels) + se_channels);
  value_flat_ = AlignedBuffer(64 * static_cast<size_t>(net.value.conv.outputs) * kChunkBoards);
  moves_left_flat_ =
      AlignedBuffer(64 * static_cast<size_t>(net.moves_left.conv.outputs) * kChunkBoards);
  policy_flat_ = AlignedBuffer(64 * static_cast<size_t>(net.policy_planes.outputs) * kChunkBoards);
  const size_t dense =
      std::max({net.value.dense1.padded_outputs, net.moves_left.dense1.padded_outputs,
                net.policy_dense.padded_outputs, kChannelPad});
  dense_a_ = AlignedBuffer(dense * kChunkBoards);
  dense_b_ = AlignedBuffer(static_cast<size_t>(kChannelPad) * kChunkBoards);
}

void NetworkRunner::Run(const DeviceBatch& in, const LogitBatch& out) {
  for (size_t begin = 0; begin < in.size(); begin += kChunkBoards) {
    const int chunk = static_cast<int>(std::min<size_t>(kChunkBoards, in.size() - begin));
    const DeviceBatch part = in.Part(begin, chunk);
    const LogitBatch rows = out.Part(in, begin, chunk);
    // Blocks of even size: 20 boards as 7 + 7 + 6 rather than 8 + 8 + 4.
    const int blocks = (chunk + block_boards_ - 1) / block_boards_;
    for (int i = 0; i < blocks; ++i) {
      const int first = chunk * i / blocks, last = chunk * (i + 1) / blocks;
      RunBlock(part, first, last - first, rows);
    }
    DenseHeads(part, rows);
  }
}

void NetworkRunner::InputStep(std::span<const InputPlanes> input, bool feeds_convolution) {
  const PackedInput& conv = network_->input;
  const bool direct = network_->method == ConvolutionMethod::kDirect;
  InputConvolutionArgs planes;
  planes.taps = conv.taps.data();
  planes.full = conv.full.data();
  planes.bias = conv.bias.data();
  planes.channels = conv.channels;
  planes.sums = sums_.data();
  OutputStepArgs args;
  args.channels = conv.channels;
  args.activation = network_->activation;
  v_stride_ = args.v_element_stride =
      ElementStride(kernels_.winograd, static_cast<int>(input.size()), conv.channels);
  for (size_t b = 0; b < input.size(); ++b) {
    const int board = static_cast<int>(b);
    planes.masks = input[b].mask.data();
    planes.values = input[b].value.data();
    kernels_.input_convolution(planes);
    args.x = x_.data() + 64l * conv.channels * board;
    args.v = feeds_convolution && !direct ? BoardInV(board, conv.channels) : nullptr;
    kernels_.direct_output(args, sums_.data());
    if (direct)
      std::memcpy(work_.data() + work_stride_ * board, args.x, sizeof(float) * 64 * conv.channels);
  }
}

void NetworkRunner::RunBlock(const DeviceBatch& in, int first, int boards, const LogitBatch& out) {
  const PackedNetwork& net = *network_;
  const bool policy_convolution = net.policy_kind == PolicyKind::kConvolution;
  Finish finish;
  finish.activation = net.activation;
  finish.x = x_.data();
  finish.feeds_convolution = !net.residual.empty() || policy_convolution;
  InputStep(in.planes.subspan(first, boards), finish.feeds_convolution);
  for (size_t i = 0; i < net.residual.size(); ++i) {
    const PackedResidual& block = net.residual[i];
    Finish inner;
    inner.activation = net.activation;
    Convolve(block.conv1, boards, inner);
    Finish outer = finish;
    outer.se = block.se.squeeze.present() ? &block.se : nullptr;
    outer.skip = true;
    outer.feeds_convolution = i + 1 < net.residual.size() || policy_convolution;
    Convolve(block.conv2, boards, outer);
  }
  HeadPlanes(net.value.conv, boards, value_flat_.data() + 64l * net.value.conv.outputs * first);
  if (net.moves_left.present()) {
    HeadPlanes(net.moves_left.conv, boards,
               moves_left_flat_.data() + 64l * net.moves_left.conv.outputs * first);
  }
  PolicyOfBlock(in, boards, first, out);
}

void* NetworkRunner::BoardInV(int board, int channels) {
  const WinogradShape& shape = kernels_.winograd;
  return reinterpret_cast<char*>(v_.data()) +
         static_cast<long>(shape.tiles) * board * channels * shape.value_bytes;
}

void NetworkRunner::Convolve(const PackedConvolution& conv, int boards, const Finish& finish) {
  if (network_->method == ConvolutionMethod::kDirect) return ConvolveDirect(conv, boards, finish);
  const long m_stride = ElementStride(kernels_.winograd, boards, conv.out);
  kernels_.winograd_gemm(v_.data(), v_stride_, conv.winograd.data(), m_.data(), m_stride,
                         static_cast<long>(kernels_.winograd.tiles) * boards, conv.in, conv.out);
  FinishWinograd(conv, boards, finish);
}

void NetworkRunner::FinishWinograd(const PackedConvolution& conv, int boards,
                                   const Finish& finish) {
  const long m_stride = ElementStride(kernels_.winograd, boards, conv.out);
  OutputStepArgs args;
  args.m_element_stride = m_stride;
  args.channels = conv.out;
  args.bias = conv.bias.data();
  args.activation = finish.activation;
  args.v_element_stride = m_stride;
  if (finish.se) {
    args.se = {finish.se->squeeze.weights.data(),
               finish.se->squeeze.bias.data(),
               finish.se->excite.weights.data(),
               finish.se->excite.bias.data(),
               finish.se->squeeze.padded_outputs,
               network_->activation,
               se_scratch_.data()};
  }
  for (int b = 0; b < boards; ++b) {
    const long rows = static_cast<long>(kernels_.winograd.tiles) * b * conv.out;
    args.m = m_.data() + rows;
    args.v = finish.feeds_convolution ? BoardInV(b, conv.out) : nullptr;
    args.x = finish.x ? finish.x + 64l * conv.out * b : nullptr;
    args.skip = finish.skip ? x_.data() + 64l * conv.out * b : nullptr;
    kernels_.winograd_output(args);
  }
  if (finish.feeds_convolution) v_stride_ = m_stride;
}

// work_ holds the input; the result goes there too, and to finish.x. One board at a time.
void NetworkRunner::ConvolveDirect(const PackedConvolution& conv, int boards,
                                   const Finish& finish) {
  OutputStepArgs args;
  args.channels = conv.out;
  args.activation = finish.activation;
  if (finish.se) {
    args.se = {finish.se->squeeze.weights.data(),
               finish.se->squeeze.bias.data(),
               finish.se->excite.weights.data(),
               finish.se->excite.bias.data(),
               finish.se->squeeze.padded_outputs,
               network_->activation,
               se_scratch_.data()};
  }
  for (int b = 0; b < boards; ++b) {
    float* board = work_.data() + work_stride_ * b;
    // The border was zeroed for another width perhaps: clear it all (a few hundred cycles of some 100,000).
    std::memset(padded_.data(), 0, sizeof(float) * 100 * conv.in);
    for (int y = 0; y < 8; ++y) {
      std::memcpy(padded_.data() + ((y + 1) * 10l + 1) * conv.in, board + y * 8l * conv.in,
                  sizeof(float) * 8 * conv.in);
    }
    kernels_.direct_conv(padded_.data(), conv.in, conv.taps.data(), conv.bias.data(), sums_.data(),
                         conv.out);
    args.skip = finish.skip ? x_.data() + 64l * conv.out * b : nullptr;
    args.x = finish.x ? finish.x + 64l * conv.out * b : board;
    kernels_.direct_output(args, sums_.data());
    if (finish.x && finish.feeds_convolution) {
      std::memcpy(board, args.x, sizeof(float) * 64 * conv.out);
    }
  }
}

// 1x1 convolution + activation of the block's x_ -> flat [board][square][plane], without padding between planes.
void NetworkRunner::HeadPlanes(const PackedDense& conv, int boards, float* flat) {
  const bool dense_rows = conv.outputs == conv.padded_outputs;
  float* planes = dense_rows ? flat : work_.data();
  Dense(conv, x_.data(), planes, 64 * boards, network_->activation);
  if (dense_rows) return;
  for (long s = 0; s < 64l * boards; ++s) {
    std::memcpy(flat + s * conv.outputs, planes + s * conv.padded_outputs,
                sizeof(float) * conv.outputs);
  }
}

void NetworkRunner::PolicyOfBlock(const DeviceBatch& in, int boards, int first,
                                  const LogitBatch& out) {
  const PackedNetwork& net = *network_;
  if (net.policy_kind != PolicyKind::kConvolution) {
    HeadPlanes(net.policy_planes, boards,
               policy_flat_.data() + 64l * net.policy_planes.outputs * first);
    return;
  }
  if (net.method == ConvolutionMethod::kDirect) {
    // HeadPlanes may have used work_.
    for (int b = 0; b < boards; ++b) {
      std::memcpy(work_.data() + work_stride_ * b, x_.data() + 64l * net.channels * b,
                  sizeof(float) * 64 * net.channels);
    }
  }
  Finish inner;
  inner.activation = net.activation;
  Convolve(net.policy_conv1, boards, inner);
  Finish last;
  last.activation = kNone;
  last.feeds_convolution = false;
  last.x = work_.data();
  Convolve(net.policy_conv2, boards, last);
  for (int b = 0; b < boards; ++b) {
    const float* board = work_.data() + 64l * net.policy_conv2.out * b;
    float* logits = out.policy_logits.data() + in.Begin(first + b);
    for (const uint16_t index : in.Indices(first + b)) *logits++ = board[net.policy_map[index]];
  }
}

void NetworkRunner::Dense(const PackedDense& dense, const float* in, float* out, int rows,
                          int activation) {
  kernels_.gemm(in, dense.inputs, dense.weights.data(), dense.bias.data(), out,
                dense.padded_outputs, rows, dense.inputs, dense.padded_outputs);
  kernels_.activate(out, static_cast<long>(rows) * dense.padded_outputs, activation);
}

void NetworkRunner::DenseHeads(const DeviceBatch& in, const LogitBatch& out) {
  const PackedNetwork& net = *network_;
  const int boards = static_cast<int>(in.size());
  if (net.policy_kind == PolicyKind::kClassical) {
    Dense(net.policy_dense, policy_flat_.data(), dense_a_.data(), boards, kNone);
    for (int b = 0; b < boards; ++b) {
      const float* all = dense_a_.data() + static_cast<size_t>(b) * net.policy_dense.padded_outputs;
      GatherLogits(in.Indices(b), {all, kPolicySize}, out.policy_logits.subspan(in.Begin(b)));
    }
  }
  const auto last_layer = [&](const PackedDenseHead& head, const float* flat) {
    // dense2 reads rows of its true input width, which may be narrower than dense1's padded output.
    Dense(head.dense1, flat, dense_a_.data(), boards, net.activation);
    kernels_.gemm(dense_a_.data(), head.dense1.padded_outputs, head.dense2.weights.data(),
                  head.dense2.bias.data(), dense_b_.data(), head.dense2.padded_outputs, boards,
                  head.dense2.inputs, head.dense2.padded_outputs);
  };
  last_layer(net.value, value_flat_.data());
  for (int b = 0; b < boards; ++b) {
    const float* value = dense_b_.data() + static_cast<long>(b) * kChannelPad;
    float* logits = out.value_logits.data() + 3l * b;
    logits[0] = net.has_wdl ? value[0] : std::tanh(value[0]);
    logits[1] = net.has_wdl ? value[1] : 0;
    logits[2] = net.has_wdl ? value[2] : 0;
  }
  if (!net.moves_left.present()) {
    std::fill_n(out.moves_left_plies.data(), boards, 0.0f);
    return;
  }
  last_layer(net.moves_left, moves_left_flat_.data());
  for (int b = 0; b < boards; ++b) {
    out.moves_left_plies[b] = std::max(0.0f, dense_b_[static_cast<size_t>(b) * kChannelPad]);
  }
}

}  // namespace plexus
