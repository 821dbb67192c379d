#include "engine/engine_options.h"

#include <algorithm>
#include <filesystem>

#include "backend/registry.h"
#include "base/exception.h"
#include "base/options_parser.h"

namespace plexus {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigName = "plexus.config";
constexpr int64_t kCacheBytesPerEntry = 112;  // see BackendParams::nn_cache_size
constexpr int64_t kMostCacheEntries = 999999999;

bool IsFile(const std::string& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

// Takes --config out of `args`. Returns whether it was there; *file is its last value.
bool TakeConfigFlag(std::vector<std::string>* args, std::string* file) {
  bool found = false;
  for (size_t i = 0; i < args->size() && (*args)[i] != "--";) {
    const std::string arg = (*args)[i];
    const auto at = args->begin() + static_cast<std::ptrdiff_t>(i);
    if (arg.starts_with("--config=")) {
      *file = arg.substr(9);
      args->erase(at);
    } else if (arg == "--config") {
      if (i + 1 == args->size())
        throw Exception("The option --config needs a value.", "Write --config=FILE.");
      *file = (*args)[i + 1];
      args->erase(at, at + 2);
    } else {
      ++i;
      continue;
    }
    found = true;
  }
  return found;
}

}  // namespace

EngineOptions::EngineOptions() {
  set.Add(kSearchOptions, &search);
  set.Add(kEngineOptions, &engine);
  set.Add(kStopOptions, &stop);
  set.Add(kBackendOptions, &backend);
  set.Add(kLogOptions, &log);
}

BackendParams EngineOptions::EffectiveBackend() const {
  BackendParams params = backend;
  if (engine.hash_mb > 0) {
    const int64_t entries = (int64_t{engine.hash_mb} << 20) / kCacheBytesPerEntry;
    params.nn_cache_size = static_cast<int>(std::min(entries, kMostCacheEntries));
  }
  return params;
}

ProgramPaths FindProgramPaths() {
  ProgramPaths paths;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) paths.program_folder = program.parent_path().string();
  return paths;
}

std::string FindConfigFile(const ProgramPaths& paths) {
  for (const std::string& folder : {paths.working_folder, paths.program_folder}) {
    if (folder.empty()) continue;
    const std::string path = (fs::path(folder) / kConfigName).string();
    if (IsFile(path)) return path;
  }
  return "";
}

std::vector<std::string> LoadOptions(std::span<const std::string> args, const ProgramPaths& paths,
                                     OptionSet* options, std::string* config_fault) {
  std::vector<std::string> flags(args.begin(), args.end());
  std::string config;
  if (TakeConfigFlag(&flags, &config)) {
    if (!config.empty()) ApplyConfigFile(config, options);
  } else if (config = FindConfigFile(paths); !config.empty()) {
    try {
      ApplyConfigFile(config, options);
    } catch (const Exception& error) {
      if (config_fault == nullptr) throw;
      *config_fault = error.what();
    }
  }
  return ParseCommandLine(flags, options);
}

std::string BackendHelp() { return DescribeBackends(); }

}  // namespace plexus
