#pragma once
// What the command lines of the tools have in common.

#include <span>
#include <string>
#include <vector>

namespace plexus {

// `--json` alone means `--json=-`: the standard output. Use before ParseCommandLine with a text option "json".
std::vector<std::string> ExpandJsonFlag(std::span<const std::string> args);
// Writes `text` and a newline to the file, or to the standard output for "-". Nothing for "".
void WriteJson(const std::string& destination, const std::string& text);
// Throws Exception naming the words that a tool does not understand, if there are any.
void RefuseWords(const std::vector<std::string>& words, const std::string& tool);

}  // namespace plexus
