// The instruction sets of builds for other machines than x86-64.

#include "backend/cpu/dispatch.h"

namespace plexus {
namespace {

bool Always() { return true; }

constexpr CpuIsa kIsas[] = {
    {&kPortableKernels, Always, "nothing beyond the baseline"},
};

}  // namespace

std::span<const CpuIsa> BuiltCpuIsas() { return kIsas; }

}  // namespace plexus
