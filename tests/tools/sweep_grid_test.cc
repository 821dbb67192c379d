#include "tools/sweep_grid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error_of.h"

namespace plexus {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SweepCounts, KeepTheirOrderAndComeOnce) {
  EXPECT_THAT(ParseCounts("4, 1,2,4", "devices", 1, 8), ElementsAre(4, 1, 2));
}

TEST(SweepCounts, AreRefusedByName) {
  EXPECT_THAT(ErrorOf([] { ParseCounts("1,x", "devices", 1, 8); }), HasSubstr("devices"));
  EXPECT_THAT(ErrorOf([] { ParseCounts("1,,2", "devices", 1, 8); }), HasSubstr("devices"));
  EXPECT_THAT(ErrorOf([] { ParseCounts("0", "devices", 1, 8); }), HasSubstr("devices"));
  EXPECT_THAT(ErrorOf([] { ParseCounts("9", "devices", 1, 8); }), HasSubstr("devices"));
}

std::string Options(const std::string& backend, const std::string& options, int count) {
  return OptionsOf(SplitDevices(backend, options), backend, count);
}

TEST(SweepDevices, AreTheFirstOnesOfAList) {
  const std::string list = "(backend=sim,gpu=3),sim(gpu=5),(backend=sim,gpu=7)";
  EXPECT_EQ(Options("multiplexing", list, 1), "(backend=sim,gpu=3)");
  EXPECT_EQ(Options("multiplexing", list, 2), "(backend=sim,gpu=3),sim(gpu=5)");
  EXPECT_THAT(ErrorOf([&] { Options("multiplexing", list, 4); }), HasSubstr("3 devices, not 4"));
}

TEST(SweepDevices, RepeatTheOnlyOneWithItsNumberReplaced) {
  EXPECT_EQ(Options("multiplexing", "(backend=sim,profile=titan-v-fp16)", 2),
            "(backend=sim,profile=titan-v-fp16,gpu=0),(backend=sim,profile=titan-v-fp16,gpu=1)");
  EXPECT_EQ(Options("multiplexing", "(gpu=6,backend=sim,rate=9)", 2),
            "(gpu=0,backend=sim,rate=9),(gpu=1,backend=sim,rate=9)");
  EXPECT_EQ(Options("multiplexing", "sim()", 2), "sim(gpu=0),sim(gpu=1)");
}

TEST(SweepDevices, ASingleOneKeepsItsNumber) {
  EXPECT_EQ(Options("multiplexing", "(backend=sim,gpu=6)", 1), "(backend=sim,gpu=6)");
}

TEST(SweepDevices, SharedKeysStayOutsideExceptTheNumber) {
  EXPECT_EQ(Options("multiplexing", "backend=sim,gpu=4,batch=128,(rate=9)", 2),
            "backend=sim,batch=128,(rate=9,gpu=0),(rate=9,gpu=1)");
}

TEST(SweepDevices, AKindOfDeviceBecomesTheDevice) {
  EXPECT_EQ(Options("sim", "profile=titan-v-fp32", 2),
            "profile=titan-v-fp32,(backend=sim,gpu=0),(backend=sim,gpu=1)");
  EXPECT_EQ(Options("multiplexing", "backend=sim,rate=9", 1), "rate=9,(backend=sim)");
  EXPECT_EQ(Options("sim", "(rate=9),(rate=8)", 2), "backend=sim,(rate=9),(rate=8)");
}

TEST(SweepDevices, AKindThatKnowsNoNumberGetsNone) {
  EXPECT_EQ(Options("fake", "", 2), "(backend=fake),(backend=fake)");
}

TEST(SweepDevices, CommasInQuotesAndParenthesesDivideNothing) {
  const DeviceList list =
      SplitDevices("multiplexing", "a=\"x,(y\",(backend=sim,b=\"),\"),sim(c=1)");
  EXPECT_THAT(list.shared, ElementsAre("a=\"x,(y\""));
  EXPECT_THAT(list.devices, ElementsAre("(backend=sim,b=\"),\")", "sim(c=1)"));
}

TEST(SweepDevices, FaultsOfTheTextAreRefused) {
  EXPECT_NE(ErrorOf([] { SplitDevices("multiplexing", "(backend=sim"); }), "");
}

TEST(SweepCells, AreEveryCombinationWithDevicesInnermost) {
  const DeviceList list = SplitDevices("multiplexing", "(backend=sim)");
  const auto cells =
      SweepCells({"1,3", "0,5", "64,256", "demux,roundrobin"}, list, "multiplexing", 0, 0);
  ASSERT_EQ(cells.size(), 16u);
  EXPECT_EQ(cells[0], (SweepCell{"demux", 1, 0, 64}));
  EXPECT_EQ(cells[1], (SweepCell{"demux", 3, 0, 64}));
  EXPECT_EQ(cells[2], (SweepCell{"demux", 1, 0, 256}));
  EXPECT_EQ(cells[4], (SweepCell{"demux", 1, 5, 64}));
  EXPECT_EQ(cells[15], (SweepCell{"roundrobin", 3, 5, 256}));
}

TEST(SweepCells, WithoutListsFollowTheOptions) {
  const DeviceList three = SplitDevices("roundrobin", "(gpu=0),(gpu=1),(gpu=2)");
  const auto cells = SweepCells({}, three, "roundrobin", 6, 512);
  EXPECT_THAT(cells,
              ElementsAre(SweepCell{"roundrobin", 1, 6, 512}, SweepCell{"roundrobin", 2, 6, 512},
                          SweepCell{"roundrobin", 3, 6, 512}));
  EXPECT_THAT(SweepCells({}, SplitDevices("cpu", ""), "cpu", 0, 0),
              ElementsAre(SweepCell{"multiplexing", 1, 0, 0}));
}

TEST(SweepCells, RefuseEmptyNames) {
  const DeviceList list = SplitDevices("multiplexing", "(backend=sim)");
  EXPECT_THAT(ErrorOf([&] {
                SweepCells({"", "", "", "demux,"}, list, "sim", 0, 0);
              }),
              HasSubstr("empty name"));
}

}  // namespace
}  // namespace plexus
