#pragma once
// How a child is chosen: pure arithmetic. All values are those of the player who chooses.
//
//   score = Q + U + M
//   U = cpuct(N) * P * sqrt(max(N - 1, 1)) / (1 + n + n_in_flight)       Silver et al. 2018, with
//   cpuct(N) = cpuct + factor * ln((N + base) / base)                     its supplementary pseudocode
//
// Visits in flight count in the denominator only: no loss is pretended.

#include <cstdint>

#include "mcts/node.h"
#include "mcts/params.h"

namespace plexus {

// First-play urgency: the value that an unvisited move is thought to have.
struct Fpu {
  bool absolute = false;
  float value = 0.33f;
};

struct CpuctParams {
  float init = 1.745f, base = 38739.0f, factor = 3.894f;
};

// What a descent needs of SearchParams, worked out once a search.
struct SelectionParams {
  explicit SelectionParams(const SearchParams& params = {}, bool has_moves_left = false);

  CpuctParams cpuct, cpuct_at_root;
  Fpu fpu, fpu_at_root;
  float draw_score = 0;  // white's view
  bool moves_left_counts = false;
  float moves_left_slope = 0, moves_left_max_effect = 0, moves_left_threshold = 0;
  float moves_left_constant = 0, moves_left_scaled = 0, moves_left_quadratic = 0;
};

// `visits` of the parent, its own included.
float Cpuct(const CpuctParams& params, uint32_t visits);
// The factor of P / (1 + n + n_in_flight) in U.
float ExplorationFactor(const CpuctParams& params, uint32_t visits);

// parent_q: the parent's value for the player who moves there; visited_policy: sum of the visited moves' priors.
float FpuValue(const Fpu& fpu, float parent_q, float visited_policy);

// Bonus of a move whose position has `child_m` plies left, from a position with `parent_m`; child_q: its value.
float MovesLeftBonus(const SelectionParams& params, float child_m, float parent_m, float child_q);

// How many visits a move with value q and exploration u_numerator / (started + 1) takes until its score falls below
// `rival`; at least 1, at most `limit`.
uint32_t VisitsUntilRivalWins(float q, float u_numerator, uint32_t started, float rival,
                              uint32_t limit);

}  // namespace plexus
