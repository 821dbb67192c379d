#include "tools/analyse.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/exception.h"

namespace plexus {
namespace {

std::string TextOf(std::vector<std::string> args) {
  args.insert(args.end(), {"--config=", "--backend=fake", "--threads=1"});
  testing::internal::CaptureStdout();
  const int status = RunAnalyse(args);
  const std::string text = testing::internal::GetCapturedStdout();
  EXPECT_EQ(status, 0) << text;
  return text;
}

TEST(Analyse, APositionIsShownWithItsBestMove) {
  const std::string text = TextOf({"--nodes=300", "--fen=6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"});
  EXPECT_NE(text.find("8  . . . . . . k ."), std::string::npos) << text;
  EXPECT_NE(text.find("best move: Re8#"), std::string::npos) << text;
  EXPECT_NE(text.find("mate in 1"), std::string::npos) << text;
}

TEST(Analyse, AProvenResultEndsTheSearch) {
  const auto json = nlohmann::json::parse(
      TextOf({"--movetime=60000", "--json", "--fen=6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1"}));
  EXPECT_EQ(json["score_mate"], 1);
  EXPECT_LT(json["time_ms"], 30000);
}

TEST(Analyse, MovesArePlayedBeforeTheSearch) {
  EXPECT_NE(TextOf({"--nodes=20", "--moves=e2e4 e7e5"}).find("4  . . . . P . . ."),
            std::string::npos);
}

TEST(Analyse, JsonAloneReplacesTheText) {
  const auto json = nlohmann::json::parse(TextOf({"--nodes=100", "--json"}));
  EXPECT_EQ(json["moves"].size(), 20u);
  EXPECT_EQ(json["nodes"], 100);
}

TEST(Analyse, AnIllegalMoveIsRefusedByName) {
  try {
    TextOf({"--nodes=20", "--moves=e2e5"});
    FAIL() << "accepted";
  } catch (const Exception& error) {
    testing::internal::GetCapturedStdout();
    EXPECT_NE(std::string(error.what()).find("e2e5"), std::string::npos);
  }
}

TEST(Analyse, AWordThatIsNoOptionIsRefused) {
  EXPECT_THROW(RunAnalyse(std::vector<std::string>{"--config=", "startpos"}), Exception);
}

}  // namespace
}  // namespace plexus
