#pragma once
// Everything that the user can say about when a search stops.

#include "base/options.h"

namespace plexus {

struct StopParams {
  int move_overhead_ms = 100;  // lost between the clock of the GUI and ours, for each move
  float slowmover = 1.0f;      // scales the time of a move; the hard limits stay
  bool ponder = false;  // the GUI lets us think on the opponent's time: spend a little more of ours
  bool analyse_mode = false;  // no early stop: all the time or all the nodes that were asked for
  float smart_pruning_factor = 1.33f;  // 0 = off
  int smart_pruning_minimum_batches = 4;
  float minimum_kld_gain = 0.0f;  // per node; 0 = off
  int kld_gain_interval = 100;    // nodes between two looks at the distribution
  int ram_limit_mb = 0;           // of the whole process; 0 = a share of the memory of this machine
  bool nodes_as_playouts = false;
};

inline const OptionRow<StopParams> kStopOptions[] = {
    {&StopParams::move_overhead_ms, "Move Overhead", "move-overhead", 0, 100000,
     "milliseconds lost for each move on the way between the GUI's clock and the engine",
     OptionVisibility::kNormal, "", 0, "MoveOverheadMs"},
    {&StopParams::ponder, "Ponder", "ponder", 0, 0,
     "the GUI makes the engine think on the opponent's time; the engine then spends its own a "
     "little faster"},
    {&StopParams::analyse_mode, "UCI_AnalyseMode", "analyse-mode", 0, 0,
     "analysis: 'go movetime' and 'go nodes' are used in full, no move is cut off as hopeless"},
    {&StopParams::slowmover, "Slowmover", "slowmover", 0.1, 10,
     "scales the time of a move in games on the clock; higher thinks longer early",
     OptionVisibility::kExpert},
    {&StopParams::smart_pruning_factor, "SmartPruningFactor", "smart-pruning-factor", 0, 10,
     "in games on the clock, stop once the second move cannot catch up with what is left, divided "
     "by this; 0 = never"},
    {&StopParams::smart_pruning_minimum_batches, "SmartPruningMinimumBatches",
     "smart-pruning-minimum-batches", 0, 10000,
     "batches that a search does before it may stop early", OptionVisibility::kExpert},
    {&StopParams::minimum_kld_gain, "MinimumKLDGainPerNode", "minimum-kldgain-per-node", 0, 1,
     "stop when a visit changes the distribution of root visits by less than this; 0 = never",
     OptionVisibility::kExpert},
    {&StopParams::kld_gain_interval, "KLDGainAverageInterval", "kldgain-average-interval", 1,
     10000000, "nodes over which that change is averaged", OptionVisibility::kExpert},
    {&StopParams::ram_limit_mb, "RamLimitMb", "ramlimit-mb", 0, 100000000,
     "memory of the process at which a search stops growing its tree, in MiB; 0 = two thirds of "
     "this machine's"},
    {&StopParams::nodes_as_playouts, "NodesAsPlayouts", "nodes-as-playouts", 0, 0,
     "'go nodes' counts only new visits, not those kept from the search before",
     OptionVisibility::kExpert},
};

}  // namespace plexus
