#include "support/expected_evaluations.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "base/files.h"
#include "chess/notation.h"
#include "net/decoder.h"
#include "net/encoder.h"
#include "net/weights_file.h"
#include "support/json.h"
#include "support/run_device.h"
#include "support/shared_data.h"

namespace plexus {
namespace {

std::vector<std::string> WordsOf(const std::string& text) {
  std::vector<std::string> words;
  for (size_t at = text.find_first_not_of(' '); at != std::string::npos;
       at = text.find_first_not_of(' ', at)) {
    const size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

ExpectedEvaluation ReadLine(const std::string& line) {
  const Json json = Json::Parse(line);
  ExpectedEvaluation result;
  result.line = json["fen"].text + " moves " + json["moves"].text;
  result.history = PositionHistory(json["fen"].text);
  for (const std::string& move : WordsOf(json["moves"].text)) {
    result.history.Append(ParseUci(result.history.Last().board, move, true));
  }
  result.transform = static_cast<int>(json["transform"].number);
  result.planes_hash = std::strtoull(json["planes_fnv1a"].text.c_str(), nullptr, 16);
  if (json.Has("planes")) {
    for (const Json& plane : json["planes"].items) {
      result.planes.emplace_back(std::strtoull(plane[0].text.c_str(), nullptr, 16),
                                 static_cast<float>(plane[1].number));
    }
  }
  result.q = static_cast<float>(json["q"].number);
  result.d = static_cast<float>(json["d"].number);
  result.m = static_cast<float>(json["m"].number);
  for (const auto& [move, entry] : json["policy"].members) {
    result.policy.push_back({ParseUci(result.history.Last().board, move, true),
                             static_cast<int>(entry[0].number),
                             static_cast<float>(entry[1].number)});
  }
  return result;
}

void TakeLarger(float difference, float* largest) {
  if (!(difference <= *largest)) *largest = difference;  // also NaN
}

}  // namespace

std::vector<ExpectedNetwork> ExpectedNetworks() {
  std::vector<ExpectedNetwork> networks;
  constexpr std::string_view kEnding = ".jsonl.gz";
  if (!std::filesystem::exists(SharedPath("expected"))) return networks;
  for (const auto& entry : std::filesystem::directory_iterator(SharedPath("expected"))) {
    std::string name = entry.path().filename().string();
    if (!name.ends_with(kEnding)) continue;
    name.resize(name.size() - kEnding.size());
    for (const char* folder : {"nets/", "nets/derived/", "nets/synthetic/"}) {
      for (const char* ending : {".pb.gz", ".pb"}) {
        const std::string weights = SharedPath(folder + name + ending);
        if (std::filesystem::exists(weights))
          networks.push_back({name, weights, entry.path().string()});
      }
    }
  }
  std::sort(networks.begin(), networks.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return networks;
}

std::vector<ExpectedNetwork> ExpectedConvolutionNetworks() {
  std::vector<ExpectedNetwork> networks;
  for (const ExpectedNetwork& network : ExpectedNetworks()) {
    const NetworkWeights weights = LoadWeights(network.weights_path);
    if (weights.body == BodyKind::kConvolution &&
        weights.policy_heads[0].kind != PolicyKind::kAttention) {
      networks.push_back(network);
    }
  }
  return networks;
}

ExpectedNetwork ExpectedNetworkByName(const std::string& name) {
  for (const ExpectedNetwork& network : ExpectedNetworks()) {
    if (network.name == name) return network;
  }
  throw std::runtime_error("no expected evaluations of " + name);
}

std::vector<ExpectedEvaluation> ReadExpectedEvaluations(const std::string& path, int stride) {
  const std::string text = ReadFileMaybeGzip(path);
  std::vector<ExpectedEvaluation> result;
  int number = 0;
  for (size_t at = 0; at < text.size(); ++number) {
    const size_t end = std::min(text.find('\n', at), text.size());
    if (end > at && number % stride == 0) result.push_back(ReadLine(text.substr(at, end - at)));
    at = end + 1;
  }
  return result;
}

EvaluationDifference CompareWithExpected(const std::vector<ExpectedEvaluation>& expected,
                                         const NetworkWeights& weights, Device* device) {
  const auto batch = static_cast<size_t>(device->attributes().max_batch);
  EvaluationDifference difference;
  for (size_t first = 0; first < expected.size(); first += batch) {
    const size_t count = std::min(batch, expected.size() - first);
    std::vector<InputPlanes> planes(count);
    std::vector<float> policy(count * kPolicySize), value(count * 3), plies(count);
    for (size_t i = 0; i < count; ++i) {
      EncodePlanes(weights.input_format, HistoryFill::kFenOnly, expected[first + i].history.all(),
                   &planes[i]);
    }
    RunForAllLogits(device, planes, {policy, value, plies});
    for (size_t i = 0; i < count; ++i) {
      const ExpectedEvaluation& e = expected[first + i];
      const std::span<const float> logits =
          std::span<const float>(policy).subspan(i * kPolicySize, kPolicySize);
      EvalOutput output;
      DecodeEvaluation({}, std::span<const float>(value).subspan(i * 3, 3), plies[i],
                       weights.has_wdl(), 1.0f, &output);
      TakeLarger(std::fabs(output.wl - e.q), &difference.q);
      TakeLarger(std::fabs(output.d - e.d), &difference.d);
      TakeLarger(std::fabs(output.m - e.m), &difference.m);
      difference.plies_scale = std::max(difference.plies_scale, e.m);
      for (const ExpectedEvaluation::PolicyEntry& entry : e.policy) {
        const float off = std::fabs(logits[entry.index] - entry.logit);
        if (off <= difference.logit) continue;
        difference.logit = off;
        difference.worst_logit = e.line + ": " + ToUci(e.history.Last().board, entry.move, true);
      }
      ++difference.positions;
    }
  }
  return difference;
}

}  // namespace plexus
