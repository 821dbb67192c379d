#include "base/joining_thread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "base/error_of.h"
#include "base/files.h"
#include "base/logging.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

TEST(JoiningThread, RunsItsBodyAndJoinsWhenDestroyed) {
  bool ran = false;
  {
    JoiningThread thread("worker", [&ran] { ran = true; });
  }
  EXPECT_TRUE(ran);
}

TEST(JoiningThread, JoinThrowsWhatEscapedFromTheBodyOnce) {
  JoiningThread thread("worker", [] { throw Exception("The device is gone."); });
  EXPECT_EQ(ErrorOf([&] { thread.Join(); }), "The device is gone.");
  EXPECT_EQ(ErrorOf([&] { thread.Join(); }), "no error");
  EXPECT_FALSE(thread.joinable());
}

TEST(JoiningThread, CarriesItsName) {
  char name[32] = "";
  JoiningThread thread("a-name-longer-than-fifteen",
                       [&name] { pthread_getname_np(pthread_self(), name, sizeof(name)); });
  thread.Join();
  EXPECT_STREQ(name, "a-name-longer-t");
}

TEST(JoiningThread, CanBeMovedWhileItRuns) {
  std::atomic<bool> go{false};
  std::vector<JoiningThread> threads;
  for (int i = 0; i < 5; ++i) {
    threads.emplace_back("worker", [&go] {
      while (!go) std::this_thread::yield();
      throw std::runtime_error("late");
    });
  }
  JoiningThread moved = std::move(threads[2]);
  threads[2] = JoiningThread();
  go = true;
  EXPECT_THROW(moved.Join(), std::runtime_error);
}

TEST(JoiningThread, AssignmentJoinsTheFormerThread) {
  bool ran = false;
  JoiningThread thread("first", [&ran] { ran = true; });
  thread = JoiningThread("second", [] {});
  EXPECT_TRUE(ran);
}

TEST(JoiningThread, AnEmptyOneJoinsAtOnce) {
  JoiningThread thread;
  EXPECT_FALSE(thread.joinable());
  thread.Join();
}

TEST(JoiningThread, AnErrorThatNobodyCollectsIsLogged) {
  TemporaryFolder folder;
  SetLogFile(folder.Path("log"));
  {
    JoiningThread thread("worker", [] { throw Exception("The disk is full."); });
  }
  SetLogFile("");
  EXPECT_THAT(ReadFile(folder.Path("log")), HasSubstr("The disk is full."));
}

TEST(JoiningThread, ADetachedThreadGoesOnAloneAndMayEvenThrow) {
  struct Shared {
    std::atomic<bool> go = false;
  };
  const auto shared = std::make_shared<Shared>();
  {
    JoiningThread thread("lost", [shared] {
      while (!shared->go) std::this_thread::yield();
      throw std::runtime_error("nobody hears it");
    });
    thread.Detach();
    EXPECT_FALSE(thread.joinable());
  }  // does not wait
  shared->go = true;
  while (shared.use_count() > 1) std::this_thread::yield();
}

}  // namespace
}  // namespace plexus
