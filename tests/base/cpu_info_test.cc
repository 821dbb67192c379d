#include "base/cpu_info.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"

namespace plexus {
namespace {

class CpuInfoTest : public ::testing::Test {
 protected:
  // A machine of two cores with two hardware threads each: 0 and 2, 1 and 3.
  void SetUp() override {
    for (int cpu = 0; cpu < 4; ++cpu) {
      folder.Write("sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/core_cpus_list",
                   cpu % 2 == 0 ? "0,2\n" : "1,3\n");
    }
  }
  CpuInfo Read(const std::vector<int>& allowed) { return ReadCpuInfo(allowed, folder.Path("")); }
  TemporaryFolder folder;
};

TEST_F(CpuInfoTest, HardwareThreadsOfOneCoreCountOnce) {
  const CpuInfo info = Read({0, 1, 2, 3});
  EXPECT_EQ(info.logical_cpus, 4);
  EXPECT_EQ(info.physical_cores, 2);
  EXPECT_EQ(info.UsableCores(), 2);
  EXPECT_EQ(Read({0, 2}).physical_cores, 1);
  EXPECT_EQ(Read({0, 1}).physical_cores, 2);
}

TEST_F(CpuInfoTest, WithoutTopologyEveryThreadIsACore) {
  EXPECT_EQ(Read({10, 11, 12}).physical_cores, 3);
}

TEST_F(CpuInfoTest, OlderKernelsCallTheListOtherwise) {
  folder.Write("sys/devices/system/cpu/cpu8/topology/thread_siblings_list", "8-9\n");
  folder.Write("sys/devices/system/cpu/cpu9/topology/thread_siblings_list", "8-9\n");
  EXPECT_EQ(Read({8, 9}).physical_cores, 1);
}

TEST_F(CpuInfoTest, QuotaOfTheGroupAndOfThoseAroundItCounts) {
  folder.Write("proc/self/cgroup", "0::/user/job\n");
  folder.Write("sys/fs/cgroup/user/job/cpu.max", "max 100000\n");
  EXPECT_EQ(Read({0, 1}).quota_cpus, 0);
  EXPECT_EQ(Read({0, 1}).UsableCores(), 2);
  folder.Write("sys/fs/cgroup/user/cpu.max", "50000 100000\n");
  EXPECT_EQ(Read({0, 1}).quota_cpus, 0.5);
  EXPECT_EQ(Read({0, 1}).UsableCores(), 1);
}

TEST_F(CpuInfoTest, FirstVersionOfGroupsIsUnderstood) {
  folder.Write("proc/self/cgroup", "5:memory:/a\n4:cpu,cpuacct:/docker/x\n");
  folder.Write("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "150000\n");
  folder.Write("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
  folder.Write("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "-1\n");
  folder.Write("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(Read({0, 1}).quota_cpus, 1.5);
}

TEST_F(CpuInfoTest, NonsenseInTheFilesMeansNoLimit) {
  folder.Write("proc/self/cgroup", "0::/\nnonsense\n::::\n");
  folder.Write("sys/fs/cgroup/cpu.max", "what ever\n");
  EXPECT_EQ(Read({0}).quota_cpus, 0);
  EXPECT_EQ(Read({}).UsableCores(), 1);
}

TEST(CpuInfo, ThisMachineLendsAtLeastOneCore) {
  const CpuInfo info = ReadCpuInfo();
  EXPECT_GE(info.physical_cores, 1);
  EXPECT_GE(info.logical_cpus, info.physical_cores);
  EXPECT_GE(info.UsableCores(), 1);
}

}  // namespace
}  // namespace plexus
