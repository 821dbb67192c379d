#pragma once
// A whole UCI session inside a test: lines in, lines out. Nothing sleeps; waits end when a line arrives, and give up
// after half a minute.

#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/joining_thread.h"
#include "base/mutex.h"
#include "base/strings.h"
#include "uci/uci_loop.h"

namespace plexus {

class ScriptedSession {
 public:
  explicit ScriptedSession(UciStart start) : start_(std::move(start)) {}
  ~ScriptedSession() { Close(); }
  ScriptedSession(const ScriptedSession&) = delete;
  ScriptedSession& operator=(const ScriptedSession&) = delete;

  EngineOptions options;  // may be set before the first Send

  // One or more lines, all in the input before the session sees the first of them.
  void Send(const std::string& lines) {
    {
      MutexLock lock(mutex_);
      for (const std::string& line : Split(lines, '\n')) input_.push_back(line);
      changed_.notify_all();
    }
    if (!thread_.joinable()) {
      thread_ = JoiningThread("uci-session", [this] {
        RunUciLoop(
            &options, &clock_, start_, [this] { return Read(); },
            [this](const std::string& text) { Write(text); });
        MutexLock lock(mutex_);
        ended_ = true;
        changed_.notify_all();
      });
    }
  }
  // The end of the input; waits for the end of the session.
  void Close() {
    {
      MutexLock lock(mutex_);
      input_ended_ = true;
      changed_.notify_all();
    }
    if (thread_.joinable()) thread_.Join();
  }

  // The first line from the read mark on that starts with `prefix`; the mark moves behind it. "(none: ...)" with all
  // lines if none comes.
  std::string WaitFor(const std::string& prefix) {
    MutexLock lock(mutex_);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    for (;;) {
      for (; mark_ < output_.size(); ++mark_)
        if (output_[mark_].starts_with(prefix)) return output_[mark_++];
      if (ended_ || changed_.wait_until(lock.native(), give_up) == std::cv_status::timeout)
        return "(none: " + Join(output_, " | ") + ")";
    }
  }
  bool WaitForEnd() {
    MutexLock lock(mutex_);
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!ended_ && changed_.wait_until(lock.native(), give_up) != std::cv_status::timeout) {
    }
    return ended_;
  }
  // Everything written so far that starts with `prefix`.
  std::vector<std::string> Lines(const std::string& prefix = "") {
    MutexLock lock(mutex_);
    std::vector<std::string> lines;
    for (const std::string& line : output_)
      if (line.starts_with(prefix)) lines.push_back(line);
    return lines;
  }
  // Waits until all that was sent has been handled.
  void Sync() {
    Send("isready");
    WaitFor("readyok");
  }

 private:
  std::optional<std::string> Read() {
    MutexLock lock(mutex_);
    while (input_.empty() && !input_ended_) changed_.wait(lock.native());
    if (input_.empty()) return {};
    std::string line = std::move(input_.front());
    input_.pop_front();
    return line;
  }
  void Write(const std::string& text) {
    MutexLock lock(mutex_);
    for (const std::string& line : Split(text.substr(0, text.size() - 1), '\n'))
      output_.push_back(line);
    changed_.notify_all();
  }

  UciStart start_;
  SteadyClock clock_;
  Mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> input_ GUARDED_BY(mutex_);
  bool input_ended_ GUARDED_BY(mutex_) = false, ended_ GUARDED_BY(mutex_) = false;
  std::vector<std::string> output_ GUARDED_BY(mutex_);
  size_t mark_ GUARDED_BY(mutex_) = 0;
  JoiningThread thread_;
};

}  // namespace plexus
