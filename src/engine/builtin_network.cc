#include "engine/builtin_network.h"

namespace plexus {
std::span<const std::byte> BuiltinNetwork() { return {}; }
bool BuiltinNetworkIsTrained() { return false; }
}  // namespace plexus
