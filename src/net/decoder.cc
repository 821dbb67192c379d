#include "net/decoder.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace plexus {
namespace {

constexpr float kLargestLogit = 1e30f;  // differences of two stay finite
constexpr float kMostPlies = 10000.0f;  // longer than any game

// NaN and minus infinity become the lowest logit, infinity the highest.
float Saturate(float logit) {
  if (!(logit > -kLargestLogit)) return -kLargestLogit;
  return std::min(logit, kLargestLogit);
}

void DecodePolicy(std::span<const float> logits, float temperature, std::span<float> policy) {
  float highest = -kLargestLogit;
  for (size_t i = 0; i < logits.size(); ++i) {
    policy[i] = Saturate(logits[i]);
    highest = std::max(highest, policy[i]);
  }
  const float scale = 1.0f / temperature;
  float sum = 0;  // at least 1: the highest logit gives exp(0)
  for (float& p : policy) {
    p = std::exp((p - highest) * scale);
    sum += p;
  }
  const float normalise = 1.0f / sum;
  for (float& p : policy) p *= normalise;
}

void DecodeWdl(std::span<const float> logits, EvalOutput* out) {
  const float w = Saturate(logits[0]), d = Saturate(logits[1]), l = Saturate(logits[2]);
  const float highest = std::max({w, d, l});
  const float exp_w = std::exp(w - highest), exp_d = std::exp(d - highest),
              exp_l = std::exp(l - highest);
  const float normalise = 1.0f / (exp_w + exp_d + exp_l);
  out->wl = std::clamp((exp_w - exp_l) * normalise, -1.0f, 1.0f);
  // Rounding must not lift |wl| + d above 1.
  out->d = std::clamp(exp_d * normalise, 0.0f, 1.0f - std::fabs(out->wl));
}

}  // namespace

void DecodeEvaluation(std::span<const float> policy_logits, std::span<const float> value_logits,
                      float moves_left_plies, bool has_wdl, float policy_temperature,
                      EvalOutput* out) {
  assert(value_logits.size() >= 3);
  assert(out->policy.size() == policy_logits.size());
  assert(policy_temperature > 0);
  if (has_wdl) {
    DecodeWdl(value_logits, out);
  } else {
    out->wl = std::isnan(value_logits[0]) ? 0.0f : std::clamp(value_logits[0], -1.0f, 1.0f);
    out->d = 0;
  }
  out->m = moves_left_plies > 0 ? std::min(moves_left_plies, kMostPlies) : 0.0f;
  if (!policy_logits.empty()) DecodePolicy(policy_logits, policy_temperature, out->policy);
}

}  // namespace plexus
