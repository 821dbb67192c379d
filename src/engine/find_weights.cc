#include "engine/find_weights.h"

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "net/weights_file.h"

namespace plexus {
namespace {

namespace fs = std::filesystem;

// A folder with more entries is not one that somebody keeps networks in; looking into all would delay the start.
constexpr int kMostEntries = 5000;
constexpr uintmax_t kLeastBytes = 1000;

struct Candidate {
  fs::file_time_type time;
  std::string path;
};

std::vector<Candidate> FilesIn(const std::string& folder) {
  std::vector<Candidate> files;
  std::error_code error;
  fs::directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
  for (int i = 0; !error && at != end && i < kMostEntries; at.increment(error), ++i) {
    std::error_code unreadable;
    if (!at->is_regular_file(unreadable) || at->file_size(unreadable) < kLeastBytes || unreadable)
      continue;
    const fs::file_time_type time = at->last_write_time(unreadable);
    if (!unreadable) files.push_back({time, at->path().string()});
  }
  return files;
}

std::vector<std::string> SearchFolders(const ProgramPaths& paths) {
  std::vector<std::string> folders;
  for (const std::string& folder : {paths.working_folder, paths.program_folder}) {
    if (folder.empty()) continue;
    folders.push_back(folder);
    folders.push_back((fs::path(folder) / "networks").string());
  }
  return folders;
}

bool Exists(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

// The file that a path of the user means.
std::string Located(const std::string& path, const ProgramPaths& paths) {
  if (fs::path(path).is_absolute()) return path;
  for (const std::string& folder : SearchFolders(paths)) {
    const fs::path there = fs::path(folder) / path;
    if (Exists(there)) return folder == "." ? path : there.string();
  }
  return path;
}

}  // namespace

std::string FindNewestWeights(const std::vector<std::string>& folders) {
  std::vector<Candidate> candidates;
  for (const std::string& folder : folders) {
    std::vector<Candidate> files = FilesIn(folder);
    candidates.insert(candidates.end(), files.begin(), files.end());
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) {
                     return a.time != b.time ? a.time > b.time : a.path < b.path;
                   });
  for (const Candidate& candidate : candidates)
    if (LooksLikeWeights(candidate.path)) return candidate.path;
  return "";
}

WeightsChoice ChooseWeights(const std::string& option, const ProgramPaths& paths) {
  std::string text(Trim(option));
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  WeightsChoice choice;
  if (EqualsIgnoringCase(text, "<built in>") || EqualsIgnoringCase(text, "<built-in>")) {
    choice.reason = "the one inside the program";
    return choice;
  }
  if (text.empty() || EqualsIgnoringCase(text, "<autodiscover>")) {
    choice.path = FindNewestWeights(SearchFolders(paths));
    choice.kind = choice.path.empty() ? WeightsChoice::Kind::kBuiltIn : WeightsChoice::Kind::kFile;
    choice.reason =
        choice.path.empty() ? "no network file found" : "found as the newest network file";
    return choice;
  }
  choice.kind = WeightsChoice::Kind::kFile;
  choice.path = Located(text, paths);
  choice.reason = "named by WeightsFile";
  return choice;
}

}  // namespace plexus
