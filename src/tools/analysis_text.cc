#include "tools/analysis_text.h"

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "chess/fen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

constexpr size_t kLineMoves = 12;

std::string Padded(std::string text, size_t width) {
  text.insert(0, text.size() < width ? width - text.size() : 0, ' ');
  return text;
}

// "won", "drawn", "lost" where the result is proven, else the chances.
std::string Verdict(const RootMove& move) {
  if (move.visits == 0) return Padded("not visited", 18);
  if (move.lower == move.upper) {
    const char* words[] = {"proven loss", "proven draw", "proven win"};
    return Padded(words[move.lower + 1], 18);
  }
  const double win = std::clamp(50.0 * (1 + move.q - move.d), 0.0, 100.0);
  const double draw = std::clamp(100.0 * move.d, 0.0, 100.0);
  return Padded(Format("%.0f", win) + " / " + Format("%.0f", draw) + " / " +
                    Format("%.0f", std::max(0.0, 100 - win - draw)),
                18);
}

}  // namespace

std::string ScoreText(const Score& score) {
  if (score.mate_moves) {
    return *score.mate_moves > 0 ? "mate in " + std::to_string(*score.mate_moves)
                                 : "mated in " + std::to_string(-*score.mate_moves);
  }
  return Format("%+.2f", score.centipawns / 100.0);
}

std::string LineText(const Position& root, const std::vector<Move>& moves, size_t limit) {
  std::string text;
  Board board = root.board;
  int ply = root.game_ply;
  for (size_t i = 0; i < std::min(moves.size(), limit); ++i, ++ply) {
    if (i > 0) text += " ";
    const bool white = board.side_to_move() == Color::kWhite;
    if (white || i == 0) text += std::to_string(ply / 2 + 1) + (white ? ". " : "... ");
    text += ToSan(board, moves[i]);
    board.Apply(moves[i]);
  }
  return text;
}

std::string AnalysisText(const Position& root, const SearchInfo& info,
                         const SearchSnapshot& snapshot, size_t rows) {
  if (snapshot.moves.empty()) {
    return root.board.InCheck() ? "checkmate: there is no legal move\n"
                                : "stalemate: there is no legal move\n";
  }
  std::string text = "  move      visits  share   prior   win / draw / loss\n";
  const double all = static_cast<double>(std::max<int64_t>(snapshot.visits, 1));
  for (size_t i = 0; i < std::min(rows, snapshot.moves.size()); ++i) {
    const RootMove& move = snapshot.moves[i];
    std::string san = ToSan(root.board, move.move);
    san.resize(std::max<size_t>(san.size(), 8), ' ');
    text += "  " + san + Padded(std::to_string(move.visits), 8) +
            Padded(Format("%.1f%%", 100.0 * static_cast<double>(move.visits) / all), 7) +
            Padded(Format("%.1f%%", 100.0 * move.prior), 8) + "  " + Verdict(move) + "\n";
  }
  if (snapshot.moves.size() > rows) {
    text += "  (" + std::to_string(snapshot.moves.size() - rows) +
            " more moves; --rows=N shows them)\n";
  }
  if (!info.lines.empty()) {
    text += "  line: " + LineText(root, info.lines[0].moves, kLineMoves) + "\n";
    text += "  score: " + ScoreText(info.lines[0].score) + " for " +
            (root.black_to_move() ? "black" : "white") + ", depth " + std::to_string(info.depth) +
            " (longest line " + std::to_string(info.seldepth) + "), " + std::to_string(info.nodes) +
            " nodes in " + Format("%.2f", static_cast<double>(info.time_ms) / 1000) + " s, " +
            std::to_string(info.nps) + " nodes/s\n";
  }
  if (!snapshot.best.is_null()) text += "  best move: " + ToSan(root.board, snapshot.best) + "\n";
  return text;
}

std::string AnalysisJson(const Position& root, const SearchInfo& info,
                         const SearchSnapshot& snapshot) {
  nlohmann::ordered_json json;
  json["fen"] = ToFen(root.board, root.rule50_ply, root.game_ply / 2 + 1);
  json["bestmove"] = snapshot.best.is_null() ? "" : ToUci(root.board, snapshot.best, false);
  json["nodes"] = info.nodes;
  json["time_ms"] = info.time_ms;
  json["nps"] = info.nps;
  json["depth"] = info.depth;
  json["seldepth"] = info.seldepth;
  if (!info.lines.empty()) {
    const Score& score = info.lines[0].score;
    if (score.mate_moves) json["score_mate"] = *score.mate_moves;
    if (!score.mate_moves) json["score_cp"] = score.centipawns;
    Board board = root.board;
    for (Move move : info.lines[0].moves) {
      json["pv"].push_back(ToUci(board, move, false));
      board.Apply(move);
    }
  }
  json["moves"] = nlohmann::ordered_json::array();
  for (const RootMove& move : snapshot.moves) {
    json["moves"].push_back({{"move", ToUci(root.board, move.move, false)},
                             {"visits", move.visits},
                             {"prior", move.prior},
                             {"q", move.q},
                             {"d", move.d},
                             {"m", move.m},
                             {"lower", move.lower},
                             {"upper", move.upper}});
  }
  return json.dump();
}

}  // namespace plexus
