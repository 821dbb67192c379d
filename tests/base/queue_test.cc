#include "base/queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace plexus {
namespace {

TEST(BlockingQueue, ItemsComeOutInOrder) {
  BlockingQueue<int> queue(3);
  EXPECT_TRUE(queue.Push(1));
  EXPECT_TRUE(queue.Push(2));
  EXPECT_EQ(queue.size(), 2u);
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), 2);
  EXPECT_EQ(queue.TryPop(), std::nullopt);
}

TEST(BlockingQueue, TryPushRefusesWhenFull) {
  BlockingQueue<int> queue(1);
  EXPECT_TRUE(queue.TryPush(1));
  EXPECT_FALSE(queue.TryPush(2));
  EXPECT_EQ(queue.TryPop(), 1);
  EXPECT_TRUE(queue.TryPush(3));
}

TEST(BlockingQueue, AfterCloseNothingGoesInAndTheRestComesOut) {
  BlockingQueue<int> queue(3);
  queue.Push(1);
  queue.Close();
  queue.Close();
  EXPECT_FALSE(queue.Push(2));
  EXPECT_FALSE(queue.TryPush(2));
  EXPECT_EQ(queue.Pop(), 1);
  EXPECT_EQ(queue.Pop(), std::nullopt);
}

TEST(BlockingQueue, ClosingWakesThoseWhoWait) {
  BlockingQueue<int> empty(1), full(1);
  full.Push(0);
  std::optional<int> popped = 5;
  bool pushed = true;
  std::thread reader([&] { popped = empty.Pop(); });
  std::thread writer([&] { pushed = full.Push(1); });
  empty.Close();
  full.Close();
  reader.join();
  writer.join();
  EXPECT_EQ(popped, std::nullopt);
  EXPECT_FALSE(pushed);
}

TEST(BlockingQueue, HoldsItemsThatCanOnlyBeMoved) {
  BlockingQueue<std::unique_ptr<int>> queue(1);
  queue.Push(std::make_unique<int>(7));
  EXPECT_EQ(**queue.Pop(), 7);
}

TEST(BlockingQueue, ManyWritersAndReadersLoseAndDoubleNothing) {
  constexpr int kWriters = 4, kReaders = 4, kItems = 2000;
  BlockingQueue<int> queue(7);
  std::vector<std::vector<int>> seen(kReaders, std::vector<int>(kWriters * kItems));
  std::vector<std::thread> writers, readers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&queue, w] {
      for (int i = 0; i < kItems; ++i) queue.Push(w * kItems + i);
    });
  }
  for (int r = 0; r < kReaders; ++r) {
    readers.emplace_back([&queue, &mine = seen[r]] {
      while (const std::optional<int> item = queue.Pop()) ++mine[*item];
    });
  }
  for (std::thread& writer : writers) writer.join();
  queue.Close();
  for (std::thread& reader : readers) reader.join();
  for (int i = 0; i < kWriters * kItems; ++i) {
    int count = 0;
    for (const std::vector<int>& mine : seen) count += mine[i];
    ASSERT_EQ(count, 1) << i;
  }
}

}  // namespace
}  // namespace plexus
