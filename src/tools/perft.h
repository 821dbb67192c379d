#pragma once
// `plexus perft`: counts move paths, to check the rules and their speed.

#include <span>
#include <string>

namespace plexus {

// args: what follows the mode word, as described by --help. Prints the counts to stdout and the
// speed to stderr. Returns 0, or 1 if a count of a suite is wrong. Throws Exception for bad
// arguments, positions or files.
int RunPerft(std::span<const std::string> args);

}  // namespace plexus
