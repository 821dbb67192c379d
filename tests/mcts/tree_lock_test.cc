#include "mcts/tree_lock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/exception.h"

namespace plexus {
namespace {

// Until `count` threads sleep in the lock's queue or wait for a change. No time is assumed: the condition is polled.
template <class Condition>
void Await(Condition condition) {
  while (!condition()) std::this_thread::yield();
}

TEST(TreeMutex, ASecondLockByItsOwnerThrows) NO_THREAD_SAFETY_ANALYSIS {
  TreeMutex mutex;
  TreeWriteLock lock(mutex);
  EXPECT_THROW(mutex.lock(), Exception);
}

TEST(TreeMutex, IsUsableAfterASecondLockWasRefused) NO_THREAD_SAFETY_ANALYSIS {
  TreeMutex mutex;
  {
    TreeWriteLock lock(mutex);
    EXPECT_THROW(mutex.lock(), Exception);
  }
  TreeReadLock lock(mutex);
  EXPECT_EQ(mutex.stats().acquisitions, 2);
}

TEST(TreeMutex, TellsWhatItWasHeldFor) {
  TreeMutex mutex;
  { TreeWriteLock lock(mutex, LockUse::kGather); }
  const LockStats gathered = mutex.stats();
  { TreeWriteLock lock(mutex, LockUse::kBackup); }
  const LockStats backed_up = mutex.stats();
  { TreeWriteLock lock(mutex); }
  EXPECT_EQ(gathered.gather_ns, gathered.hold_ns);
  EXPECT_EQ(gathered.backup_ns, 0);
  EXPECT_EQ(backed_up.gather_ns, gathered.gather_ns);
  EXPECT_EQ(backed_up.backup_ns, backed_up.hold_ns - gathered.hold_ns);
  EXPECT_EQ(mutex.stats().gather_ns + mutex.stats().backup_ns, backed_up.hold_ns);
}

TEST(TreeMutex, ServesInTheOrderOfArrival) NO_THREAD_SAFETY_ANALYSIS {
  TreeMutex mutex;
  std::vector<int> order;
  std::vector<std::thread> threads;
  mutex.lock();
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i]() NO_THREAD_SAFETY_ANALYSIS {
      mutex.lock();
      order.push_back(i);
      mutex.unlock();
    });
    Await([&] { return mutex.waiting_for_lock() == i + 1; });
  }
  mutex.unlock();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(TreeMutex, WhoReleasesAndAsksAgainWaitsBehindTheQueue) NO_THREAD_SAFETY_ANALYSIS {
  TreeMutex mutex;
  int other = 0;
  mutex.lock();
  std::thread thread([&]() NO_THREAD_SAFETY_ANALYSIS {
    mutex.lock();
    other = 1;
    mutex.unlock();
  });
  Await([&] { return mutex.waiting_for_lock() == 1; });
  mutex.unlock();
  mutex.lock();
  EXPECT_EQ(other, 1);
  mutex.unlock();
  thread.join();
}

TEST(TreeMutex, CountsAcquisitionsAndTimes) NO_THREAD_SAFETY_ANALYSIS {
  TreeMutex mutex;
  for (int i = 0; i < 5; ++i) TreeWriteLock lock(mutex);
  EXPECT_EQ(mutex.stats().acquisitions, 5);
  EXPECT_GT(mutex.stats().hold_ns, 0);
  EXPECT_GE(mutex.stats().wait_ns, 0);
}

TEST(TreeMutex, ManyThreadsNeverHoldItTogether) NO_THREAD_SAFETY_ANALYSIS {
  TreeMutex mutex;
  int counter = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int j = 0; j < 500; ++j) {
        TreeWriteLock lock(mutex);
        ++counter;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(counter, 2000);
}

TEST(TreeMutex, AChangeWakesWhoWaitsForIt) {
  TreeMutex mutex;
  std::atomic<bool> stop = false;
  const uint64_t seen = mutex.epoch();
  std::thread thread([&] { mutex.WaitForChange(seen, stop); });
  Await([&] { return mutex.waiting_for_change() == 1; });
  mutex.Changed();
  thread.join();
  EXPECT_EQ(mutex.epoch(), seen + 1);
}

TEST(TreeMutex, WhoeverIsWokenByAChangeCanWakeTheNext) {
  TreeMutex mutex;
  std::atomic<bool> stop = false;
  const uint64_t seen = mutex.epoch();
  std::vector<std::thread> threads;
  for (int i = 0; i < 5; ++i)
    threads.emplace_back([&] {
      mutex.WaitForChange(seen, stop);
      mutex.WakeAnother();
    });
  Await([&] { return mutex.waiting_for_change() == 5; });
  mutex.Changed();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(mutex.waiting_for_change(), 0);
}

TEST(TreeMutex, AChangeBeforeTheWaitIsNotMissed) {
  TreeMutex mutex;
  std::atomic<bool> stop = false;
  const uint64_t seen = mutex.epoch();
  mutex.Changed();
  mutex.WaitForChange(seen, stop);  // returns at once
}

TEST(TreeMutex, StopEndsAWaitForAChange) {
  TreeMutex mutex;
  std::atomic<bool> stop = false;
  std::thread thread([&] { mutex.WaitForChange(mutex.epoch(), stop); });
  Await([&] { return mutex.waiting_for_change() == 1; });
  stop = true;
  mutex.Wake();
  thread.join();
}

}  // namespace
}  // namespace plexus
