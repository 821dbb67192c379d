// isa_probe ISA: whether isa=auto picks ISA on this CPU and evaluates networks as plain loops do. Exit status 0 or 1;
// run on emulated CPUs by emulated_cpu_test.py.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "backend/cpu/cpu_device.h"
#include "backend/reference/reference_device.h"
#include "net/random_weights.h"
#include "support/run_device.h"

namespace plexus {
namespace {

constexpr int kBoards = 3;

std::vector<float> Evaluate(Device* device) {
  std::vector<InputPlanes> planes(kBoards);
  for (int b = 0; b < kBoards; ++b) {
    for (int p = 0; p < kInputPlanes; ++p) {
      planes[b].mask[p] = 0x9e3779b97f4a7c15u * (p + 1) * (b + 3) & 0x1248a5a512481248u;
      planes[b].value[p] = 1;
    }
  }
  std::vector<float> policy(kBoards * kPolicySize), value(kBoards * 3), moves_left(kBoards);
  RunForAllLogits(device, planes, {policy, value, moves_left});
  policy.insert(policy.end(), value.begin(), value.end());
  policy.insert(policy.end(), moves_left.begin(), moves_left.end());
  return policy;
}

int Probe(const std::string& isa) {
  for (const Activation activation : {Activation::kRelu, Activation::kMish}) {
    const auto weights = std::make_shared<NetworkWeights>(RandomWeights(
        {.channels = 24, .blocks = 2, .se_channels = 5, .activation = activation}, 3));
    const auto device =
        PlanCpuDevices({weights, OptionsDict::Parse("threads=1"), nullptr}).at(0).streams[0]();
    const auto reference = MakeReferenceDevice(weights);
    if (device->attributes().name != "cpu fp32 " + isa) {
      std::printf("expected %s, got %s\n", isa.c_str(), device->attributes().name.c_str());
      return 1;
    }
    const std::vector<float> got = Evaluate(device.get()), expected = Evaluate(reference.get());
    for (size_t i = 0; i < got.size(); ++i) {
      // Negated, so that NaN fails.
      if (!(std::fabs(got[i] - expected[i]) <= 1e-3f + 1e-4f * std::fabs(expected[i]))) {
        std::printf("output %zu is %g, expected %g\n", i, got[i], expected[i]);
        return 1;
      }
    }
  }
  std::printf("cpu fp32 %s agrees with plain loops\n", isa.c_str());
  return 0;
}

}  // namespace
}  // namespace plexus

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    return plexus::Probe(argv[1]);
  } catch (const std::exception& e) {
    std::printf("%s\n", e.what());
    return 1;
  }
}
