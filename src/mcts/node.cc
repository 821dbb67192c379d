#include "mcts/node.h"

namespace plexus {
namespace {

int Rounded(float x) { return static_cast<int>(x < 0 ? x - 0.5f : x + 0.5f); }

}  // namespace

NetValue::NetValue(float wl, float d, float m)
    : wl_(static_cast<int16_t>(Rounded(std::clamp(wl, -1.0f, 1.0f) * 32767.0f))),
      d_(static_cast<uint16_t>(Rounded(std::clamp(d, 0.0f, 1.0f) * 65535.0f))),
      m_(static_cast<uint16_t>(Rounded(std::clamp(m, 0.0f, 1023.0f) * 64.0f))) {}

}  // namespace plexus
