#include "tools/tool_args.h"

#include <cstdio>

#include "base/exception.h"
#include "base/files.h"
#include "base/strings.h"

namespace plexus {

std::vector<std::string> ExpandJsonFlag(std::span<const std::string> args) {
  std::vector<std::string> result(args.begin(), args.end());
  for (std::string& arg : result) {
    if (arg == "--") break;
    if (arg == "--json") arg = "--json=-";
  }
  return result;
}

void WriteJson(const std::string& destination, const std::string& text) {
  if (destination == "-") {
    std::printf("%s\n", text.c_str());
    std::fflush(stdout);
  } else if (!destination.empty()) {
    WriteFile(destination, text + "\n");
  }
}

void RefuseWords(const std::vector<std::string>& words, const std::string& tool) {
  if (words.empty()) return;
  throw Exception(tool + " does not understand \"" + Join(words, "\", \"") + "\".",
                  "Options begin with --; " + tool + " --help lists them.");
}

}  // namespace plexus
