#include "backend/device_speed.h"

#include <algorithm>

namespace plexus {
namespace {

constexpr double kKeep = 0.93;       // of the weight of older batches, with each new one
constexpr double kMinSpread = 0.08;  // of batch sizes, relative to their mean, for a line through them

}  // namespace

void DeviceSpeed::Add(int positions, double seconds) {
  if (positions <= 0 || seconds <= 0) return;
  double keep = kKeep;
  if (known() && !warm_) {
    keep = 0;
    warm_ = true;
  }
  const double n = positions;
  weight_ = keep * weight_ + 1;
  n_ = keep * n_ + n;
  nn_ = keep * nn_ + n * n;
  t_ = keep * t_ + seconds;
  nt_ = keep * nt_ + n * seconds;
  Fit();
}

void DeviceSpeed::Fit() {
  const double mean_n = n_ / weight_, mean_t = t_ / weight_;
  const double variance = nn_ / weight_ - mean_n * mean_n;
  latency_known_ = variance > kMinSpread * kMinSpread * mean_n * mean_n;
  if (!latency_known_) {
    latency_s_ = 0;
    position_s_ = mean_t / mean_n;
    return;
  }
  // Neither part can be negative: what is measured noise is put into the other.
  position_s_ = std::max(0.0, (nt_ / weight_ - mean_n * mean_t) / variance);
  latency_s_ = mean_t - mean_n * position_s_;
  if (latency_s_ < 0) {
    latency_s_ = 0;
    position_s_ = mean_t / mean_n;
  }
}

}  // namespace plexus
