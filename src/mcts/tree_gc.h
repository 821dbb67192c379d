#pragma once
// Frees dead subtrees beside everything else. Nodes are walked without the lock, for nobody else knows them; the lock
// is held for one splice a slice.

#include <thread>
#include <vector>

#include "base/mutex.h"
#include "mcts/tree.h"

namespace plexus {

// Thread safety: Collect, Abandon and WaitUntilIdle come from one controlling thread.
// Invariant: while idle() the collector holds no node.
class TreeGc {
 public:
  explicit TreeGc(Tree* tree) : tree_(tree) {}
  ~TreeGc();

  // There may be dead subtrees: the thread (started on the first call) frees them.
  void Collect();
  // Forgets what is not freed yet; then the tree can be cleared. Returns when the thread is idle.
  void Abandon();
  void WaitUntilIdle();

 private:
  void Run();
  void FreeAll();

  Tree* const tree_;
  Mutex mutex_;
  std::condition_variable changed_;
  bool wanted_ GUARDED_BY(mutex_) = false;
  bool busy_ GUARDED_BY(mutex_) = false;
  bool quit_ GUARDED_BY(mutex_) = false;
  std::atomic<bool> abandon_ = false;
  std::thread thread_;
};

}  // namespace plexus
