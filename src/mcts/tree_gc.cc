#include "mcts/tree_gc.h"

namespace plexus {
namespace {

constexpr int kNodesPerSlice = 4096;

}  // namespace

TreeGc::~TreeGc() {
  abandon_ = true;
  {
    MutexLock lock(mutex_);
    quit_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void TreeGc::Collect() {
  if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
  MutexLock lock(mutex_);
  wanted_ = true;
  changed_.notify_all();
}

void TreeGc::Abandon() {
  abandon_ = true;
  WaitUntilIdle();
  abandon_ = false;
}

void TreeGc::WaitUntilIdle() NO_THREAD_SAFETY_ANALYSIS {
  MutexLock lock(mutex_);
  changed_.wait(lock.native(), [this]() NO_THREAD_SAFETY_ANALYSIS { return !wanted_ && !busy_; });
}

void TreeGc::Run() NO_THREAD_SAFETY_ANALYSIS {
  MutexLock lock(mutex_);
  while (true) {
    changed_.wait(lock.native(), [this]() NO_THREAD_SAFETY_ANALYSIS { return wanted_ || quit_; });
    if (quit_) return;
    wanted_ = false;
    busy_ = true;
    lock.native().unlock();
    FreeAll();
    lock.native().lock();
    busy_ = false;
    changed_.notify_all();
  }
}

void TreeGc::FreeAll() {
  std::vector<NodeIndex> dead;
  {
    TreeWriteLock lock(tree_->nodes_mutex());
    dead = tree_->TakeGarbage(lock);
  }
  while (!dead.empty() && !abandon_) {
    NodePool::FreeList freed;
    tree_->ChainDeadNodes(&dead, kNodesPerSlice, &freed);
    TreeWriteLock lock(tree_->nodes_mutex());
    tree_->Splice(lock, freed);
  }
}

}  // namespace plexus
