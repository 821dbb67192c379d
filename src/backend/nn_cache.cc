#include "backend/nn_cache.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>

#include "base/exception.h"
#include "base/hash.h"

namespace plexus {
namespace {

constexpr int kHeaderWords = 3;
constexpr int kMaxRecordWords = kHeaderWords + CachedEval::kMaxMoves / 4;
constexpr int kBucketSlots = 10;
constexpr int kBucketLoad = 5;  // expected entries of a bucket: with 10 slots, one in 70 overflows
constexpr int kMaxShards = 64;
constexpr int64_t kEntriesOfAShard = 1024;  // below it, fewer shards

constexpr int RecordWords(int num_moves) { return kHeaderWords + (num_moves + 3) / 4; }

struct RecordHeader {
  uint64_t key;
  float wl, d, m;
  uint16_t num_moves, fingerprint;
};
static_assert(sizeof(RecordHeader) == kHeaderWords * sizeof(uint64_t));

struct alignas(64) Bucket {
  std::array<uint32_t, kBucketSlots> offset_plus_1;  // in words; 0: empty
  std::array<uint16_t, kBucketSlots> tag;
};
static_assert(sizeof(Bucket) == 64);

void CheckFitsMachine(int64_t entries) {
  const int64_t bytes =
      entries * static_cast<int64_t>(RecordWords(NNCache::kAverageMoves) * sizeof(uint64_t)) +
      entries / kBucketLoad * static_cast<int64_t>(sizeof(Bucket));
  const int64_t machine = static_cast<int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (machine <= 0 || bytes <= machine) return;
  throw Exception("A cache of " + std::to_string(entries) + " network answers takes " +
                      std::to_string(bytes >> 20) + " MB; this machine has " +
                      std::to_string(machine >> 20) + " MB.",
                  "Lower NNCacheSize.");
}

uint16_t TagOf(uint64_t hash) { return static_cast<uint16_t>(hash); }

}  // namespace

uint16_t MovesFingerprint(std::span<const Move> moves) {
  uint32_t hash = 1;
  for (const Move move : moves) hash = (hash ^ move.bits()) * 0x01000193u;
  return static_cast<uint16_t>(hash >> 16);
}

class NNCache::Shard {
 public:
  explicit Shard(int64_t entries)
      : words_(std::max<int64_t>(4 * kMaxRecordWords, entries * RecordWords(kAverageMoves))),
        // Not written before it is used: memory that is never filled is never taken from the system.
        log_(std::make_unique_for_overwrite<uint64_t[]>(words_)),
        index_(std::max<int64_t>(1, entries / kBucketLoad)) {}

  bool Find(uint64_t hash, uint64_t key, int num_moves, uint16_t fingerprint, CachedEval* found)
      EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    ++probes_;
    const int slot = SlotOf(hash, key);
    if (slot < 0) return false;
    const uint32_t offset = BucketOf(hash).offset_plus_1[slot] - 1;
    const RecordHeader header = HeaderAt(offset);
    if (header.num_moves != num_moves || header.fingerprint != fingerprint) return false;
    ++hits_;
    found->wl = header.wl;
    found->d = header.d;
    found->m = header.m;
    found->num_moves = num_moves;
    std::memcpy(found->policy.data(), &log_[offset + kHeaderWords], num_moves * sizeof(uint16_t));
    if (Age(offset) < words_ / 4) {
      Drop(hash, slot);
      Append(hash, header, found->policy.data());
    }
    return true;
  }

