#include "tools/evaluate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "backend/reference/reference_device.h"
#include "base/exception.h"
#include "base/files.h"
#include "net/random_weights.h"
#include "support/json.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

class EvaluateTest : public ::testing::Test {
 protected:
  EvaluateTest()
      : weights_(std::make_shared<NetworkWeights>(RandomWeights({.channels = 8, .blocks = 1}, 1))),
        device_(MakeReferenceDevice(weights_)) {}
  Json Evaluate(const std::string& line, bool planes = false) {
    return Json::Parse(EvaluateLine(line, *weights_, {.planes = planes}, device_.get()));
  }
  std::shared_ptr<NetworkWeights> weights_;
  std::unique_ptr<Device> device_;
};

TEST_F(EvaluateTest, ALineGivesEveryLegalMoveWithIndexAndLogit) {
  const Json json = Evaluate("startpos moves e2e4");
  EXPECT_EQ(json["fen"].text, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
  EXPECT_EQ(json["moves"].text, "e2e4");
  EXPECT_EQ(json["black"].number, 1);
  EXPECT_EQ(json["policy"].size(), 20u);
  EXPECT_EQ(json["policy"]["e7e5"][0].number, 322);
  EXPECT_FALSE(json.Has("planes"));
  EXPECT_LE(std::fabs(json["q"].number) + json["d"].number, 1.0001);
}

TEST_F(EvaluateTest, CastlingIsReadInBothSpellingsAndWrittenAsKingTakesRook) {
  const std::string fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
  EXPECT_EQ(Evaluate(fen + " moves e1g1")["moves"].text, "e1h1");
  EXPECT_EQ(Evaluate(fen + " moves e1h1")["moves"].text, "e1h1");
  EXPECT_TRUE(Evaluate(fen)["policy"].Has("e1h1"));
}

TEST_F(EvaluateTest, PlanesArePrintedOnRequest) {
  const Json json = Evaluate("startpos", true);
  ASSERT_EQ(json["planes"].size(), 112u);
  EXPECT_EQ(json["planes"][0][0].text, "000000000000ff00");
  EXPECT_EQ(json["planes_fnv1a"].text, "0446c8222736227e");
}

TEST_F(EvaluateTest, AGameThatIsOverHasNoMoves) {
  EXPECT_EQ(Evaluate("startpos moves f2f3 e7e5 g2g4 d8h4")["policy"].size(), 0u);
}

TEST_F(EvaluateTest, ABadLineIsAnErrorOfItsOwn) {
  for (const char* line : {"nonsense", "startpos moves e2e5", "startpos moves",
                           "8/8/8/8/8/8/8/8 w - - 0 1", "moves e2e4"}) {
    const Json json = Evaluate(line);
    EXPECT_EQ(json.Has("error"), std::string(line) != "startpos moves") << line;
  }
}

TEST(Evaluate, AnswersLineByLineAndGoesOnAfterErrors) {
  PLEXUS_REQUIRE_SHARED("nets/synthetic/se-conv-oddheads.pb.gz");
  const std::vector<std::string> args = {
      "--weights=" + SharedPath("nets/synthetic/se-conv-oddheads.pb.gz"), "--backend=reference"};
  std::istringstream in("startpos\n\n# a comment\nbad\nstartpos moves e2e4\n");
  std::ostringstream out;
  EXPECT_EQ(RunEvaluate(args, in, out), 1);
  std::istringstream answers(out.str());
  std::vector<Json> lines;
  for (std::string line; std::getline(answers, line);) lines.push_back(Json::Parse(line));
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[1].Has("error"));
  EXPECT_EQ(lines[2]["moves"].text, "e2e4");
}

TEST(Evaluate, RefusesWhatItCannotDoBeforeReading) {
  std::istringstream in;
  std::ostringstream out;
  const std::vector<std::vector<std::string>> bad = {
      {},
      {"--weights=/nowhere.pb.gz"},
      {"--no-such-flag"},
      {"word"},
      {"--weights=" + SharedPath("nets/synthetic/attn-pemap-relu.pb.gz"), "--backend=reference"},
      {"--weights=" + SharedPath("nets/synthetic/se-conv-oddheads.pb.gz"), "--backend=nothing"}};
  for (const std::vector<std::string>& args : bad)
    EXPECT_THROW(RunEvaluate(args, in, out), Exception);
}

}  // namespace
}  // namespace plexus
