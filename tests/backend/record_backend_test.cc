#include "backend/record_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>

#include "backend/registry.h"
#include "backend/test_positions.h"
#include "base/error_of.h"
#include "base/fake_clock.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "chess/fen.h"
#include "net/random_weights.h"

namespace plexus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class RecordBackendTest : public testing::Test {
 protected:
  std::shared_ptr<Backend> Make(const char* name, const std::string& more = "",
                                std::shared_ptr<const NetworkWeights> weights = nullptr) {
    params_.backend = name;
    params_.backend_options = "file=\"" + path_ + "\"" + more;
    params_.nn_cache_size = 0;
    return MakeBackend(params_, std::move(weights), &clock_);
  }
  std::string Refusal(const char* name, const std::string& more = "",
                      std::shared_ptr<const NetworkWeights> weights = nullptr) {
    return ErrorOf([&] { Make(name, more, weights); });
  }

  FakeClock clock_;
  BackendParams params_;
  const TemporaryFolder folder_;
  const std::string path_ = folder_.Path("evaluations");
  const std::vector<TestPosition> positions_ = RandomGamePositions(60, 1);
};

TEST_F(RecordBackendTest, AReplayAnswersWhatWasRecordedInAnyBatch) {
  const std::vector<TestAnswer> recorded =
      EvaluateAll(Make("record", ",(backend=fake,moves_left)").get(), positions_);
  const auto replay = Make("replay");
  EXPECT_EQ(EvaluateAll(replay.get(), positions_), recorded);
  for (size_t i = positions_.size(); i-- > 0;)
    EXPECT_EQ(EvaluateOne(replay.get(), positions_[i]), recorded[i]);
}

TEST_F(RecordBackendTest, AReplayLooksToASearchAsTheRecordedBackendDid) {
  const BackendAttributes recorded = Make("record", ",(backend=sim,batch=77)")->attributes();
  const BackendAttributes replay = Make("replay")->attributes();
  EXPECT_EQ(replay.suggested_batch, recorded.suggested_batch);
  EXPECT_EQ(replay.suggested_threads, recorded.suggested_threads);
  EXPECT_EQ(replay.max_batch, recorded.max_batch);
  EXPECT_EQ(replay.has_wdl, recorded.has_wdl);
  EXPECT_EQ(replay.has_moves_left, recorded.has_moves_left);
  EXPECT_EQ(replay.is_cpu, recorded.is_cpu);
  EXPECT_THAT(replay.description, HasSubstr("sim gpu 0"));
}

TEST_F(RecordBackendTest, AnUnknownPositionIsNamedAndNothingIsWritten) {
  EvaluateAll(Make("record", ",(backend=fake)").get(), std::span(positions_).first(10));
  const auto replay = Make("replay");
  const Position& unknown = positions_[30].history.Last();
  const std::string fen = ToFen(unknown.board, unknown.rule50_ply, unknown.game_ply / 2 + 1);
  EXPECT_THAT(ErrorOf([&] { EvaluateOne(replay.get(), positions_[30]); }),
              AllOf(HasSubstr(path_), HasSubstr(fen)));
  std::vector<float> known_policy(positions_[1].moves.size(), 7),
      unknown_policy(positions_[30].moves.size(), 7);
  EvalOutput first{7, 7, 7, known_policy}, second{7, 7, 7, unknown_policy};
  const auto computation = replay->NewComputation();
  computation->Add(positions_[1].Input(), &first);
  computation->Add(positions_[30].Input(), &second);
  EXPECT_THROW(computation->ComputeBlocking(), Exception);
  EXPECT_EQ(first.wl, 7);
  EXPECT_EQ(known_policy[0], 7);
}

TEST_F(RecordBackendTest, TheSamePositionWithAnotherHistoryIsUnknown) {
  TestPosition alone = positions_[20];
  EvaluateOne(Make("record", ",(backend=fake)").get(), alone);
  const Position last = alone.history.Last();
  alone.history.Reset(last.board, last.rule50_ply, last.game_ply);
  EXPECT_THAT(ErrorOf([&] { EvaluateOne(Make("replay").get(), alone); }), HasSubstr("holds no"));
}

