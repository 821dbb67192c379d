#include "engine/engine.h"

#include <gtest/gtest.h>

#include "base/error_of.h"
#include "base/temporary_folder.h"
#include "chess/fen.h"
#include "chess/notation.h"
#include "support/fake_resources.h"
#include "support/fake_search.h"

namespace plexus {
namespace {

struct CollectingSink : InfoSink {
  void OnInfo(const SearchInfo& info) override {
    ++infos;
    hashfull = info.hashfull_permille;
  }
  void OnText(const std::string& text) override { texts += text + "\n"; }
  void OnBestMove(const BestMove& best) override { answers.push_back(best); }
  int infos = 0, hashfull = -1;
  std::string texts;
  std::vector<BestMove> answers;
};

class EngineTest : public testing::Test {
 protected:
  std::string Fen() const {
    const Position& last = engine_.position().Last();
    return ToFen(last.board, last.rule50_ply, last.game_ply / 2 + 1);
  }
  void Go(const SearchLimits& limits) {
    engine_.Go(limits, &sink_);
    engine_.Wait();
  }
  static SearchLimits Nodes(int64_t nodes) {
    SearchLimits limits;
    limits.nodes = nodes;
    return limits;
  }

  TemporaryFolder folder_;
  FakeFactory factory_;
  FakeSearchLog log_;
  SteadyClock clock_;
  EngineOptions options_;
  std::string told_;
  int done_ = 0;
  CollectingSink sink_;
  Resources resources_{{folder_.Path(""), ""}, &clock_, factory_.Makers()};
  Engine engine_{&options_,
                 &resources_,
                 &clock_,
                 [this](const std::string& text) { told_ += text + "\n"; },
                 [this] { ++done_; },
                 [this](const std::string&, const SearchContext&) {
                   return std::make_unique<FakeSearch>(&log_);
                 }};
};

TEST_F(EngineTest, PrepareLoadsOnceAndGoUsesIt) {
  engine_.Prepare();
  engine_.Prepare();
  EXPECT_EQ(factory_.backends.size(), 1u);
  Go(Nodes(10));
  EXPECT_EQ(factory_.backends.size(), 1u);
  EXPECT_EQ(log_.Made(), 1);
  ASSERT_EQ(sink_.answers.size(), 1u);
  EXPECT_FALSE(engine_.running());
  EXPECT_EQ(done_, 1);
}

TEST_F(EngineTest, GoWithoutPrepareLoadsFirst) {
  Go(Nodes(10));
  EXPECT_EQ(factory_.backends.size(), 1u);
  EXPECT_EQ(sink_.answers.size(), 1u);
}

TEST_F(EngineTest, AnOptionThatTouchesNoBackendKeepsTheSearchAndItsTree) {
  Go(Nodes(10));
  options_.set.Set("MultiPV", "3");
  Go(Nodes(10));
  EXPECT_EQ(log_.Made(), 1);
  options_.set.Set("PolicyTemperature", "2");
  Go(Nodes(10));
  EXPECT_EQ(log_.Made(), 2);
}

TEST_F(EngineTest, AFailedLoadIsToldAndTheFormerNetworkAnswers) {
  Go(Nodes(10));
  factory_.broken_file = "/nets/broken.pb.gz";
  options_.set.Set("WeightsFile", factory_.broken_file);
  engine_.OptionsChanged();
  Go(Nodes(10));
  EXPECT_NE(told_.find("/nets/broken.pb.gz is damaged"), std::string::npos) << told_;
  EXPECT_NE(told_.find("former network"), std::string::npos) << told_;
  EXPECT_EQ(sink_.answers.size(), 2u);
  told_.clear();
  Go(Nodes(10));
  EXPECT_EQ(told_, "") << "told once, not at each move";
}

TEST_F(EngineTest, AFirstLoadThatFailsFallsBackToTheBuiltInNetwork) {
  factory_.broken_file = "/nets/broken.pb.gz";
  options_.set.Set("WeightsFile", factory_.broken_file);
  Go(Nodes(10));
  EXPECT_EQ(factory_.loaded, (std::vector<std::string>{"/nets/broken.pb.gz", ""}));
  EXPECT_NE(told_.find("network: built in"), std::string::npos) << told_;
  ASSERT_EQ(sink_.answers.size(), 1u);
  EXPECT_EQ(sink_.infos, 1);
}

TEST_F(EngineTest, AFirstBackendThatFailsFallsBackToTheBestOneWithTheNetworkAskedFor) {
  factory_.broken_backend = "cudnn";
  options_.set.Set("WeightsFile", "/nets/mine.pb.gz");
  options_.set.Set("Backend", "cudnn");
  options_.set.Set("BackendOptions", "gpu=1");
  Go(Nodes(10));
  ASSERT_EQ(factory_.backends.size(), 2u);
  EXPECT_EQ(factory_.backends[1].backend, "auto");
  EXPECT_EQ(factory_.backends[1].backend_options, "");
  EXPECT_EQ(factory_.backends[1].weights_file, "/nets/mine.pb.gz");
  EXPECT_NE(told_.find("cannot load: backend cudnn is absent"), std::string::npos) << told_;
  EXPECT_NE(told_.find("in its place"), std::string::npos) << told_;
  EXPECT_EQ(sink_.answers.size(), 1u);
  told_.clear();
  Go(Nodes(10));
  EXPECT_EQ(told_, "") << "told once, not at each move";
}

TEST_F(EngineTest, WithoutAnyNetworkALegalMoveIsStillPlayed) {
  factory_.built_in_is_broken = true;
  Go(Nodes(10));
  ASSERT_EQ(sink_.answers.size(), 1u);
  EXPECT_TRUE(IsLegal(engine_.position().Last().board, sink_.answers[0].move));
  EXPECT_NE(sink_.texts.find("no network"), std::string::npos) << sink_.texts;
  EXPECT_EQ(done_, 1);
}

TEST_F(EngineTest, ASearchThatDoesNotStartIsAnsweredForWithALegalMove) {
  engine_.Prepare();
  {
    MutexLock lock(log_.mutex);
    log_.throws_at_start = true;
  }
  Go(Nodes(10));
  ASSERT_EQ(sink_.answers.size(), 1u);
  EXPECT_TRUE(IsLegal(engine_.position().Last().board, sink_.answers[0].move));
  EXPECT_NE(sink_.texts.find("it does not start"), std::string::npos) << sink_.texts;
}

TEST_F(EngineTest, APositionHasItsMovesPlayed) {
  engine_.SetPosition("", {"e2e4", "e7e5"});
  EXPECT_EQ(Fen(), "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
  EXPECT_EQ(engine_.position().size(), 3);
}

TEST_F(EngineTest, AfterASearchTheSamePositionMayComeAsFenPlusMoves) {
  Go(Nodes(10));
  engine_.SetPosition(kStartFen, {"e2e4", "e7e5"});
  Go(Nodes(10));
  MutexLock lock(log_.mutex);
  EXPECT_EQ(log_.history_sizes, (std::vector<int>{1, 3}));
}

TEST_F(EngineTest, AnIllegalMoveIsNamedAndTheMovesBeforeItStay) {
  const std::string error = ErrorOf([&] { engine_.SetPosition("", {"e2e4", "e2e4", "e7e5"}); });
  EXPECT_NE(error.find("move 2"), std::string::npos) << error;
  EXPECT_NE(error.find("e2e4"), std::string::npos) << error;
  EXPECT_EQ(engine_.position().size(), 2);
  Go(Nodes(10));
  EXPECT_EQ(sink_.answers.size(), 1u);
}

TEST_F(EngineTest, ARefusedFenKeepsTheFormerPosition) {
  engine_.SetPosition("", {"e2e4"});
  const std::string before = Fen();
  EXPECT_THROW(engine_.SetPosition("4k3/8/8/8/8/8/8/8 w - - 0 1", {}), Exception);
  EXPECT_EQ(Fen(), before);
}

TEST_F(EngineTest, NewGameBeforeAnythingIsLoadedDoesNothing) {
  engine_.NewGame();
  Go(Nodes(10));
  EXPECT_EQ(sink_.answers.size(), 1u);
}

TEST_F(EngineTest, NewGameForgetsTheTreeAndTheCacheAndKeepsThePosition) {
  engine_.SetPosition("", {"e2e4"});
  engine_.Prepare();
  engine_.NewGame();
  EXPECT_EQ(factory_.cleared, 1);
  EXPECT_EQ(log_.NewGames(), 1);
  EXPECT_EQ(engine_.position().size(), 2);
}

TEST_F(EngineTest, AnInfiniteSearchWaitsForStop) {
  SearchLimits limits;
  limits.infinite = true;
  engine_.Go(limits, &sink_);
  EXPECT_TRUE(engine_.waits_for_order());
  EXPECT_TRUE(sink_.answers.empty());
  engine_.Stop();
  engine_.Wait();
  EXPECT_EQ(sink_.answers.size(), 1u);
}

TEST_F(EngineTest, APonderSearchAnswersAfterThePonderHit) {
  SearchLimits limits = Nodes(5);
  limits.ponder = true;
  engine_.Go(limits, &sink_);
  EXPECT_TRUE(engine_.waits_for_order());
  engine_.PonderHit();
  EXPECT_FALSE(engine_.waits_for_order());
  engine_.Wait();
  EXPECT_EQ(sink_.answers.size(), 1u);
}

TEST_F(EngineTest, StrayOrdersDoNothing) {
  engine_.Stop();
  engine_.PonderHit();
  engine_.Abort();
  engine_.Wait();
  Go(Nodes(1));
  engine_.PonderHit();
  EXPECT_EQ(log_.PonderHits(), 0);
  EXPECT_EQ(sink_.answers.size(), 1u);
}

TEST_F(EngineTest, AbortGivesNoAnswer) {
  SearchLimits limits;
  limits.infinite = true;
  engine_.Go(limits, &sink_);
  engine_.Abort();
  EXPECT_FALSE(engine_.running());
  EXPECT_TRUE(sink_.answers.empty());
}

TEST_F(EngineTest, HashfullIsTheShareOfTheMemoryLimitThatIsUsed) {
  Go(Nodes(1));
  EXPECT_GE(sink_.hashfull, 0);
  EXPECT_LT(sink_.hashfull, 900);
  options_.set.Set("RamLimitMb", "1");
  Go(Nodes(1));
  EXPECT_EQ(sink_.hashfull, 1000);
}

TEST_F(EngineTest, WhatTheBackendHasToTellIsToldOnceDuringTheSearch) {
  factory_.notices = {"device 1 of 2 failed"};
  Go(Nodes(10));
  Go(Nodes(10));
  EXPECT_EQ(sink_.texts, "device 1 of 2 failed\n");
}

TEST_F(EngineTest, ABackendWhoseDevicesAllFailedIsMadeAnew) {
  Go(Nodes(10));
  factory_.devices_failed = true;
  Go(Nodes(10));
  EXPECT_EQ(factory_.backends.size(), 2u);
  EXPECT_EQ(log_.Made(), 2);  // a search on the new backend
  EXPECT_NE(told_.find("made anew"), std::string::npos);
}

TEST_F(EngineTest, TheButtonClearHashForgets) {
  engine_.Prepare();
  options_.set.Set("clear hash", "");
  EXPECT_EQ(factory_.cleared, 1);
}

}  // namespace
}  // namespace plexus
