#include "tools/sweep_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plexus {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

DeviceCounters Device(double mean_batch, double busy_share) {
  DeviceCounters device;
  device.name = "sim";
  device.batches = 100;
  device.positions = static_cast<int64_t>(100 * mean_batch);
  device.busy_s = busy_share;
  device.idle_s = 1 - busy_share;
  return device;
}

// One second; all devices busy with full batches, lock and CPU nearly idle.
SweepRow Row(int devices, double nps, int minibatch = 256) {
  SweepRow row;
  row.cell = {"multiplexing", devices, 0, 0};
  row.threads = 2 * devices + 1;
  row.minibatch = minibatch;
  row.suggested_batch = 256;
  row.figures.seconds = 1;
  row.figures.nps = nps;
  row.figures.lock_held_us_per_node = 0.5;
  row.figures.gather_us_per_node = 0.375;
  row.figures.backup_us_per_node = 0.125;
  row.cpu_seconds = 0.2;
  row.devices.assign(static_cast<size_t>(devices), Device(250, 0.99));
  return row;
}

SweepRow Waiting(SweepRow row) {
  for (DeviceCounters& device : row.devices) device = Device(250, 0.5);
  return row;
}

Sweep Of(std::vector<SweepRow> rows) {
  Sweep sweep;
  sweep.usable_cpus = 2;
  sweep.rows = std::move(rows);
  return sweep;
}

TEST(SweepEfficiency, IsAgainstOneDeviceThatIsTheSameOtherwise) {
  SweepRow other = Row(1, 10);
  other.cell.threads = 9;
  const Sweep sweep = Of({other, Row(1, 50), Row(4, 150)});
  EXPECT_DOUBLE_EQ(*Efficiency(sweep, sweep.rows[2]), 0.75);
  EXPECT_DOUBLE_EQ(*Efficiency(sweep, sweep.rows[1]), 1);
}

TEST(SweepEfficiency, IsUnknownWithoutThatDevice) {
  Sweep sweep = Of({Row(2, 100)});
  EXPECT_EQ(Efficiency(sweep, sweep.rows[0]), std::nullopt);
  sweep = Of({Row(1, 50), Row(2, 100)});
  sweep.rows[0].error = "no";
  EXPECT_EQ(Efficiency(sweep, sweep.rows[1]), std::nullopt);
  EXPECT_EQ(Efficiency(sweep, sweep.rows[0]), std::nullopt);
}

