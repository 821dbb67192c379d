#pragma once
// Evaluations in a file, bit for bit, by what was asked.
//
//   "PLEXUSEV" | u32 version | u32 size | header text, lines "key=value" | u64 checksum
//   then records: u64 position | u64 moves | u32 number of moves | 3 floats wl, d, m | a float a move | u64 checksum
//
// All little-endian. Records are appended, a batch in one write. What a crash tore at the end is recognised and left
// out; a fault before the end is refused.

#include <cstdint>
#include <cstdio>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "net/backend.h"

namespace plexus {

// What is asked: position with 7 earlier ones (EvalKey), and the legal moves in their order.
struct EvaluationKey {
  uint64_t position = 0, moves = 0;
  bool operator==(const EvaluationKey&) const = default;
};
EvaluationKey KeyOf(const EvalInput& input);

// "key=value" of the header.
using EvaluationHeader = std::map<std::string, std::string>;

// Evaluations in memory; the first answer to a question stays. Not thread-safe.
class EvaluationBook {
 public:
  // Whether it is known; then fills *out. An answer for another number of moves is none.
  bool Find(const EvaluationKey& key, EvalOutput* out) const;
  // False: there is one already.
  bool Add(const EvaluationKey& key, const EvalOutput& output);
  int64_t size() const { return static_cast<int64_t>(answers_.size()); }

 private:
  struct Hash {
    size_t operator()(const EvaluationKey& key) const { return key.position ^ key.moves; }
  };
  struct Answer {
    float wl, d, m;
    std::vector<float> policy;
  };
  std::unordered_map<EvaluationKey, Answer, Hash> answers_;
};

struct EvaluationFile {
  EvaluationHeader header;
  EvaluationBook book;
  uint64_t intact_bytes = 0;  // up to the end of the last whole record
  bool torn = false;          // something followed them
};
// Throws Exception if it cannot be read, is no such file, of another version, or damaged before its end.
EvaluationFile ReadEvaluationFile(const std::string& path);

// Appends to a file. Not thread-safe.
class EvaluationWriter {
 public:
  // Begins a file, or goes on with one that ReadEvaluationFile has read: `intact_bytes` of it are kept. Throws Exception.
  static EvaluationWriter Create(const std::string& path, const EvaluationHeader& header);
  static EvaluationWriter Append(const std::string& path, uint64_t intact_bytes);

  void Add(const EvaluationKey& key, const EvalOutput& output);  // waits for Flush
  // Hands everything to the system. Throws Exception if it takes it not.
  void Flush();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  EvaluationWriter(const std::string& path, std::FILE* file) : path_(path), file_(file) {}
  std::string path_;
  std::unique_ptr<std::FILE, Close> file_;
  std::string waiting_;
};

}  // namespace plexus
