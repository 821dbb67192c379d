// The tree search on the real multiplexer and fake devices: what runs together in production.

#include <gtest/gtest.h>

#include "backend/registry.h"
#include "base/temporary_folder.h"
#include "chess/movegen.h"
#include "support/search_fixture.h"

namespace plexus {
namespace {

// `devices`: BackendOptions of a multiplexer, or of one fake device.
void Search(const std::string& backend_name, const std::string& options, int threads, int64_t nodes,
            RecordingSink* sink, SearchCounters* counters) {
  SteadyClock clock;
  BackendParams backend_params;
  backend_params.backend = backend_name;
  backend_params.backend_options = options;
  backend_params.nn_cache_size = 5000;
  SearchParams params;
  params.threads = threads;
  params.minibatch_size = 32;
  StopParams stop_params;
  MctsSearch search(MakeBackend(backend_params, nullptr, &clock), &clock, &params, &stop_params);
  search.SetPosition(Game(kMiddlegameFen));
  search.Start(Nodes(nodes), sink);
  search.Wait();
  EXPECT_EQ(CheckTree(search.tree()), "");
  *counters = search.Counters();
}

TEST(SearchOnDevices, FourWorkersOnThreeDevicesGrowASoundTree) {
  RecordingSink sink;
  SearchCounters counters;
  Search("multiplexing", "fake(),fake(),fake()", 4, 8000, &sink, &counters);
  EXPECT_EQ(counters.nodes, 8000);
  EXPECT_EQ(sink.best().size(), 1u);
}

TEST(SearchOnDevices, TheSearchGoesOnWhenOneOfThreeDevicesFails) {
  RecordingSink sink;
  SearchCounters counters;
  Search("multiplexing", "fake(),fake(fail_at=5),fake()", 4, 8000, &sink, &counters);
  EXPECT_EQ(sink.best().size(), 1u);
  EXPECT_TRUE(IsLegal(Game(kMiddlegameFen).Last().board, sink.best()[0].move));
}

TEST(SearchOnDevices, AFailureOfTheOnlyDeviceIsToldAndAnswered) {
  RecordingSink sink;
  SearchCounters counters;
  Search("fake", "fail_at=9", 2, 8000, &sink, &counters);
  EXPECT_LT(counters.nodes, 8000);
  EXPECT_FALSE(sink.texts().empty());
  EXPECT_TRUE(IsLegal(Game(kMiddlegameFen).Last().board, sink.best()[0].move));
}

TEST(SearchOnDevices, ManyWorkersOnOneSlowCardLoseAndRepeatNothing) {
  for (const int workers : {20, 64}) {
    RecordingSink sink;
    SearchCounters counters;
    Search("sim", "rate=20000,latency_us=200,max_batch=256", workers, 4000, &sink, &counters);
    EXPECT_EQ(counters.nodes, 4000) << workers;
    EXPECT_EQ(sink.best().size(), 1u) << workers;
  }
}

TEST(SearchOnDevices, ALoneWorkerRepeatsItselfOnARealClock) {
  RecordingSink sinks[2];
  SearchCounters counters[2];
  for (int i = 0; i < 2; ++i) Search("fake", "", 1, 5000, &sinks[i], &counters[i]);
  EXPECT_EQ(counters[0].collisions, counters[1].collisions);
  EXPECT_EQ(counters[0].tree_nodes, counters[1].tree_nodes);
  EXPECT_EQ(sinks[0].best()[0].move, sinks[1].best()[0].move);
}

// Case 20: batches larger than threads and devices like.
TEST(SearchOnDevices, AMinibatchAboveWhatADeviceHoldsIsCut) {
  RecordingSink sink;
  SearchCounters counters;
  Search("multiplexing", "max_batch=4,batch=4,(backend=fake),(backend=sim)", 1, 2000, &sink,
         &counters);
  EXPECT_EQ(counters.nodes, 2000);
}

// Case 5: five devices under each way of joining them.
TEST(SearchOnDevices, EveryWayOfJoiningDevicesGrowsASoundTree) {
  for (const char* name : {"multiplexing", "demux", "roundrobin"}) {
    RecordingSink sink;
    SearchCounters counters;
    Search(name, "backend=fake,(),(),(),(),()", 5, 4000, &sink, &counters);
    EXPECT_EQ(counters.nodes, 4000) << name;
  }
}

// What a search of one worker saw and answered, with every bit of its numbers.
std::string Course(const std::string& backend_name, const std::string& options) {
  SteadyClock clock;
  BackendParams backend_params;
  backend_params.backend = backend_name;
  backend_params.backend_options = options;
  backend_params.nn_cache_size = 300;  // forgets: positions are asked again
  SearchParams params;
  params.threads = 1;
  params.minibatch_size = 24;
  StopParams stop_params;
  MctsSearch search(MakeBackend(backend_params, nullptr, &clock), &clock, &params, &stop_params);
  search.SetPosition(Game(kMiddlegameFen));
  RecordingSink sink;
  search.Start(Nodes(4000), &sink);
  search.Wait();
  std::string course = std::to_string(search.Counters().tree_nodes);
  for (const RootMove& move : search.Snapshot().moves) {
    char text[100];
    std::snprintf(text, sizeof(text), " %d:%lld:%a:%a", move.move.bits(),
                  static_cast<long long>(move.visits), move.q, move.prior);
    course += text;
  }
  return course;
}

TEST(SearchOnDevices, AReplayedSearchIsTheRecordedOneBitForBit) {
  const TemporaryFolder folder;
  const std::string file = "file=\"" + folder.Path("evaluations") + "\"";
  const std::string recorded = Course("record", file + ",(backend=fake)");
  EXPECT_EQ(recorded, Course("fake", ""));
  EXPECT_EQ(Course("replay", file), recorded);
}

}  // namespace
}  // namespace plexus
