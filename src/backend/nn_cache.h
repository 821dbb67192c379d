#pragma once
// Answers of a network, by EvalKey, in a fixed amount of memory.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/mutex.h"
#include "net/backend.h"

namespace plexus {

struct CachedEval {
  static constexpr int kMaxMoves = 256;
  float wl = 0, d = 0, m = 0;
  int num_moves = 0;
  std::array<uint16_t, kMaxMoves>
      policy;  // codes of policy_codec.h, the first num_moves; the rest undefined
};

// A short fingerprint of the moves and their order: an answer is only good for the list that it was asked with.
uint16_t MovesFingerprint(std::span<const Move> moves);

// Thread safety: all of it; each shard has its own mutex.
//
// A shard is a log of records, written round and round, and an index into it:
//
//   log    [ newer lap ... head) [free) [tail ... older lap ... lap_end)      a record: 24 bytes + 2 a move
//   index  buckets of one cache line: 10 x (offset, 16 bits of the key)
//
// Invariants
// 1. Writing at head first drops the records it will overlap, oldest first, and their index entries.
// 2. An index entry points at a live record.
// 3. A hit in the oldest quarter is written anew at head: what is used stays.
// A full bucket drops its oldest entry.
class NNCache {
 public:
  // entries: how many answers of average length (kAverageMoves) to make room for; 0 remembers nothing.
  // Throws Exception if that is more than the machine's memory.
  explicit NNCache(int64_t entries);
  ~NNCache();

  // Whether there is an answer for this key and these moves; then fills *found.
  bool Find(uint64_t key, std::span<const Move> moves, CachedEval* found);
  // As Find, with the fingerprint at hand.
  bool Find(uint64_t key, int num_moves, uint16_t fingerprint, CachedEval* found);
  void Insert(uint64_t key, uint16_t fingerprint, const CachedEval& eval);
  void Clear();
  CacheCounters counters() const;

  static constexpr int kAverageMoves = 36;  // mean of legal moves over tree positions, rounded up

 private:
  class Shard;
  Shard* ShardOf(uint64_t hash) const;

  std::vector<std::unique_ptr<Shard>> shards_;  // a power of two; empty: remembers nothing
};

}  // namespace plexus
