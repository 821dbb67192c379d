#pragma once
// Keeps all that a search tells.

#include <string>
#include <vector>

#include "base/mutex.h"
#include "search/info.h"

namespace plexus {

// Thread-safe; counts calls that overlap, which no search may do.
class RecordingSink : public InfoSink {
 public:
  void OnInfo(const SearchInfo& info) override {
    MutexLock lock(mutex_);
    infos_.push_back(info);
    if (!best_.empty()) ++infos_after_best_;
  }
  void OnText(const std::string& text) override {
    MutexLock lock(mutex_);
    texts_.push_back(text);
    changed_.notify_all();
  }
  void OnBestMove(const BestMove& best) override {
    MutexLock lock(mutex_);
    best_.push_back(best);
  }
  std::vector<SearchInfo> infos() const {
    MutexLock lock(mutex_);
    return infos_;
  }
  std::vector<std::string> texts() const {
    MutexLock lock(mutex_);
    return texts_;
  }
  std::vector<BestMove> best() const {
    MutexLock lock(mutex_);
    return best_;
  }
  int infos_after_best() const {
    MutexLock lock(mutex_);
    return infos_after_best_;
  }
  void WaitForText() {
    MutexLock lock(mutex_);
    while (texts_.empty()) changed_.wait(lock.native());
  }

 private:
  mutable Mutex mutex_;
  std::condition_variable changed_;
  std::vector<SearchInfo> infos_ GUARDED_BY(mutex_);
  std::vector<std::string> texts_ GUARDED_BY(mutex_);
  std::vector<BestMove> best_ GUARDED_BY(mutex_);
  int infos_after_best_ GUARDED_BY(mutex_) = 0;
};

}  // namespace plexus
