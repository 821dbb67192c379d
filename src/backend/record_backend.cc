#include "backend/record_backend.h"

#include <bit>
#include <filesystem>
#include <optional>
#include <utility>

#include "base/exception.h"
#include "base/mutex.h"
#include "base/strings.h"
#include "chess/fen.h"

namespace plexus {
namespace {

std::string Bit(bool value) { return value ? "1" : "0"; }

EvaluationHeader HeaderOf(const BackendAttributes& attributes, const RecordContext& context) {
  return {{"backend", attributes.description},
          {"has_wdl", Bit(attributes.has_wdl)},
          {"has_moves_left", Bit(attributes.has_moves_left)},
          {"is_cpu", Bit(attributes.is_cpu)},
          {"max_batch", std::to_string(attributes.max_batch)},
          {"suggested_batch", std::to_string(attributes.suggested_batch)},
          {"suggested_threads", std::to_string(attributes.suggested_threads)},
          {"network", context.network},
          {"PolicyTemperature", FormatNumber(context.policy_temperature)},
          {"HistoryFill", context.history_fill}};
}

std::string Value(const EvaluationHeader& header, const std::string& key) {
  const auto found = header.find(key);
  return found == header.end() ? "" : found->second;
}

// keys: what must be the same in both.
void RequireSame(const std::string& path, const EvaluationHeader& file, const EvaluationHeader& now,
                 std::initializer_list<const char*> keys, const std::string& remedy) {
  for (const char* key : keys) {
    if (Value(file, key) == Value(now, key)) continue;
    throw Exception(path + " was recorded with " + key + " \"" + Value(file, key) + "\", not \"" +
                        Value(now, key) + "\".",
                    remedy);
  }
}

}  // namespace

// ---- record ----

struct RecordBackend::Shared {
  explicit Shared(EvaluationWriter w) : writer(std::move(w)) {}

  Mutex mutex;
  EvaluationBook book GUARDED_BY(mutex);
  std::optional<EvaluationWriter> writer GUARDED_BY(mutex);  // nothing once it failed
  std::vector<std::string> notices GUARDED_BY(mutex);
};

class RecordBackend::Computation : public BackendComputation {
 public:
  Computation(std::shared_ptr<Shared> shared, std::unique_ptr<BackendComputation> inner)
      : shared_(std::move(shared)), inner_(std::move(inner)) {}

  Added Add(const EvalInput& input, EvalOutput* out) override {
    const Added added = inner_->Add(input, out);
    pending_.push_back({KeyOf(input), out});
    if (added == Added::kFromCache) Write();
    return added;
  }
  int queued() const override { return inner_->queued(); }
  void ComputeBlocking() override { ComputeOrCancel({}); }
  bool ComputeOrCancel(std::stop_token cancel) override {
    if (!inner_->ComputeOrCancel(std::move(cancel))) return false;
    Write();
    return true;
  }

 private:
  struct Pending {
    EvaluationKey key;
    EvalOutput* out;
  };

  void Write() {
    MutexLock lock(shared_->mutex);
    for (const Pending& pending : pending_) {
      if (!shared_->book.Add(pending.key, *pending.out)) {
        shared_->book.Find(pending.key, pending.out);
      } else if (shared_->writer) {
        shared_->writer->Add(pending.key, *pending.out);
      }
    }
    pending_.clear();
    if (!shared_->writer) return;
    try {
      shared_->writer->Flush();
    } catch (const Exception& e) {
      shared_->writer.reset();
      shared_->notices.push_back(std::string("record: ") + e.what() +
                                 " Nothing is recorded any more.");
    }
  }

