// Names the modes of the program and starts one.

#include <csignal>
#include <cstdio>
#include <exception>
#include <span>
#include <string>
#include <vector>

#include "base/exception.h"
#include "base/options_parser.h"
#include "base/strings.h"
#include "engine/engine_options.h"
#include "engine/version.h"
#include "tools/analyse.h"
#include "tools/backend_bench.h"
#include "tools/bench.h"
#include "tools/benchmark.h"
#include "tools/describe_net.h"
#include "tools/evaluate.h"
#include "tools/perft.h"
#include "uci/uci_loop.h"

namespace plexus {
namespace {

using Arguments = std::vector<std::string>;

int RunHelp(std::span<const std::string> args);

int RunVersion(std::span<const std::string>) {
  std::printf("Plexus %s\n", Version());
  return 0;
}

struct Mode {
  const char* name;
  const char* help;
  int (*run)(std::span<const std::string> args);
};

constexpr Mode kModes[] = {
    {"uci", "speaks the UCI protocol on standard input and output; the default", RunUci},
    {"analyse", "searches positions and shows the result for people to read", RunAnalyse},
    {"evaluate", "prints what a network says of positions, one JSON object a line", RunEvaluate},
    {"backendbench", "positions a second of a backend by batch size and threads", RunBackendBench},
    {"describenet", "tells what is in a network file", RunDescribeNet},
    {"bench", "prints a signature of the search's behaviour", RunBench},
    {"benchmark", "measures the speed of the search over fixed positions", RunBenchmark},
    {"perft", "counts move paths, to check the rules and their speed", RunPerft},
    {"help", "shows this text, or that of a mode: plexus help perft", RunHelp},
    {"version", "prints the version", RunVersion},
};

const Mode* FindMode(const std::string& name) {
  for (const Mode& mode : kModes)
    if (name == mode.name) return &mode;
  return nullptr;
}

[[noreturn]] void FailUnknownMode(const std::string& name) {
  Arguments names;
  for (const Mode& mode : kModes) names.push_back(mode.name);
  throw Exception("There is no mode \"" + name + "\".",
                  DidYouMean(name, names, "plexus help lists all modes."));
}

void PrintModes() {
  std::printf(
      "Plexus %s, a chess engine that searches with neural networks.\n"
      "Usage: plexus [MODE] [OPTIONS]; plexus MODE --help tells more.\n\nModes:\n",
      Version());
  for (const Mode& mode : kModes) std::printf("  %-14s%s\n", mode.name, mode.help);
  std::printf(
      "\nOptions are also read from plexus.config, a line \"flag=value\" each, in the working "
      "folder\n"
      "or else beside the program; --config=FILE names another file, --config= reads none. The\n"
      "command line wins. Without WeightsFile the newest network file in these folders or their\n"
      "folder \"networks\" is used, or else the network inside the program.\n");
}

int RunHelp(std::span<const std::string> args) {
  if (!args.empty() && args[0] != "--help" && args[0] != "-h") {
    const Mode* mode = FindMode(args[0]);
    if (mode == nullptr) FailUnknownMode(args[0]);
    if (mode->run != RunHelp && mode->run != RunVersion) return mode->run(Arguments{"--help"});
  }
  PrintModes();
  return 0;
}

// Where the mode word stands in `args`; args.size() if there is none. Flags of the engine may stand
// before it, and their values may not be taken for it.
size_t FindModeWord(const Arguments& args) {
  const EngineOptions engine;
  const auto takes_next = [&](const std::string& arg) {
    const Option* option = nullptr;
    if (arg.starts_with("--")) {
      if (arg == "--config") return true;
      option = engine.set.FindByFlag(arg.substr(2));
    } else if (arg.size() == 2 && arg[0] == '-') {
      option = engine.set.FindByShortFlag(arg[1]);
    }
    return option != nullptr && option->type != OptionType::kCheck;
  };
  size_t first_word = args.size();
  for (size_t i = 0; i < args.size() && args[i] != "--"; ++i) {
    if (takes_next(args[i])) {
      ++i;
    } else if (!args[i].starts_with("-")) {
      if (FindMode(args[i]) != nullptr) return i;
      if (first_word == args.size()) first_word = i;
    }
  }
  if (first_word < args.size()) FailUnknownMode(args[first_word]);
  return args.size();
}

int Run(Arguments args) {
  if (args.size() == 1 && args[0] == "--version") return RunVersion(args);
  const size_t at = FindModeWord(args);
  if (at == args.size()) {
    if (WantsHelp(args)) PrintModes();
    return RunUci(args);
  }
  const Mode* mode = FindMode(args[at]);
  args.erase(args.begin() + static_cast<std::ptrdiff_t>(at));
  return mode->run(args);
}

}  // namespace
}  // namespace plexus

int main(int argc, char** argv) {
  // A GUI that has gone away shows as the end of the input, not as a signal.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return plexus::Run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const plexus::Exception& error) {
    std::fprintf(stderr, "plexus: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "plexus: unexpected: %s\n", error.what());
    return 1;
  }
}