TEST_F(RecordBackendTest, RecordingGoesOnInAFileOfTheSameBackend) {
  EvaluateAll(Make("record", ",(backend=fake)").get(), std::span(positions_).first(20));
  EvaluateAll(Make("record", ",(backend=fake)").get(), positions_);
  EXPECT_EQ(ReadEvaluationFile(path_).book.size(), 60);
  EXPECT_NO_THROW(EvaluateAll(Make("replay").get(), positions_));
}

TEST_F(RecordBackendTest, AKnownPositionKeepsItsRecordedAnswer) {
  EvaluateAll(Make("record", ",(backend=fake)").get(), positions_);
  const std::string before = ReadFile(path_);
  // Another seed calls itself the same; the file decides.
  EXPECT_EQ(EvaluateAll(Make("record", ",(backend=fake,seed=5)").get(), positions_),
            EvaluateAll(Make("replay").get(), positions_));
  EXPECT_EQ(ReadFile(path_), before);
}

TEST_F(RecordBackendTest, ATornEndIsToldAndTheRestKept) {
  EvaluateAll(Make("record", ",(backend=fake)").get(), positions_);
  const std::string whole = ReadFile(path_);
  WriteFile(path_, std::string_view(whole).substr(0, whole.size() - 9));
  EXPECT_THROW(EvaluateAll(Make("replay").get(), positions_), Exception);
  const auto backend = Make("record", ",(backend=fake)");
  EXPECT_THAT(backend->TakeNotices(), ElementsAre(AllOf(HasSubstr("torn"), HasSubstr("59 eval"))));
  EvaluateAll(backend.get(), positions_);
  EXPECT_EQ(ReadFile(path_), whole);
}

TEST_F(RecordBackendTest, OtherBackendsNetworksAndOptionsAreRefused) {
  const auto network = [](uint64_t seed) {
    return std::make_shared<const NetworkWeights>(RandomWeights({}, seed));
  };
  Make("record", ",(backend=cpu,threads=1)", network(1));
  EXPECT_THAT(Refusal("record", ",(backend=fake)"), HasSubstr("recorded with backend \"cpu"));
  EXPECT_THAT(Refusal("record", ",(backend=cpu,threads=1)", network(2)), HasSubstr("with network"));
  EXPECT_EQ(Refusal("record", ",(backend=cpu,threads=1)", network(1)), "no error");
  params_.policy_temperature = 2.5f;
  EXPECT_THAT(Refusal("replay"), HasSubstr("PolicyTemperature \"1.359\", not \"2.5\""));
}

TEST_F(RecordBackendTest, AReplayNeedsAFileAndNoNetwork) {
  BackendParams params;
  params.backend = "replay";
  EXPECT_FALSE(BackendNeedsWeights(params));
  EXPECT_THAT(ErrorOf([&] { MakeBackend(params, nullptr, &clock_); }), HasSubstr("file=PATH"));
  EXPECT_THAT(Refusal("replay"), HasSubstr(path_));
  params.backend = "record";
  params.backend_options = "(backend=cpu)";
  EXPECT_TRUE(BackendNeedsWeights(params));
}

TEST_F(RecordBackendTest, AFileThatCannotGrowIsToldOnceAndEvaluationGoesOn) {
  const auto backend = Make("record", ",(backend=fake)");
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  rlimit small = before;
  small.rlim_cur = 1000;
  setrlimit(RLIMIT_FSIZE, &small);
  const std::vector<TestAnswer> answers = EvaluateAll(backend.get(), positions_);
  const std::vector<TestAnswer> again = EvaluateAll(backend.get(), positions_);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(answers, again);
  EXPECT_THAT(backend->TakeNotices(), ElementsAre(AllOf(HasSubstr(path_), HasSubstr("any more"))));
  // What got there is whole up to where it was cut.
  EXPECT_TRUE(ReadEvaluationFile(path_).torn);
}

}  // namespace
}  // namespace plexus
