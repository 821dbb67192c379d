#pragma once
// Planes -> logits on one thread. Boards go depth-first through the whole network in blocks whose intermediate values
// stay in the second-level cache; nothing is allocated after construction.

#include <memory>
#include <span>

#include "backend/cpu/aligned_buffer.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/packed_network.h"
#include "net/device.h"

namespace plexus {

class NetworkRunner {
 public:
  // kernels outlives the runner. Owned and used by one thread; the network is shared.
  NetworkRunner(const CpuKernels& kernels, std::shared_ptr<const PackedNetwork> network);
  // Any number of positions >= 1. A position's result does not depend on the others.
  void Run(const DeviceBatch& in, const LogitBatch& out);
  // Boards that go through the network together.
  int block_boards() const { return block_boards_; }

 private:
  // What follows a convolution. The result is the next convolution's input; `x` keeps it as activations too.
  struct Finish {
    int activation = 0;
    const PackedSe* se = nullptr;
    bool skip = false;   // add x_ before the activation
    float* x = nullptr;  // null: not needed as activations by anyone
    bool feeds_convolution = true;
  };

  // Positions first.. of a chunk `in`; `out` is the chunk's too.
  void RunBlock(const DeviceBatch& in, int first, int boards, const LogitBatch& out);
  // Planes -> x_ and the input of the first convolution of the body.
  void InputStep(std::span<const InputPlanes> input, bool feeds_convolution);
  // The first tile row of a board in element 0 of V.
  void* BoardInV(int board, int channels);
  void Convolve(const PackedConvolution& conv, int boards, const Finish& finish);
  void ConvolveDirect(const PackedConvolution& conv, int boards, const Finish& finish);
  void FinishWinograd(const PackedConvolution& conv, int boards, const Finish& finish);
  void HeadPlanes(const PackedDense& conv, int boards, float* flat);
  void PolicyOfBlock(const DeviceBatch& in, int boards, int first, const LogitBatch& out);
  // [rows][dense.inputs] -> [rows][dense.padded_outputs]
  void Dense(const PackedDense& dense, const float* in, float* out, int rows, int activation);
  void DenseHeads(const DeviceBatch& in, const LogitBatch& out);

  const CpuKernels& kernels_;
  const std::shared_ptr<const PackedNetwork> network_;
  int block_boards_;
  // Scratch of a block.
  AlignedBuffer x_;     // [board][64][channels]: activations that a skip or a head reads
  AlignedBuffer work_;  // a board each work_stride_: direct path's activations, head planes
  long work_stride_ = 0;
  AlignedBuffer v_, m_;          // Winograd domain
  AlignedBuffer padded_, sums_;  // one board: direct path, input convolution
  AlignedBuffer se_scratch_;
  long v_stride_ = 0;  // floats between elements of v_ as the last step wrote it
  // Input of the dense layers, for a chunk of boards.
  AlignedBuffer value_flat_, moves_left_flat_, policy_flat_;
  AlignedBuffer dense_a_, dense_b_;
};

}  // namespace plexus
