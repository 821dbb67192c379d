#pragma once
// Options of the tree search: one field with its default and one row each.

#include <string>

#include "base/options.h"

namespace plexus {

struct SearchParams {
  // Workers and batches.
  int threads = 0;
  int minibatch_size = 0;
  int max_concurrent_searchers = 0;
  float max_out_of_order_factor = 2.4f;
  bool out_of_order_eval = true;
  int max_collision_events = 917;
  int max_collision_visits = 80000;
  int max_collision_visits_scaling_start = 28;
  int max_collision_visits_scaling_end = 145000;
  float max_collision_visits_scaling_power = 1.25f;
  int in_flight_minimum = 8;
  // Leaves are chosen without knowing each other's values, so that many in a small tree cost strength. Measured on 450
  // positions of a 32x4 network, 800 visits, 17 workers of 256, against one worker of 1 (value lost by the move played,
  // judged by 12,800 visits): 0.03-0.05 lose less than 200 fewer visits would, 0.08 and 0.15 a little more, 0.3 as much
  // as half of the visits. On eight simulated cards of 53,000/s 0.04 is no slower than 0.25.
  float in_flight_share = 0.04f;
  int nps_limit = 0;
  // Selection.
  float cpuct = 1.745f;
  float cpuct_base = 38739.0f;
  float cpuct_factor = 3.894f;
  bool root_has_own_cpuct = false;
  float cpuct_at_root = 1.745f;
  float cpuct_base_at_root = 38739.0f;
  float cpuct_factor_at_root = 3.894f;
  std::string fpu_strategy = "reduction";
  float fpu_value = 0.33f;
  std::string fpu_strategy_at_root = "same";
  float fpu_value_at_root = 1.0f;
  float draw_score = 0.0f;
  bool two_fold_draws = true;
  bool sticky_endgames = true;
  float moves_left_max_effect = 0.0345f;
  float moves_left_threshold = 0.8f;
  float moves_left_slope = 0.0027f;
  float moves_left_constant_factor = 0.0f;
  float moves_left_scaled_factor = 1.6521f;
  float moves_left_quadratic_factor = -0.6521f;
  // The move that is played.
  float temperature = 0.0f;
  int temp_decay_moves = 0;
  int temp_decay_delay_moves = 0;
  int temp_cutoff_move = 0;
  float temp_endgame = 0.0f;
  float temp_value_cutoff = 100.0f;
  float temp_visit_offset = 0.0f;
  float noise_epsilon = 0.0f;
  float noise_alpha = 0.3f;
  int seed = 0;
  // What is told.
  int multi_pv = 1;
  bool per_pv_counters = false;
  std::string score_type = "WDL_mu";
  bool verbose_move_stats = false;
  bool log_live_stats = false;
  bool lock_stats = false;
};

inline const OptionRow<SearchParams> kSearchOptions[] = {
    {&SearchParams::threads, "Threads", "threads", 0, 128,
     "search workers; 0 = as many as the backend needs to be kept busy", OptionVisibility::kNormal,
     "", 't'},
    {&SearchParams::minibatch_size, "MinibatchSize", "minibatch-size", 0, 1024,
     "positions that a worker evaluates at once; 0 = as the backend suggests"},
    {&SearchParams::max_concurrent_searchers, "MaxConcurrentSearchers", "max-concurrent-searchers",
     0, 128, "workers that may gather and extend at the same time, others sleep; 0 = no limit",
     OptionVisibility::kExpert},
    {&SearchParams::out_of_order_eval, "OutOfOrderEval", "out-of-order-eval", 0, 0,
     "gather more leaves than fit in a batch where many need no evaluation, so that batches stay "
     "full"},
    {&SearchParams::max_out_of_order_factor, "MaxOutOfOrderEvalsFactor",
     "max-out-of-order-evals-factor", 0, 100,
     "leaves that need no evaluation and known results revisited in a batch: at most this times "
     "the minibatch size",
     OptionVisibility::kExpert},
    {&SearchParams::max_collision_events, "MaxCollisionEvents", "max-collision-events", 1, 65536,
     "descents of one gather that may end at a leaf that is being evaluated",
     OptionVisibility::kExpert},
    {&SearchParams::max_collision_visits, "MaxCollisionVisits", "max-collision-visits", 1,
     100000000, "visits of one gather that may end there, in a large tree",
     OptionVisibility::kExpert},
    {&SearchParams::max_collision_visits_scaling_start, "MaxCollisionVisitsScalingStart",
     "max-collision-visits-scaling-start", 1, 100000, "tree size up to which that limit is 1",
     OptionVisibility::kExpert},
    {&SearchParams::max_collision_visits_scaling_end, "MaxCollisionVisitsScalingEnd",
     "max-collision-visits-scaling-end", 0, 100000000,
     "tree size from which it is whole; 0 = always", OptionVisibility::kExpert},
    {&SearchParams::max_collision_visits_scaling_power, "MaxCollisionVisitsScalingPower",
     "max-collision-visits-scaling-power", 0.01, 100, "form of the curve in between",
     OptionVisibility::kExpert},
    {&SearchParams::in_flight_minimum, "InFlightMinimum", "in-flight-minimum", 1, 1000000,
     "leaves of all workers that may wait for evaluation however small the tree is",
     OptionVisibility::kExpert},
    {&SearchParams::in_flight_share, "InFlightShare", "in-flight-share", 0, 1000,
     "leaves that may wait for evaluation, as a share of the visits of the tree",
     OptionVisibility::kExpert},
    {&SearchParams::nps_limit, "NodesPerSecondLimit", "nps-limit", 0, 1000000,
     "visits per second that are not exceeded; 0 = no limit", OptionVisibility::kExpert},
    {&SearchParams::cpuct, "CPuct", "cpuct", 0, 100, "exploration constant; higher looks wider"},
    {&SearchParams::cpuct_base, "CPuctBase", "cpuct-base", 1, 1000000000,
     "visits over which the exploration constant grows; higher grows later"},
    {&SearchParams::cpuct_factor, "CPuctFactor", "cpuct-factor", 0, 1000,
     "how much the exploration constant grows"},
    {&SearchParams::root_has_own_cpuct, "RootHasOwnCpuctParams", "root-has-own-cpuct-params", 0, 0,
     "use the exploration constants 'AtRoot' at the root", OptionVisibility::kExpert},
    {&SearchParams::cpuct_at_root, "CPuctAtRoot", "cpuct-at-root", 0, 100, "CPuct of the root",
     OptionVisibility::kExpert},
    {&SearchParams::cpuct_base_at_root, "CPuctBaseAtRoot", "cpuct-base-at-root", 1, 1000000000,
     "CPuctBase of the root", OptionVisibility::kExpert},
    {&SearchParams::cpuct_factor_at_root, "CPuctFactorAtRoot", "cpuct-factor-at-root", 0, 1000,
     "CPuctFactor of the root", OptionVisibility::kExpert},
    {&SearchParams::fpu_strategy, "FpuStrategy", "fpu-strategy", 0, 0,
     "value of an unvisited move: 'reduction' = the parent's minus FpuValue times the root of the "
     "visited moves' "
     "share, 'absolute' = FpuValue",
     OptionVisibility::kNormal, "reduction|absolute"},
    {&SearchParams::fpu_value, "FpuValue", "fpu-value", -100, 100,
     "first-play urgency, see FpuStrategy"},
    {&SearchParams::fpu_strategy_at_root, "FpuStrategyAtRoot", "fpu-strategy-at-root", 0, 0,
     "FpuStrategy of the root; 'same' = as below it", OptionVisibility::kExpert,
     "reduction|absolute|same"},
    {&SearchParams::fpu_value_at_root, "FpuValueAtRoot", "fpu-value-at-root", -100, 100,
     "FpuValue of the root; not used while the strategy there is 'same'",
     OptionVisibility::kExpert},
    {&SearchParams::draw_score, "DrawScore", "draw-score", -1, 1,
     "what a draw is worth to white; -1 = black wins draws"},
    {&SearchParams::two_fold_draws, "TwoFoldDraws", "two-fold-draws", 0, 0,
     "take the first repetition inside the tree for a draw"},
    {&SearchParams::sticky_endgames, "StickyEndgames", "sticky-endgames", 0, 0,
     "carry proven wins, draws and losses up the tree"},
    {&SearchParams::moves_left_max_effect, "MovesLeftMaxEffect", "moves-left-max-effect", 0, 1,
     "largest bonus of a move that shortens a win or lengthens a loss"},
    {&SearchParams::moves_left_threshold, "MovesLeftThreshold", "moves-left-threshold", 0, 1,
     "value of the position from which the bonus counts"},
    {&SearchParams::moves_left_slope, "MovesLeftSlope", "moves-left-slope", 0, 1, "bonus per ply"},
    {&SearchParams::moves_left_constant_factor, "MovesLeftConstantFactor",
     "moves-left-constant-factor", -1, 1, "scale of the bonus by the value: constant part"},
    {&SearchParams::moves_left_scaled_factor, "MovesLeftScaledFactor", "moves-left-scaled-factor",
     -2, 2, "scale of the bonus by the value: linear part"},
    {&SearchParams::moves_left_quadratic_factor, "MovesLeftQuadraticFactor",
     "moves-left-quadratic-factor", -1, 1, "scale of the bonus by the value: quadratic part"},
    {&SearchParams::temperature, "Temperature", "temperature", 0, 100,
     "randomness of the move played; 0 = always the best", OptionVisibility::kExpert},
    {&SearchParams::temp_decay_moves, "TempDecayMoves", "tempdecay-moves", 0, 640,
     "moves over which the temperature falls to that of the endgame; 0 = it does not fall",
     OptionVisibility::kExpert},
    {&SearchParams::temp_decay_delay_moves, "TempDecayDelayMoves", "tempdecay-delay-moves", 0, 100,
     "moves before it begins to fall", OptionVisibility::kExpert},
    {&SearchParams::temp_cutoff_move, "TempCutoffMove", "temp-cutoff-move", 0, 1000,
     "move from which the endgame temperature is used; 0 = never", OptionVisibility::kExpert},
    {&SearchParams::temp_endgame, "TempEndgame", "temp-endgame", 0, 100,
     "temperature of the endgame", OptionVisibility::kExpert},
    {&SearchParams::temp_value_cutoff, "TempValueCutoff", "temp-value-cutoff", 0, 100,
     "moves that are worse than the best by more than so many percent of winning chance are never "
     "played at random",
     OptionVisibility::kExpert},
    {&SearchParams::temp_visit_offset, "TempVisitOffset", "temp-visit-offset", -1000, 1000,
     "added to the visits of a move before temperature applies", OptionVisibility::kExpert},
    {&SearchParams::noise_epsilon, "DirichletNoiseEpsilon", "noise-epsilon", 0, 1,
     "share of noise in the root's priors", OptionVisibility::kExpert},
    {&SearchParams::noise_alpha, "DirichletNoiseAlpha", "noise-alpha", 0.001, 10000000,
     "concentration of that noise; lower favours few moves", OptionVisibility::kExpert},
    {&SearchParams::seed, "Seed", "seed", 0, 2147483647,
     "of noise and temperature; 0 = another one each time", OptionVisibility::kExpert},
    {&SearchParams::multi_pv, "MultiPV", "multipv", 1, 500, "lines shown"},
    {&SearchParams::per_pv_counters, "PerPVCounters", "per-pv-counters", 0, 0,
     "show in each line the visits of its own first move"},
    {&SearchParams::score_type, "ScoreType", "score-type", 0, 0, "what the shown score means",
     OptionVisibility::kNormal,
     "centipawn|centipawn_with_drawscore|centipawn_2019|centipawn_2018|win_percentage|Q|W-L|WDL_"
     "mu"},
    {&SearchParams::verbose_move_stats, "VerboseMoveStats", "verbose-move-stats", 0, 0,
     "after a search, tell about each move of the root", OptionVisibility::kNormal, "", 'v'},
    {&SearchParams::log_live_stats, "LogLiveStats", "log-live-stats", 0, 0, "the same at each info",
     OptionVisibility::kExpert},
    {&SearchParams::lock_stats, "LockStats", "lock-stats", 0, 0,
     "after a search, tell how often and how long the tree was locked", OptionVisibility::kExpert},
};

}  // namespace plexus
