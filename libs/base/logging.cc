#include "base/logging.h"

#include <pthread.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <system_error>

#include "base/exception.h"
#include "base/mutex.h"

namespace plexus {
namespace {

class LogSink {
 public:
  static LogSink& Get() {
    // Never destroyed: threads may log while the process ends.
    static LogSink* const sink = new LogSink();
    return *sink;
  }

  void Open(const std::string& path) {
    MutexLock lock(mutex_);
    if (path == path_) return;
    if (file_ != nullptr && file_ != stderr) std::fclose(file_);
    file_ = nullptr;
    path_.clear();
    is_on_ = false;
    if (path.empty()) return;
    file_ = path == "<stderr>" ? stderr : std::fopen(path.c_str(), "ae");
    if (file_ == nullptr) {
      throw Exception("Cannot open the log file \"" + path +
                          "\": " + std::generic_category().message(errno) + ".",
                      "Set LogFile to a file that can be written.");
    }
    path_ = path;
    is_on_ = true;
  }

  bool is_on() const { return is_on_; }

  void Write(const std::string& line) {
    MutexLock lock(mutex_);
    if (file_ == nullptr) return;
    std::fwrite(line.data(), 1, line.size(), file_);
    std::fflush(file_);
  }

 private:
  Mutex mutex_;
  std::string path_ GUARDED_BY(mutex_);
  std::FILE* file_ GUARDED_BY(mutex_) = nullptr;
  std::atomic<bool> is_on_{false};  // only a hint; file_ decides
};

const char* LevelName(LogLevel level) {
  switch (level) {
    case LogLevel::kInfo:
      return "info";
    case LogLevel::kWarning:
      return "warning";
    case LogLevel::kError:
      return "error";
  }
  return "?";
}

std::string TimeText() {
  const auto now = std::chrono::system_clock::now();
  const std::time_t seconds = std::chrono::system_clock::to_time_t(now);
  const auto since_epoch =
      std::chrono::duration_cast<std::chrono::milliseconds>(now.time_since_epoch()).count();
  std::tm parts{};
  localtime_r(&seconds, &parts);
  char date[32], text[48];
  std::strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &parts);
  std::snprintf(text, sizeof(text), "%s.%03d", date, static_cast<int>(since_epoch % 1000));
  return text;
}

}  // namespace

void SetLogFile(const std::string& path) { LogSink::Get().Open(path); }

bool LogIsOn() { return LogSink::Get().is_on(); }

void Log(LogLevel level, std::string_view text) {
  if (!LogIsOn()) return;
  char thread_name[16] = "?";
  pthread_getname_np(pthread_self(), thread_name, sizeof(thread_name));
  std::string line = TimeText() + " " + LevelName(level) + " [" + thread_name + "] ";
  line += text;
  line += '\n';
  LogSink::Get().Write(line);
}

}  // namespace plexus
