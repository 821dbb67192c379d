#include "tools/benchmark_report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace plexus {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// Two seconds; 400 visits in the first half second, 2600 later.
MeasuredPosition LongSearch() {
  MeasuredPosition position;
  position.fen = "8/8/8/8/8/8/8/8 \"w\"";
  position.best_move = "e2e4";
  position.seconds = 2;
  position.early_seconds = 0.5;
  position.early_nodes = 400;
  position.counters.playouts = 3000;
  position.counters.evaluations = 2000;
  position.counters.cache_hits = 500;
  position.counters.minibatches = 100;
  position.counters.lock_acquisitions_gather = 100;
  position.counters.lock_acquisitions_backup = 100;
  position.counters.lock_acquisitions_other = 5;
  position.counters.lock_held_ns = 6'000'000;
  position.counters.lock_wait_ns = 3'000'000;
  position.counters.tree_nodes = 2500;
  position.counters.tree_bytes = 500'000;
  position.counters.first_batch_ns = 4'000'000;
  return position;
}

// Over before it was looked at.
MeasuredPosition ShortSearch() {
  MeasuredPosition position;
  position.fen = "short";
  position.seconds = 0.1;
  position.counters.playouts = 30;
  position.counters.evaluations = 20;
  position.counters.minibatches = 2;
  position.counters.first_batch_ns = 2'000'000;
  return position;
}

Measurement Both() {
  Measurement measurement;
  measurement.backend = "fake";
  measurement.suggested_batch = 256;
  measurement.positions = {LongSearch(), ShortSearch()};
  DeviceCounters device;
  device.name = "fake 0";
  device.positions = 2020;
  device.batches = 102;
  device.busy_s = 0.3;
  device.idle_s = 0.9;
  measurement.devices = {device};
  return measurement;
}

TEST(BenchmarkFigures, AreRatiosOfTheCounters) {
  const BenchmarkFigures figures = FiguresOf({LongSearch()});
  EXPECT_DOUBLE_EQ(figures.nps, 1500);
  EXPECT_DOUBLE_EQ(figures.evals_per_second, 1000);
  EXPECT_DOUBLE_EQ(figures.mean_minibatch, 20);
  EXPECT_DOUBLE_EQ(figures.cache_hit_share, 0.2);
  EXPECT_DOUBLE_EQ(figures.gather_locks, 1);
  EXPECT_DOUBLE_EQ(figures.backup_locks, 1);
  EXPECT_DOUBLE_EQ(figures.locks_per_minibatch(), 2.05);
  EXPECT_DOUBLE_EQ(figures.lock_held_us_per_node, 2);
  EXPECT_DOUBLE_EQ(figures.lock_wait_us_per_node, 1);
  EXPECT_DOUBLE_EQ(figures.bytes_per_node, 200);
  EXPECT_DOUBLE_EQ(figures.first_batch_ms, 4);
}

TEST(BenchmarkFigures, FirstHalfSecondIsApartFromTheRest) {
  const BenchmarkFigures figures = FiguresOf({LongSearch()});
  EXPECT_DOUBLE_EQ(*figures.early_nps, 800);
  EXPECT_DOUBLE_EQ(*figures.steady_nps, 2600 / 1.5);
  EXPECT_FALSE(FiguresOf({ShortSearch()}).early_nps.has_value());
  EXPECT_DOUBLE_EQ(*FiguresOf({ShortSearch(), LongSearch()}).early_nps, 800);
}

TEST(BenchmarkFigures, TotalsWeighSearchesByTheirLength) {
  const BenchmarkFigures figures = FiguresOf({LongSearch(), ShortSearch()});
  EXPECT_EQ(figures.nodes, 3030);
  EXPECT_DOUBLE_EQ(figures.nps, 3030 / 2.1);
  EXPECT_DOUBLE_EQ(figures.first_batch_ms, 3);
}

TEST(BenchmarkFigures, NothingMeasuredIsZeroNotNan) {
  const BenchmarkFigures figures = FiguresOf({});
  EXPECT_EQ(figures.nps, 0);
  EXPECT_EQ(figures.bytes_per_node, 0);
  EXPECT_EQ(figures.first_batch_ms, 0);
}

TEST(DeviceFigures, OnlyTheWorkInBetweenCounts) {
  DeviceCounters before;
  before.positions = 100;
  before.batches = 10;
  before.busy_s = 1;
  before.batch_histogram = {1, 2};
  DeviceCounters after = before;
  after.positions = 160;
  after.batches = 13;
  after.busy_s = 1.5;
  after.batch_histogram = {1, 4, 1};
  const std::vector<DeviceCounters> difference = Difference({after}, {before});
  EXPECT_EQ(difference[0].positions, 60);
  EXPECT_EQ(difference[0].batches, 3);
  EXPECT_DOUBLE_EQ(difference[0].busy_s, 0.5);
  EXPECT_EQ(difference[0].batch_histogram, (std::vector<int64_t>{0, 2, 1}));
  EXPECT_DOUBLE_EQ(*MeanDeviceBatch(difference), 20);
  EXPECT_EQ(MeanDeviceBatch({}), std::nullopt);
}

TEST(BenchmarkText, ShowsTotalsDevicesAndRemarks) {
  Measurement measurement = Both();
  const std::string text = TotalsText(measurement);
  EXPECT_THAT(text, HasSubstr("Nodes searched  : 3030\n"));
  EXPECT_THAT(text, HasSubstr("Nodes/second    : 1443\n"));
  EXPECT_THAT(text, HasSubstr("fake 0"));
  EXPECT_THAT(text, HasSubstr("busy  25%"));
  EXPECT_THAT(text, HasSubstr("Note: devices got 19.8 positions at once"));
  measurement.suggested_batch = 32;
  EXPECT_THAT(TotalsText(measurement), Not(HasSubstr("Note:")));
}

TEST(BenchmarkText, RowsNameThePositionAndDashWhatIsUnknown) {
  EXPECT_THAT(PositionTableRow(LongSearch(), 3, 34), HasSubstr(LongSearch().fen));
  EXPECT_THAT(PositionTableRow(LongSearch(), 3, 34), HasSubstr(" 3/34"));
  EXPECT_THAT(PositionTableRow(ShortSearch(), 1, 1), HasSubstr(" - "));
}

TEST(BenchmarkJson, HasThePromisedFields) {
  const auto json = nlohmann::json::parse(BenchmarkJson(Both()));
  EXPECT_NEAR(json.at("nps").get<double>(), 3030 / 2.1, 1e-9);
  EXPECT_EQ(json.at("nodes"), 3030);
  EXPECT_EQ(json.at("time_ms"), 2100);
  for (const char* field : {"evals_per_second", "mean_batch", "lock_acquisitions_per_minibatch",
                            "lock_held_us_per_node", "bytes_per_node"}) {
    EXPECT_TRUE(json.at(field).is_number()) << field;
  }
  ASSERT_EQ(json.at("positions").size(), 2u);
  EXPECT_EQ(json.at("positions")[0].at("fen"), LongSearch().fen);
  EXPECT_EQ(json.at("positions")[0].at("nps"), 1500);
  EXPECT_TRUE(json.at("positions")[1].at("nps_first_half_second").is_null());
  EXPECT_EQ(json.at("devices")[0].at("busy_share"), 0.25);
}

}  // namespace
}  // namespace plexus
