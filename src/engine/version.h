#pragma once

namespace plexus {

// "0.1.0", from the top-level meson.build.
const char* Version();

}  // namespace plexus
