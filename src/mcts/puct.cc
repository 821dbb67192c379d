#include "mcts/puct.h"

#include <algorithm>
#include <cmath>

namespace plexus {
namespace {

// ln(1 + x). A short series where it is good to 1e-5 of the result: this runs once for each node of a descent.
float LogOnePlus(float x) {
  if (x < 0.06f) return x * (1.0f - x * (0.5f - x * (1.0f / 3.0f)));
  return std::log1p(x);
}

}  // namespace

SelectionParams::SelectionParams(const SearchParams& params, bool has_moves_left)
    : cpuct{params.cpuct, params.cpuct_base, params.cpuct_factor},
      cpuct_at_root(cpuct),
      fpu{params.fpu_strategy == "absolute", params.fpu_value},
      fpu_at_root(fpu),
      draw_score(params.draw_score),
      moves_left_counts(has_moves_left && params.moves_left_max_effect > 0 &&
                        params.moves_left_slope > 0),
      moves_left_slope(params.moves_left_slope),
      moves_left_max_effect(params.moves_left_max_effect),
      moves_left_threshold(params.moves_left_threshold),
      moves_left_constant(params.moves_left_constant_factor),
      moves_left_scaled(params.moves_left_scaled_factor),
      moves_left_quadratic(params.moves_left_quadratic_factor) {
  if (params.root_has_own_cpuct) {
    cpuct_at_root = {params.cpuct_at_root, params.cpuct_base_at_root, params.cpuct_factor_at_root};
  }
  if (params.fpu_strategy_at_root != "same") {
    fpu_at_root = {params.fpu_strategy_at_root == "absolute", params.fpu_value_at_root};
  }
}

float Cpuct(const CpuctParams& params, uint32_t visits) {
  if (params.factor == 0.0f) return params.init;
  return params.init + params.factor * LogOnePlus(static_cast<float>(visits) / params.base);
}

float ExplorationFactor(const CpuctParams& params, uint32_t visits) {
  const uint32_t of_children = visits > 2 ? visits - 1 : 1;
  return Cpuct(params, visits) * std::sqrt(static_cast<float>(of_children));
}

float FpuValue(const Fpu& fpu, float parent_q, float visited_policy) {
  return fpu.absolute ? fpu.value : parent_q - fpu.value * std::sqrt(visited_policy);
}

float MovesLeftBonus(const SelectionParams& params, float child_m, float parent_m, float child_q) {
  const float size = std::fabs(child_q);
  if (child_q == 0.0f || size < params.moves_left_threshold) return 0;
  float m = std::clamp(params.moves_left_slope * (child_m - parent_m),
                       -params.moves_left_max_effect, params.moves_left_max_effect);
  if (child_q > 0) m = -m;
  const float room = 1.0f - params.moves_left_threshold;
  const float x = room > 0 ? std::min(1.0f, (size - params.moves_left_threshold) / room) : 1.0f;
  return m * (params.moves_left_constant + params.moves_left_scaled * x +
              params.moves_left_quadratic * x * x);
}

uint32_t VisitsUntilRivalWins(float q, float u_numerator, uint32_t started, float rival,
                              uint32_t limit) {
  if (limit <= 1 || rival <= q) return std::max(limit, 1u);  // its score never falls to q
  const float visits = u_numerator / (rival - q) - static_cast<float>(started);
  if (!(visits < static_cast<float>(limit))) return limit;
  return visits < 1.0f ? 1 : std::min(limit, static_cast<uint32_t>(visits));
}

}  // namespace plexus
