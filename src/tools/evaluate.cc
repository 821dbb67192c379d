#include "tools/evaluate.h"

#include <array>
#include <cstdint>
#include <cstdio>
#include <iostream>
#include <vector>

#include "backend/params.h"
#include "backend/registry.h"
#include "base/clock.h"
#include "base/exception.h"
#include "base/options.h"
#include "base/options_parser.h"
#include "base/strings.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "net/decoder.h"
#include "net/encoder.h"
#include "net/policy_map.h"
#include "net/weights_file.h"
#include "tools/json_text.h"

namespace plexus {
namespace {

struct EvaluateParams {
  std::string weights;
  std::string backend = "auto";
  std::string backend_options;
  std::string history_fill = "fen_only";
  bool planes = false;
};

const OptionRow<EvaluateParams> kEvaluateOptions[] = {
    {&EvaluateParams::weights, "Weights", "weights", 0, 0,
     "network file (lc0 format, gzip or plain)", OptionVisibility::kNormal, "", 'w'},
    {&EvaluateParams::backend, "Backend", "backend", 0, 0,
     "one kind of backend: auto, cpu, reference", OptionVisibility::kNormal, "", 'b'},
    {&EvaluateParams::backend_options, "BackendOptions", "backend-opts", 0, 0,
     "key=value,... of the backend", OptionVisibility::kNormal, "", 'o'},
    {&EvaluateParams::history_fill, "HistoryFill", "history-fill", 0, 0,
     "what stands in for positions before the given ones: nothing, copies unless the start "
     "position, copies",
     OptionVisibility::kNormal, "no|fen_only|always"},
    {&EvaluateParams::planes, "Planes", "planes", 0, 0,
     "prints the 112 input planes too: [mask, value]"},
};

struct Game {
  std::string fen;
  std::vector<std::string> moves;  // as we would write them
  PositionHistory history;
};

Game ParseGame(const std::string& line) {
  const std::vector<std::string> words = SplitWords(line);
  size_t fen_words = 0;
  while (fen_words < words.size() && words[fen_words] != "moves") ++fen_words;
  const std::string given =
      Join({words.begin(), words.begin() + static_cast<ptrdiff_t>(fen_words)}, " ");
  Game game;
  game.fen = given == "startpos" ? kStartFen : given;
  game.history = PositionHistory(game.fen);
  for (size_t i = fen_words + 1; i < words.size(); ++i) {
    const Board& board = game.history.Last().board;
    const Move move = ParseUci(board, words[i], true);
    game.moves.push_back(ToUci(board, move, true));
    game.history.Append(move);
  }
  return game;
}

std::string Hex(uint64_t bits) {
  char text[20];
  std::snprintf(text, sizeof(text), "%016llx", static_cast<unsigned long long>(bits));
  return text;
}

std::string PlanesJson(const InputPlanes& planes) {
  std::string text = "[";
  for (int p = 0; p < kInputPlanes; ++p) {
    text += std::string(p == 0 ? "" : ",") + "[\"" + Hex(planes.mask[p]) + "\"," +
            FormatNumber(planes.value[p]) + "]";
  }
  return text + "]";
}

std::string PolicyJson(const Board& board, std::span<const Move> moves,
                       std::span<const uint16_t> indices, std::span<const float> logits) {
  std::string text = "{";
  for (size_t i = 0; i < moves.size(); ++i) {
    text += std::string(i == 0 ? "" : ",") + JsonQuote(ToUci(board, moves[i], true)) + ":[" +
            std::to_string(indices[i]) + "," + JsonNumber(logits[i], 5) + "]";
  }
  return text + "}";
}

std::unique_ptr<Device> MakeDevice(const EvaluateParams& params,
                                   std::shared_ptr<const NetworkWeights> weights, Clock* clock) {
  const BackendRow& row = FindBackendRow(params.backend);
  const DeviceConfig config{std::move(weights), OptionsDict::Parse(params.backend_options), clock};
  if (!config.options.children().empty()) {
    throw Exception("evaluate uses one device, and the backend options name several.",
                    "Leave out the parentheses.");
  }
  return PlanBackendRow(row, config).at(0).streams.at(0)();
}

}  // namespace

std::string EvaluateLine(const std::string& line, const NetworkWeights& weights,
                         const EvaluateFormat& format, Device* device) {
  Game game;
  try {
    game = ParseGame(line);
  } catch (const Exception& e) {
    // The next line may be all right: whoever feeds many positions wants the others.
    return "{\"line\":" + JsonQuote(line) + ",\"error\":" + JsonQuote(e.what()) + "}";
  }
  const Board& board = game.history.Last().board;
  InputPlanes planes;
  const int transform =
      EncodePlanes(weights.input_format, format.history_fill, game.history.all(), &planes);
  const MoveList legal = LegalMoves(board);
  const std::span moves(legal.begin(), legal.end());
  std::vector<uint16_t> indices(moves.size());
  PolicyIndices(moves, board.side_to_move(), transform, indices);
  const std::array<uint32_t, 2> begin = {0, static_cast<uint32_t>(indices.size())};
  std::vector<float> policy(moves.size()), value(3), plies(1);
  device->Run({{&planes, 1}, indices, begin}, {policy, value, plies});
  EvalOutput output;
  DecodeEvaluation({}, value, plies[0], device->attributes().has_wdl, 1.0f, &output);
  std::string text = "{\"fen\":" + JsonQuote(game.fen) +
                     ",\"moves\":" + JsonQuote(Join(game.moves, " ")) +
                     ",\"black\":" + (game.history.Last().black_to_move() ? "1" : "0") +
                     ",\"transform\":" + std::to_string(transform) + ",\"planes_fnv1a\":\"" +
                     Hex(HashOfPlanes(planes)) + "\",\"q\":" + JsonNumber(output.wl, 6) +
                     ",\"d\":" + JsonNumber(output.d, 6) + ",\"m\":" + JsonNumber(output.m, 4) +
                     ",\"policy\":" + PolicyJson(board, moves, indices, policy);
  if (format.planes) text += ",\"planes\":" + PlanesJson(planes);
  return text + "}";
}

int RunEvaluate(std::span<const std::string> args, std::istream& in, std::ostream& out) {
  EvaluateParams params;
  OptionSet options;
  options.Add(kEvaluateOptions, &params);
  if (WantsHelp(args)) {
    out << "plexus evaluate --weights FILE\n"
           "Reads lines \"FEN|startpos [moves m1 m2 ...]\" from the standard input and prints one "
           "JSON object for each:\n"
           "what the network says about the position before any search; policy holds [index, "
           "logit] of every legal "
           "move.\n\n"
        << options.Help(true);
    return 0;
  }
  const std::vector<std::string> words = ParseCommandLine(args, &options);
  if (!words.empty())
    throw Exception("evaluate does not understand \"" + words[0] + "\".", "See --help.");
  if (params.weights.empty())
    throw Exception("evaluate needs a network file.", "Write evaluate --weights FILE.");
  const EvaluateFormat format{ParseHistoryFill(params.history_fill), params.planes};
  const auto weights = std::make_shared<NetworkWeights>(LoadWeights(params.weights));
  SteadyClock clock;
  const std::unique_ptr<Device> device = MakeDevice(params, weights, &clock);

  int status = 0;
  for (std::string line; std::getline(in, line);) {
    const std::string_view text = Trim(line);
    if (text.empty() || text[0] == '#') continue;
    const std::string answer = EvaluateLine(std::string(text), *weights, format, device.get());
    if (answer.starts_with("{\"line\"")) status = 1;
    out << answer << "\n" << std::flush;
  }
  return status;
}

int RunEvaluate(std::span<const std::string> args) {
  return RunEvaluate(args, std::cin, std::cout);
}

}  // namespace plexus
