#include "uci/commands.h"

#include <exception>
#include <utility>

#include "base/exception.h"
#include "base/strings.h"
#include "chess/fen.h"
#include "chess/movegen.h"
#include "chess/notation.h"
#include "chess/perft.h"
#include "engine/version.h"
#include "uci/go_parser.h"

namespace plexus {
namespace {

constexpr UciCommand kCommands[] = {
    {"uci", "names the engine and lists its options", &UciSession::Uci, false},
    {"isready", "loads what the options ask for, then answers readyok", &UciSession::IsReady,
     false},
    {"setoption", "name NAME [value VALUE]", &UciSession::SetOption, true},
    {"ucinewgame", "forgets former games", &UciSession::UciNewGame, true},
    {"position", "startpos | fen FEN [moves MOVE...]", &UciSession::Position, true},
    {"go",
     "[infinite] [ponder] [wtime MS] [btime MS] [winc MS] [binc MS] [movestogo N] [movetime MS] "
     "[nodes N] [depth N] [mate N] [searchmoves MOVE...]; or perft N",
     &UciSession::Go, true},
    {"stop", "answers with the best move so far", &UciSession::Stop, false},
    {"ponderhit", "the move that was pondered on has been played", &UciSession::PonderHit, false},
    {"quit", "ends the program", &UciSession::Quit, false},
    {"debug", "on | off: tells more in info strings", &UciSession::Debug, false},
    {"d", "shows the position", &UciSession::Display, true},
    {"help", "shows this list", &UciSession::Help, false},
};

const UciCommand* FindCommand(const std::string& name) {
  for (const UciCommand& command : kCommands)
    if (name == command.name) return &command;
  return nullptr;
}

// Splits "name rest of the line".
std::pair<std::string, std::string> SplitCommand(const std::string& line) {
  const std::string_view text = Trim(line);
  const size_t end = text.find_first_of(" \t");
  if (end == std::string_view::npos) return {std::string(text), ""};
  return {std::string(text.substr(0, end)), std::string(Trim(text.substr(end)))};
}

// The position of `word` in `text` as a whole word; npos if it is not there.
size_t FindWord(std::string_view text, std::string_view word) {
  const auto is_blank = [&](size_t i) {
    return i >= text.size() || text[i] == ' ' || text[i] == '\t';
  };
  for (size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1))
    if ((at == 0 || is_blank(at - 1)) && is_blank(at + word.size())) return at;
  return std::string_view::npos;
}

}  // namespace

std::span<const UciCommand> UciCommands() { return kCommands; }

void UciSession::HandleLine(const std::string& line) {
  Settle();
  const auto [name, arguments] = SplitCommand(line);
  if (name.empty() || finished_) return;
  const UciCommand* command = FindCommand(name);
  if (command == nullptr) {
    std::vector<std::string> names;
    for (const UciCommand& row : kCommands) names.push_back(row.name);
    responder_->OnText("unknown command \"" + name.substr(0, 40) + "\". " +
                       DidYouMean(name, names, "The command help lists all commands."));
    return;
  }
  if (name == "go" && engine_->waits_for_order() && !engine_->answered()) {
    engine_->Stop();
    Settle();
  }
  if (command->between_searches && engine_->running()) {
    held_.push_back(line);
    return;
  }
  Run(*command, arguments);
}

void UciSession::Run(const UciCommand& command, const std::string& arguments) {
  try {
    (this->*command.handler)(arguments);
  } catch (const std::exception& error) {
    responder_->OnText(error.what());
  }
}

void UciSession::HandleAnswer() {
  Settle();
  if (input_ended_ && !finished_) HandleEndOfInput();
}

void UciSession::HandleEndOfInput() {
  input_ended_ = true;
  Settle();
  // What is held may start searches that wait for an order, which nobody can give any more.
  while (engine_->waits_for_order()) {
    engine_->Stop();
    Settle();
  }
  if (!engine_->running()) finished_ = true;
}

void UciSession::Settle() {
  while (engine_->running() && (engine_->answered() || engine_->stop_requested())) {
    EndSearch();
    RunHeld();
  }
}

void UciSession::EndSearch() {
  engine_->Wait();
  if (!debug_) return;
  const SearchCounters counters = engine_->Counters();
  responder_->OnText(
      "playouts " + std::to_string(counters.playouts) + ", evaluations " +
      std::to_string(counters.evaluations) + ", cache hits " + std::to_string(counters.cache_hits) +
      ", minibatches " + std::to_string(counters.minibatches) + ", tree nodes " +
      std::to_string(counters.tree_nodes) + ", tree bytes " + std::to_string(counters.tree_bytes));
}

