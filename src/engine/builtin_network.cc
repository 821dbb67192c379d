#include "engine/builtin_network.h"

// Defined by the file that scripts/embed_file.py writes at build time.
extern "C" const std::byte plexus_builtin_network_begin[];
extern "C" const std::byte plexus_builtin_network_end[];

namespace plexus {

std::span<const std::byte> BuiltinNetwork() {
  return {plexus_builtin_network_begin, plexus_builtin_network_end};
}

bool BuiltinNetworkIsTrained() { return false; }

}  // namespace plexus
