#include "uci/uci_loop.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <iostream>

#include "base/exception.h"
#include "base/joining_thread.h"
#include "base/logging.h"
#include "base/options_parser.h"
#include "base/strings.h"
#include "engine/version.h"
#include "uci/commands.h"

namespace plexus {
namespace {

// What the controlling thread waits for: a line, the end of the input, or the answer of a search.
struct Event {
  enum class Kind { kLine, kEndOfInput, kAnswer };
  Kind kind = Kind::kLine;
  std::string line;
};

// Unbounded: a search thread that reports its answer must never wait for the controlling thread, which
// may be waiting for that search.
class EventQueue {
 public:
  void Push(Event event) {
    MutexLock lock(mutex_);
    events_.push_back(std::move(event));
    arrived_.notify_one();
  }
  Event Pop() {
    MutexLock lock(mutex_);
    while (events_.empty()) arrived_.wait(lock.native());
    Event event = std::move(events_.front());
    events_.pop_front();
    return event;
  }

 private:
  Mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Event> events_ GUARDED_BY(mutex_);
};

void ReadLines(const LineReader& read, EventQueue* events) {
  while (std::optional<std::string> line = read()) {
    const std::vector<std::string> words = SplitWords(*line);
    const bool is_last = !words.empty() && words[0] == "quit";
    events->Push({Event::Kind::kLine, std::move(*line)});
    if (is_last) return;
  }
  events->Push({Event::Kind::kEndOfInput, ""});
}

}  // namespace

void RunUciLoop(EngineOptions* options, Clock* clock, const UciStart& start, const LineReader& read,
                const LineWriter& write) {
  EventQueue events;
  Responder responder(write);
  Resources resources(start.paths, clock, start.makers);
  Engine engine(
      options, &resources, clock, [&](const std::string& text) { responder.OnText(text); },
      [&] {
        events.Push({Event::Kind::kAnswer, ""});
      },
      start.make_search);
  UciSession session(options, &engine, &responder);
  if (!start.notice.empty()) responder.OnText(start.notice);

  JoiningThread reader("uci-input", [&] { ReadLines(read, &events); });
  while (!session.finished()) {
    const Event event = events.Pop();
    if (event.kind == Event::Kind::kLine) {
      if (LogIsOn()) Log(LogLevel::kInfo, "in  " + event.line);
      session.HandleLine(event.line);
    }
    if (event.kind == Event::Kind::kAnswer) session.HandleAnswer();
    if (event.kind == Event::Kind::kEndOfInput) session.HandleEndOfInput();
  }
}

LineReader ReadFrom(std::istream* input) {
  return [input]() -> std::optional<std::string> {
    std::string line;
    if (!std::getline(*input, line)) return {};
    return line;
  };
}

LineWriter WriteToStandardOutput() {
  return [](const std::string& lines) {
    std::fwrite(lines.data(), 1, lines.size(), stdout);
    std::fflush(stdout);
  };
}

int RunUci(std::span<const std::string> args) {
  EngineOptions options;
  if (WantsHelp(args)) {
    const std::vector<std::string> words(args.begin(), args.end());
    const bool with_expert = std::find(words.begin(), words.end(), "--show-hidden") != words.end();
    std::cout
        << "Usage: plexus [uci] [options]\nSpeaks the UCI protocol on standard input and output. "
           "Options:\n"
        << options.set.Help(with_expert) << "\nBackends and their BackendOptions:\n"
        << BackendHelp();
    return 0;
  }
  UciStart start;
  start.paths = FindProgramPaths();
  try {
    const std::vector<std::string> rest =
        LoadOptions(args, start.paths, &options.set, &start.notice);
    if (!rest.empty())
      throw Exception("uci: \"" + rest[0] + "\" is not understood.", "See plexus --help.");
    SetLogFile(options.log.log_file);
  } catch (const Exception& error) {
    // A GUI shows this; it may hide what main writes to the error stream.
    WriteToStandardOutput()(FormatText(error.what()) + "\n");
    throw;
  }
  SteadyClock clock;
  RunUciLoop(&options, &clock, start, ReadFrom(&std::cin), WriteToStandardOutput());
  return 0;
}

}  // namespace plexus
