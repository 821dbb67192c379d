#pragma once
// Node and ChildSlot: what the tree is made of. Layout only; rules are in tree.h.
//
//   Node, 40 bytes                 block, made anew as children appear
//     value means and counters       ChildSlot[capacity 0, 1, 2, 3, 4, 6, 8 ...]   16 bytes each
//     block -----------------------> NetValue                                      6 bytes
//                                    a prior for each move without a child         12 bits each
//
// A node knows its own move; an edge that nobody took is a prior only, and its place among them is the move's place in
// LegalMoves of the position. A child's counters are mirrored in its parent's block, so that a descent reads a few
// adjacent lines instead of one line per child. Indices are 32 bits: nothing needs fixing up when memory moves to
// another process or file.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "chess/types.h"

namespace plexus {

using NodeIndex = uint32_t;   // of a node; 0 = none
using BlockIndex = uint32_t;  // of a block, in units of 16 bytes; 0 = none
inline constexpr NodeIndex kNoNode = 0;
inline constexpr BlockIndex kNoBlock = 0;

// Visits of a node are 32 bits. A search stops for good before they could overflow.
inline constexpr uint32_t kMaxVisits = 4'000'000'000u;
// A node has so many edges at most. (No position of a game has more than 218 moves; of one with more, the first count.)
inline constexpr int kMaxEdges = 255;

// A prior in 12 bits: 5 bits of exponent, 7 of mantissa, no sign; 1.0 is exact, below 2^-31 is 0. It is at most 0.4% off,
// less than two kinds of device differ for one network. Monotonic: a greater prior never gets a smaller code.
inline constexpr int kPriorBits = 12;
inline uint16_t EncodePrior(float p) {
  constexpr int32_t kBase = 96 << 23;  // 2^-31
  constexpr int32_t kHalf = 1 << 15;   // rounds to the nearest of the 7 bits that stay
  const float clamped = p > 0.0f ? p < 1.0f ? p : 1.0f : 0.0f;  // what is no number is 0
  return static_cast<uint16_t>(std::max(0, std::bit_cast<int32_t>(clamped) + kHalf - kBase) >> 16);
}
inline float DecodePrior(uint16_t code) {
  return code == 0 ? 0.0f : std::bit_cast<float>((static_cast<uint32_t>(code) << 16) + (96u << 23));
}

// A node's move. Until its leaf was extended for the first time nobody knows it: then it is a number among the legal
// moves of the parent, told by a bit that no move has.
class NodeMove {
 public:
  constexpr NodeMove() = default;
  constexpr explicit NodeMove(Move move) : bits_(move.bits()) {}
  static constexpr NodeMove Numbered(int number) {
    NodeMove move;
    move.bits_ = static_cast<uint16_t>(kNumber | number);
    return move;
  }
  constexpr bool is_known() const { return (bits_ & kNumber) == 0; }
  constexpr Move move() const { return Move::FromBits(bits_); }   // REQUIRES: is_known()
  constexpr int number() const { return bits_ & ~kNumber; }       // REQUIRES: !is_known()
  constexpr bool operator==(const NodeMove&) const = default;

 private:
  static constexpr uint16_t kNumber = 0x8000;
  uint16_t bits_ = 0;
};

// One visited (or in flight) child, as its parent sees it.
struct ChildSlot {
  static constexpr uint16_t kManyInFlight = 0xffff;

  NodeIndex node = kNoNode;
  uint32_t n = 0;            // mirrors of the child's own fields
  float wl = 0;              // rounded Node::wl
  uint16_t n_in_flight = 0;  // kManyInFlight: so many or more, the node knows
  uint16_t prior = 0;
  float p() const { return DecodePrior(prior); }
  void set_in_flight(uint32_t visits) {
    n_in_flight = static_cast<uint16_t>(std::min<uint32_t>(visits, kManyInFlight));
  }
};
static_assert(sizeof(ChildSlot) == 16 && std::is_trivially_copyable_v<ChildSlot>);

// What the network said of an expanded node, mover's view, in 6 bytes.
class NetValue {
 public:
  constexpr NetValue() = default;
  NetValue(float wl, float d, float m);
  float wl() const { return static_cast<float>(wl_) / 32767.0f; }
  float d() const { return static_cast<float>(d_) / 65535.0f; }
  float m() const { return static_cast<float>(m_) / 64.0f; }

 private:
  int16_t wl_ = 0;
  uint16_t d_ = 0, m_ = 0;
};
static_assert(sizeof(NetValue) == 6 && std::is_trivially_copyable_v<NetValue>);

// Why a node is not descended into.
enum class Terminal : uint8_t {
  kNone,
  kGameOver,  // mate, stalemate, material, 50 moves, threefold: the rules say so
  kTwoFold,   // first repetition inside the tree, taken for a draw; lifted when the root moves past
              // the first occurrence. Its m is the length of the cycle.
  kTablebase,
  kProven,  // its bounds met
};

struct Node {
  // Values are means over n visits as seen by the player who moved into the node (tree.h, invariant
  // 6).
  double wl = 0;             // win minus loss
  uint32_t n = 0;            // finished visits
  uint32_t n_in_flight = 0;  // visits that a gather handed out and no backup has returned yet
  BlockIndex block = kNoBlock;  // of an expanded node
  NodeIndex parent = kNoNode;
  float m = 0;           // plies left
  uint32_t d_units = 0;  // draw probability, in units of 2^-31
  NodeMove move;         // that led here
  uint16_t next_prior = 0;  // of the edge that gets the next child
  uint8_t slot = 0;         // in the parent's block
  uint8_t num_edges = 0;    // 0 also while not expanded
  uint8_t num_children = 0;
  Terminal terminal : 3 = Terminal::kNone;
  bool was_two_fold : 1 = false;  // Tree::lifted_visits tells more
  uint8_t lower_plus1 : 2 = 0;    // proven bounds + 1, mover's view: 0 loss, 1 draw, 2 win
  uint8_t upper_plus1 : 2 = 2;

  // A mean of so many bits moves as long as it matters; a float would stand still after some million visits.
  static constexpr double kUnitsOfDraw = 2147483648.0;
  double d() const { return d_units / kUnitsOfDraw; }
  void set_d(double d) {
    d_units = static_cast<uint32_t>(std::max(int64_t{0}, static_cast<int64_t>(d * kUnitsOfDraw + 0.5)));
  }
  bool is_terminal() const { return terminal != Terminal::kNone; }
  bool is_expanded() const { return num_edges > 0; }
  uint32_t n_started() const { return n + n_in_flight; }
  int lower() const { return lower_plus1 - 1; }  // -1 loss, 0 draw, 1 win
  int upper() const { return upper_plus1 - 1; }
  bool bounds_met() const { return lower_plus1 == upper_plus1; }
  void SetBounds(int lower, int upper) {
    lower_plus1 = static_cast<uint8_t>((lower + 1) & 3);
    upper_plus1 = static_cast<uint8_t>((upper + 1) & 3);
  }
};
static_assert(sizeof(Node) == 40 && std::is_trivially_copyable_v<Node>);

}  // namespace plexus
