#pragma once
// `plexus analyse`: searches one position and prints what a person wants to read.

#include <span>
#include <string>

namespace plexus {

// args: what follows the mode word, as described by --help. Returns the exit status. Throws Exception for bad
// arguments, positions or files.
int RunAnalyse(std::span<const std::string> args);

}  // namespace plexus
