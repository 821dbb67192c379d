#pragma once
// Workers that gather, evaluate and back up minibatches on one tree, with the lock taken as finely as asked.

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

#include "bench/study_cards.h"
#include "bench/study_lock.h"
#include "bench/study_tree.h"

namespace plexus {

enum class Granularity : uint8_t {
  kLevel,  // for each step of a descent and of a backup
  kVisit,  // for each descent and for each backup
  kBatch,  // for a whole gather and for a whole backup
};

struct StudyCounters {
  int64_t visits = 0, batches = 0, collisions = 0, levels = 0;
  LockMeter lock;
  void Add(const StudyCounters& other) {
    visits += other.visits;
    batches += other.batches;
    collisions += other.collisions;
    levels += other.levels;
    lock.acquisitions += other.lock.acquisitions;
    lock.wait_ns += other.lock.wait_ns;
    lock.held_ns += other.lock.held_ns;
  }
};

// One thread's part. Phases can be called one by one.
template <class Mutex>
class StudyWorker {
 public:
  StudyWorker(StudyTree* tree, StudyLock<Mutex>* lock, Granularity granularity, int minibatch)
      : tree_(*tree), lock_(*lock), granularity_(granularity), minibatch_(minibatch) {}

  // Leaves that nobody else has; fewer than a minibatch if too many descents end at leaves of others.
  int Gather() {
    leaves_.clear();
    path_.clear();
    collided_.clear();
    const auto whole = Hold(Granularity::kBatch, Access::kRead);
    for (int collisions = 0; static_cast<int>(leaves_.size()) < minibatch_;) {
      if (Descend()) continue;
      ++counters_.collisions;
      if (++collisions >= minibatch_) break;
    }
    TakeCollisionsBack();
    return static_cast<int>(leaves_.size());
  }

  // Outside of the lock: what a network would say, in a block that nobody sees yet.
  void Extend() {
    for (Leaf& leaf : leaves_) {
      leaf.children = tree_.NewChildren(leaf.node);
      leaf.value = StudyTree::Evaluate(leaf.node);
    }
  }

  void BackUp() {
    const auto whole = Hold(Granularity::kBatch, Access::kWrite);
    for (const Leaf& leaf : leaves_) {
      const auto visit = Hold(Granularity::kVisit, Access::kWrite);
      {
        const auto level = Hold(Granularity::kLevel, Access::kWrite);
        tree_.Link(leaf.node, leaf.children);
      }
      float value = -leaf.value;
      for (size_t i = leaf.end; i-- > leaf.begin;) {
        const auto level = Hold(Granularity::kLevel, Access::kWrite);
        tree_.AddVisit(path_[i], value);
        value = -value;
      }
    }
    counters_.visits += static_cast<int64_t>(leaves_.size());
    counters_.batches += leaves_.empty() ? 0 : 1;
    done_.store(counters_.visits, std::memory_order_relaxed);
  }

  // Until `stop`.
  void Run(StudyCards* cards, Clock* clock, const std::atomic<bool>& stop) {
    while (!stop) {
      const int leaves = Gather();
      if (leaves == 0) {
        clock->SleepFor(std::chrono::microseconds(100));
        continue;
      }
      Extend();
      cards->Evaluate(leaves);
      BackUp();
    }
  }

  const StudyCounters& counters() const { return counters_; }
  int64_t visits() const { return done_.load(std::memory_order_relaxed); }  // any thread

 private:
  using Guard = typename StudyLock<Mutex>::Guard;
  struct Leaf {
    StudyTree::NodeId node;
    size_t begin, end;  // of its path, itself included
    StudyTree::NodeId children;
    float value;
  };
  struct MaybeGuard {
    std::optional<Guard> guard;
    MaybeGuard(bool wanted, StudyLock<Mutex>& lock, Access access, LockMeter& meter) {
      if (wanted) guard.emplace(lock, access, meter);
    }
  };
  MaybeGuard Hold(Granularity granularity, Access access) {
    return MaybeGuard(granularity == granularity_, lock_, access, counters_.lock);
  }

  // One visit to a leaf; false if it is already on somebody's way. It stays in flight until the gather ends, so that the
  // next descent looks elsewhere.
  bool Descend() {
    const size_t begin = path_.size();
    const auto visit = Hold(Granularity::kVisit, Access::kRead);
    StudyTree::NodeId node = StudyTree::kRoot;
    for (;;) {
      const auto level = Hold(Granularity::kLevel, Access::kRead);
      const uint32_t before = tree_.Enter(node);
      path_.push_back(node);
      if (tree_.IsExpanded(node)) {
        node = tree_.Choose(node);
        continue;
      }
      if (before == 0) break;
      collided_.insert(collided_.end(), path_.begin() + static_cast<ptrdiff_t>(begin), path_.end());
      path_.resize(begin);
      return false;
    }
    counters_.levels += static_cast<int64_t>(path_.size() - begin);
    leaves_.push_back({node, begin, path_.size(), StudyTree::kNone, 0});
    return true;
  }

  // One acquisition for all of them, but where a lock is taken at each level.
  void TakeCollisionsBack() {
    const auto visit = Hold(Granularity::kVisit, Access::kRead);
    for (const StudyTree::NodeId node : collided_) {
      const auto level = Hold(Granularity::kLevel, Access::kRead);
      tree_.Leave(node);
    }
  }

  StudyTree& tree_;
  StudyLock<Mutex>& lock_;
  const Granularity granularity_;
  const int minibatch_;
  std::vector<Leaf> leaves_;
  std::vector<StudyTree::NodeId> path_;  // of all leaves, one after another
  std::vector<StudyTree::NodeId> collided_;  // visits to take back when the gather ends
  StudyCounters counters_;
  std::atomic<int64_t> done_ = 0;
};

}  // namespace plexus
