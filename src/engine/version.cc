#include "engine/version.h"

namespace plexus {

const char* Version() { return PLEXUS_VERSION; }

}  // namespace plexus