  void Insert(uint64_t hash, const RecordHeader& header, const uint16_t* policy) EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    const int slot = SlotOf(hash, header.key);
    if (slot >= 0) {
      // Two batches asked for the same position at the same time: the answers are equal. Another list of moves: the
      // latest counts.
      const RecordHeader present = HeaderAt(BucketOf(hash).offset_plus_1[slot] - 1);
      if (present.num_moves == header.num_moves && present.fingerprint == header.fingerprint)
        return;
      Drop(hash, slot);
    }
    Append(hash, header, policy);
  }

  void Clear() EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    std::ranges::fill(index_, Bucket{});
    head_ = tail_ = lap_end_ = entries_ = 0;
  }

  void AddCounters(CacheCounters* sum) const EXCLUDES(mutex_) {
    MutexLock lock(mutex_);
    sum->probes += probes_;
    sum->hits += hits_;
    sum->entries += entries_;
    sum->bytes += words_ * sizeof(uint64_t) + index_.size() * sizeof(Bucket);
  }

 private:
  Bucket& BucketOf(uint64_t hash) REQUIRES(mutex_) {
    // Bits 16..47: the tag has those below, the shard those above.
    return index_[((hash >> 16 & 0xffffffffu) * index_.size()) >> 32];
  }
  RecordHeader HeaderAt(uint32_t offset) const REQUIRES(mutex_) {
    RecordHeader header;
    std::memcpy(&header, &log_[offset], sizeof(header));
    return header;
  }
  // 0 = the oldest word of the log.
  int64_t Age(uint32_t offset) const REQUIRES(mutex_) {
    return offset >= head_ ? offset - head_ : offset + words_ - head_;
  }
  int SlotOf(uint64_t hash, uint64_t key) REQUIRES(mutex_) {
    const Bucket& bucket = BucketOf(hash);
    for (int i = 0; i < kBucketSlots; ++i) {
      if (bucket.offset_plus_1[i] == 0 || bucket.tag[i] != TagOf(hash)) continue;
      if (log_[bucket.offset_plus_1[i] - 1] == key) return i;  // a record begins with its key
    }
    return -1;
  }
  void Drop(uint64_t hash, int slot) REQUIRES(mutex_) {
    BucketOf(hash).offset_plus_1[slot] = 0;
    --entries_;
  }

  // The record at tail_ will be overwritten.
  void DropTail() REQUIRES(mutex_) {
    const RecordHeader header = HeaderAt(static_cast<uint32_t>(tail_));
    const uint64_t hash = MixBits(header.key);
    const Bucket& bucket = BucketOf(hash);
    for (int i = 0; i < kBucketSlots; ++i) {
      if (bucket.offset_plus_1[i] == tail_ + 1) Drop(hash, i);
    }
    tail_ += RecordWords(header.num_moves);
  }

  void Append(uint64_t hash, const RecordHeader& header, const uint16_t* policy) REQUIRES(mutex_) {
    const int words = RecordWords(header.num_moves);
    if (head_ + words > words_) {  // a new lap
      while (tail_ < lap_end_) DropTail();
      lap_end_ = head_;
      head_ = tail_ = 0;
    }
    while (tail_ < lap_end_ && tail_ < head_ + words) DropTail();
    std::memcpy(&log_[head_], &header, sizeof(header));
    std::memcpy(&log_[head_ + kHeaderWords], policy, header.num_moves * sizeof(uint16_t));
    Link(hash, static_cast<uint32_t>(head_));
    head_ += words;
  }

  void Link(uint64_t hash, uint32_t offset) REQUIRES(mutex_) {
    Bucket& bucket = BucketOf(hash);
    int slot = 0;
    for (int i = 0; i < kBucketSlots && bucket.offset_plus_1[slot] != 0; ++i) {
      if (bucket.offset_plus_1[i] == 0 ||
          Age(bucket.offset_plus_1[i] - 1) < Age(bucket.offset_plus_1[slot] - 1))
        slot = i;
    }
    if (bucket.offset_plus_1[slot] == 0) ++entries_;
    bucket.offset_plus_1[slot] = offset + 1;
    bucket.tag[slot] = TagOf(hash);
  }

  const int64_t words_;
  mutable Mutex mutex_;
  std::unique_ptr<uint64_t[]> log_ GUARDED_BY(mutex_);
  std::vector<Bucket> index_ GUARDED_BY(mutex_);
  int64_t head_ GUARDED_BY(mutex_) = 0;  // records of this lap: [0, head_)
  int64_t tail_ GUARDED_BY(mutex_) = 0;  // and of the last: [tail_, lap_end_)
  int64_t lap_end_ GUARDED_BY(mutex_) = 0;
  int64_t entries_ GUARDED_BY(mutex_) = 0, probes_ GUARDED_BY(mutex_) = 0,
                   hits_ GUARDED_BY(mutex_) = 0;
};

NNCache::NNCache(int64_t entries) {
  if (entries <= 0) return;
  CheckFitsMachine(entries);
  const int64_t wanted = std::clamp<int64_t>(entries / kEntriesOfAShard, 1, kMaxShards);
  const int64_t shards = static_cast<int64_t>(std::bit_floor(static_cast<uint64_t>(wanted)));
  for (int64_t i = 0; i < shards; ++i)
    shards_.push_back(std::make_unique<Shard>((entries + shards - 1) / shards));
}

NNCache::~NNCache() = default;

NNCache::Shard* NNCache::ShardOf(uint64_t hash) const {
  return shards_.empty() ? nullptr : shards_[(hash >> 48) & (shards_.size() - 1)].get();
}

bool NNCache::Find(uint64_t key, std::span<const Move> moves, CachedEval* found) {
  return Find(key, static_cast<int>(moves.size()), MovesFingerprint(moves), found);
}

bool NNCache::Find(uint64_t key, int num_moves, uint16_t fingerprint, CachedEval* found) {
  const uint64_t hash = MixBits(key);
  Shard* const shard = ShardOf(hash);
  return shard && shard->Find(hash, key, num_moves, fingerprint, found);
}

void NNCache::Insert(uint64_t key, uint16_t fingerprint, const CachedEval& eval) {
  assert(eval.num_moves <= CachedEval::kMaxMoves);
  const uint64_t hash = MixBits(key);
  Shard* const shard = ShardOf(hash);
  if (!shard) return;
  const RecordHeader header{
      key, eval.wl, eval.d, eval.m, static_cast<uint16_t>(eval.num_moves), fingerprint};
  shard->Insert(hash, header, eval.policy.data());
}

void NNCache::Clear() {
  for (const auto& shard : shards_) shard->Clear();
}

CacheCounters NNCache::counters() const {
  CacheCounters sum;
  for (const auto& shard : shards_) shard->AddCounters(&sum);
  return sum;
}

}  // namespace plexus
