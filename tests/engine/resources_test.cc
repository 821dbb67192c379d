#include "engine/resources.h"

#include <gtest/gtest.h>

#include "base/temporary_folder.h"
#include "support/fake_resources.h"

namespace plexus {
namespace {

class ResourcesTest : public testing::Test {
 protected:
  bool Update() {
    return resources_.Update(params_, [&](const std::string& text) { told_ += text + "\n"; });
  }
  bool Told(const std::string& part) const { return told_.find(part) != std::string::npos; }

  TemporaryFolder folder_;
  FakeFactory factory_;
  SteadyClock clock_;
  Resources resources_{{folder_.Path(""), ""}, &clock_, factory_.Makers()};
  BackendParams params_;
  std::string told_;
};

TEST_F(ResourcesTest, TheFirstUpdateLoadsTheBuiltInNetworkAndSaysThatItIsUntrained) {
  EXPECT_TRUE(Update());
  EXPECT_NE(resources_.backend(), nullptr);
  EXPECT_EQ(factory_.loaded, std::vector<std::string>{""});
  EXPECT_TRUE(Told("network: built in")) << told_;
  EXPECT_TRUE(Told("untrained random network; play is weak; set WeightsFile")) << told_;
}

TEST_F(ResourcesTest, EqualOptionsLoadNothingAgain) {
  Update();
  told_.clear();
  EXPECT_FALSE(Update());
  EXPECT_EQ(factory_.loaded.size(), 1u);
  EXPECT_EQ(factory_.backends.size(), 1u);
  EXPECT_EQ(told_, "");
}

TEST_F(ResourcesTest, ABackendOptionRebuildsTheBackendAndKeepsTheNetwork) {
  Update();
  params_.nn_cache_size = 7;
  EXPECT_TRUE(Update());
  EXPECT_EQ(factory_.loaded.size(), 1u);
  ASSERT_EQ(factory_.backends.size(), 2u);
  EXPECT_EQ(factory_.backends[1].nn_cache_size, 7);
}

TEST_F(ResourcesTest, AnotherWeightsFileIsLoadedAndNamed) {
  Update();
  params_.weights_file = "/nets/b.pb.gz";
  EXPECT_TRUE(Update());
  EXPECT_EQ(factory_.loaded, (std::vector<std::string>{"", "/nets/b.pb.gz"}));
  EXPECT_TRUE(Told("network: /nets/b.pb.gz")) << told_;
}

TEST_F(ResourcesTest, AnotherSpellingOfTheSameNetworkIsNotLoadedAgain) {
  Update();
  params_.weights_file = "<built in>";
  Update();
  EXPECT_EQ(factory_.loaded.size(), 1u);
}

TEST_F(ResourcesTest, ABackendWithoutNetworkLoadsNone) {
  params_.backend = "fake";
  Update();
  EXPECT_TRUE(factory_.loaded.empty());
  EXPECT_EQ(resources_.weights(), nullptr);
}

TEST_F(ResourcesTest, AFailedLoadKeepsTheFormerBackend) {
  Update();
  const Backend* former = resources_.backend().get();
  factory_.broken_file = params_.weights_file = "/nets/broken.pb.gz";
  EXPECT_THROW(Update(), Exception);
  EXPECT_EQ(resources_.backend().get(), former);
}

TEST_F(ResourcesTest, WhatFailedIsTriedAgainOnlyAfterRetry) {
  factory_.broken_file = params_.weights_file = "/nets/broken.pb.gz";
  EXPECT_THROW(Update(), Exception);
  EXPECT_FALSE(Update());
  EXPECT_EQ(factory_.loaded.size(), 1u);
  resources_.Retry();
  EXPECT_THROW(Update(), Exception);
  EXPECT_EQ(factory_.loaded.size(), 2u);
}

TEST_F(ResourcesTest, GoingBackToTheFormerOptionsAfterAFailureLoadsNothing) {
  Update();
  factory_.broken_file = params_.weights_file = "/nets/broken.pb.gz";
  EXPECT_THROW(Update(), Exception);
  params_.weights_file = "";
  EXPECT_FALSE(Update());
  EXPECT_EQ(factory_.loaded.size(), 2u);
}

TEST_F(ResourcesTest, ABackendThatCannotBeMadeKeepsTheFormerOne) {
  Update();
  const Backend* former = resources_.backend().get();
  factory_.broken_backend = params_.backend = "reference";
  EXPECT_THROW(Update(), Exception);
  EXPECT_EQ(resources_.backend().get(), former);
  EXPECT_NE(resources_.weights(), nullptr);
}

}  // namespace
}  // namespace plexus
