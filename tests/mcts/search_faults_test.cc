// Whole searches on devices that throw, stall or come to nothing: no visit is lost or counted twice, one notice a
// device, and an answer in any case. On a fake clock, so that a stall is a matter of counting.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "backend/caching_backend.h"
#include "backend/fake/fake_device.h"
#include "backend/multiplexer.h"
#include "backend/scripted_device.h"
#include "base/joining_thread.h"
#include "chess/movegen.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

// One stream of a card of which all streams meet the same fate.
struct Fate {
  int throws_after = -1;  // batches of the card
  int hangs_after = -1;
  int vanishes_after = -1;  // hangs, then throws when asked to end
  std::shared_ptr<RunGate> gate = std::make_shared<RunGate>();
  std::shared_ptr<std::atomic<int>> batches = std::make_shared<std::atomic<int>>(0);
};

class FatefulDevice : public FakeDevice {
 public:
  FatefulDevice(const FakeDeviceOptions& options, FakeClock* clock, Fate fate)
      : FakeDevice(options, clock), clock_(clock), fate_(std::move(fate)) {}
  ~FatefulDevice() override = default;

  void Run(const DeviceBatch& in, const LogitBatch& out) override {
    const int before = (*fate_.batches)++;
    if (fate_.throws_after >= 0 && before >= fate_.throws_after) throw Exception("it is lost.");
    if (fate_.hangs_after >= 0 && before >= fate_.hangs_after) fate_.gate->Pass();
    if (fate_.vanishes_after >= 0 && before >= fate_.vanishes_after) fate_.gate->Pass();
    FakeDevice::Run(in, out);
    clock_->Advance(std::chrono::seconds(1));  // a batch takes a second
  }
  void Interrupt() override {
    if (fate_.vanishes_after >= 0) fate_.gate->Break();
  }

 private:
  FakeClock* const clock_;
  const Fate fate_;
};

class SearchFaults : public testing::Test {
 protected:
  // Adds a card of two streams.
  void Add(const Fate& fate) {
    FakeDeviceOptions options;
    options.best_batch = 16;
    const DeviceFactory factory = [this, options, fate] {
      return std::make_unique<FatefulDevice>(options, &clock_, fate);
    };
    devices_.push_back({"card", {factory, factory}});
    gates_.push_back(fate.gate);
  }
  ~SearchFaults() override {
    search_.reset();
    backend_.reset();
    for (const auto& gate : gates_) gate->Open();  // those left behind
    for (const auto& gate : gates_) {
      while (gate.use_count() > 1) std::this_thread::yield();
    }
  }
  void Start(int64_t nodes, SplitPolicy policy = SplitPolicy::kFill) {
    MultiplexerOptions options;
    options.policy = policy;
    options.shutdown_patience_ms = 20;
    backend_ = std::make_shared<MultiplexingBackend>(std::move(devices_), options, &clock_);
    params_.threads = 5;
    params_.minibatch_size = 16;
    search_ = std::make_unique<MctsSearch>(std::make_shared<CachingBackend>(backend_, 5000, 7),
                                           &clock_, &params_, &stop_params_);
    search_->SetPosition(Game(kMiddlegameFen));
    search_->Start(Nodes(nodes), &sink_);
  }
  // Batches move the clock. Where a card that hangs holds the last ones, nothing would: then time passes by itself.
  void WaitForTheEnd() {
    std::atomic<bool> ended = false;
    JoiningThread time("time", [&] {
      int64_t seen = -1;
      while (!ended) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        const int64_t evaluated = Evaluated();
        if (evaluated == seen) clock_.Advance(std::chrono::seconds(1));
        seen = evaluated;
      }
    });
    search_->Wait();
    ended = true;
    time.Join();
  }
  void CheckTheEnd() {
    WaitForTheEnd();
    EXPECT_EQ(CheckTree(search_->tree()), "");
    ASSERT_EQ(sink_.best().size(), 1u);
    EXPECT_TRUE(IsLegal(Game(kMiddlegameFen).Last().board, sink_.best()[0].move));
  }
  // Notices that no report has taken yet, and those that the user was told.
  int NoticesOf(const std::string& device) {
    std::vector<std::string> texts = sink_.texts();
    for (const std::string& notice : backend_->TakeNotices()) texts.push_back(notice);
    return static_cast<int>(std::ranges::count_if(
        texts, [&](const std::string& text) { return text.find(device) != text.npos; }));
  }
  int64_t Evaluated() const {
    int64_t sum = 0;
    for (const DeviceCounters& device : backend_->device_counters()) sum += device.positions;
    return sum;
  }

  FakeClock clock_;
  SearchParams params_;
  StopParams stop_params_;
  RecordingSink sink_;
  std::vector<DeviceSpec> devices_;
  std::vector<std::shared_ptr<RunGate>> gates_;
  std::shared_ptr<MultiplexingBackend> backend_;
  std::unique_ptr<MctsSearch> search_;
};

