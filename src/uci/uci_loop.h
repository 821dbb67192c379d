#pragma once
// The UCI mode: lines in, lines out, until `quit` or the end of the input.

#include <functional>
#include <istream>
#include <optional>
#include <span>
#include <string>

#include "engine/engine.h"
#include "uci/responder.h"

namespace plexus {

// The next line of the input without its line end; nothing at its end. Called from a thread of its own
// that ends after it has delivered `quit` or the end.
using LineReader = std::function<std::optional<std::string>()>;

struct UciStart {
  ProgramPaths paths;
  std::string
      notice;  // told before anything else, if not empty (a configuration file with a fault)
  ResourceMakers makers = RealMakers();
  Engine::SearchMaker make_search = MakeSearch;
};

// Runs a session on `options`; returns when it is over and every search has ended.
void RunUciLoop(EngineOptions* options, Clock* clock, const UciStart& start, const LineReader& read,
                const LineWriter& write);

LineReader ReadFrom(std::istream* input);
// Writes whole lines to the standard output and flushes.
LineWriter WriteToStandardOutput();

// The mode itself; the command line's arguments. Returns the exit status.
int RunUci(std::span<const std::string> args);

}  // namespace plexus
