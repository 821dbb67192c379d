#include "search/time_manager.h"

#include <algorithm>
#include <cmath>

namespace plexus {
namespace {

constexpr int64_t kLongestClockMs = 1'000'000'000'000;  // 31 years: keeps sums far from overflow
constexpr double kMostMovesPlanned =
    50;  // further periods of a tournament clock are planned when they come near
constexpr double kPonderBonus =
    1.25;                         // a hit, about every second move, gives the opponent's time back
constexpr double kExtension = 3;  // maximum / target, where the clock allows it
constexpr double kStarvedExtension = 1.25;
constexpr double kCloseRatio = 0.75;  // second / best visits from which a choice counts as open
constexpr double kOpenChoiceFactor = 1.75;  // and gets so much of the target

// Moves that a game without a move count may still last: 46 at its start, falling to 30 in long
// games.
double MovesExpected(int game_ply) {
  const double x = std::max(0, game_ply) / 100.0;
  return 30 + 16 / (1 + x * x);
}

}  // namespace

bool PlaysOnClock(const SearchLimits& limits) {
  return (limits.time_ms[0] || limits.time_ms[1]) && !limits.movetime_ms && !limits.infinite;
}

TimeBudget Budget(const SearchLimits& limits, Color side, int game_ply, const StopParams& params) {
  // A GUI that forgets our clock has most likely sent the other one of the same time control.
  const int own = limits.time_ms[Index(side)] ? Index(side) : Index(~side);
  const int64_t clock = std::min(limits.time_ms[own].value_or(0), kLongestClockMs);
  if (clock <= 2) return {1, 1};
  const double increment =
      static_cast<double>(std::clamp<int64_t>(limits.increment_ms[own], 0, kLongestClockMs));
  const double overhead =
      static_cast<double>(std::min<int64_t>(params.move_overhead_ms, clock / 2));
  const double usable = static_cast<double>(clock) - overhead;
  const double moves = limits.moves_to_go
                           ? std::clamp<double>(*limits.moves_to_go, 1, kMostMovesPlanned)
                           : MovesExpected(game_ply);

  // What all planned moves may use together. The overheads to come are kept back. If they would eat
  // the clock, a quarter of an even share and hardly any extension is left: that lasts for the rest
  // of a game of 300 moves in which each loses 10 ms on the way (time_manager_test plays them).
  const double planned = usable + (increment - params.move_overhead_ms) * (moves - 1);
  const bool is_starved = planned < usable / 4;
  const double pool = is_starved ? usable / 4 : planned;
  const double target = pool / moves * params.slowmover * (params.ponder ? kPonderBonus : 1);
  // The share of the clock that one move may take: little in sudden death, more if it comes back as
  // increment or if few moves are left to the control.
  double share = 0.2 + 0.5 * std::min(1.0, increment / usable);
  if (limits.moves_to_go) share = std::max(share, std::min(0.9, 1.2 / moves));

  const double maximum =
      std::min(target * (is_starved ? kStarvedExtension : kExtension), usable * share);
  TimeBudget budget;
  budget.maximum_ms = std::max<int64_t>(1, static_cast<int64_t>(maximum));
  budget.target_ms = std::clamp<int64_t>(static_cast<int64_t>(target), 1, budget.maximum_ms);
  return budget;
}

bool ClockStopper::ShouldStop(const SearchStats& stats, StopperHints* hints) {
  if (stats.elapsed_ms >= deadline_ms_ && deadline_ms_ == budget_.target_ms) {
    deadline_ms_ =
        std::max(budget_.target_ms,
                 std::min(budget_.maximum_ms,
                          static_cast<int64_t>(std::llround(static_cast<double>(budget_.target_ms) *
                                                            kOpenChoiceFactor))));
  }
  hints->remaining_ms =
      std::min(hints->remaining_ms, std::max<int64_t>(0, deadline_ms_ - stats.elapsed_ms));
  if (stats.elapsed_ms < budget_.target_ms) return false;
  const bool is_open =
      stats.second_visits > 0 && static_cast<double>(stats.second_visits) >=
                                     kCloseRatio * static_cast<double>(stats.best_visits);
  return !is_open || stats.elapsed_ms >= deadline_ms_;
}

}  // namespace plexus
