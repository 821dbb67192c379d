#include "backend/cpu/network_runner.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace plexus {
namespace {

constexpr int kPaddedInput = PadChannels(kInputPlanes);
// Boards whose dense layers run together: their weights (1 MB for 2048 -> 128) are read once a chunk.
constexpr int kChunkBoards = 96;
// A block's V, M and activations should fill about half of a second-level cache of 1 MB; the weights stream by.
constexpr size_t kBlockBytes = size_t{640} << 10;
constexpr int kNone = 3;  // Activation::kNone

int WidestLayer(const PackedNetwork& network) {
  return std::max({kPaddedInput, network.channels, network.policy_conv1.out,
                   network.policy_conv2.out, network.policy_planes.padded_outputs,
                   network.value.conv.padded_outputs, network.moves_left.conv.padded_outputs});
}

int BlockBoards(const PackedNetwork& network) {
  const size_t bytes_per_board =
      sizeof(float) * network.channels * (2 * kWinogradElements * kTilesPerBoard + 64);
  // Below 6 boards a wide network reads its transformed weights too often from the outer caches.
  return std::clamp(static_cast<int>(kBlockBytes / bytes_per_board), 6, 24);
}

// Padding between elements of V and M: without it they are a power of two apart and fight for the same cache sets.
long ElementStride(int boards, int channels) {
  return static_cast<long>(kTilesPerBoard) * boards * channels + 16;
}

}  // namespace

NetworkRunner::NetworkRunner(const CpuKernels& kernels,
                             std::shared_ptr<const PackedNetwork> network)
    : kernels_(kernels), network_(std::move(network)), block_boards_(BlockBoards(*network_)) {
  const PackedNetwork& net = *network_;
  const int widest = WidestLayer(net);
  work_stride_ = 64l * widest;
  x_ = AlignedBuffer(64 * static_cast<size_t>(net.channels) * block_boards_);
  work_ = AlignedBuffer(static_cast<size_t>(work_stride_) * block_boards_);
  if (net.winograd) {
    v_ = AlignedBuffer(ElementStride(block_boards_, widest) * kWinogradElements);
    m_ = AlignedBuffer(ElementStride(block_boards_, widest) * kWinogradElements);
  } else {
    padded_ = AlignedBuffer(100 * static_cast<size_t>(widest));
    sums_ = AlignedBuffer(work_stride_);
  }
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

void NetworkRunner::Run(std::span<const InputPlanes> input, const LogitBatch& out) {
  for (size_t begin = 0; begin < input.size(); begin += kChunkBoards) {
    const int chunk = static_cast<int>(std::min<size_t>(kChunkBoards, input.size() - begin));
    LogitBatch rows;
    rows.policy_logits = out.policy_logits.subspan(begin * kPolicySize);
    rows.value_logits = out.value_logits.subspan(begin * 3);
    rows.moves_left_plies = out.moves_left_plies.subspan(begin);
    // Blocks of even size: 20 boards as 7 + 7 + 6 rather than 8 + 8 + 4.
    const int blocks = (chunk + block_boards_ - 1) / block_boards_;
    for (int i = 0; i < blocks; ++i) {
      const int first = chunk * i / blocks, last = chunk * (i + 1) / blocks;
      RunBlock(input.subspan(begin + first, last - first), first, rows);
    }
    DenseHeads(chunk, rows);
  }
}

void NetworkRunner::Expand(std::span<const InputPlanes> input) {
  for (size_t b = 0; b < input.size(); ++b) {
    float* board = work_.data() + static_cast<long>(b) * work_stride_;
    std::memset(board, 0, sizeof(float) * 64 * kPaddedInput);
    for (int p = 0; p < kInputPlanes; ++p) {
      for (uint64_t mask = input[b].mask[p]; mask; mask &= mask - 1) {
        board[std::countr_zero(mask) * kPaddedInput + p] = input[b].value[p];
      }
    }
  }
}

void NetworkRunner::RunBlock(std::span<const InputPlanes> input, int first, const LogitBatch& out) {
  const PackedNetwork& net = *network_;
  const int boards = static_cast<int>(input.size());
  Expand(input);
  if (net.winograd) {
    v_stride_ = ElementStride(boards, kPaddedInput);
    for (int b = 0; b < boards; ++b) {
      kernels_.winograd_input(work_.data() + work_stride_ * b, kPaddedInput,
                              v_.data() + static_cast<long>(kTilesPerBoard) * b * kPaddedInput,
                              v_stride_);
    }
  }
  const bool policy_convolution = net.policy_kind == PolicyKind::kConvolution;
  Finish finish;
  finish.activation = net.activation;
  finish.x = x_.data();
  finish.feeds_convolution = !net.residual.empty() || policy_convolution;
  Convolve(net.input, boards, finish);
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
  PolicyOfBlock(boards, first, out);
}

void NetworkRunner::Convolve(const PackedConvolution& conv, int boards, const Finish& finish) {
  if (!network_->winograd) return ConvolveDirect(conv, boards, finish);
  const long m_stride = ElementStride(boards, conv.out);
  kernels_.winograd_gemm(v_.data(), v_stride_, conv.winograd.data(), m_.data(), m_stride,
                         static_cast<long>(kTilesPerBoard) * boards, conv.in, conv.out);
  FinishWinograd(conv, boards, finish);
}

void NetworkRunner::FinishWinograd(const PackedConvolution& conv, int boards,
                                   const Finish& finish) {
  const long m_stride = ElementStride(boards, conv.out);
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
    const long rows = static_cast<long>(kTilesPerBoard) * b * conv.out;
    args.m = m_.data() + rows;
    args.v = finish.feeds_convolution ? v_.data() + rows : nullptr;
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

void NetworkRunner::PolicyOfBlock(int boards, int first, const LogitBatch& out) {
  const PackedNetwork& net = *network_;
  if (net.policy_kind != PolicyKind::kConvolution) {
    HeadPlanes(net.policy_planes, boards,
               policy_flat_.data() + 64l * net.policy_planes.outputs * first);
    return;
  }
  if (!net.winograd) {
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
    float* logits = out.policy_logits.data() + static_cast<size_t>(first + b) * kPolicySize;
    for (int i = 0; i < kPolicySize; ++i) logits[i] = board[net.policy_map[i]];
  }
}

void NetworkRunner::Dense(const PackedDense& dense, const float* in, float* out, int rows,
                          int activation) {
  kernels_.gemm(in, dense.inputs, dense.weights.data(), dense.bias.data(), out,
                dense.padded_outputs, rows, dense.inputs, dense.padded_outputs);
  kernels_.activate(out, static_cast<long>(rows) * dense.padded_outputs, activation);
}

void NetworkRunner::DenseHeads(int boards, const LogitBatch& out) {
  const PackedNetwork& net = *network_;
  if (net.policy_kind == PolicyKind::kClassical) {
    Dense(net.policy_dense, policy_flat_.data(), dense_a_.data(), boards, kNone);
    for (int b = 0; b < boards; ++b) {
      std::memcpy(out.policy_logits.data() + static_cast<size_t>(b) * kPolicySize,
                  dense_a_.data() + static_cast<size_t>(b) * net.policy_dense.padded_outputs,
                  sizeof(float) * kPolicySize);
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
