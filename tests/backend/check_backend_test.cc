#include "backend/check_backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/registry.h"
#include "backend/test_positions.h"
#include "base/error_of.h"
#include "base/fake_clock.h"
#include "base/files.h"
#include "base/temporary_folder.h"
#include "chess/fen.h"

namespace plexus {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class CheckBackendTest : public testing::Test {
 protected:
  std::shared_ptr<Backend> Make(const std::string& options, const char* name = "check") {
    BackendParams params;
    params.backend = name;
    params.backend_options = options;
    params.nn_cache_size = 0;
    return MakeBackend(params, nullptr, &clock_);
  }

  FakeClock clock_;
};

TEST_F(CheckBackendTest, TheFirstAnswersAndEqualBackendsAgree) {
  const auto backend = Make("(backend=fake),(backend=sim)");
  const std::vector<TestPosition> positions = RandomGamePositions(100, 1);
  EXPECT_EQ(EvaluateAll(backend.get(), positions), EvaluateAll(Make("", "fake").get(), positions));
  EXPECT_THAT(backend->TakeNotices(), IsEmpty());
}

TEST_F(CheckBackendTest, TheFirstDisagreementIsToldOnceWithItsPosition) {
  const auto backend = Make("fake(),fake(seed=1)");
  const std::vector<TestPosition> positions = RandomGamePositions(20, 1);
  EXPECT_EQ(EvaluateAll(backend.get(), positions), EvaluateAll(Make("", "fake").get(), positions));
  const std::vector<std::string> notices = backend->TakeNotices();
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_THAT(notices[0], AllOf(HasSubstr("disagree"), HasSubstr("20 positions compared, 20")));
  // The position is one of those asked.
  const std::string fen = notices[0].substr(notices[0].rfind(" in ") + 4);
  EXPECT_TRUE(std::ranges::any_of(positions, [&](const TestPosition& position) {
    return position.history.Last().board.key() == ParseFen(fen).board.key();
  })) << fen;
  EvaluateAll(backend.get(), positions);
  EXPECT_THAT(backend->TakeNotices(), IsEmpty());
}

TEST_F(CheckBackendTest, ASummaryComesWheneverTheCountHasDoubled) {
  const auto backend = Make("fake(),fake()");
  const std::vector<TestPosition> positions = RandomGamePositions(500, 1);
  int notices = 0;
  for (int i = 1; i <= 16; ++i) {  // 8000 positions
    EvaluateAll(backend.get(), positions);
    for (const std::string& notice : backend->TakeNotices()) {
      EXPECT_THAT(notice, HasSubstr(std::to_string(500 * i) + " positions compared, 0 beyond"));
      ++notices;
    }
  }
  EXPECT_EQ(notices, 4);  // at 1000, 2000, 4000, 8000
}

TEST_F(CheckBackendTest, AShareOfBatchesIsCompared) {
  const auto backend = Make("share=0.25,fake(),fake(threads=1)");
  const TestPosition position = RandomGamePositions(1, 1)[0];
  for (int i = 0; i < 40; ++i) EvaluateOne(backend.get(), position);
  const std::vector<DeviceCounters> counters = backend->device_counters();
  ASSERT_EQ(counters.size(), 2u);
  EXPECT_EQ(counters[0].positions, 40);
  EXPECT_EQ(counters[1].positions, 10);
}

TEST_F(CheckBackendTest, AFailureOfTheSecondIsToldAndTheFirstGoesOn) {
  const auto backend = Make("fake(),fake(fail_at=3)");
  const TestPosition position = RandomGamePositions(1, 1)[0];
  for (int i = 0; i < 10; ++i) EXPECT_NO_THROW(EvaluateOne(backend.get(), position));
  EXPECT_THAT(backend->TakeNotices(), ElementsAre(HasSubstr("second backend failed")));
  EXPECT_EQ(backend->device_counters()[1].positions, 2);
}

TEST_F(CheckBackendTest, AFailureOfTheFirstIsTheBackends) {
  const auto backend = Make("fake(fail_at=2),fake()");
  const TestPosition position = RandomGamePositions(1, 1)[0];
  EXPECT_NO_THROW(EvaluateOne(backend.get(), position));
  EXPECT_THAT(ErrorOf([&] { EvaluateOne(backend.get(), position); }), HasSubstr("told to fail"));
}

TEST_F(CheckBackendTest, TheReportIsWrittenAtTheEnd) {
  const TemporaryFolder folder;
  const std::string path = folder.Path("report.txt");
  EvaluateAll(Make("report=\"" + path + "\",fake(),fake()").get(), RandomGamePositions(7, 1));
  EXPECT_THAT(ReadFile(path), AllOf(HasSubstr("7 positions compared"), HasSubstr("below 1e-8\t7")));
}

TEST_F(CheckBackendTest, EitherSideMayBeSeveralDevices) {
  const auto backend = Make("fake(),pair(backend=multiplexing,(backend=sim),(backend=fake))");
  EXPECT_EQ(backend->device_counters().size(), 3u);
  EvaluateAll(backend.get(), RandomGamePositions(50, 1));
  EXPECT_THAT(backend->TakeNotices(), IsEmpty());
  EXPECT_THAT(ErrorOf([&] { Make("check(fake(),fake()),fake()", "multiplexing"); }),
              HasSubstr("cannot be one of the devices"));
  EXPECT_THAT(ErrorOf([&] { Make("toll=3,fake(),fake()"); }), HasSubstr("\"toll\""));
}

}  // namespace
}  // namespace plexus
