#include "mcts/search_run.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>

#include "chess/movegen.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

using std::chrono::milliseconds;

// Holds computations back until it is opened.
class Barrier {
 public:
  void Pass() {
    MutexLock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    while (!open_) changed_.wait(lock.native());
  }
  void AwaitArrival() {
    MutexLock lock(mutex_);
    while (arrived_ == 0) changed_.wait(lock.native());
  }
  void Open() {
    MutexLock lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  Mutex mutex_;
  std::condition_variable changed_;
  int arrived_ GUARDED_BY(mutex_) = 0;
  bool open_ GUARDED_BY(mutex_) = false;
};

SearchLimits Movetime(int64_t ms) {
  SearchLimits limits;
  limits.movetime_ms = ms;
  return limits;
}

TEST(SearchRun, StopDuringComputeStillAnswersOnce) {
  SearchFixture f;
  Barrier barrier;
  f.backend->before_compute = [&] { barrier.Pass(); };
  f.Go(Infinite());
  barrier.AwaitArrival();
  f.search->Stop();
  f.search->Stop();
  barrier.Open();
  f.search->Wait();
  ASSERT_EQ(f.sink->best().size(), 1u);
  EXPECT_TRUE(IsLegal(f.history.Last().board, f.sink->best()[0].move));
  EXPECT_EQ(CheckTree(f.search->tree()), "");
}

TEST(SearchRun, AbortAnswersNothing) {
  SearchFixture f;
  f.Go(Infinite());
  f.search->Abort();
  f.search->Wait();
  EXPECT_TRUE(f.sink->best().empty());
  EXPECT_EQ(CheckTree(f.search->tree()), "");
}

TEST(SearchRun, MoveTimeOverrunsByAtMostOneBatch) {
  SearchFixture f;
  f.stop_params.move_overhead_ms = 0;
  f.backend->clock = &f.clock;
  f.backend->cost = milliseconds(7);
  const auto start = f.clock.Now();
  f.Run(Movetime(100));
  EXPECT_GE(f.clock.Now() - start, milliseconds(100));
  EXPECT_LE(f.clock.Now() - start, milliseconds(107));
}

TEST(SearchRun, BatchesShrinkBeforeTheTimeIsOverWherePositionsTakeLong) {
  SearchFixture f;
  f.stop_params.move_overhead_ms = 0;
  f.params.minibatch_size = 64;
  f.params.in_flight_minimum = 64;
  f.backend->clock = &f.clock;
  f.backend->cost_per_position = milliseconds(10);
  const auto start = f.clock.Now();
  f.Run(Movetime(1000));
  EXPECT_GE(f.clock.Now() - start, milliseconds(1000));
  EXPECT_LE(f.clock.Now() - start, milliseconds(1020));
}

TEST(SearchRun, TheWatchdogStopsASearchWhoseBatchTakesTooLong) {
  SearchFixture f;
  f.stop_params.move_overhead_ms = 0;
  Barrier barrier;
  f.backend->before_compute = [&] { barrier.Pass(); };
  f.Go(Movetime(50));
  barrier.AwaitArrival();
  while (f.clock.waiters() == 0) std::this_thread::yield();
  f.clock.Advance(milliseconds(50));
  barrier.Open();
  f.search->Wait();
  EXPECT_EQ(f.sink->best().size(), 1u);
}

TEST(SearchRun, ABackendThatFailsIsToldAndALegalMoveAnswered) {
  SearchFixture f;
  f.params.threads = 2;
  f.backend->fail_at = 4;
  f.Run(Nodes(100000));
  ASSERT_EQ(f.sink->texts().size(), 1u);
  EXPECT_NE(f.sink->texts()[0].find("mock device failed"), std::string::npos);
  EXPECT_TRUE(IsLegal(f.history.Last().board, f.sink->best()[0].move));
}

TEST(SearchRun, ABackendThatFailsAtOnceStillGetsALegalMoveAnswered) {
  SearchFixture f;
  f.backend->fail_at = 1;
  f.Run(Nodes(1000));
  EXPECT_TRUE(IsLegal(f.history.Last().board, f.sink->best()[0].move));
}

TEST(SearchRun, AnInfiniteSearchThatFailsTellsAtOnceAndAnswersOnStop) {
  SearchFixture f;
  f.backend->fail_at = 3;
  f.Go(Infinite());
  f.sink->WaitForText();
  EXPECT_TRUE(f.sink->best().empty());
  f.search->Stop();
  f.search->Wait();
  EXPECT_EQ(f.sink->best().size(), 1u);
}

TEST(SearchRun, InfiniteWaitsForStopEvenWhenSolved) {
  SearchFixture f(kMateInOneFen);
  f.Go(Infinite());
  // The mate is soon proven; then the search must sleep.
  while (f.search->Counters().playouts < 5) std::this_thread::yield();
  EXPECT_TRUE(f.sink->best().empty());
  f.search->Stop();
  f.search->Wait();
  EXPECT_EQ(f.best(), "e1e8");
}

TEST(SearchRun, AnInfiniteSearchOfARootWithoutMovesWaitsForStop) {
  SearchFixture f(kStalemateFen);
  f.Go(Infinite());
  EXPECT_TRUE(f.sink->best().empty());
  f.search->Stop();
  f.search->Wait();
  ASSERT_EQ(f.sink->best().size(), 1u);
  EXPECT_TRUE(f.sink->best()[0].move.is_null());
}

TEST(SearchRun, PonderingGoesOnBeyondItsLimitsUntilPonderhit) {
  SearchFixture f;
  SearchLimits limits = Nodes(50);
  limits.ponder = true;
  f.Go(limits);
  while (f.search->Counters().nodes < 200) std::this_thread::yield();
  EXPECT_TRUE(f.sink->best().empty());
  f.search->PonderHit();
  f.search->Wait();
  EXPECT_EQ(f.sink->best().size(), 1u);
  EXPECT_EQ(CheckTree(f.search->tree()), "");
}

TEST(SearchRun, StopEndsPondering) {
  SearchFixture f;
  SearchLimits limits;
  limits.ponder = true;
  limits.time_ms[0] = limits.time_ms[1] = 60000;
  f.Go(limits);
  f.search->Stop();
  f.search->Wait();
  EXPECT_EQ(f.sink->best().size(), 1u);
}

TEST(SearchRun, PonderhitAfterTheEndIsHarmless) {
  SearchFixture f;
  f.Run(Nodes(10));
  f.search->PonderHit();
  f.search->Stop();
}

TEST(SearchRun, ManyWorkersOnOneLeafAllMakeProgress) {
  // One legal move a side for long: the tree is a thread.
  SearchFixture f("7k/5p2/5P1p/5P1P/8/6p1/6P1/7K w - - 0 1", FlatEvaluation);
  f.params.threads = 16;
  f.params.minibatch_size = 8;
  f.Run(Nodes(3000));
  EXPECT_EQ(f.search->Counters().nodes, 3000);
}

TEST(SearchRun, AnEmptyGatherWaitsForABackup) {
  SearchFixture f;
  f.params.threads = 3;
  Barrier barrier;
  f.backend->before_compute = [&] { barrier.Pass(); };
  f.Go(Nodes(300));
  barrier.AwaitArrival();
  // One worker evaluates the root; the two others sleep instead of trying again.
  while (f.search->tree().nodes_mutex().waiting_for_change() < 2) std::this_thread::yield();
  EXPECT_LE(f.search->Counters().lock_acquisitions_gather, 3);
  barrier.Open();
  f.search->Wait();
  EXPECT_EQ(f.search->Counters().nodes, 300);
}

TEST(SearchRun, FourWorkersGrowASoundTree) {
  SearchFixture f(kMiddlegameFen);
  f.params.threads = 4;
  f.Run(Nodes(20000));
  EXPECT_EQ(f.search->Counters().nodes, 20000);
}

TEST(SearchRun, ManySearchesInARowEachAnswerOnce) {
  SearchFixture f;
  f.params.threads = 3;
  for (int i = 1; i <= 30; ++i) f.Run(Nodes(i * 37));
}

TEST(SearchRun, NodesPerSecondAreHeldDown) {
  SearchFixture f;
  f.params.nps_limit = 100;
  f.backend->clock = &f.clock;
  f.backend->cost = milliseconds(1);
  f.Go(Nodes(50));
  // Time passes only here (and 1 ms a batch): 50 playouts need half a second.
  while (f.sink->best().empty()) {
    f.clock.Advance(milliseconds(1));
    std::this_thread::yield();
  }
  f.search->Wait();
  EXPECT_GE(f.last_info().time_ms, 300);
}

TEST(SearchRun, TheMemoryLimitEndsASearchAndSaysSo) {
  SearchFixture f;
  f.stop_params.ram_limit_mb = 1;  // less than the process uses already
  f.Run(Nodes(1000000));
  EXPECT_LT(f.search->Counters().nodes, 1000000);
  ASSERT_FALSE(f.sink->texts().empty());
  EXPECT_NE(f.sink->texts()[0].find("memory limit"), std::string::npos);
}

TEST(SearchRun, ASearchOnTheClockMayEndEarlyAndNeverLate) {
  SearchFixture f(kMiddlegameFen);
  f.backend->clock = &f.clock;
  f.backend->cost = milliseconds(5);
  SearchLimits limits;
  limits.time_ms[0] = limits.time_ms[1] = 10000;
  const auto start = f.clock.Now();
  f.Run(limits);
  EXPECT_LT(f.clock.Now() - start, milliseconds(5000));
}

// A search of three workers whose evaluations hang from the n-th on.
struct HangingSearch {
  explicit HangingSearch(int hang_at) {
    f.backend->hang_at = hang_at;
    f.params.threads = 3;
    f.Go(Infinite());
    // How many of the workers have a batch by then depends on what the tree had to give.
    while (f.backend->hanging == 0) std::this_thread::yield();
  }
  bool answered() const { return !f.sink->best().empty(); }
  // Moves the clock by steps of a millisecond, each when the watchdog waits for it, until the search answers.
  int MillisecondsToAnswer() {
    for (int ms = 0;; ++ms) {
      for (int i = 0; i < 200 && !answered(); ++i) {
        std::this_thread::yield();
      }
      if (answered()) return ms;
      while (f.clock.waiters() == 0 && !answered()) std::this_thread::yield();
      f.clock.Advance(milliseconds(1));
    }
  }
  SearchFixture f{kMiddlegameFen};
};

TEST(SearchRun, AStopGivesHangingEvaluationsAShortGraceAndThenAnswersFromTheTree) {
  HangingSearch hanging(8);
  hanging.f.search->Stop();
  EXPECT_GE(hanging.MillisecondsToAnswer(), 20);
  hanging.f.search->Wait();
  EXPECT_EQ(CheckTree(hanging.f.search->tree()), "");  // nothing stays in flight
  EXPECT_GT(hanging.f.search->Counters().nodes, 0);
  EXPECT_TRUE(IsLegal(hanging.f.history.Last().board, hanging.f.sink->best()[0].move));
}

TEST(SearchRun, AStopBeforeTheFirstEvaluationWaitsLongerForIt) {
  HangingSearch hanging(1);
  hanging.f.search->Stop();
  EXPECT_GE(hanging.MillisecondsToAnswer(), 200);
  hanging.f.search->Wait();
  EXPECT_EQ(CheckTree(hanging.f.search->tree()), "");
  EXPECT_TRUE(IsLegal(hanging.f.history.Last().board, hanging.f.sink->best()[0].move));
}

TEST(SearchRun, AnAbortGivesHangingEvaluationsUpAtOnce) {
  HangingSearch hanging(8);
  const auto before = hanging.f.clock.Now();
  hanging.f.search->Abort();
  hanging.f.search->Wait();
  EXPECT_EQ(hanging.f.clock.Now(), before);
  EXPECT_FALSE(hanging.answered());
  EXPECT_EQ(CheckTree(hanging.f.search->tree()), "");
}

TEST(SearchRun, ALimitOfTimeEndsASearchWhoseDeviceHangs) {
  SearchFixture f(kMiddlegameFen);
  f.backend->hang_at = 8;
  f.params.threads = 3;
  SearchLimits limits;
  limits.movetime_ms = 500;
  f.Go(limits);
  while (f.sink->best().empty()) {
    f.clock.Advance(milliseconds(1));
    std::this_thread::yield();
  }
  f.search->Wait();
  EXPECT_EQ(CheckTree(f.search->tree()), "");
}

}  // namespace
}  // namespace plexus
