#include "search/stopper_chain.h"

#include <gtest/gtest.h>

#include <limits>
#include <set>
#include <string>

namespace plexus {
namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::max();

// What a search in full swing looks like: a clear best move, one visit a millisecond.
SearchStats Running(int64_t ms) {
  SearchStats stats;
  stats.elapsed_ms = ms;
  stats.nodes = stats.playouts = ms;
  stats.minibatches = ms / 10;
  stats.average_depth = 5;
  stats.max_depth = 9;
  stats.tree_bytes = ms * 100;
  stats.best_visits = ms / 2;
  stats.second_visits = ms / 4;
  stats.root_moves = 20;
  return stats;
}
SearchStats Proven(SearchStats stats) {
  stats.root_is_proven = true;
  return stats;
}
SearchStats OneMove(SearchStats stats) {
  stats.root_moves = 1;
  stats.second_visits = 0;
  return stats;
}

bool Stops(StopperChain& chain, const SearchStats& stats) {
  StopperHints hints;
  return chain.ShouldStop(stats, &hints);
}

SearchLimits Clock(int64_t ms) {
  SearchLimits limits;
  limits.time_ms[0] = limits.time_ms[1] = ms;
  return limits;
}
SearchLimits Movetime(int64_t ms) {
  SearchLimits limits;
  limits.movetime_ms = ms;
  return limits;
}
SearchLimits Nodes(int64_t nodes) {
  SearchLimits limits;
  limits.nodes = nodes;
  return limits;
}
SearchLimits Infinite() {
  SearchLimits limits;
  limits.infinite = true;
  return limits;
}

TEST(StopperChain, ZeroNodesAndZeroDepthStopBeforeAnyBatch) {
  StopperChain nodes(Nodes(0), StopParams(), RootFacts());
  EXPECT_TRUE(Stops(nodes, SearchStats()));
  EXPECT_EQ(nodes.reason(), "nodes");
  SearchLimits limits;
  limits.depth = 0;
  StopperChain depth(limits, StopParams(), RootFacts());
  EXPECT_TRUE(Stops(depth, SearchStats()));
  EXPECT_TRUE(depth.MayAnswer());
}

TEST(StopperChain, OnceStoppedItStaysStopped) {
  StopperChain chain(Nodes(100), StopParams(), RootFacts());
  EXPECT_TRUE(Stops(chain, Running(100)));
  EXPECT_TRUE(Stops(chain, Running(1)));
  EXPECT_EQ(chain.NextDeadlineMs(), kNever);
}

TEST(StopperChain, TheFirstOfSeveralOrdersEndsTheSearch) {
  SearchLimits limits = Movetime(1000);
  limits.nodes = 500;
  StopperChain chain(limits, StopParams(), RootFacts());
  EXPECT_FALSE(Stops(chain, Running(499)));
  EXPECT_TRUE(Stops(chain, Running(500)));
  EXPECT_EQ(chain.reason(), "nodes");
}

TEST(StopperChain, HintsAreTheLeastOfAllStoppers) {
  SearchLimits limits = Movetime(1000);
  limits.nodes = 5000;
  StopParams params;
  params.move_overhead_ms = 0;
  StopperChain chain(limits, params, RootFacts());
  StopperHints hints;
  hints.remaining_ms = 3;  // stale from the question before
  chain.ShouldStop(Running(100), &hints);
  EXPECT_EQ(hints.remaining_ms, 900);
  EXPECT_EQ(hints.remaining_playouts, 4900);
}

TEST(StopperChain, TheWatchdogIsAskedToComeBackAtTheDeadline) {
  StopParams params;
  params.move_overhead_ms = 0;
  StopperChain movetime(Movetime(1000), params, RootFacts());
  EXPECT_EQ(movetime.NextDeadlineMs(), 1000);
  StopperChain nodes(Nodes(10), params, RootFacts());
  EXPECT_EQ(nodes.NextDeadlineMs(), kNever);
  StopperChain infinite(Infinite(), params, RootFacts());
  EXPECT_EQ(infinite.NextDeadlineMs(), kNever);
  StopperChain clock(Clock(60000), params, RootFacts());
  EXPECT_GT(clock.NextDeadlineMs(), 100);
  EXPECT_LT(clock.NextDeadlineMs(), 6000);
}

// A search in which no batch ever ends still has to stop: only time passes.
TEST(StopperChain, AClockEndsASearchThatGetsNoVisits) {
  StopperChain chain(Clock(1000), StopParams(), RootFacts());
  SearchStats stats;
  stats.root_moves = 20;
  stats.elapsed_ms = chain.NextDeadlineMs();
  EXPECT_TRUE(Stops(chain, stats));
}

TEST(StopperChain, InfiniteIsEndedByNothingButTheMemoryLimit) {
  StopParams params;
  params.ram_limit_mb = 1;
  StopperChain chain(Infinite(), params, RootFacts());
  EXPECT_FALSE(Stops(chain, OneMove(Proven(Running(1000)))));
  EXPECT_FALSE(chain.MayAnswer());
  SearchStats stats = Running(1000000);
  stats.tree_bytes = 2 << 20;
  EXPECT_TRUE(Stops(chain, stats));
  EXPECT_EQ(chain.reason(), "memory limit");
  EXPECT_NE(chain.explanation().find("RamLimitMb"), std::string::npos);
  EXPECT_FALSE(chain.MayAnswer()) << "it idles until stop";
}

TEST(StopperChain, PonderingObeysNoLimitUntilThePonderHit) {
  SearchLimits limits = Movetime(100);
  limits.ponder = true;
  StopParams params;
  params.move_overhead_ms = 0;
  StopperChain chain(limits, params, RootFacts());
  EXPECT_FALSE(Stops(chain, Proven(Running(100000))));
  EXPECT_FALSE(chain.MayAnswer());
  EXPECT_EQ(chain.NextDeadlineMs(), kNever);
  chain.PonderHit();
  EXPECT_TRUE(chain.MayAnswer());
  EXPECT_EQ(chain.NextDeadlineMs(), 100);
  EXPECT_FALSE(Stops(chain, Running(99)));
  EXPECT_TRUE(Stops(chain, Running(100)));
}

TEST(StopperChain, AfterThePonderHitTheVisitsOfPonderingCountForGoNodes) {
  SearchLimits limits = Nodes(100);
  limits.ponder = true;
  StopperChain chain(limits, StopParams(), RootFacts());
  SearchStats stats = Running(5000);
  EXPECT_FALSE(Stops(chain, stats));
  chain.PonderHit();
  stats.elapsed_ms = 0;
  EXPECT_TRUE(Stops(chain, stats));
}

TEST(StopperChain, PonderWithInfiniteStillWaitsForStopAfterTheHit) {
  SearchLimits limits = Infinite();
  limits.ponder = true;
  StopperChain chain(limits, StopParams(), RootFacts());
  chain.PonderHit();
  EXPECT_FALSE(chain.MayAnswer());
}

TEST(StopperChain, AStrayPonderHitChangesNothing) {
  StopperChain chain(Nodes(100), StopParams(), RootFacts());
  EXPECT_TRUE(Stops(chain, Running(100)));
  chain.PonderHit();
  EXPECT_TRUE(Stops(chain, Running(1)));
}

TEST(StopperChain, AProvenRootEndsEveryFiniteOrder) {
  SearchLimits depth, mate;
  depth.depth = 40;
  mate.mate = 5;
  for (const SearchLimits& limits : {Clock(60000), Movetime(60000), Nodes(1000000), depth, mate}) {
    StopperChain chain(limits, StopParams(), RootFacts());
    EXPECT_TRUE(Stops(chain, Proven(Running(200))));
    EXPECT_EQ(chain.reason(), "proven");
  }
}

TEST(StopperChain, OneLegalMoveIsPlayedAtOnceOnTheClockButOrdersAreUsedInFull) {
  StopperChain clock(Clock(60000), StopParams(), RootFacts());
  EXPECT_TRUE(Stops(clock, OneMove(Running(20))));
  EXPECT_EQ(clock.reason(), "only one move");
  StopperChain nodes(Nodes(500), StopParams(), RootFacts());
  EXPECT_FALSE(Stops(nodes, OneMove(Running(499))));
  StopperChain movetime(Movetime(1000), StopParams(), RootFacts());
  EXPECT_FALSE(Stops(movetime, OneMove(Running(500))));
}

TEST(StopperChain, SmartPruningStopsGamesOnTheClockOnly) {
  SearchStats stats = Running(1000);
  stats.best_visits = 950;
  stats.second_visits = 5;
  StopperChain clock(Clock(60000), StopParams(), RootFacts());
  EXPECT_TRUE(Stops(clock, stats));
  EXPECT_EQ(clock.reason(), "smart pruning");
  StopperChain movetime(Movetime(1200), StopParams(), RootFacts());
  EXPECT_FALSE(Stops(movetime, stats));
  StopperChain nodes(Nodes(1001), StopParams(), RootFacts());
  EXPECT_FALSE(Stops(nodes, stats));
}

TEST(StopperChain, AnalyseModeUsesAllTheTime) {
  StopParams params;
  params.analyse_mode = true;
  params.minimum_kld_gain = 1;
  SearchStats stats = OneMove(Proven(Running(100000)));
  StopperChain movetime(Movetime(3600000), params, RootFacts());
  EXPECT_FALSE(Stops(movetime, stats));
  EXPECT_FALSE(movetime.wants_distribution());
  StopperChain clock(Clock(100000000), params, RootFacts());
  EXPECT_FALSE(Stops(clock, stats));
}

// Nodes that cannot be made would be waited for without end.
TEST(StopperChain, AnalyseModeStillEndsANodeOrderOnASolvedRoot) {
  StopParams params;
  params.analyse_mode = true;
  StopperChain chain(Nodes(1000000), params, RootFacts());
  EXPECT_TRUE(Stops(chain, Proven(Running(200))));
}

TEST(StopperChain, KldGainAsksForTheDistributionOnlyWhenItIsOn) {
  StopParams params;
  EXPECT_FALSE(StopperChain(Nodes(1), params, RootFacts()).wants_distribution());
  params.minimum_kld_gain = 0.1f;
  EXPECT_TRUE(StopperChain(Nodes(1), params, RootFacts()).wants_distribution());
}

TEST(StopParams, EveryRowStartsWithinItsRangeAndNamesAreUnique) {
  StopParams params;
  std::set<std::string> names;
  for (const auto& row : kStopOptions) {
    EXPECT_TRUE(names.insert(row.uci_name).second) << row.uci_name;
    EXPECT_TRUE(names.insert(row.flag).second) << row.flag;
    EXPECT_NE(std::string(row.help), "") << row.uci_name;
    if (auto* field = std::get_if<int StopParams::*>(&row.field)) {
      EXPECT_GE(params.**field, row.min) << row.uci_name;
      EXPECT_LE(params.**field, row.max) << row.uci_name;
    }
    if (auto* field = std::get_if<float StopParams::*>(&row.field)) {
      EXPECT_GE(params.**field, row.min) << row.uci_name;
      EXPECT_LE(params.**field, row.max) << row.uci_name;
    }
  }
}

}  // namespace
}  // namespace plexus
