// How the granularity and the kind of the tree's lock change the speed of a search over several cards. Not part of the
// product: see docs/reports/lock-study.md. Prints one JSON object.
//
//   lock_study --granularity=level|visit|batch --mutex=shared|exclusive|tree --cards=N --rate=POSITIONS_PER_SECOND
//              --minibatch=N --workers=N --milliseconds=N --timed

#include <sys/resource.h>

#include <cstdio>
#include <memory>
#include <thread>

#include "base/exception.h"
#include "base/joining_thread.h"
#include "base/options_parser.h"
#include "bench/study_search.h"
#include "mcts/tree_lock.h"

namespace plexus {
namespace {

constexpr int kWarmVisits = 200'000;  // a tree in which every worker finds its minibatch

struct StudyParams {
  std::string granularity = "batch", mutex = "tree";
  int cards = 1, rate = 53'000, minibatch = 256, workers = 3, milliseconds = 1000;
  bool timed = false;
};

const OptionRow<StudyParams> kStudyOptions[] = {
    {&StudyParams::granularity, "Granularity", "granularity", 0, 0, "how long it is held",
     OptionVisibility::kNormal, "level|visit|batch"},
    {&StudyParams::mutex, "Mutex", "mutex", 0, 0, "its kind", OptionVisibility::kNormal,
     "shared|exclusive|tree"},
    {&StudyParams::cards, "Cards", "cards", 1, 64, "simulated cards"},
    {&StudyParams::rate, "Rate", "rate", 0, 100'000'000, "positions/s of each; 0 = no time"},
    {&StudyParams::minibatch, "Minibatch", "minibatch", 1, 4096, "leaves of a gather"},
    {&StudyParams::workers, "Workers", "workers", 1, 128, "threads"},
    {&StudyParams::milliseconds, "Milliseconds", "milliseconds", 1, 60'000, "how long"},
    {&StudyParams::timed, "Timed", "timed", 0, 0, "read the clock at every acquisition"},
};

double CpuSeconds() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

Granularity ParseGranularity(const std::string& name) {
  if (name == "level") return Granularity::kLevel;
  return name == "visit" ? Granularity::kVisit : Granularity::kBatch;
}

template <class Mutex>
void Run(const StudyParams& params) {
  SteadyClock clock;
  // Room for a million visits a second.
  StudyTree tree(kWarmVisits + 64 * 4096 + static_cast<uint32_t>(params.milliseconds) * 2000);
  {
    StudyLock<std::mutex> free_lock(false);
    StudyWorker<std::mutex> warm(&tree, &free_lock, Granularity::kBatch, 1);
    StudyCards none(1, 0, &clock);
    while (warm.counters().visits < kWarmVisits) {
      warm.Gather();
      warm.Extend();
      warm.BackUp();
    }
  }
  StudyLock<Mutex> lock(params.timed);
  StudyCards cards(params.cards, params.rate, &clock);
  std::vector<std::unique_ptr<StudyWorker<Mutex>>> workers;
  for (int i = 0; i < params.workers; ++i) {
    workers.push_back(std::make_unique<StudyWorker<Mutex>>(
        &tree, &lock, ParseGranularity(params.granularity), params.minibatch));
  }
  std::atomic<bool> stop = false;
  const double cpu_before = CpuSeconds();
  const Clock::TimePoint start = clock.Now();
  {
    std::vector<JoiningThread> threads;
    for (const auto& worker : workers)
      threads.emplace_back("study", [&] { worker->Run(&cards, &clock, stop); });
    clock.SleepFor(std::chrono::milliseconds(params.milliseconds));
    stop = true;
    for (JoiningThread& thread : threads) thread.Join();
  }
  // Batches that were under way are ended and counted, and so is their time.
  const double seconds = std::chrono::duration<double>(clock.Now() - start).count();
  const double cpu = CpuSeconds() - cpu_before;
  StudyCounters sum;
  for (const auto& worker : workers) sum.Add(worker->counters());
  if (tree.in_flight(StudyTree::kRoot) != 0 ||
      tree.visits(StudyTree::kRoot) != kWarmVisits + static_cast<uint32_t>(sum.visits))
    throw Exception("Visits were lost or counted twice.", "This is an error of the study.");
  const double visits = static_cast<double>(std::max<int64_t>(1, sum.visits));
  const double batches = static_cast<double>(std::max<int64_t>(1, sum.batches));
  std::printf(
      "{\"granularity\": \"%s\", \"mutex\": \"%s\", \"cards\": %d, \"rate\": %d, \"minibatch\": "
      "%d, "
      "\"workers\": %d, \"timed\": %s, \"seconds\": %.4f, \"nps\": %.1f, \"mean_batch\": %.2f, "
      "\"depth\": %.2f, \"collisions_per_visit\": %.4f, \"acquisitions_per_batch\": %.3f, "
      "\"held_us_per_visit\": %.4f, \"wait_us_per_visit\": %.4f, \"cpu_us_per_visit\": %.4f}\n",
      params.granularity.c_str(), params.mutex.c_str(), params.cards, params.rate, params.minibatch,
      params.workers, params.timed ? "true" : "false", seconds, visits / seconds, visits / batches,
      static_cast<double>(sum.levels) / visits, static_cast<double>(sum.collisions) / visits,
      static_cast<double>(sum.lock.acquisitions) / batches,
      static_cast<double>(sum.lock.held_ns) / 1e3 / visits,
      static_cast<double>(sum.lock.wait_ns) / 1e3 / visits, cpu * 1e6 / visits);
}

int Main(std::span<const std::string> args) {
  StudyParams params;
  OptionSet options;
  options.Add(kStudyOptions, &params);
  if (WantsHelp(args)) {
    std::fputs(options.Help(true).c_str(), stdout);
    return 0;
  }
  ParseCommandLine(args, &options);
  if (params.mutex == "shared") {
    Run<std::shared_mutex>(params);
  } else if (params.mutex == "exclusive") {
    Run<std::mutex>(params);
  } else {
    Run<TreeMutex>(params);
  }
  return 0;
}

}  // namespace
}  // namespace plexus

int main(int argc, char** argv) {
  try {
    return plexus::Main(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& e) {
    std::fprintf(stderr, "error: %s\n", e.what());
    return 1;
  }
}
