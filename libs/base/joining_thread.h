#pragma once
// A thread that has a name, is joined unless detached on purpose, and hands an uncaught exception to its owner.

#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>

namespace plexus {

// Movable; one owner calls its methods.
class JoiningThread {
 public:
  JoiningThread() = default;
  // `name` shows in debuggers and in /proc; the system keeps its first 15 characters.
  JoiningThread(const std::string& name, std::function<void()> body);
  // Joins. An exception that nobody collected with Join() goes to the log.
  ~JoiningThread();
  JoiningThread(JoiningThread&&) = default;
  JoiningThread& operator=(JoiningThread&& other);

  // Waits for the end of the thread, then throws what escaped from its body, if anything. At once
  // if joined before.
  void Join();
  // Lets the thread go on alone: nobody will wait for it or hear what escapes from it. `body` must own all it uses.
  void Detach();
  bool joinable() const { return thread_.joinable(); }

 private:
  void JoinAndLog();

  // Written by the thread before it ends, read after the join; apart, so that the object can be
  // moved, and shared, so that a detached thread may still write.
  std::shared_ptr<std::exception_ptr> escaped_;
  std::thread thread_;
};

}  // namespace plexus
