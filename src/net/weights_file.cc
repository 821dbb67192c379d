#include "net/weights_file.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/exception.h"
#include "base/files.h"
#include "net/weights_build.h"
#include "net/wire_check.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

constexpr size_t kLargestFile = size_t{1} << 30;
// The key of Net.magic and its value 0x1c0, with which every writer of the format begins.
constexpr std::string_view kMagicBytes("\x0d\xc0\x01\x00\x00", 5);

// A stream may not unpack to more than this many times its size; real weights reach about 1.5.
constexpr size_t kLargestRatio = 200;
constexpr size_t kFreeSize = size_t{16} << 20;

size_t LargestContent(size_t packed) {
  return std::min(kLargestFile, std::max(kFreeSize, kLargestRatio * packed));
}

std::string HexOf(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    char hex[4];
    std::snprintf(hex, sizeof(hex), "%s%02x", text.empty() ? "" : " ",
                  static_cast<unsigned char>(c));
    text += hex;
  }
  return text;
}

// The first `count` bytes of a gzip stream of which only the head is given; fewer if it is damaged.
std::string UnpackedHead(std::string& packed, size_t count) {
  z_stream stream{};
  constexpr int kGzipWindowBits = 15 + 16;
  if (inflateInit2(&stream, kGzipWindowBits) != Z_OK) return "";
  std::string out(count, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  inflate(&stream, Z_SYNC_FLUSH);
  out.resize(count - stream.avail_out);
  inflateEnd(&stream);
  return out;
}

void CheckHead(std::string_view content, const std::string& source) {
  if (content.empty()) throw Exception(source + " is empty.", "Download it again.");
  if (content.starts_with("1\n") || content.starts_with("2\n")) {
    throw Exception(source + " holds text weights, the format before protobuf.",
                    "Convert it to a .pb.gz file first, or use a newer network.");
  }
  const std::string_view head = content.substr(0, kMagicBytes.size());
  if (head == kMagicBytes) return;
  if (kMagicBytes.starts_with(head)) {
    throw Exception(
        source + " is truncated: it has only " + std::to_string(content.size()) + " bytes.",
        "Download it again.");
  }
  throw Exception(source + " is not a network file: it begins with the bytes " + HexOf(head) +
                      ", expected " + HexOf(kMagicBytes) + ".",
                  "Give the path of a network in lc0 format (.pb.gz). A web page or a "
                  "half-finished download looks "
                  "like this too; download it again.");
}

NetworkWeights ParseContent(std::string_view content, const std::string& source) {
  CheckHead(content, source);
  CheckWire(content, *pblczero::Net::descriptor(), source);
  pblczero::Net net;
  if (!net.ParsePartialFromArray(content.data(), static_cast<int>(content.size())) ||
      !net.IsInitialized()) {
    throw Exception(source + " is damaged: its messages do not follow the network schema.",
                    "Download it again.");
  }
  return BuildWeights(net, source);
}

}  // namespace

NetworkWeights LoadWeightsFromMemory(std::span<const std::byte> bytes, const std::string& source) {
  if (bytes.size() > kLargestFile) {
    throw Exception(source + " is larger than " + std::to_string(kLargestFile >> 20) + " MiB.",
                    "No known network is that large; check the file.");
  }
  const std::string_view data(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (LooksLikeGzip(data))
    return ParseContent(Gunzip(data, source, LargestContent(data.size())), source);
  return ParseContent(data, source);
}

NetworkWeights LoadWeights(const std::string& path) {
  const std::string data = ReadFile(path, kLargestFile);
  return LoadWeightsFromMemory(std::as_bytes(std::span(data)), path);
}

bool LooksLikeWeights(const std::string& path) {
  std::error_code error;
  // Only regular files: opening a pipe would wait for its writer.
  if (!std::filesystem::is_regular_file(path, error) || error) return false;
  std::ifstream file(path, std::ios::binary);
  std::string head(4096, '\0');
  file.read(head.data(), static_cast<std::streamsize>(head.size()));
  head.resize(static_cast<size_t>(file.gcount()));
  return (LooksLikeGzip(head) ? UnpackedHead(head, kMagicBytes.size()) : head)
      .starts_with(kMagicBytes);
}

}  // namespace plexus
