#include "backend/cpu/cpu_peak.h"

#include <gtest/gtest.h>

#include "backend/cpu/plain_network.h"

namespace plexus {
namespace {

TEST(CpuPeak, EveryInstructionSetReachesSomeAndNoneTheImpossible) {
  for (const CpuKernels* kernels : RunnableKernels()) {
    const double peak = MeasureFmaPeak(*kernels, 1);
    EXPECT_GT(peak, 1e8) << kernels->isa;
    // Two 512-bit multiply-adds a cycle at 10 GHz.
    EXPECT_LT(peak, 640e9) << kernels->isa;
  }
}

TEST(CpuPeak, TwiceTheBoardsTakeLonger) {
  const CpuKernels& kernels = SelectCpuKernels("auto");
  EXPECT_LT(MeasureConvolution(kernels, 32, 2, 20), MeasureConvolution(kernels, 32, 64, 20));
}

}  // namespace
}  // namespace plexus
