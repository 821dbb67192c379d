#include "base/joining_thread.h"

#include <pthread.h>

#include <utility>

#include "base/logging.h"

namespace plexus {

JoiningThread::JoiningThread(const std::string& name, std::function<void()> body)
    : escaped_(std::make_shared<std::exception_ptr>()) {
  thread_ = std::thread([name, body = std::move(body), escaped = escaped_] {
    pthread_setname_np(pthread_self(), name.substr(0, 15).c_str());
    try {
      body();
    } catch (...) {
      *escaped = std::current_exception();
    }
  });
}

JoiningThread::~JoiningThread() { JoinAndLog(); }

JoiningThread& JoiningThread::operator=(JoiningThread&& other) {
  JoinAndLog();
  escaped_ = std::move(other.escaped_);
  thread_ = std::move(other.thread_);
  return *this;
}

void JoiningThread::Join() {
  if (thread_.joinable()) thread_.join();
  if (escaped_ == nullptr) return;
  if (std::exception_ptr escaped = std::exchange(*escaped_, nullptr)) {
    std::rethrow_exception(escaped);
  }
}

void JoiningThread::Detach() {
  if (thread_.joinable()) thread_.detach();
  escaped_.reset();
}

void JoiningThread::JoinAndLog() {
  try {
    Join();
  } catch (const std::exception& error) {
    Log(LogLevel::kError, std::string("A thread ended with an error: ") + error.what());
  } catch (...) {
    Log(LogLevel::kError, "A thread ended with an unknown error.");
  }
}

}  // namespace plexus