TEST(SweepBottleneck, IsTheDevicesIfAllAreBusyWithProperBatches) {
  EXPECT_EQ(FindBottleneck(Row(2, 100'000), 2), Bottleneck::kDevices);
  SweepRow one_idle = Row(2, 100'000);
  one_idle.devices[1] = Device(250, 0.4);
  EXPECT_EQ(FindBottleneck(one_idle, 2), Bottleneck::kWaiting);
  SweepRow tiny = Row(2, 100'000);
  tiny.devices.assign(2, Device(6, 0.99));
  EXPECT_EQ(FindBottleneck(tiny, 2), Bottleneck::kWaiting);
}

TEST(SweepBottleneck, IsTheLockIfItIsHeldAllTheTime) {
  SweepRow row = Waiting(Row(4, 100'000));
  row.figures.lock_held_us_per_node = 9.5;
  EXPECT_DOUBLE_EQ(LockShare(row), 0.95);
  EXPECT_EQ(FindBottleneck(row, 2), Bottleneck::kTreeLock);
}

TEST(SweepBottleneck, IsTheHostIfItsCpusHaveNoTimeLeft) {
  SweepRow row = Waiting(Row(4, 100'000));
  row.cpu_seconds = 1.9;
  EXPECT_DOUBLE_EQ(CpuShare(row, 2), 0.95);
  EXPECT_EQ(FindBottleneck(row, 2), Bottleneck::kHostCpu);
  EXPECT_EQ(FindBottleneck(row, 16), Bottleneck::kWaiting);
}

TEST(SweepAdvice, AsksThatEachDoublingPaysForItself) {
  // +25%, +15%, +5%, +1%.
  const Sweep sweep = Of({Row(1, 10'000, 32), Row(1, 12'500, 64), Row(1, 14'375, 128),
                          Row(1, 15'094, 256), Row(1, 15'245, 512)});
  const std::vector<BatchAdvice> advice = AdviseBatches(sweep, *FindBest(sweep));
  ASSERT_EQ(advice.size(), 3u);
  EXPECT_EQ(advice[0].minibatch, 64);
  EXPECT_EQ(advice[1].minibatch, 128);
  EXPECT_EQ(advice[2].minibatch, 256);
  EXPECT_EQ(FindBest(sweep)->minibatch, 512);
  EXPECT_DOUBLE_EQ(advice[1].nps, 14'375);
}

TEST(SweepAdvice, LooksBeyondAFlatStep) {
  // 32 -> 64 brings nothing, but 128 brings 30% for two doublings.
  const Sweep sweep = Of({Row(1, 10'000, 32), Row(1, 10'000, 64), Row(1, 13'000, 128)});
  EXPECT_EQ(AdviseBatches(sweep, *FindBest(sweep))[1].minibatch, 128);
}

TEST(SweepAdvice, CountsDoublingsBetweenAnySizes) {
  // 96 is 0.58 doublings above 64: 5.8% more is asked for, not 10%.
  const Sweep sweep = Of({Row(1, 10'000, 64), Row(1, 10'700, 96)});
  EXPECT_EQ(AdviseBatches(sweep, *FindBest(sweep))[1].minibatch, 96);
}

TEST(SweepAdvice, TakesTheThreadsThatSuitEachSizeAndOnlyTheBestDevices) {
  SweepRow slow = Row(2, 1'000, 64), fast = Row(2, 20'000, 64);
  fast.cell.threads = 5;
  const Sweep sweep = Of({slow, fast, Row(2, 20'500, 256), Row(1, 19'000, 32)});
  const std::vector<BatchAdvice> advice = AdviseBatches(sweep, *FindBest(sweep));
  EXPECT_EQ(advice[1].minibatch, 64);
  EXPECT_DOUBLE_EQ(advice[1].nps, 20'000);
}

TEST(SweepAdvice, NeedsMoreThanOneSize) {
  const Sweep sweep = Of({Row(1, 10'000), Row(2, 20'000)});
  EXPECT_THAT(AdviseBatches(sweep, *FindBest(sweep)), IsEmpty());
}

TEST(SweepBest, IsNoneThatFailedOrLostADevice) {
  Sweep sweep = Of({Row(1, 50), Row(2, 100), Row(3, 150)});
  sweep.rows[2].error = "no";
  sweep.rows[1].devices[0].failed = true;
  EXPECT_EQ(FindBest(sweep), &sweep.rows[0]);
  EXPECT_EQ(FindBest(Of({})), nullptr);
  EXPECT_THAT(SweepText(Of({})), HasSubstr("Recommendation: none"));
}

TEST(SweepWarnings, TellWhyMoreDevicesDoNotHelp) {
  SweepRow locked = Waiting(Row(4, 101'000));
  locked.figures.lock_held_us_per_node = 9.5;
  SweepRow crowded = Waiting(Row(8, 102'000));
  crowded.cpu_seconds = 1.96;
  const std::vector<std::string> warnings =
      Warnings(Of({Row(1, 53'000), Row(2, 100'000), locked, crowded}));
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_THAT(warnings[0], HasSubstr("4 devices"));
  EXPECT_THAT(warnings[0], HasSubstr("no faster than 2 (+1%)"));
  EXPECT_THAT(warnings[0], HasSubstr("tree lock, held 96%"));
  EXPECT_THAT(warnings[1], HasSubstr("host CPU, 98%"));
}

TEST(SweepWarnings, TellWhereScalingIsFarFromLinear) {
  const std::vector<std::string> warnings = Warnings(Of({Row(1, 50'000), Waiting(Row(2, 75'000))}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_THAT(warnings[0], HasSubstr("75% of linear"));
  EXPECT_THAT(Warnings(Of({Row(1, 50'000), Row(2, 96'000)})), IsEmpty());
}

TEST(SweepWarnings, NameDevicesFarFromTheirBatch) {
  SweepRow row = Row(8, 6'183);
  row.devices.assign(8, Device(5.98, 0.99));
  EXPECT_THAT(Warnings(Of({row})), Contains(HasSubstr("got 6.0 positions at once")));
}

TEST(SweepTable, HasARowForEachConfigurationAlsoForOneThatFailed) {
  Sweep sweep = Of({Row(1, 53'000), Row(2, 104'000), Row(3, 0)});
  sweep.rows[2].error = "only two there";
  sweep.rows[1].devices = {Device(200, 0.93), Device(250, 0.98)};
  const std::string text = SweepText(sweep);
  EXPECT_THAT(text, HasSubstr("104000"));
  EXPECT_THAT(text, HasSubstr("98%"));      // efficiency
  EXPECT_THAT(text, HasSubstr("200-250"));  // batches of the devices
  EXPECT_THAT(text, HasSubstr("93-98"));    // busy shares
  EXPECT_THAT(text, HasSubstr("failed: only two there"));
  EXPECT_THAT(text, HasSubstr("2 devices, Threads 0 (= 5), MinibatchSize 0 (= 256): 104000 nps"));
}

TEST(SweepTable, SaysHowManyDevicesWereLost) {
  Sweep sweep = Of({Row(2, 53'000)});
  sweep.rows[0].devices[1].failed = true;
  EXPECT_THAT(SweepText(sweep), HasSubstr("1 of 2 devices FAILED"));
}

TEST(SweepTable, ProgressIsALine) {
  EXPECT_EQ(SweepProgress(Row(1, 53'000), 2, 9),
            "[2/9] multiplexing, 1 device, 3 threads, minibatch 256: 53000 nps\n");
  SweepRow failed = Row(2, 0);
  failed.error = "why";
  EXPECT_THAT(SweepProgress(failed, 3, 9), HasSubstr("[3/9] multiplexing, 2 devices"));
  EXPECT_THAT(SweepProgress(failed, 3, 9), HasSubstr("failed: why\n"));
}

TEST(SweepJson, HasThePromisedFields) {
  Sweep sweep = Of({Row(1, 50'000, 128), Row(2, 99'000, 256), Row(3, 0)});
  sweep.rows[1].cell.minibatch = 256;
  sweep.rows[0].cell.minibatch = 256;
  sweep.rows[2].error = "why";
  const auto json = nlohmann::json::parse(SweepJson(sweep));
  ASSERT_EQ(json.at("rows").size(), 3u);
  const auto& row = json.at("rows")[1];
  for (const char* field :
       {"nps", "evals_per_second", "efficiency", "mean_batch", "lock_held_us_per_node",
        "gather_us_per_node", "backup_us_per_node", "lock_share", "cpu_share"}) {
    EXPECT_TRUE(row.at(field).is_number()) << field;
  }
  EXPECT_TRUE(row.at("error").is_null());
  EXPECT_TRUE(row.at("nps_steady").is_null());
  EXPECT_NEAR(row.at("efficiency").get<double>(), 0.99, 1e-9);
  ASSERT_EQ(row.at("per_device").size(), 2u);
  EXPECT_EQ(row.at("per_device")[0].at("mean_batch"), 250);
  EXPECT_NEAR(row.at("per_device")[0].at("busy_share").get<double>(), 0.99, 1e-9);
  EXPECT_EQ(json.at("rows")[2].at("error"), "why");
  EXPECT_FALSE(json.at("rows")[2].contains("nps"));
  EXPECT_EQ(json.at("recommendation").at("devices"), 2);
}

TEST(SweepJson, RecommendsNothingIfNothingWorked) {
  Sweep sweep = Of({Row(1, 0)});
  sweep.rows[0].error = "why";
  EXPECT_TRUE(nlohmann::json::parse(SweepJson(sweep)).at("recommendation").is_null());
}

}  // namespace
}  // namespace plexus
