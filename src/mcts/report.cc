#include "mcts/report.h"

#include <algorithm>
#include <cstdio>

#include "chess/notation.h"

namespace plexus {
namespace {

// -1, 0, 1: proven; 2: open.
int ProvenResult(const RankedMove& move) { return move.lower == move.upper ? move.lower : 2; }

// The moves that the tree takes for best from `move` on, as far as they were visited.
std::vector<Move> PrincipalVariation(const TreeReadLock& lock, const Tree& tree,
                                     const RankedMove& move) REQUIRES(tree.nodes_mutex()) {
  std::vector<Move> line = {move.move};
  NodeIndex index = move.node;
  while (index != kNoNode) {
    const Node& node = tree.node(index);
    // A node whose result the rules give may still have edges from a time when it was no end.
    if (node.is_terminal() && node.terminal != Terminal::kProven) break;
    const std::vector<RankedMove> replies = RankMoves(lock, tree, index);
    if (replies.empty() || replies.front().visits == 0) break;
    line.push_back(replies.front().move);
    index = replies.front().node;
  }
  return line;
}

// The line of a root about whose moves nothing is known.
PvLine FallbackLine(const Tree& tree, const SearchParams& params, const ReportContext& context)
    REQUIRES(tree.nodes_mutex()) {
  PvLine line;
  line.moves = {context.fallback.front()};
  if (tree.root() == kNoNode) return line;
  const Node& root = tree.node(tree.root());
  if (root.n > 0) {
    line.score =
        MakeScore(params, static_cast<float>(-root.wl), static_cast<float>(root.d()), root.m, 2,
                  context.has_wdl, context.has_moves_left, DrawScoreAtRoot(params, tree));
  }
  return line;
}

struct StatsLine {
  std::string title;
  int64_t visits = 0, in_flight = 0;
  float prior = 0, wl = 0, d = 0, m = 0, q = 0;
  bool has_net_value = false;
  float net_value = 0;
  int proven = 2;
};

std::string FormatStats(const StatsLine& line) {
  char value[16] = "-.----";
  if (line.has_net_value) std::snprintf(value, sizeof(value), "%.4f", double{line.net_value});
  char text[256];
  std::snprintf(text, sizeof(text),
                "%-5s N: %7lld (+%3lld) (P: %5.2f%%) (WL: %8.5f) (D: %.3f) (M: %5.1f) "
                "(Q: %8.5f) (V: %s)",
                line.title.c_str(), static_cast<long long>(line.visits),
                static_cast<long long>(line.in_flight), 100 * double{line.prior}, double{line.wl},
                double{line.d}, double{line.m}, double{line.q}, value);
  std::string result = text;
  if (line.proven == 1) result += " (T: win)";
  if (line.proven == 0) result += " (T: draw)";
  if (line.proven == -1) result += " (T: loss)";
  return result;
}

}  // namespace

SearchInfo BuildInfo(const TreeReadLock& lock, const Tree& tree, const SearchParams& params,
                     const ReportContext& context) {
  SearchInfo info;
  info.depth = context.depth;
  info.seldepth = context.seldepth;
  info.time_ms = context.elapsed_ms;
  info.nodes = context.nodes;
  info.nps = context.nps;
  info.tb_hits = context.tb_hits;
  info.hashfull_permille = context.hashfull_permille;

  const std::vector<RankedMove> moves =
      tree.root() == kNoNode ? std::vector<RankedMove>() : RankMoves(lock, tree, tree.root());
  if (moves.empty()) {
    if (!context.fallback.empty()) info.lines.push_back(FallbackLine(tree, params, context));
    return info;
  }
  const float draw_score = DrawScoreAtRoot(params, tree);
  const size_t count = std::min(moves.size(), static_cast<size_t>(std::max(1, params.multi_pv)));
  for (size_t i = 0; i < count; ++i) {
    PvLine line;
    line.multipv = static_cast<int>(i) + 1;
    line.score =
        MakeScore(params, moves[i].q, moves[i].d, PliesToEnd(moves[i]), ProvenResult(moves[i]),
                  context.has_wdl, context.has_moves_left, draw_score);
    line.moves = PrincipalVariation(lock, tree, moves[i]);
    line.visits = moves[i].visits;
    info.lines.push_back(std::move(line));
  }
  return info;
}

std::vector<std::string> BuildMoveStats(const TreeReadLock& lock, const Tree& tree,
                                        const SearchParams& params) {
  std::vector<std::string> lines;
  if (tree.root() == kNoNode) return lines;
  const Node& root = tree.node(tree.root());
  const Board& board = tree.root_history().Last().board;
  const float draw_score = DrawScoreAtRoot(params, tree);
  std::vector<RankedMove> moves = RankMoves(lock, tree, tree.root());
  std::reverse(moves.begin(), moves.end());
  StatsLine whole;
  for (const RankedMove& move : moves) {
    const ChildSlot& slot = tree.children(root)[static_cast<size_t>(move.edge)];
    StatsLine line;
    line.title = ToUci(board, move.move, /*chess960=*/false);
    line.visits = move.visits;
    line.in_flight = slot.n_in_flight;
    line.prior = move.prior;
    line.wl = move.q;
    line.d = move.d;
    line.m = PliesToEnd(move);
    line.q = move.q + draw_score * move.d;
    line.has_net_value = move.node != kNoNode;
    if (line.has_net_value) line.net_value = tree.net_value(tree.node(move.node)).wl();
    line.proven = ProvenResult(move);
    lines.push_back(FormatStats(line));
    whole.prior += move.prior;
  }
  whole.title = "node";
  whole.visits = root.n;
  whole.in_flight = root.n_in_flight;
  whole.wl = static_cast<float>(-root.wl);
  whole.d = static_cast<float>(root.d());
  whole.m = root.m;
  whole.q = whole.wl + draw_score * whole.d;
  whole.has_net_value = root.n > 0;
  whole.net_value = -tree.net_value(root).wl();
  lines.push_back(FormatStats(whole));
  return lines;
}

SearchSnapshot BuildSnapshot(const TreeReadLock& lock, const Tree& tree, const SearchParams& params,
                             Move answered) {
  SearchSnapshot snapshot;
  snapshot.best = answered;
  if (tree.root() == kNoNode) return snapshot;
  const Node& root = tree.node(tree.root());
  snapshot.visits = root.n;
  snapshot.q = static_cast<float>(-root.wl);
  snapshot.d = static_cast<float>(root.d());
  snapshot.m = root.m;
  const NetValue net = tree.net_value(root);
  snapshot.net_q = -net.wl();
  snapshot.net_d = net.d();
  snapshot.net_m = net.m();
  const std::vector<RankedMove> moves = RankMoves(lock, tree, tree.root());
  bool all_proven = !moves.empty();
  for (const RankedMove& move : moves) {
    all_proven = all_proven && ProvenResult(move) != 2;
    snapshot.moves.push_back({move.move, move.visits, move.prior, move.q, move.d, PliesToEnd(move),
                              move.lower, move.upper});
  }
  snapshot.proven = all_proven || (!moves.empty() && moves.front().lower == 1);
  return snapshot;
}

}  // namespace plexus
