#pragma once
// The command line and the configuration file -> an OptionSet. Used by every mode of the program.
//
//   --flag=value  --flag value  --flag  --no-flag (true/false options)  -t 4  -t4
//   --config=FILE  lines "flag=value" or "UciName=value"; # starts a comment. Flags of the command
//   line win.
//   --             everything after it is left to the caller

#include <span>
#include <string>
#include <vector>

#include "base/options.h"

namespace plexus {

// Sets options from `args`; returns what is no flag, in order. Throws Exception for an unknown flag
// (names close ones), a missing or refused value, or a configuration file that cannot be read
// (names its line).
std::vector<std::string> ParseCommandLine(std::span<const std::string> args, OptionSet* options);

void ApplyConfigFile(const std::string& path, OptionSet* options);

// True if --help or -h is among `args` (before a "--"): for callers to ask first.
bool WantsHelp(std::span<const std::string> args);

}  // namespace plexus
