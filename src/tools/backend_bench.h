#pragma once
// `plexus backendbench`: positions a second of a backend by batch size and threads.

#include <span>
#include <string>

namespace plexus {

// args: what follows the mode word, as described by --help. Returns 0. Throws Exception for bad arguments, files or
// backends.
int RunBackendBench(std::span<const std::string> args);

}  // namespace plexus
