#pragma once
// Writes what a search tells as lines of the UCI protocol.

#include <functional>
#include <string>

#include "base/mutex.h"
#include "chess/board.h"
#include "search/info.h"

namespace plexus {

// Takes one or more whole lines, each with its line end, and flushes them.
using LineWriter = std::function<void(const std::string& lines)>;

struct ReportStyle {
  bool chess960 = false;
  bool show_wdl = false;
  bool show_moves_left = false;
  bool per_pv_counters = false;  // `nodes` of a line: the visits of its own first move
};

// `root` is the position that the moves of `info` start from. One line for each PV, in rank order:
// line 1 is the move that would be played now.
std::string FormatInfo(const SearchInfo& info, const Board& root, const ReportStyle& style);
// "bestmove e2e4 ponder e7e5"; "bestmove (none)" if there is no legal move.
std::string FormatBestMove(const BestMove& best, const Board& root, const ReportStyle& style);
// "info string ..." with every line end of `text` made a blank.
std::string FormatText(const std::string& text);

// Thread-safe; lines of different callers never mix, and all lines of one info are written at once.
class Responder : public InfoSink {
 public:
  explicit Responder(LineWriter write) : write_(std::move(write)) {}

  // Before each search. REQUIRES: no search runs.
  void StartSearch(const Board& root, const ReportStyle& style);

  void OnInfo(const SearchInfo& info) override;
  void OnText(const std::string& text) override { Write(FormatText(text)); }
  // A root without a legal move is explained, and scored if the search did not.
  void OnBestMove(const BestMove& best) override;

  // One or more whole lines without the last line end.
  void Write(const std::string& lines);

 private:
  const LineWriter write_;
  Mutex mutex_;  // of write_
  Board root_;   // constant during a search
  ReportStyle style_;
  bool info_sent_ = false;  // by the search's threads, which call one at a time
};

}  // namespace plexus