void UciSession::RunHeld() {
  while (!held_.empty() && !engine_->running()) {
    const auto [name, arguments] = SplitCommand(held_.front());
    held_.pop_front();
    Run(*FindCommand(name), arguments);
  }
}

void UciSession::Uci(const std::string&) {
  std::string lines =
      std::string("id name Plexus ") + Version() + "\nid author the Plexus developers\n";
  for (const std::string& line : options_->set.UciLines(options_->engine.show_hidden))
    lines += line + "\n";
  responder_->Write(lines + "uciok");
}

void UciSession::IsReady(const std::string&) {
  if (!engine_->running()) engine_->Prepare();
  responder_->Write("readyok");
}

void UciSession::UciNewGame(const std::string&) { engine_->NewGame(); }

void UciSession::SetOption(const std::string& arguments) {
  const size_t name_at = FindWord(arguments, "name");
  if (name_at != 0)
    throw Exception("setoption: the word name is missing.",
                    "Write setoption name NAME value VALUE.");
  const std::string_view text = std::string_view(arguments).substr(4);
  const size_t value_at = FindWord(text, "value");
  const std::string name(Trim(text.substr(0, value_at)));
  const std::string value(value_at == std::string_view::npos ? std::string_view()
                                                             : Trim(text.substr(value_at + 5)));
  options_->set.Set(name, value);
  engine_->OptionsChanged();
  SetLogFile(options_->log.log_file);
  if (debug_)
    responder_->OnText("options that differ from their defaults: " +
                       options_->set.DescribeChanged());
}

void UciSession::Position(const std::string& arguments) {
  const size_t moves_at = FindWord(arguments, "moves");
  const std::string start(Trim(std::string_view(arguments).substr(0, moves_at)));
  std::vector<std::string> moves;
  if (moves_at != std::string::npos)
    moves = SplitWords(std::string_view(arguments).substr(moves_at + 5));
  std::string fen;
  const auto [kind, rest] = SplitCommand(start);
  if (kind == "fen") {
    if (rest.empty())
      throw Exception("position: the FEN is missing.", "The former position stays.");
    fen = rest;
  } else if (start != "startpos") {
    throw Exception("position: expected startpos or fen, not \"" + start.substr(0, 80) + "\".",
                    "The former position stays.");
  }
  try {
    engine_->SetPosition(fen, moves);
  } catch (const Exception& error) {
    throw Exception(std::string("position: ") + error.what());
  }
}

void UciSession::Go(const std::string& arguments) {
  const Board& board = engine_->position().Last().board;
  const ParsedGo go = ParseGo(SplitWords(arguments), board, options_->engine.chess960);
  for (const std::string& complaint : go.complaints) responder_->OnText(complaint);
  if (go.perft) {
    RunPerft(*go.perft);
    return;
  }
  responder_->StartSearch(board,
                          {options_->engine.chess960, options_->engine.show_wdl,
                           options_->engine.show_moves_left, options_->search.per_pv_counters});
  engine_->Go(go.limits, responder_);
}

void UciSession::RunPerft(int depth) {
  const Board& board = engine_->position().Last().board;
  uint64_t total = depth == 0 ? 1 : 0;
  std::string lines;
  for (Move move : depth == 0 ? MoveList() : LegalMoves(board)) {
    Board after = board;
    after.Apply(move);
    const uint64_t paths = Perft(after, depth - 1);
    total += paths;
    lines += ToUci(board, move, options_->engine.chess960) + ": " + std::to_string(paths) + "\n";
  }
  responder_->Write(lines + "\nNodes searched: " + std::to_string(total));
}

void UciSession::Stop(const std::string&) { engine_->Stop(); }

void UciSession::PonderHit(const std::string&) { engine_->PonderHit(); }

void UciSession::Quit(const std::string&) {
  held_.clear();
  engine_->Abort();
  finished_ = true;
}

void UciSession::Debug(const std::string& arguments) { debug_ = ParseBool(arguments, "debug"); }

void UciSession::Display(const std::string&) {
  const struct Position& position = engine_->position().Last();
  const int fullmove = position.game_ply / 2 + 1;
  responder_->Write(
      "\n" + Diagram(position.board) +
      "\nFEN: " + ToFen(position.board, position.rule50_ply, fullmove, options_->engine.chess960) +
      "\nmoves: " + std::to_string(CountLegalMoves(position.board)) +
      ", repetitions: " + std::to_string(position.repetitions));
}

void UciSession::Help(const std::string&) {
  std::string lines = std::string("Plexus ") + Version() + " speaks the UCI protocol:";
  for (const UciCommand& command : kCommands)
    lines += std::string("\n  ") + command.name +
             std::string(12 - std::string(command.name).size(), ' ') + command.help;
  responder_->Write(lines);
}

}  // namespace plexus
