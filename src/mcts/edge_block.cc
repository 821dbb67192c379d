#include "mcts/edge_block.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace plexus {
namespace {

// Eight marks in a register.
using Lanes = int16_t __attribute__((vector_size(16)));

constexpr int16_t kNoMark = 0;
static_assert(kPriorBits == 12);

int16_t MarkOf(uint16_t code) { return static_cast<int16_t>(code + 1); }
uint16_t CodeOf(int16_t mark) { return static_cast<uint16_t>(mark == kNoMark ? 0 : mark - 1); }

constexpr std::array<uint8_t, kMaxEdges + 1> MakeCapacities() {
  std::array<uint8_t, kMaxEdges + 1> capacities{};
  int capacity = 0;
  for (int children = 0; children <= kMaxEdges; ++children) {
    if (children > capacity) {
      // 1, 2, 3, 4, then steps of a half and a third: 6, 8, 12, 16 ...
      const bool is_power_of_two = (capacity & (capacity - 1)) == 0;
      capacity = capacity < 4 ? capacity + 1
                              : capacity + (is_power_of_two ? capacity / 2 : capacity / 3);
    }
    capacities[static_cast<size_t>(children)] = static_cast<uint8_t>(std::min(capacity, kMaxEdges));
  }
  return capacities;
}
constexpr std::array<uint8_t, kMaxEdges + 1> kCapacities = MakeCapacities();

// Where a tail has its marks.
struct Packed {
  Packed(Granule* tail, int edges)
      : half((edges + 1) / 2), upper(tail->bytes + sizeof(NetValue)), lower(upper + edges) {}
  int half;
  uint8_t *upper, *lower;
};

// Plain loops that compilers turn into vector code.
void Pack(const int16_t* __restrict marks, int edges, const Packed& packed) {
  uint8_t* __restrict const upper = packed.upper;
  uint8_t* __restrict const lower = packed.lower;
  const int half = packed.half;
  for (int i = 0; i < edges; ++i) upper[i] = static_cast<uint8_t>(marks[i] >> 4);
  for (int i = 0; i < half; ++i) lower[i] = static_cast<uint8_t>(marks[i] & 15);
  for (int i = half; i < edges; ++i)
    lower[i - half] = static_cast<uint8_t>(lower[i - half] | (marks[i] & 15) << 4);
}

void Unpack(const Packed& packed, int edges, int16_t* __restrict marks) {
  const uint8_t* __restrict const upper = packed.upper;
  const uint8_t* __restrict const lower = packed.lower;
  const int half = packed.half;
  for (int i = 0; i < half; ++i) marks[i] = static_cast<int16_t>(upper[i] << 4 | (lower[i] & 15));
  for (int i = half; i < edges; ++i)
    marks[i] = static_cast<int16_t>(upper[i] << 4 | lower[i - half] >> 4);
}

void Erase(const Packed& packed, int number) {
  packed.upper[number] = 0;
  if (number < packed.half) {
    packed.lower[number] &= 0xf0;
  } else {
    packed.lower[number - packed.half] &= 0x0f;
  }
}

Lanes Load(const int16_t* marks) {
  Lanes lanes;
  std::memcpy(&lanes, marks, sizeof(lanes));
  return lanes;
}

Lanes Max(Lanes a, Lanes b) { return a > b ? a : b; }

}  // namespace

int ChildCapacity(int children, int edges) {
  return std::min(int{kCapacities[static_cast<size_t>(children)]}, edges);
}

NewEdges MakeEdges(std::span<const float> policy, const NetValue& net, std::span<Granule> memory) {
  const int count = static_cast<int>(policy.size());
  assert(count > 0 && count <= kMaxEdges &&
         memory.size() == static_cast<size_t>(TailGranules(count)));
  std::array<int16_t, kMaxEdges> marks;
  int16_t greatest = kNoMark;
  for (int i = 0; i < count; ++i) {
    marks[i] = MarkOf(EncodePrior(policy[i]));
    greatest = std::max(greatest, marks[i]);
  }
  memory.back() = {};
  std::memcpy(memory.data(), &net, sizeof(net));
  Pack(marks.data(), count, Packed(memory.data(), count));
  return {memory, count, CodeOf(greatest)};
}

NetValue EdgeBlock::net() const {
  NetValue net;
  std::memcpy(static_cast<void*>(&net), tail_, sizeof(net));
  return net;
}

void EdgeBlock::set_net(const NetValue& net) { std::memcpy(tail_, &net, sizeof(net)); }

void EdgeBlock::Fill(const NewEdges& edges) {
  assert(edges.count == edges_);
  for (size_t i = 0; i < edges.tail.size(); ++i) tail_[i] = edges.tail[i];
}

void EdgeBlock::CopyFrom(const EdgeBlock& smaller, int children) {
  assert(edges_ == smaller.edges_);
  for (int i = 0; i < children; ++i) slots_[i] = smaller.slots_[i];
  const int granules = TailGranules(edges_);
  for (int i = 0; i < granules; ++i) tail_[i] = smaller.tail_[i];
}

int EdgeBlock::TakeOut(uint16_t* greatest) {
  PriorQueue queue(*this);
  const int number = queue.TakeOut(*greatest);
  Erase(Packed(tail_, edges_), number);
  *greatest = queue.Greatest();
  return number;
}

void PriorQueue::Reset(const EdgeBlock& block) {
  count_ = block.edges_;
  Unpack(Packed(block.tail_, count_), count_, marks_.data());
  std::fill_n(&marks_[count_], kLanes, kNoMark);
}

uint16_t PriorQueue::Greatest() const {
  Lanes best = Load(marks_.data());
  for (int i = kLanes; i < count_; i += kLanes) best = Max(best, Load(&marks_[i]));
  best = Max(best, __builtin_shufflevector(best, best, 4, 5, 6, 7, 0, 1, 2, 3));
  best = Max(best, __builtin_shufflevector(best, best, 2, 3, 0, 1, 6, 7, 4, 5));
  best = Max(best, __builtin_shufflevector(best, best, 1, 0, 3, 2, 5, 4, 7, 6));
  return CodeOf(best[0]);
}

int PriorQueue::TakeOut(uint16_t prior) {
  static_assert(std::endian::native == std::endian::little);
  const int16_t wanted = MarkOf(prior);
  for (int i = 0; i < count_; i += kLanes) {
    const Lanes same = Load(&marks_[i]) == wanted;
    uint64_t halves[2];
    std::memcpy(halves, &same, sizeof(halves));
    if ((halves[0] | halves[1]) == 0) continue;
    const int lane = halves[0] != 0 ? std::countr_zero(halves[0]) / 16
                                    : kLanes / 2 + std::countr_zero(halves[1]) / 16;
    marks_[i + lane] = kNoMark;
    return i + lane;
  }
  assert(false);
  return 0;
}

uint16_t PriorQueue::Take() {
  const uint16_t greatest = Greatest();
  TakeOut(greatest);
  return greatest;
}

}  // namespace plexus