  const std::shared_ptr<Shared> shared_;
  const std::unique_ptr<BackendComputation> inner_;
  std::vector<Pending> pending_;
};

RecordBackend::RecordBackend(std::shared_ptr<Backend> inner, const std::string& path,
                             const RecordContext& context)
    : inner_(std::move(inner)) {
  const EvaluationHeader header = HeaderOf(inner_->attributes(), context);
  if (!std::filesystem::exists(path)) {
    shared_ = std::make_shared<Shared>(EvaluationWriter::Create(path, header));
    return;
  }
  EvaluationFile file = ReadEvaluationFile(path);
  RequireSame(path, file.header, header,
              {"backend", "network", "PolicyTemperature", "HistoryFill", "has_wdl",
               "has_moves_left", "max_batch", "suggested_batch", "suggested_threads"},
              "Record into another file.");
  shared_ = std::make_shared<Shared>(EvaluationWriter::Append(path, file.intact_bytes));
  MutexLock lock(shared_->mutex);
  shared_->book = std::move(file.book);
  if (file.torn) {
    shared_->notices.push_back("record: the end of " + path + " was torn; " +
                               std::to_string(shared_->book.size()) +
                               " evaluations before it are kept");
  }
}

RecordBackend::~RecordBackend() = default;

BackendAttributes RecordBackend::attributes() const {
  BackendAttributes result = inner_->attributes();
  result.description += ", recorded";
  return result;
}

std::unique_ptr<BackendComputation> RecordBackend::NewComputation() {
  return std::make_unique<Computation>(shared_, inner_->NewComputation());
}

std::vector<std::string> RecordBackend::TakeNotices() {
  std::vector<std::string> notices = inner_->TakeNotices();
  MutexLock lock(shared_->mutex);
  for (std::string& notice : shared_->notices) notices.push_back(std::move(notice));
  shared_->notices.clear();
  return notices;
}

// ---- replay ----

class ReplayBackend::Computation : public BackendComputation {
 public:
  Computation(std::shared_ptr<const EvaluationBook> book, const std::string& path)
      : book_(std::move(book)), path_(path) {}

  Added Add(const EvalInput& input, EvalOutput* out) override {
    pending_.push_back({KeyOf(input), input.history.back(), out});
    return Added::kQueued;
  }
  int queued() const override { return static_cast<int>(pending_.size()); }
  void ComputeBlocking() override {
    for (const Pending& pending : pending_) {
      // All or none are written.
      std::vector<float> policy(pending.out->policy.size());
      EvalOutput found{0, 0, 0, policy};
      if (!book_->Find(pending.key, &found)) Refuse(pending.position);
    }
    for (const Pending& pending : pending_) book_->Find(pending.key, pending.out);
  }

 private:
  struct Pending {
    EvaluationKey key;
    Position position;
    EvalOutput* out;
  };
  [[noreturn]] void Refuse(const Position& position) const {
    throw Exception(
        "replay: " + path_ + " holds no evaluation of " +
            ToFen(position.board, position.rule50_ply, position.game_ply / 2 + 1) +
            " with the moves before it.",
        "Repeat the recorded search exactly: the same options, one thread, or record this one.");
  }

  const std::shared_ptr<const EvaluationBook> book_;
  const std::string path_;
  std::vector<Pending> pending_;
};

ReplayBackend::ReplayBackend(const std::string& path, const RecordContext& context) : path_(path) {
  EvaluationFile file = ReadEvaluationFile(path);
  RequireSame(path, file.header, HeaderOf({}, context), {"PolicyTemperature", "HistoryFill"},
              "Set it to what was recorded.");
  const auto number = [&](const char* key) {
    return static_cast<int>(ParseInt(Value(file.header, key), path + ": " + key, 1, 1 << 24));
  };
  attributes_.description = "replay of " + Value(file.header, "backend");
  attributes_.has_wdl = Value(file.header, "has_wdl") == "1";
  attributes_.has_moves_left = Value(file.header, "has_moves_left") == "1";
  attributes_.is_cpu = Value(file.header, "is_cpu") == "1";
  attributes_.max_batch = number("max_batch");
  attributes_.suggested_batch = number("suggested_batch");
  attributes_.suggested_threads = number("suggested_threads");
  book_ = std::make_shared<const EvaluationBook>(std::move(file.book));
}

ReplayBackend::~ReplayBackend() = default;

std::unique_ptr<BackendComputation> ReplayBackend::NewComputation() {
  return std::make_unique<Computation>(book_, path_);
}

}  // namespace plexus
