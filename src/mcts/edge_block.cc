#include "mcts/edge_block.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

namespace plexus {
namespace {

// Eight marks in a register.
using Lanes = int16_t __attribute__((vector_size(16)));

constexpr int kLanes = sizeof(Marks) / sizeof(int16_t);
constexpr int kNetLanes = sizeof(NetValue) / sizeof(int16_t);
constexpr int kFirstCode = -32767;  // mark of code 0

int16_t MarkOf(uint16_t code) { return static_cast<int16_t>(code + kFirstCode); }
uint16_t CodeOf(int16_t mark) {
  return static_cast<uint16_t>(mark == kNoMark ? 0 : mark - kFirstCode);
}

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
    capacities[static_cast<size_t>(children)] =
        static_cast<uint8_t>(std::min(capacity, kMaxEdges));
  }
  return capacities;
}
constexpr std::array<uint8_t, kMaxEdges + 1> kCapacities = MakeCapacities();

Lanes Load(const Marks& marks) {
  Lanes lanes;
  std::memcpy(&lanes, &marks, sizeof(lanes));
  return lanes;
}

// The first granule of a tail without the net value.
Lanes WithoutNet(Lanes first) {
  static_assert(kNetLanes == 3 && kLanes == 8);
  const Lanes is_mark = {0, 0, 0, -1, -1, -1, -1, -1};
  const Lanes none = {kNoMark, kNoMark, kNoMark, 0, 0, 0, 0, 0};
  return (first & is_mark) | none;
}

Lanes Max(Lanes a, Lanes b) { return a > b ? a : b; }

// The greatest of `first` and of `count` granules.
int16_t GreatestMark(Lanes first, const Marks* rest, int count) {
  for (int i = 0; i < count; ++i) first = Max(first, Load(rest[i]));
  first = Max(first, __builtin_shufflevector(first, first, 4, 5, 6, 7, 0, 1, 2, 3));
  first = Max(first, __builtin_shufflevector(first, first, 2, 3, 0, 1, 6, 7, 4, 5));
  first = Max(first, __builtin_shufflevector(first, first, 1, 0, 3, 2, 5, 4, 7, 6));
  return first[0];
}

// Index of the first lane that is `wanted`, or -1.
int FindLane(Lanes lanes, int16_t wanted) {
  static_assert(std::endian::native == std::endian::little);
  const Lanes same = lanes == wanted;
  uint64_t halves[2];
  std::memcpy(halves, &same, sizeof(halves));
  if (halves[0] != 0) return std::countr_zero(halves[0]) / 16;
  return halves[1] != 0 ? 4 + std::countr_zero(halves[1]) / 16 : -1;
}

}  // namespace

int ChildCapacity(int children, int edges) {
  return std::min(int{kCapacities[static_cast<size_t>(children)]}, edges);
}

NewEdges MakeEdges(std::span<const float> policy, const NetValue& net, std::span<Marks> memory) {
  const int count = static_cast<int>(policy.size());
  assert(count > 0 && count <= kMaxEdges && memory.size() == size_t(TailGranules(count)));
  std::ranges::fill(memory.back().lane, kNoMark);
  int16_t* const marks = memory.data()->lane + kNetLanes;
  for (int i = 0; i < count; ++i) marks[i] = MarkOf(EncodePrior(policy[static_cast<size_t>(i)]));
  std::memcpy(memory.data(), &net, sizeof(net));
  const int16_t greatest =
      GreatestMark(WithoutNet(Load(memory[0])), memory.data() + 1, static_cast<int>(memory.size()) - 1);
  return {memory, count, CodeOf(greatest)};
}

NetValue EdgeBlock::net() const {
  NetValue net;
  std::memcpy(static_cast<void*>(&net), tail_, sizeof(net));
  return net;
}

void EdgeBlock::set_net(const NetValue& net) { std::memcpy(tail_, &net, sizeof(net)); }

void EdgeBlock::Fill(const NewEdges& edges) {
  assert(edges.tail.size() == static_cast<size_t>(granules_));
  for (int i = 0; i < granules_; ++i) tail_[i] = edges.tail[static_cast<size_t>(i)];
}

void EdgeBlock::CopyFrom(const EdgeBlock& smaller, int children) {
  assert(granules_ == smaller.granules_);
  for (int i = 0; i < children; ++i) slots_[i] = smaller.slots_[i];
  for (int i = 0; i < granules_; ++i) tail_[i] = smaller.tail_[i];
}

int EdgeBlock::TakeOut(uint16_t greatest) {
  const int16_t wanted = MarkOf(greatest);
  int granule = 0;
  int lane = FindLane(WithoutNet(Load(tail_[0])), wanted);
  while (lane < 0) {
    ++granule;
    assert(granule < granules_);
    lane = FindLane(Load(tail_[granule]), wanted);
  }
  tail_[granule].lane[lane] = kNoMark;
  return granule * kLanes + lane - kNetLanes;
}

uint16_t EdgeBlock::Greatest() const {
  return CodeOf(GreatestMark(WithoutNet(Load(tail_[0])), tail_ + 1, granules_ - 1));
}

void PriorQueue::Reset(const EdgeBlock& block) {
  const std::span<const Marks> tail = block.tail();
  granules_ = static_cast<int>(tail.size());
  std::copy(tail.begin(), tail.end(), marks_.begin());
  std::fill_n(marks_[0].lane, kNetLanes, kNoMark);
}

uint16_t PriorQueue::Take() {
  const int16_t mark = GreatestMark(Load(marks_[0]), &marks_[1], granules_ - 1);
  assert(mark != kNoMark);
  for (int i = 0; i < granules_; ++i) {
    Marks& marks = marks_[static_cast<size_t>(i)];
    const int lane = FindLane(Load(marks), mark);
    if (lane < 0) continue;
    marks.lane[lane] = kNoMark;
    break;
  }
  return CodeOf(mark);
}

}  // namespace plexus
