#include "tools/benchmark_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.h"
#include "base/error_of.h"
#include "engine/engine_options.h"
#include "engine/resources.h"
#include "engine/search_table.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

class BenchmarkRunTest : public ::testing::Test {
 protected:
  BenchmarkRunTest() {
    options.backend.backend = "fake";
    options.search.threads = 1;
    resources.Update(options.EffectiveBackend(), [](const std::string&) {});
    search = MakeSearch("mcts", {resources.backend(), &clock, &options.search, &options.stop});
  }
  MeasuredPosition Measure(const std::string& fen, const SearchLimits& limits) {
    return MeasureSearch(fen, limits, false, &clock, resources.backend().get(), search.get());
  }
  static constexpr const char* kFen = "8/8/8/8/8/3k4/8/R3K2R w KQ - 0 1";
  EngineOptions options;
  SteadyClock clock;
  Resources resources{{}, &clock};
  std::unique_ptr<Search> search;
};

TEST_F(BenchmarkRunTest, EverySearchBeginsWithAnEmptyTreeAndCache) {
  SearchLimits limits;
  limits.nodes = 300;
  const MeasuredPosition first = Measure(kFen, limits), second = Measure(kFen, limits);
  EXPECT_EQ(first.counters.playouts, second.counters.playouts);
  EXPECT_EQ(first.counters.evaluations, second.counters.evaluations);
  EXPECT_EQ(first.best_move, second.best_move);
  EXPECT_EQ(first.fen, kFen);
}

// Answers when it is waited for, with more visits than it had before.
class EndlessSearch : public Search {
 public:
  void NewGame() override {}
  void SetPosition(const PositionHistory& history) override {}
  void Start(const SearchLimits& limits, InfoSink* sink) override { sink_ = sink; }
  void PonderHit() override {}
  void Stop() override {}
  void Abort() override {}
  void Wait() override {
    playouts_ = 3000;
    sink_->OnBestMove({});
  }
  SearchSnapshot Snapshot() const override { return {}; }
  SearchCounters Counters() const override {
    SearchCounters counters;
    counters.playouts = playouts_;
    return counters;
  }

 private:
  InfoSink* sink_ = nullptr;
  int64_t playouts_ = 400;
};

TEST_F(BenchmarkRunTest, ALongSearchIsLookedAtOnTheWay) {
  EndlessSearch endless;
  const MeasuredPosition measured =
      MeasureSearch(kFen, {}, false, &clock, resources.backend().get(), &endless);
  EXPECT_GE(measured.early_seconds, 0.5);
  EXPECT_GE(measured.seconds, measured.early_seconds);
  EXPECT_EQ(measured.early_nodes, 400);
  EXPECT_EQ(measured.counters.playouts, 3000);
}

TEST_F(BenchmarkRunTest, AShortSearchIsNot) {
  SearchLimits limits;
  limits.nodes = 1;
  EXPECT_EQ(Measure(kFen, limits).early_seconds, 0);
}

TEST_F(BenchmarkRunTest, RefusesAGameThatIsOver) {
  EXPECT_THAT(ErrorOf([&] { Measure("7k/5QQ1/8/8/8/8/8/K7 b - - 0 1", {}); }),
              HasSubstr("game is over"));
}

}  // namespace
}  // namespace plexus
