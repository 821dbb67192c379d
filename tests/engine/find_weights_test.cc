#include "engine/find_weights.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "base/temporary_folder.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

namespace fs = std::filesystem;
constexpr const char* kNetwork = "nets/maia-1100.pb.gz";

struct Folders {
  TemporaryFolder working, program;
  ProgramPaths Paths() const { return {working.Path(""), program.Path("")}; }
};

void CopyNetwork(const std::string& to, int age_hours) {
  fs::create_directories(fs::path(to).parent_path());
  fs::copy_file(SharedPath(kNetwork), to);
  fs::last_write_time(to, fs::file_time_type::clock::now() - std::chrono::hours(age_hours));
}

TEST(ChooseWeights, WithoutAnyFileTheBuiltInNetworkIsUsed) {
  Folders folders;
  for (const char* option : {"", "<autodiscover>", "<built in>", "<Built-In>"})
    EXPECT_EQ(ChooseWeights(option, folders.Paths()).kind, WeightsChoice::Kind::kBuiltIn) << option;
}

TEST(ChooseWeights, FilesThatAreNoNetworksAreNotTaken) {
  Folders folders;
  folders.working.Write("notes.txt", std::string(5000, 'x'));
  folders.working.Write("other.pb.gz", std::string(5000, '\x1f'));
  fs::create_directory(folders.working.Path("a folder.pb.gz"));
  fs::create_symlink("/nowhere", folders.working.Path("dangling.pb.gz"));
  EXPECT_EQ(ChooseWeights("", folders.Paths()).kind, WeightsChoice::Kind::kBuiltIn);
}

TEST(ChooseWeights, TheNewestNetworkOfAllFoldersIsTakenWhateverItsName) {
  PLEXUS_REQUIRE_SHARED(kNetwork);
  Folders folders;
  CopyNetwork(folders.working.Path("old.pb.gz"), 5);
  CopyNetwork(folders.program.Path("networks/new"), 1);
  folders.working.Write("newest.txt", std::string(5000, 'x'));
  const WeightsChoice choice = ChooseWeights("", folders.Paths());
  EXPECT_EQ(choice.kind, WeightsChoice::Kind::kFile);
  EXPECT_EQ(fs::path(choice.path).filename(), "new");
  EXPECT_FALSE(choice.reason.empty());
}

TEST(ChooseWeights, BuiltInIsTakenEvenIfFilesAreThere) {
  PLEXUS_REQUIRE_SHARED(kNetwork);
  Folders folders;
  CopyNetwork(folders.working.Path("net.pb.gz"), 1);
  EXPECT_EQ(ChooseWeights("<built in>", folders.Paths()).kind, WeightsChoice::Kind::kBuiltIn);
}

TEST(ChooseWeights, APathIsTakenWholeWithBlanksAndForeignLetters) {
  Folders folders;
  const std::string path = folders.working.Write("dir with blanks/ nëtz 网.pb.gz", "x");
  EXPECT_EQ(ChooseWeights(path, folders.Paths()).path, path);
  EXPECT_EQ(ChooseWeights("\"" + path + "\"", folders.Paths()).path, path);
}

TEST(ChooseWeights, ARelativePathIsLookedForBesideTheProgramToo) {
  Folders folders;
  folders.program.Write("networks/mine.pb.gz", "x");
  const WeightsChoice choice = ChooseWeights("mine.pb.gz", folders.Paths());
  EXPECT_TRUE(fs::exists(choice.path)) << choice.path;
  folders.working.Write("mine.pb.gz", "x");
  EXPECT_EQ(fs::path(ChooseWeights("mine.pb.gz", folders.Paths()).path).parent_path(),
            fs::path(folders.working.Path("")).parent_path());
}

TEST(ChooseWeights, APathThatLeadsNowhereIsKeptForTheErrorMessage) {
  Folders folders;
  EXPECT_EQ(ChooseWeights("no/such.pb.gz", folders.Paths()).path, "no/such.pb.gz");
}

TEST(FindNewestWeights, UnreadableAndMissingFoldersArePassedOver) {
  Folders folders;
  fs::create_directory(folders.working.Path("closed"));
  fs::permissions(folders.working.Path("closed"), fs::perms::none);
  EXPECT_EQ(FindNewestWeights({"/nowhere", folders.working.Path("closed"), "/dev"}), "");
  fs::permissions(folders.working.Path("closed"), fs::perms::owner_all);
}

}  // namespace
}  // namespace plexus
