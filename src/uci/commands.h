#pragma once
// The UCI commands: one handler and one row each. What an interface may send at which time:
//
//   at any time          uci isready stop ponderhit quit debug help
//   between searches     position setoption ucinewgame go d
// A command of the second kind that arrives during a search is held, in order, until that search has
// answered; the answer always belongs to the position that its `go` was given for. One exception: `go`
// during a search that answers on order only (infinite, ponder) first orders that answer.
// The end of the input is a `quit` that lets finite searches finish and stops the others.

#include <deque>
#include <span>
#include <string>

#include "engine/engine.h"
#include "uci/responder.h"

namespace plexus {

class UciSession;

struct UciCommand {
  const char* name;
  const char* help;
  void (UciSession::*handler)(const std::string& arguments);
  bool between_searches;
};
std::span<const UciCommand> UciCommands();

// Thread safety: one controlling thread calls everything.
// Nothing that a line contains makes it throw or end, but `quit`: faults become `info string` lines.
class UciSession {
 public:
  // Everything handed in outlives the session; `responder` is where the engine's `tell` should go too.
  UciSession(EngineOptions* options, Engine* engine, Responder* responder)
      : options_(options), engine_(engine), responder_(responder) {}

  void HandleLine(const std::string& line);
  // The running search has given its answer (Engine's on_done).
  void HandleAnswer();
  void HandleEndOfInput();
  // `quit`, or everything done after the end of the input.
  bool finished() const { return finished_; }

  // Handlers; the argument is the rest of the line.
  void Uci(const std::string& arguments);
  void IsReady(const std::string& arguments);
  void UciNewGame(const std::string& arguments);
  void SetOption(const std::string& arguments);
  void Position(const std::string& arguments);
  void Go(const std::string& arguments);
  void Stop(const std::string& arguments);
  void PonderHit(const std::string& arguments);
  void Quit(const std::string& arguments);
  void Debug(const std::string& arguments);
  void Display(const std::string& arguments);
  void Help(const std::string& arguments);

 private:
  void Run(const UciCommand& command, const std::string& arguments);
  // Ends a search that has answered or is about to, and does what was held for that moment.
  void Settle();
  void EndSearch();
  void RunHeld();
  void RunPerft(int depth);

  EngineOptions* const options_;
  Engine* const engine_;
  Responder* const responder_;
  std::deque<std::string> held_;
  bool debug_ = false, input_ended_ = false, finished_ = false;
};

}  // namespace plexus
