#include "backend/cpu/dispatch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/exception.h"

namespace plexus {
namespace {

TEST(Dispatch, AutoTakesTheFirstThatThisCpuSupports) {
  const CpuKernels* widest = nullptr;
  for (const CpuIsa& isa : BuiltCpuIsas()) {
    if (isa.is_supported() && !widest && std::string(isa.kernels->precision) == "fp32")
      widest = isa.kernels;
  }
  EXPECT_EQ(&SelectCpuKernels("auto"), widest);
}

TEST(Dispatch, EveryUsableSetCanBeAskedForByName) {
  for (const CpuIsa& isa : BuiltCpuIsas()) {
    if (isa.is_supported()) {
      EXPECT_EQ(&SelectCpuKernels(isa.kernels->isa, isa.kernels->precision), isa.kernels);
    } else {
      EXPECT_THROW(SelectCpuKernels(isa.kernels->isa, isa.kernels->precision), Exception);
    }
  }
}

TEST(Dispatch, ThePortableSetIsLastAndAlwaysUsable) {
  EXPECT_STREQ(BuiltCpuIsas().back().kernels->isa, "portable");
  EXPECT_TRUE(BuiltCpuIsas().back().is_supported());
}

TEST(Dispatch, AnUnknownSetIsRefusedWithTheUsableOnes) {
  try {
    SelectCpuKernels("avx1024");
    FAIL() << "accepted";
  } catch (const Exception& e) {
    EXPECT_THAT(e.what(), ::testing::HasSubstr("isa=avx1024"));
    EXPECT_THAT(e.what(), ::testing::HasSubstr("portable"));
  }
}

}  // namespace
}  // namespace plexus
