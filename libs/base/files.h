#pragma once
// Whole files, and gzip data with a limit on what they may unpack to. Everything throws Exception
// with the file's name and the system's reason.

#include <cstddef>
#include <string>
#include <string_view>

namespace plexus {

// More than any network file; a guard against reading a device or unpacking a bomb.
inline constexpr size_t kMaxFileBytes = size_t{4} << 30;

std::string ReadFile(const std::string& path, size_t max_bytes = kMaxFileBytes);
// Writes beside the file and renames: readers see the old file or the new one, never a part.
void WriteFile(const std::string& path, std::string_view data);
// As ReadFile, and unpacks what is in gzip format; both sizes are limited by max_bytes.
std::string ReadFileMaybeGzip(const std::string& path, size_t max_bytes = kMaxFileBytes);

bool LooksLikeGzip(std::string_view data);
// All members of a gzip file, checked against their checksums. `name` is for messages. Refuses
// truncated and damaged data, garbage behind the end, and more than max_bytes of output.
std::string Gunzip(std::string_view data, const std::string& name,
                   size_t max_bytes = kMaxFileBytes);
std::string Gzip(std::string_view data);

}  // namespace plexus
