#include "base/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/error_of.h"
#include "base/random.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

using ::testing::HasSubstr;

class FilesTest : public ::testing::Test {
 protected:
  // Hard to pack, longer than any buffer inside.
  static std::string RandomBytes(size_t count) {
    Random random(1);
    std::string bytes;
    for (size_t i = 0; i < count; ++i) bytes += static_cast<char>(random.Next());
    return bytes;
  }
  TemporaryFolder folder;
};

TEST_F(FilesTest, WhatIsWrittenIsRead) {
  const std::string path = folder.Path("data");
  const std::string bytes = RandomBytes(200000);
  WriteFile(path, bytes);
  EXPECT_EQ(ReadFile(path), bytes);
  WriteFile(path, "");
  EXPECT_EQ(ReadFile(path), "");
}

TEST_F(FilesTest, WritingLeavesNothingBeside) {
  WriteFile(folder.Path("data"), "x");
  WriteFile(folder.Path("data"), "y");
  const std::filesystem::directory_iterator files(folder.Path("")), end;
  EXPECT_EQ(std::distance(files, end), 1);
}

TEST_F(FilesTest, ErrorsNameFileAndReason) {
  const std::string missing = folder.Path("missing");
  EXPECT_THAT(ErrorOf([&] { ReadFile(missing); }), HasSubstr(missing));
  EXPECT_THAT(ErrorOf([&] { ReadFile(missing); }), HasSubstr("No such file"));
  EXPECT_THAT(ErrorOf([&] { ReadFile(folder.Path("")); }), HasSubstr("is a folder"));
  EXPECT_THAT(ErrorOf([&] { WriteFile(missing + "/x", "data"); }), HasSubstr("No such file"));
  std::filesystem::create_directories(folder.Path("busy/x"));
  EXPECT_THAT(ErrorOf([&] { WriteFile(folder.Path("busy"), "data"); }), HasSubstr("rename"));
}

TEST_F(FilesTest, TooLargeFilesAreRefused) {
  const std::string path = folder.Write("data", "12345");
  EXPECT_EQ(ReadFile(path, 5), "12345");
  EXPECT_THAT(ErrorOf([&] { ReadFile(path, 4); }), HasSubstr("limit of 4 bytes"));
  EXPECT_THAT(ErrorOf([&] { ReadFile("/dev/zero", 1 << 20); }), HasSubstr("limit"));
}

TEST_F(FilesTest, PackedDataUnpackToThemselves) {
  const std::string bytes = RandomBytes(300000);
  for (const std::string& data :
       {std::string(), std::string("short"), bytes, std::string(1 << 20, 'a')}) {
    EXPECT_EQ(Gunzip(Gzip(data), "test"), data);
  }
}

TEST_F(FilesTest, FilesInGzipFormatAreUnpackedAndOthersAreNot) {
  EXPECT_EQ(ReadFileMaybeGzip(folder.Write("packed", Gzip("text"))), "text");
  EXPECT_EQ(ReadFileMaybeGzip(folder.Write("plain", "text")), "text");
  EXPECT_EQ(ReadFileMaybeGzip(folder.Write("empty", "")), "");
}

TEST_F(FilesTest, AllMembersOfAGzipFileAreUnpacked) {
  EXPECT_EQ(Gunzip(Gzip("one ") + Gzip("") + Gzip("two"), "test"), "one two");
}

TEST_F(FilesTest, EveryTruncationIsNoticed) {
  const std::string packed = Gzip("some text that is long enough to be cut anywhere");
  for (size_t length = 0; length < packed.size(); ++length) {
    EXPECT_THAT(ErrorOf([&] { Gunzip(packed.substr(0, length), "net.pb.gz"); }),
                HasSubstr("net.pb.gz"))
        << length;
  }
  EXPECT_THAT(ErrorOf([&] { Gunzip(packed.substr(0, packed.size() - 1), "x"); }),
              HasSubstr("end too early"));
}

TEST_F(FilesTest, DamageIsNoticed) {
  std::string packed = Gzip("some text that is long enough to be damaged");
  packed[packed.size() - 6] ^= 1;  // in the checksum
  EXPECT_THAT(ErrorOf([&] { Gunzip(packed, "x"); }), HasSubstr("damaged"));
  EXPECT_THAT(ErrorOf([&] { Gunzip(Gzip("a") + "junk", "x"); }), HasSubstr("follows the end"));
  EXPECT_THAT(ErrorOf([&] { Gunzip("no gzip", "x"); }), HasSubstr("not in gzip format"));
}

TEST_F(FilesTest, UnpackingStopsAtTheLimit) {
  const std::string bomb = Gzip(std::string(10 << 20, '\0'));
  EXPECT_LT(bomb.size(), 100000u);
  EXPECT_THAT(ErrorOf([&] { Gunzip(bomb, "bomb", 1 << 20); }), HasSubstr("1048576 bytes"));
  EXPECT_EQ(Gunzip(Gzip("12345"), "x", 5), "12345");
  EXPECT_THAT(ErrorOf([&] { Gunzip(Gzip("123456"), "x", 5); }), HasSubstr("limit of 5"));
}

}  // namespace
}  // namespace plexus
