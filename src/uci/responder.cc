#include "uci/responder.h"

#include <algorithm>
#include <cstdlib>

#include "base/logging.h"
#include "chess/movegen.h"
#include "chess/notation.h"

namespace plexus {
namespace {

void AppendScore(const Score& score, const ReportStyle& style, std::string* line) {
  *line += score.mate_moves ? " score mate " + std::to_string(*score.mate_moves)
                            : " score cp " + std::to_string(score.centipawns);
  if (style.show_wdl && score.wdl[0] + score.wdl[1] + score.wdl[2] > 0) {
    *line += " wdl";
    for (int part : score.wdl) *line += " " + std::to_string(part);
  }
  if (style.show_moves_left && score.moves_left)
    *line += " movesleft " + std::to_string(*score.moves_left);
}

std::string FormatLine(const SearchInfo& info, const PvLine& pv, bool has_rank, const Board& root,
                       const ReportStyle& style) {
  // Depth 0 is kept for positions without a move; interfaces count from 1.
  const int depth = std::max(1, info.depth);
  std::string line = "info depth " + std::to_string(depth) + " seldepth " +
                     std::to_string(std::max(depth, info.seldepth));
  if (has_rank) line += " multipv " + std::to_string(pv.multipv);
  AppendScore(pv.score, style, &line);
  line += " nodes " + std::to_string(style.per_pv_counters ? pv.visits : info.nodes);
  line += " nps " + std::to_string(info.nps);
  if (info.hashfull_permille >= 0) line += " hashfull " + std::to_string(info.hashfull_permille);
  line += " tbhits " + std::to_string(info.tb_hits);
  line += " time " + std::to_string(info.time_ms);
  if (!pv.moves.empty()) line += " pv";
  Board board = root;
  for (Move move : pv.moves) {
    line += " " + ToUci(board, move, style.chess960);
    board.Apply(move);
  }
  return line;
}

}  // namespace

std::string FormatInfo(const SearchInfo& info, const Board& root, const ReportStyle& style) {
  std::string lines;
  for (const PvLine& pv : info.lines) {
    if (!lines.empty()) lines += "\n";
    lines += FormatLine(info, pv, info.lines.size() > 1, root, style);
  }
  return lines;
}

std::string FormatBestMove(const BestMove& best, const Board& root, const ReportStyle& style) {
  if (best.move.is_null()) return "bestmove (none)";
  std::string line = "bestmove " + ToUci(root, best.move, style.chess960);
  if (!best.ponder.is_null()) {
    Board after = root;
    after.Apply(best.move);
    line += " ponder " + ToUci(after, best.ponder, style.chess960);
  }
  return line;
}

std::string FormatText(const std::string& text) {
  std::string line = "info string " + text;
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return line;
}

void Responder::StartSearch(const Board& root, const ReportStyle& style) {
  root_ = root;
  style_ = style;
  info_sent_ = false;
}

void Responder::OnInfo(const SearchInfo& info) {
  if (info.lines.empty()) return;
  info_sent_ = true;
  Write(FormatInfo(info, root_, style_));
}

void Responder::OnBestMove(const BestMove& best) {
  std::string lines;
  if (best.move.is_null()) {
    const bool mated = root_.InCheck();
    if (!info_sent_) lines = mated ? "info depth 0 score mate 0\n" : "info depth 0 score cp 0\n";
    lines += FormatText(mated ? "checkmate: there is no legal move"
                              : "stalemate: there is no legal move");
    lines += "\n";
  }
  Write(lines + FormatBestMove(best, root_, style_));
}

void Responder::Write(const std::string& lines) {
  if (LogIsOn()) Log(LogLevel::kInfo, "out " + lines);  // before the mutex: mutexes are leaves
  MutexLock lock(mutex_);
  write_(lines + "\n");
}

}  // namespace plexus
