#include "backend/evaluation_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

#include "backend/test_positions.h"
#include "base/error_of.h"
#include "base/files.h"
#include "base/temporary_folder.h"

namespace plexus {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

// Evaluation number n of a file: n + 1 moves.
struct Numbered {
  explicit Numbered(uint64_t n) : key{n * 77 + 1, n ^ 5}, policy(n + 1, 1.0f / (n + 3)) {
    output = {0.1f * static_cast<float>(n), -0.0f, static_cast<float>(n), policy};
  }
  EvaluationKey key;
  std::vector<float> policy;
  EvalOutput output;
};

class EvaluationFileTest : public testing::Test {
 protected:
  std::string WriteFileOf(int evaluations) {
    EvaluationWriter writer = EvaluationWriter::Create(path_, {{"network", "a=b"}, {"x", ""}});
    for (int n = 0; n < evaluations; ++n) {
      const Numbered numbered(n);
      writer.Add(numbered.key, numbered.output);
      if (n % 3 == 0) writer.Flush();
    }
    writer.Flush();
    return ReadFile(path_);
  }
  void Write(std::string_view bytes) { WriteFile(path_, bytes); }
  std::string Refusal() {
    return ErrorOf([&] { ReadEvaluationFile(path_); });
  }

  const TemporaryFolder folder_;
  const std::string path_ = folder_.Path("evaluations");
};

TEST_F(EvaluationFileTest, WhatIsWrittenIsReadBitForBit) {
  WriteFileOf(20);
  const EvaluationFile file = ReadEvaluationFile(path_);
  EXPECT_EQ(file.header, (EvaluationHeader{{"network", "a=b"}, {"x", ""}}));
  EXPECT_EQ(file.book.size(), 20);
  EXPECT_FALSE(file.torn);
  for (int n = 0; n < 20; ++n) {
    const Numbered expected(n);
    std::vector<float> policy(n + 1);
    EvalOutput found{9, 9, 9, policy};
    ASSERT_TRUE(file.book.Find(expected.key, &found));
    EXPECT_EQ(policy, expected.policy);
    EXPECT_EQ(std::bit_cast<uint32_t>(found.wl), std::bit_cast<uint32_t>(expected.output.wl));
    EXPECT_EQ(std::bit_cast<uint32_t>(found.d), 0x80000000u);
    EXPECT_EQ(found.m, expected.output.m);
  }
}

TEST_F(EvaluationFileTest, TheFirstAnswerStaysAndOtherQuestionsHaveNone) {
  EvaluationBook book;
  Numbered one(1), other(2);
  EXPECT_TRUE(book.Add(one.key, one.output));
  EXPECT_FALSE(book.Add(one.key, other.output));
  std::vector<float> two(2), three(3);
  EvalOutput out{0, 0, 0, two}, longer{0, 0, 0, three};
  EXPECT_TRUE(book.Find(one.key, &out));
  EXPECT_EQ(out.wl, one.output.wl);
  EXPECT_FALSE(book.Find(one.key, &longer));
  EXPECT_FALSE(book.Find(other.key, &out));
}

TEST_F(EvaluationFileTest, WhereverACrashCutsTheFileWhatIsWholeIsKept) {
  const std::string whole = WriteFileOf(6);
  const uint64_t header = [&] {
    Write(whole);
    EvaluationWriter::Create(folder_.Path("empty"), {{"network", "a=b"}, {"x", ""}});
    return ReadFile(folder_.Path("empty")).size();
  }();
  int64_t most = 0;
  for (size_t size = 0; size < whole.size(); ++size) {
    Write(std::string_view(whole).substr(0, size));
    if (size < header) {
      ASSERT_THAT(Refusal(), AnyOf(HasSubstr("header"), HasSubstr("no file of recorded"))) << size;
      continue;
    }
    const EvaluationFile file = ReadEvaluationFile(path_);
    ASSERT_LE(file.intact_bytes, size);
    ASSERT_EQ(file.torn, file.intact_bytes != size) << size;
    ASSERT_GE(file.book.size(), most);
    most = file.book.size();
  }
  EXPECT_EQ(most, 5);
}

TEST_F(EvaluationFileTest, ATornFileIsGoneOnWith) {
  const std::string whole = WriteFileOf(6);
  Write(std::string_view(whole).substr(0, whole.size() - 5));
  {
    const EvaluationFile torn = ReadEvaluationFile(path_);
    ASSERT_TRUE(torn.torn);
    EvaluationWriter writer = EvaluationWriter::Append(path_, torn.intact_bytes);
    const Numbered last(5);
    writer.Add(last.key, last.output);
    writer.Flush();
  }
  EXPECT_EQ(ReadFile(path_), whole);
}

TEST_F(EvaluationFileTest, AFlippedBitIsRefusedOrLostAtTheEndButNeverAnswered) {
  const std::string whole = WriteFileOf(4);
  for (size_t bit = 0; bit < whole.size() * 8; ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    Write(damaged);
    if (Refusal() != "no error") {
      ASSERT_THAT(Refusal(), HasSubstr(path_));
      continue;
    }
    const EvaluationFile file = ReadEvaluationFile(path_);
    ASSERT_TRUE(file.torn) << bit;
    for (int n = 0; n < file.book.size(); ++n) {
      const Numbered expected(n);
      std::vector<float> policy(n + 1);
      EvalOutput found{9, 9, 9, policy};
      ASSERT_TRUE(file.book.Find(expected.key, &found)) << bit;
      ASSERT_EQ(found.wl, expected.output.wl) << bit;
    }
  }
}

TEST_F(EvaluationFileTest, ForeignFilesAreRefusedByName) {
  for (const char* text : {"", "PLEXUS", "hello, world, this is no such file", "\x1f\x8b\x08"}) {
    Write(text);
    EXPECT_THAT(Refusal(), HasSubstr(path_ + " is no file of recorded")) << text;
  }
  std::string newer = WriteFileOf(1);
  newer[8] = 9;
  Write(newer);
  EXPECT_THAT(Refusal(), HasSubstr("has version 9"));
  EXPECT_THAT(ErrorOf([&] { ReadEvaluationFile(folder_.Path("none")); }), HasSubstr("none"));
  EXPECT_THAT(ErrorOf([&] { EvaluationWriter::Create(folder_.Path("no/folder"), {}); }),
              HasSubstr("no/folder"));
}

TEST(KeyOfTest, HistoryAndMovesAreParts) {
  const TestPosition position = RandomGamePositions(30, 1)[20];
  const EvalInput input = position.Input();
  EXPECT_EQ(KeyOf(input), KeyOf(input));
  const EvalInput shorter{input.history.subspan(1), input.legal_moves};
  EXPECT_NE(KeyOf(shorter).position, KeyOf(input).position);
  std::vector<Move> swapped(input.legal_moves.begin(), input.legal_moves.end());
  std::swap(swapped[0], swapped[1]);
  EXPECT_NE(KeyOf({input.history, swapped}).moves, KeyOf(input).moves);
}

}  // namespace
}  // namespace plexus
