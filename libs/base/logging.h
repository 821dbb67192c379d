#pragma once
// The one log: off by default, a file or the standard error stream when the user asks for it. Lines
// look like
//   2026-01-31 12:00:00.123 warning [search-0] text
// Thread-safe; each line is flushed, so that a crash loses none.

#include <string>
#include <string_view>

#include "base/options.h"

namespace plexus {

enum class LogLevel { kInfo, kWarning, kError };

struct LogParams {
  std::string log_file;
};

inline const OptionRow<LogParams> kLogOptions[] = {
    {&LogParams::log_file, "LogFile", "logfile", 0, 0,
     "append a log to this file; <stderr> writes to the standard error stream, nothing is off",
     OptionVisibility::kNormal, "", 'l'},
};

// Starts to append to `path` ("<stderr>": the standard error stream; "": no log). The same path as
// before changes nothing. Throws Exception if the file cannot be opened; the log is then off.
void SetLogFile(const std::string& path);
// Cheap; lets a caller skip building an expensive text.
bool LogIsOn();
void Log(LogLevel level, std::string_view text);

}  // namespace plexus
