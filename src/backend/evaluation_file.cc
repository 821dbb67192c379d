#include "backend/evaluation_file.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/exception.h"
#include "base/files.h"
#include "base/hash.h"
#include "base/strings.h"
#include "net/eval_key.h"

namespace plexus {
namespace {

static_assert(std::endian::native == std::endian::little, "the file is little-endian");

constexpr std::string_view kMagic = "PLEXUSEV";
constexpr uint32_t kVersion = 1;
constexpr uint32_t kMostMoves = 256, kMostHeader = 1 << 16;
constexpr size_t kFixedBytes = 8 + 8 + 4 + 12;  // of a record, before the priors

template <class T>
void Put(T value, std::string* to) {
  to->append(reinterpret_cast<const char*>(&value), sizeof(value));
}
template <class T>
T Get(std::string_view from, size_t at) {
  T value;
  std::memcpy(&value, from.data() + at, sizeof(value));
  return value;
}

// Eight bytes at a time; the rest padded with zeros.
uint64_t Checksum(std::string_view bytes) {
  uint64_t hash = bytes.size();
  for (size_t at = 0; at < bytes.size(); at += 8) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, std::min<size_t>(8, bytes.size() - at));
    hash = HashCombine(hash, word);
  }
  return hash;
}

std::string HeaderText(const EvaluationHeader& header) {
  std::string text;
  for (const auto& [key, value] : header) text += key + "=" + value + "\n";
  return text;
}

class Reader {
 public:
  Reader(const std::string& path, std::string_view data) : path_(path), data_(data) {}

  EvaluationFile Read() {
    EvaluationFile file;
    ReadHeader(&file.header);
    while (ReadRecord(&file.book)) {
    }
    file.intact_bytes = at_;
    file.torn = at_ < data_.size();
    return file;
  }

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    throw Exception(path_ + " " + why, "Name a file that Backend=record has written.");
  }
  size_t left() const { return data_.size() - at_; }

  void ReadHeader(EvaluationHeader* header) {
    if (!data_.starts_with(kMagic)) Refuse("is no file of recorded evaluations.");
    if (data_.size() < 16) Refuse("ends within its header.");
    const auto version = Get<uint32_t>(data_, 8), size = Get<uint32_t>(data_, 12);
    if (version != kVersion) {
      Refuse("has version " + std::to_string(version) +
             " of recorded evaluations; this program reads " + std::to_string(kVersion) + ".");
    }
    if (size > kMostHeader || data_.size() < 16 + size + 8) Refuse("ends within its header.");
    const std::string_view text = data_.substr(16, size);
    if (Get<uint64_t>(data_, 16 + size) != Checksum(text)) Refuse("is damaged: its header.");
    for (const std::string& line : Split(text, '\n')) {
      const size_t equals = line.find('=');
      if (equals != std::string::npos) (*header)[line.substr(0, equals)] = line.substr(equals + 1);
    }
    at_ = 16 + size + 8;
  }

  // False at the end of what is whole.
  bool ReadRecord(EvaluationBook* book) {
    if (left() < kFixedBytes) return false;
    const auto moves = Get<uint32_t>(data_, at_ + 16);
    if (moves == 0 || moves > kMostMoves) Damaged();
    const size_t size = kFixedBytes + 4 * moves;
    if (left() < size + 8) return false;
    if (Get<uint64_t>(data_, at_ + size) != Checksum(data_.substr(at_, size))) {
      if (left() == size + 8) return false;
      Damaged();
    }
    std::vector<float> policy(moves);
    std::memcpy(policy.data(), data_.data() + at_ + kFixedBytes, 4 * moves);
    EvalOutput output{Get<float>(data_, at_ + 20), Get<float>(data_, at_ + 24),
                      Get<float>(data_, at_ + 28), policy};
    book->Add({Get<uint64_t>(data_, at_), Get<uint64_t>(data_, at_ + 8)}, output);
    at_ += size + 8;
    return true;
  }
  [[noreturn]] void Damaged() const { Refuse("is damaged at byte " + std::to_string(at_) + "."); }

  const std::string& path_;
  const std::string_view data_;
  size_t at_ = 0;
};

std::FILE* Open(const std::string& path, const char* mode) {
  std::FILE* file = std::fopen(path.c_str(), mode);
  if (!file) throw Exception("Cannot write " + path + ": " + std::strerror(errno) + ".");
  return file;
}

}  // namespace

EvaluationKey KeyOf(const EvalInput& input) {
  uint64_t moves = input.legal_moves.size();
  for (const Move move : input.legal_moves) {
    moves = HashCombine(moves, static_cast<uint64_t>(move.from()) |
                                   static_cast<uint64_t>(move.to()) << 8 |
                                   static_cast<uint64_t>(move.kind()) << 16);
  }
  return {EvalKey(input.history, 7), moves};
}

bool EvaluationBook::Find(const EvaluationKey& key, EvalOutput* out) const {
  const auto found = answers_.find(key);
  if (found == answers_.end() || found->second.policy.size() != out->policy.size()) return false;
  const Answer& answer = found->second;
  out->wl = answer.wl;
  out->d = answer.d;
  out->m = answer.m;
  std::ranges::copy(answer.policy, out->policy.begin());
  return true;
}

bool EvaluationBook::Add(const EvaluationKey& key, const EvalOutput& output) {
  return answers_
      .try_emplace(
          key, Answer{output.wl, output.d, output.m, {output.policy.begin(), output.policy.end()}})
      .second;
}

EvaluationFile ReadEvaluationFile(const std::string& path) {
  const std::string data = ReadFile(path);
  return Reader(path, data).Read();
}

EvaluationWriter EvaluationWriter::Create(const std::string& path, const EvaluationHeader& header) {
  EvaluationWriter writer(path, Open(path, "wb"));
  const std::string text = HeaderText(header);
  writer.waiting_ = kMagic;
  Put(kVersion, &writer.waiting_);
  Put(static_cast<uint32_t>(text.size()), &writer.waiting_);
  writer.waiting_ += text;
  Put(Checksum(text), &writer.waiting_);
  writer.Flush();
  return writer;
}

EvaluationWriter EvaluationWriter::Append(const std::string& path, uint64_t intact_bytes) {
  std::error_code error;
  std::filesystem::resize_file(path, intact_bytes, error);
  if (error) throw Exception("Cannot write " + path + ": " + error.message() + ".");
  return EvaluationWriter(path, Open(path, "ab"));
}

void EvaluationWriter::Add(const EvaluationKey& key, const EvalOutput& output) {
  const size_t begin = waiting_.size();
  Put(key.position, &waiting_);
  Put(key.moves, &waiting_);
  Put(static_cast<uint32_t>(output.policy.size()), &waiting_);
  Put(output.wl, &waiting_);
  Put(output.d, &waiting_);
  Put(output.m, &waiting_);
  for (const float prior : output.policy) Put(prior, &waiting_);
  Put(Checksum(std::string_view(waiting_).substr(begin)), &waiting_);
}

void EvaluationWriter::Flush() {
  const bool written =
      std::fwrite(waiting_.data(), 1, waiting_.size(), file_.get()) == waiting_.size() &&
      std::fflush(file_.get()) == 0;
  const int error = errno;
  waiting_.clear();
  if (!written) throw Exception("Cannot write " + path_ + ": " + std::strerror(error) + ".");
}

}  // namespace plexus
