#include "net/planes.h"

#include <bit>

namespace plexus {

uint64_t HashOfPlanes(const InputPlanes& planes) {
  uint64_t hash = 1469598103934665603ULL;
  const auto add = [&hash](uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; ++i) hash = (hash ^ ((bits >> (8 * i)) & 0xff)) * 0x100000001b3ULL;
  };
  for (int p = 0; p < kInputPlanes; ++p) {
    add(planes.mask[p], 8);
    add(std::bit_cast<uint32_t>(planes.value[p]), 4);
  }
  return hash;
}

}  // namespace plexus