Fate Throws(int after) {
  Fate fate;
  fate.throws_after = after;
  return fate;
}
Fate Hangs(int after) {
  Fate fate;
  fate.hangs_after = after;
  return fate;
}
Fate Vanishes(int after) {
  Fate fate;
  fate.vanishes_after = after;
  return fate;
}

TEST_F(SearchFaults, ACardThatThrowsInTheMiddleIsReplaced) {
  Add(Throws(5));
  Add({});
  Start(4000);
  CheckTheEnd();
  EXPECT_EQ(search_->Counters().nodes, 4000);
  EXPECT_EQ(NoticesOf("card (device 1 of 2) failed"), 1);
  EXPECT_GE(Evaluated(), search_->Counters().evaluations);
}

class SearchFaultsUnder : public SearchFaults, public testing::WithParamInterface<SplitPolicy> {};

TEST_P(SearchFaultsUnder, TheLossOfACardIsSurvived) {
  Add(Throws(5));
  Add({});
  Add({});
  Start(2000, GetParam());
  CheckTheEnd();
  EXPECT_EQ(NoticesOf("card (device 1 of 3) failed"), 1);
}

INSTANTIATE_TEST_SUITE_P(EveryPolicy, SearchFaultsUnder,
                         testing::Values(SplitPolicy::kFill, SplitPolicy::kSpread,
                                         SplitPolicy::kDemux, SplitPolicy::kRoundRobin));

TEST_F(SearchFaults, ACardThatStallsInTheMiddleIsReplaced) {
  Add(Hangs(5));
  Add({});
  Start(6000);
  CheckTheEnd();
  EXPECT_EQ(search_->Counters().nodes, 6000);
  EXPECT_EQ(NoticesOf("card (device 1 of 2) failed: it has not answered"), 1);
}

TEST_F(SearchFaults, ACardThatStallsFromItsFirstBatchOnIsReplaced) {
  Add(Hangs(0));
  Add({});
  Start(6000);
  // All wait for the root.
  while (!backend_->device_counters()[0].failed) {
    clock_.Advance(std::chrono::seconds(1));
    std::this_thread::yield();
  }
  CheckTheEnd();
  EXPECT_EQ(NoticesOf("card (device 1 of 2) failed: it has not answered"), 1);
}

TEST_F(SearchFaults, ACardThatDisappearsWhenItIsAskedToEndIsNamedOnce) {
  Add(Vanishes(5));
  Add({});
  Start(6000);
  CheckTheEnd();
  EXPECT_EQ(NoticesOf("card (device 1 of 2) failed"), 1);
}

TEST_F(SearchFaults, AllCardsMayThrowOneAfterTheOther) {
  Add(Throws(10));
  Add(Throws(30));
  Add(Throws(60));
  Start(100000);
  CheckTheEnd();
  EXPECT_LT(search_->Counters().nodes, 100000);
  EXPECT_EQ(NoticesOf("All devices failed: Backend card"), 1)
      << testing::PrintToString(sink_.texts());
}

TEST_F(SearchFaults, TheOnlyCardMayStall) {
  Add(Hangs(10));
  Start(100000);
  gates_[0]->WaitForArrivals(1);
  // Whoever still works for the search will come to wait for the card.
  while (sink_.best().empty()) {
    clock_.Advance(std::chrono::seconds(1));
    std::this_thread::yield();
  }
  CheckTheEnd();
  EXPECT_EQ(NoticesOf("it has not answered a batch"), 1);
}

TEST_F(SearchFaults, AStopIsAnsweredWhileTheOnlyCardHangs) {
  Add(Hangs(10));
  Start(100000);
  gates_[0]->WaitForArrivals(1);
  search_->Stop();
  while (sink_.best().empty()) {
    clock_.Advance(std::chrono::microseconds(100));
    std::this_thread::yield();
  }
  CheckTheEnd();
  EXPECT_EQ(NoticesOf("failed"), 0);
}

TEST_F(SearchFaults, WithoutFaultsEveryPositionIsEvaluatedOnce) {
  Add({});
  Add({});
  Start(6000);
  CheckTheEnd();
  EXPECT_EQ(Evaluated(), search_->Counters().evaluations);
}

}  // namespace
}  // namespace plexus
