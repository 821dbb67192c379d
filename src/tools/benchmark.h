#pragma once
// `plexus benchmark`: how fast the whole engine searches.

#include <span>
#include <string>

namespace plexus {

// args: what follows the mode word, as described by --help. Returns 0. Throws Exception for bad arguments, positions,
// files or backends, and if a search did nothing.
int RunBenchmark(std::span<const std::string> args);

}  // namespace plexus
