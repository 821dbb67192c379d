#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "base/exception.h"

namespace plexus {
namespace {

[[noreturn]] void FailWithErrno(const std::string& what, const std::string& path,
                                const std::string& remedy = "") {
  throw Exception(
      "Cannot " + what + " \"" + path + "\": " + std::generic_category().message(errno) + ".",
      remedy);
}

class FileDescriptor {
 public:
  explicit FileDescriptor(int fd) : fd_(fd) {}
  ~FileDescriptor() { Close(); }
  FileDescriptor(const FileDescriptor&) = delete;
  FileDescriptor& operator=(const FileDescriptor&) = delete;
  int get() const { return fd_; }
  bool Close() {
    const int fd = std::exchange(fd_, -1);
    return fd < 0 || close(fd) == 0;
  }

 private:
  int fd_;
};

// A zlib stream that is released whatever happens.
struct InflateStream {
  InflateStream() { is_open = inflateInit2(&stream, 15 + 16) == Z_OK; }
  ~InflateStream() {
    if (is_open) inflateEnd(&stream);
  }
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  z_stream stream{};
  bool is_open = false;
};

uInt Clamped(size_t bytes) {
  return static_cast<uInt>(std::min<size_t>(bytes, std::numeric_limits<uInt>::max()));
}

// Unpacks the member at the start of *data, removes it from there and appends the result to *out.
void GunzipMember(std::string_view* data, const std::string& name, size_t max_bytes,
                  std::string* out) {
  InflateStream inflater;
  if (!inflater.is_open) throw Exception("zlib could not be started.", "Is memory short?");
  char buffer[1 << 16];
  for (int status = Z_OK; status != Z_STREAM_END;) {
    z_stream& stream = inflater.stream;
    const uInt offered = Clamped(data->size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data->data()));
    stream.avail_in = offered;
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    status = inflate(&stream, Z_NO_FLUSH);
    data->remove_prefix(offered - stream.avail_in);
    const size_t produced = sizeof(buffer) - stream.avail_out;
    if (status != Z_OK && status != Z_STREAM_END) {
      const bool is_cut = status == Z_BUF_ERROR && data->empty();
      throw Exception(name +
                          (is_cut ? ": the gzip data end too early, after "
                                  : ": the gzip data are damaged after ") +
                          std::to_string(out->size() + produced) + " unpacked bytes.",
                      "Get the file again.");
    }
    if (produced > max_bytes - out->size()) {
      throw Exception(name + ": unpacks to more than the limit of " + std::to_string(max_bytes) +
                      " bytes.");
    }
    out->append(buffer, produced);
  }
}

}  // namespace

std::string ReadFile(const std::string& path, size_t max_bytes) {
  FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) FailWithErrno("open", path);
  struct stat status {};
  if (fstat(file.get(), &status) != 0) FailWithErrno("look at", path);
  if (S_ISDIR(status.st_mode)) {
    throw Exception("\"" + path + "\" is a folder.", "Name a file.");
  }
  std::string data;
  // The size is only a hint: files in /proc say 0.
  if (status.st_size > 0) data.reserve(std::min<size_t>(status.st_size, max_bytes));
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = read(file.get(), buffer, sizeof(buffer));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) FailWithErrno("read", path);
    if (got == 0) return data;
    if (static_cast<size_t>(got) > max_bytes - data.size()) {
      throw Exception("\"" + path + "\" is larger than the limit of " + std::to_string(max_bytes) +
                      " bytes.");
    }
    data.append(buffer, static_cast<size_t>(got));
  }
}

void WriteFile(const std::string& path, std::string_view data) {
  // The process number keeps two processes that write the same file apart.
  const std::string beside = path + ".part" + std::to_string(getpid());
  FileDescriptor file(open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (file.get() < 0)
    FailWithErrno("create", beside, "Is the folder there and may you write to it?");
  const auto fail = [&beside](const std::string& what) {
    const int reason = errno;
    unlink(beside.c_str());
    errno = reason;
    FailWithErrno(what, beside);
  };
  while (!data.empty()) {
    const ssize_t written = write(file.get(), data.data(), data.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("write");
    data.remove_prefix(static_cast<size_t>(written));
  }
  if (!file.Close()) fail("write");
  if (std::rename(beside.c_str(), path.c_str()) != 0) fail("rename");
}

bool LooksLikeGzip(std::string_view data) {
  return data.size() >= 2 && data[0] == '\x1f' && data[1] == '\x8b';
}

std::string Gunzip(std::string_view data, const std::string& name, size_t max_bytes) {
  std::string out;
  do {
    if (!LooksLikeGzip(data)) {
      throw Exception(name + (out.empty() ? ": not in gzip format."
                                          : ": something follows the end of the gzip data."),
                      "Get the file again.");
    }
    GunzipMember(&data, name, max_bytes, &out);
  } while (!data.empty());
  return out;
}

std::string ReadFileMaybeGzip(const std::string& path, size_t max_bytes) {
  std::string data = ReadFile(path, max_bytes);
  return LooksLikeGzip(data) ? Gunzip(data, path, max_bytes) : data;
}

std::string Gzip(std::string_view data) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Exception("zlib could not be started.", "Is memory short?");
  }
  std::string out;
  char buffer[1 << 16];
  for (int status = Z_OK; status != Z_STREAM_END;) {
    const uInt offered = Clamped(data.size());
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = offered;
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof(buffer);
    status = deflate(&stream, offered == data.size() ? Z_FINISH : Z_NO_FLUSH);
    data.remove_prefix(offered - stream.avail_in);
    out.append(buffer, sizeof(buffer) - stream.avail_out);
  }
  deflateEnd(&stream);
  return out;
}

}  // namespace plexus
