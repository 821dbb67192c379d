#pragma once
// The full option table of a program: the rows of all modules in one list, bound to one set of fields.

#include <span>
#include <string>
#include <vector>

#include "backend/params.h"
#include "base/logging.h"
#include "base/options.h"
#include "mcts/params.h"
#include "search/stop_params.h"

namespace plexus {

// Options of the engine as a whole.
struct EngineParams {
  std::string search = "mcts";
  int hash_mb = 0;
  bool chess960 = false;
  bool show_wdl = false;
  bool show_moves_left = false;
  bool show_hidden = false;
};

inline const OptionRow<EngineParams> kEngineOptions[] = {
    {&EngineParams::hash_mb, "Hash", "hash", 0, 33554432,
     "memory for remembered network answers, in MiB; 0 = NNCacheSize decides"},
    {&EngineParams::chess960, "UCI_Chess960", "chess960", 0, 0,
     "Chess960: castling is written as the king taking its rook"},
    {&EngineParams::show_wdl, "UCI_ShowWDL", "show-wdl", 0, 0,
     "show the chances of win, draw and loss, in per mille, behind the score"},
    {&EngineParams::show_moves_left, "UCI_ShowMovesLeft", "show-movesleft", 0, 0,
     "show the expected length of the game, in moves, behind the score"},
    {&EngineParams::search, "Search", "search", 0, 0, "which search thinks",
     OptionVisibility::kExpert, "mcts"},
    {&EngineParams::show_hidden, "ShowHidden", "show-hidden", 0, 0,
     "show expert options in the list of options and in --help",
     OptionVisibility::kCommandLineOnly},
};

// Owned by the thread that reads commands. A search copies what it needs when it starts.
struct EngineOptions {
  EngineOptions();
  EngineOptions(const EngineOptions&) = delete;
  EngineOptions& operator=(const EngineOptions&) = delete;

  EngineParams engine;
  SearchParams search;
  StopParams stop;
  BackendParams backend;
  LogParams log;
  OptionSet set;  // all of the above

  // What makes a backend, with Hash turned into a number of cache entries.
  BackendParams EffectiveBackend() const;
};

// The kinds of backend with the keys of BackendOptions, for --help.
std::string BackendHelp();

// Where a program looks for its files.
struct ProgramPaths {
  std::string working_folder = ".";
  std::string program_folder;  // of the executable; empty if the system does not say
};
ProgramPaths FindProgramPaths();

// The configuration file that is read when --config is not given: `plexus.config` in the working
// folder, else beside the executable, else none ("").
std::string FindConfigFile(const ProgramPaths& paths);

// Sets options from the configuration file (--config=FILE; --config= reads none; else
// FindConfigFile), then from the command line; returns what is no flag, in order. A fault of the
// command line or of a file that it names throws Exception. A fault of a file that was found by
// itself goes to *config_fault if that is not null (lines before it stay applied), else throws.
std::vector<std::string> LoadOptions(std::span<const std::string> args, const ProgramPaths& paths,
                                     OptionSet* options, std::string* config_fault = nullptr);

}  // namespace plexus
