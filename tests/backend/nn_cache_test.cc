#include "backend/nn_cache.h"

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/exception.h"
#include "base/hash.h"
#include "base/random.h"

namespace plexus {
namespace {

CachedEval EvalFor(uint64_t key, int moves) {
  CachedEval eval;
  eval.wl = static_cast<float>(key % 1000) / 1000;
  eval.d = static_cast<float>(key % 77) / 77;
  eval.m = static_cast<float>(key % 300);
  eval.num_moves = moves;
  for (int i = 0; i < moves; ++i) eval.policy[i] = static_cast<uint16_t>(HashCombine(key, i));
  return eval;
}

int MovesFor(uint64_t key) { return 1 + static_cast<int>(MixBits(key ^ 5) % 70); }

void InsertFor(NNCache* cache, uint64_t key) { cache->Insert(key, 9, EvalFor(key, MovesFor(key))); }

// Whether the cache knows `key`; what it says must then be what was inserted.
bool Knows(NNCache* cache, uint64_t key) {
  const int moves = MovesFor(key);
  CachedEval found;
  if (!cache->Find(key, moves, 9, &found)) return false;
  const CachedEval expected = EvalFor(key, moves);
  EXPECT_EQ(found.wl, expected.wl);
  EXPECT_EQ(found.d, expected.d);
  EXPECT_EQ(found.m, expected.m);
  EXPECT_EQ(found.num_moves, moves);
  EXPECT_TRUE(
      std::equal(found.policy.begin(), found.policy.begin() + moves, expected.policy.begin()))
      << key;
  return true;
}

TEST(NNCacheTest, WhatWasInsertedIsFound) {
  NNCache cache(100);
  InsertFor(&cache, 42);
  EXPECT_TRUE(Knows(&cache, 42));
  EXPECT_FALSE(Knows(&cache, 43));
}

TEST(NNCacheTest, AnotherNumberOfMovesIsNoHit) {
  NNCache cache(100);
  cache.Insert(1, 9, EvalFor(1, 20));
  CachedEval found;
  EXPECT_FALSE(cache.Find(1, 21, 9, &found));
  EXPECT_TRUE(cache.Find(1, 20, 9, &found));
}

TEST(NNCacheTest, AnotherListOfMovesOfTheSameLengthIsNoHit) {
  const std::vector<Move> moves = {Move(12, 28), Move(11, 27)};
  const std::vector<Move> turned = {Move(11, 27), Move(12, 28)};
  NNCache cache(100);
  cache.Insert(1, MovesFingerprint(moves), EvalFor(1, 2));
  CachedEval found;
  EXPECT_TRUE(cache.Find(1, moves, &found));
  EXPECT_FALSE(cache.Find(1, turned, &found));
}

TEST(NNCacheTest, TheLatestListOfMovesReplacesTheFormer) {
  NNCache cache(100);
  cache.Insert(1, 9, EvalFor(1, 20));
  cache.Insert(1, 9, EvalFor(1, 30));
  CachedEval found;
  EXPECT_TRUE(cache.Find(1, 30, 9, &found));
  EXPECT_FALSE(cache.Find(1, 20, 9, &found));
  EXPECT_EQ(cache.counters().entries, 1);
}

TEST(NNCacheTest, InsertingTheSameAgainChangesNothing) {
  NNCache cache(100);
  for (int i = 0; i < 1000; ++i) InsertFor(&cache, 42);
  EXPECT_EQ(cache.counters().entries, 1);
  EXPECT_TRUE(Knows(&cache, 42));
}

TEST(NNCacheTest, ZeroEntriesRememberNothingAndTakeNoMemory) {
  NNCache cache(0);
  InsertFor(&cache, 42);
  EXPECT_FALSE(Knows(&cache, 42));
  EXPECT_EQ(cache.counters().bytes, 0);
}

TEST(NNCacheTest, ACacheLargerThanTheMachineIsRefused) {
  EXPECT_THROW(NNCache(int64_t{1} << 50), Exception);
}

TEST(NNCacheTest, ClearForgetsAll) {
  NNCache cache(1000);
  for (uint64_t key = 0; key < 500; ++key) InsertFor(&cache, key);
  cache.Clear();
  for (uint64_t key = 0; key < 500; ++key) ASSERT_FALSE(Knows(&cache, key));
  EXPECT_EQ(cache.counters().entries, 0);
  InsertFor(&cache, 3);
  EXPECT_TRUE(Knows(&cache, 3));
}

TEST(NNCacheTest, MemoryIsFixedAndAboutAsAnnounced) {
  NNCache cache(10000);
  const int64_t bytes = cache.counters().bytes;
  EXPECT_NEAR(static_cast<double>(bytes), 10000 * 112.0, 10000 * 4.0);
  for (uint64_t key = 0; key < 50000; ++key) InsertFor(&cache, key);
  EXPECT_EQ(cache.counters().bytes, bytes);
}

TEST(NNCacheTest, TheRecentHalfOfItsSizeIsNearlyAlwaysThere) {
  NNCache cache(10000);
  constexpr uint64_t kInserted = 60000, kRecent = 5000;
  for (uint64_t key = 0; key < kInserted; ++key) InsertFor(&cache, key);
  int known = 0;
  for (uint64_t key = kInserted - kRecent; key < kInserted; ++key) known += Knows(&cache, key);
  EXPECT_GT(known, kRecent * 99 / 100);  // a full bucket loses one now and then
  EXPECT_GT(cache.counters().entries, 9000);
}

TEST(NNCacheTest, WhatIsAskedForAgainAndAgainStays) {
  NNCache cache(1024);
  InsertFor(&cache, 1);
  int known = 0;
  for (uint64_t key = 100; key < 20100; ++key) {
    InsertFor(&cache, key);
    if (key % 50 == 0) known += Knows(&cache, 1);
  }
  EXPECT_EQ(known, 400);
}

TEST(NNCacheTest, WhatNobodyAsksForGoes) {
  NNCache cache(1024);
  for (uint64_t key = 0; key < 20000; ++key) InsertFor(&cache, key);
  EXPECT_FALSE(Knows(&cache, 1));
}

TEST(NNCacheTest, AgreesWithAMapWhateverIsDoneToIt) {
  NNCache cache(300);
  std::map<uint64_t, bool> inserted;
  Random random(11);
  int hits = 0;
  for (int step = 0; step < 200000; ++step) {
    const uint64_t key = random.Below(1500);
    if (random.Below(3) == 0) {
      InsertFor(&cache, key);
      inserted[key] = true;
      ASSERT_TRUE(Knows(&cache, key));
    } else if (Knows(&cache, key)) {
      ++hits;
      ASSERT_TRUE(inserted.contains(key));
    }
    if (random.Below(20000) == 0) {
      cache.Clear();
      inserted.clear();
    }
  }
  EXPECT_GT(hits, 1000);
}

TEST(NNCacheTest, CountersCountProbesAndHits) {
  NNCache cache(100);
  InsertFor(&cache, 1);
  Knows(&cache, 1);
  Knows(&cache, 2);
  Knows(&cache, 1);
  EXPECT_EQ(cache.counters().probes, 3);
  EXPECT_EQ(cache.counters().hits, 2);
}

TEST(NNCacheTest, ThreadsMayShareIt) {
  NNCache cache(5000);
  std::vector<std::jthread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&cache, t] {
      Random random(t);
      for (int i = 0; i < 20000; ++i) {
        const uint64_t key = random.Below(8000);
        if (!Knows(&cache, key)) InsertFor(&cache, key);
      }
    });
  }
  threads.clear();
  EXPECT_GT(cache.counters().hits, 0);
}

}  // namespace
}  // namespace plexus
