#pragma once
// Node, Edge and ChildSlot: what the tree is made of. Layout only; rules are in tree.h.
//
//   Node, 64 bytes, one cache line      edge block            child block, grows as children appear
//     value means and counters            Edge[num_edges]       ChildSlot[capacity 1, 2, 4, 8 ...]
//     edges ----------------------------> 4 bytes each          16 bytes each
//     children ---------------------------------------------->  {node, n, n_in_flight, wl}
//
// A child's counters are mirrored in its parent's child block, so that a descent reads a few
// adjacent lines instead of one line per child. Indices are 32 bits: nothing needs fixing up when
// memory moves to another process or file.

#include <bit>
#include <cstdint>
#include <type_traits>

#include "chess/types.h"

namespace plexus {

using NodeIndex = uint32_t;   // of a node; 0 = none
using BlockIndex = uint32_t;  // of a block of edges or child slots, in units of 16 bytes; 0 = none
inline constexpr NodeIndex kNoNode = 0;
inline constexpr BlockIndex kNoBlock = 0;

// Visits of a node are 32 bits. A search stops for good before they could overflow.
inline constexpr uint32_t kMaxVisits = 4'000'000'000u;

// A prior in 16 bits: 5 bits of exponent, 11 of mantissa, no sign; 1.0 is exact, below 2^-31 is 0.
// Monotonic: a greater prior never gets a smaller code.
uint16_t EncodePrior(float p);
inline float DecodePrior(uint16_t code) {
  return code == 0 ? 0.0f : std::bit_cast<float>((static_cast<uint32_t>(code) << 12) + (96u << 23));
}

struct Edge {
  uint16_t move_bits = 0;
  uint16_t prior = 0;
  Move move() const { return Move::FromBits(move_bits); }
  float p() const { return DecodePrior(prior); }
};
static_assert(sizeof(Edge) == 4 && std::is_trivially_copyable_v<Edge>);

// One visited (or in flight) child, as its parent sees it: a mirror of the child's own fields.
struct ChildSlot {
  NodeIndex node = kNoNode;
  uint32_t n = 0;
  uint32_t n_in_flight = 0;
  float wl = 0;  // rounded Node::wl
};
static_assert(sizeof(ChildSlot) == 16 && std::is_trivially_copyable_v<ChildSlot>);

// Why a node is not descended into.
enum class Terminal : uint8_t {
  kNone,
  kGameOver,  // mate, stalemate, material, 50 moves, threefold: the rules say so
  kTwoFold,   // first repetition inside the tree, taken for a draw; lifted when the root moves past
              // the first occurrence
  kTablebase,
  kProven,  // its bounds met
};

struct Node {
  // Values are means over n visits as seen by the player who moved into the node (tree.h, invariant
  // 6).
  double wl = 0;             // win minus loss
  double d = 0;              // draw probability
  float m = 0;               // plies left
  uint32_t n = 0;            // finished visits
  uint32_t n_in_flight = 0;  // visits that a gather handed out and no backup has returned yet
  BlockIndex edges = kNoBlock;
  BlockIndex children = kNoBlock;
  NodeIndex parent = kNoNode;
  uint16_t edge_in_parent = 0;
  uint16_t num_edges = 0;     // 0 also while not expanded
  uint16_t num_children = 0;  // slots in use: children are a prefix of the edges
  uint8_t child_capacity_log2 = 0;
  Terminal terminal : 4 = Terminal::kNone;
  uint8_t lower_plus1 : 2 = 0;  // proven bounds + 1, mover's view: 0 loss, 1 draw, 2 win
  uint8_t upper_plus1 : 2 = 2;
  float net_wl = 0, net_d = 0, net_m = 0;  // what the network said (or the rules), mover's view
  uint32_t lifted_visits =
      0;  // visits from when it was a two-fold draw; they still count, as draws

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
  uint32_t child_capacity() const { return children == kNoBlock ? 0 : 1u << child_capacity_log2; }
};
static_assert(sizeof(Node) == 64 && std::is_trivially_copyable_v<Node>);

}  // namespace plexus
