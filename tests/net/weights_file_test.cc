#include "net/weights_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "base/exception.h"
#include "base/files.h"
#include "base/random.h"
#include "net/random_weights.h"
#include "net/weights_check.h"
#include "net/weights_writer.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

std::string SmallNetwork() {
  return SerializeNetwork(
      RandomWeights(
          {.channels = 4, .blocks = 1, .se_channels = 2, .policy = PolicyKind::kConvolution}, 1),
      TensorEncoding::kLinear16);
}

NetworkWeights Load(const std::string& bytes) {
  return LoadWeightsFromMemory(std::as_bytes(std::span(bytes)), "net.pb.gz");
}

void ExpectRefused(const std::string& bytes, const std::string& part) {
  try {
    Load(bytes);
    FAIL() << "no exception; expected: " << part;
  } catch (const Exception& e) {
    const std::string text = e.what();
    EXPECT_NE(text.find("net.pb.gz"), std::string::npos) << text;
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
}

// A folder of its own, gone after the test.
class WeightsFileTest : public ::testing::Test {
 protected:
  WeightsFileTest() {
    std::string name = (std::filesystem::temp_directory_path() / "plexus-weights-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~WeightsFileTest() override { std::filesystem::remove_all(folder_); }
  std::string Write(const std::string& name, const std::string& bytes) const {
    const std::string path = folder_ / name;
    std::ofstream(path, std::ios::binary) << bytes;
    return path;
  }
  std::filesystem::path folder_;
};

TEST_F(WeightsFileTest, PlainAndCompressedFilesLoadAlike) {
  const NetworkWeights plain = LoadWeights(Write("a.pb", SmallNetwork()));
  const NetworkWeights packed = LoadWeights(Write("a.pb.gz", Gzip(SmallNetwork())));
  EXPECT_EQ(plain.input.weights, packed.input.weights);
  EXPECT_EQ(packed.source, (folder_ / "a.pb.gz").string());
}

TEST_F(WeightsFileTest, AFileThatIsNotThereIsNamed) {
  EXPECT_THROW(LoadWeights((folder_ / "missing.pb.gz").string()), Exception);
  EXPECT_THROW(LoadWeights(folder_.string()), Exception);
}

// Case 155: half-downloaded or renamed files.
TEST(WeightsFile, TruncatedFilesAreCalledTruncated) {
  const std::string plain = SmallNetwork(), packed = Gzip(plain);
  ExpectRefused(plain.substr(0, plain.size() / 2), "truncated");
  ExpectRefused(plain.substr(0, 3), "truncated");
  ExpectRefused(packed.substr(0, packed.size() / 2), "too early");
  ExpectRefused("", "empty");
}

TEST(WeightsFile, OtherFilesAreNotNetworks) {
  ExpectRefused("<html><body>Not found</body></html>", "not a network file");
  ExpectRefused(Gzip("<html><body>Not found</body></html>"), "not a network file");
  ExpectRefused("PK\x03\x04", "not a network file");
}

TEST(WeightsFile, TextWeightsAreRefusedByName) {
  ExpectRefused("1\n0.5 0.25\n", "text weights");
  ExpectRefused(Gzip("2\n0.5 0.25\n"), "text weights");
}

TEST(WeightsFile, ABombIsRefusedBeforeItUnpacks) {
  // 64 MiB of zeros behind the magic number pack into less than 1/200 of that.
  const std::string bomb =
      Gzip(std::string("\x0d\xc0\x01\x00\x00", 5) + std::string(size_t{64} << 20, '\0'));
  ASSERT_LT(bomb.size(), (size_t{64} << 20) / 200);
  EXPECT_THROW(Load(bomb), Exception);
}

TEST(WeightsFile, GarbageBehindTheMagicNumberIsRefusedWithItsOffset) {
  ExpectRefused(std::string("\x0d\xc0\x01\x00\x00\x53", 6), "at offset");
}

// A file cut off anywhere must be refused, never crash and never load.
TEST(WeightsFile, EveryTruncationIsRefused) {
  const std::string plain = SmallNetwork();
  for (size_t length = 0; length < plain.size(); length += 1 + length / 16) {
    EXPECT_THROW(Load(plain.substr(0, length)), Exception) << length;
  }
}

// Flipped bytes either change weights or are refused; memory stays bounded (the sanitizers watch).
TEST(WeightsFile, DamagedBytesLoadOrThrowAndNeverCrash) {
  const std::string plain = SmallNetwork();
  Random random(20240611);
  int refused = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = plain;
    // Half of the rounds hit the head and the keys near it, where structure is.
    const size_t range = round % 2 == 0 ? 200 : damaged.size();
    for (uint64_t i = 0; i <= random.Below(3); ++i)
      damaged[random.Below(range)] = static_cast<char>(random.Below(256));
    try {
      CheckWeights(Load(damaged));
    } catch (const Exception& e) {
      EXPECT_NE(std::string(e.what()).size(), 0u);
      ++refused;
    }
  }
  EXPECT_GT(refused, 200);
  EXPECT_LT(refused, 2000);
}

TEST(WeightsFile, DamagedCompressedBytesAreRefused) {
  const std::string packed = Gzip(SmallNetwork());
  Random random(20240612);
  for (int round = 0; round < 300; ++round) {
    std::string damaged = packed;
    const size_t at = 10 + random.Below(damaged.size() -
                                        10);  // behind the header, whose time and flags may change
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.Below(8)));
    EXPECT_THROW(Load(damaged), Exception) << "byte " << at;
  }
}

