#pragma once
// Which network file an option means.

#include <string>
#include <vector>

#include "engine/engine_options.h"

namespace plexus {

struct WeightsChoice {
  enum class Kind { kBuiltIn, kFile };
  Kind kind = Kind::kBuiltIn;
  std::string path;    // of kFile
  std::string reason;  // for the user: "named by WeightsFile", "found in networks", ...
  bool operator==(const WeightsChoice& other) const {
    return kind == other.kind && path == other.path;
  }
};

// `option`, the value of WeightsFile:
//   "<built in>"                   the network inside the program
//   "" or "<autodiscover>"         the newest file that looks like a network, by content, in the working
//                                  folder, its `networks`, the executable's folder and its `networks`;
//                                  the built-in one if there is none
//   anything else                  that path, taken whole (blanks included; surrounding quotes are
//                                  dropped); if it is relative and not in the working folder, beside the
//                                  executable or in `networks` there
// Never throws; a path that leads nowhere is returned as it is, loading then tells why.
WeightsChoice ChooseWeights(const std::string& option, const ProgramPaths& paths);

// The newest file under `folders` (not below them) that looks like a network; "" if there is none.
// Unreadable files and folders are passed over.
std::string FindNewestWeights(const std::vector<std::string>& folders);

}  // namespace plexus
