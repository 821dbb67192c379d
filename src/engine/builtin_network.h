#pragma once
// The network inside the program, so that it plays without any file.

#include <cstddef>
#include <span>

namespace plexus {

// The bytes of a network file.
std::span<const std::byte> BuiltinNetwork();
// Whether it has learnt anything: an untrained network is made of seeded random numbers at build time.
bool BuiltinNetworkIsTrained();

}  // namespace plexus