TEST(WeightsFile, RandomBytesBehindTheMagicNumberNeverCrash) {
  Random random(20240613);
  for (int round = 0; round < 3000; ++round) {
    std::string bytes("\x0d\xc0\x01\x00\x00\x52", 6);  // then: weights
    bytes += static_cast<char>(random.Below(100));
    for (uint64_t i = 0; i < random.Below(100); ++i) bytes += static_cast<char>(random.Below(256));
    EXPECT_THROW(Load(bytes), Exception);
  }
}

// Case 161: discovery never throws and never waits.
TEST_F(WeightsFileTest, DiscoveryKnowsNetworksByTheirContent) {
  EXPECT_TRUE(LooksLikeWeights(Write("network", SmallNetwork())));
  EXPECT_TRUE(LooksLikeWeights(Write("packed", Gzip(SmallNetwork()))));
  EXPECT_FALSE(LooksLikeWeights(Write("text.pb.gz", "hello")));
  EXPECT_FALSE(LooksLikeWeights(Write("packed.pb.gz", Gzip("hello"))));
  EXPECT_FALSE(
      LooksLikeWeights(Write("damaged.pb.gz", std::string("\x1f\x8b\x08\x00garbage", 11))));
  EXPECT_FALSE(LooksLikeWeights(Write("empty.pb.gz", "")));
}

TEST_F(WeightsFileTest, DiscoveryPassesOverWhatIsNoReadableFile) {
  EXPECT_FALSE(LooksLikeWeights((folder_ / "missing").string()));
  EXPECT_FALSE(LooksLikeWeights(folder_.string()));
  EXPECT_FALSE(LooksLikeWeights(""));
  EXPECT_FALSE(LooksLikeWeights("/dev/zero"));
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_FALSE(LooksLikeWeights(pipe));
  const std::string secret = Write("secret.pb", SmallNetwork());
  std::filesystem::permissions(secret, std::filesystem::perms::none);
  LooksLikeWeights(secret);  // root may read it; what counts is that nothing is thrown
}

TEST(WeightsFile, AllNetworksOfTheSharedDataLoad) {
  PLEXUS_REQUIRE_SHARED("nets");
  int loaded = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(SharedPath("nets"))) {
    if (!entry.is_regular_file()) continue;
    EXPECT_TRUE(LooksLikeWeights(entry.path().string())) << entry.path();
    EXPECT_NO_THROW(LoadWeights(entry.path().string())) << entry.path();
    ++loaded;
  }
  EXPECT_GE(loaded, 31);
}

}  // namespace
}  // namespace plexus
