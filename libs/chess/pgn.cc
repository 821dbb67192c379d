#include "chess/pgn.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/exception.h"
#include "base/strings.h"
#include "chess/notation.h"

namespace plexus {
namespace {

constexpr int kEnd = std::istream::traits_type::eof();

bool IsBlank(int c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\v' || c == '\f';
}

// Ends a word of the movetext.
bool IsBreak(int c) {
  return c == kEnd || IsBlank(c) || c == '{' || c == '}' || c == '(' || c == ')' || c == ';' ||
         c == '[';
}

bool ParseResult(std::string_view word, GameResult* result) {
  constexpr std::array<std::pair<std::string_view, GameResult>, 5> kWords = {
      {{"1-0", GameResult::kWhiteWon},
       {"0-1", GameResult::kBlackWon},
       {"1/2-1/2", GameResult::kDraw},
       {"1/2", GameResult::kDraw},
       {"*", GameResult::kUndecided}}};
  for (const auto& [text, value] : kWords) {
    if (word != text) continue;
    *result = value;
    return true;
  }
  return false;
}

enum class Variant { kStandard, kChess960, kUnknown };

Variant ParseVariant(std::string_view text) {
  std::string letters;
  for (const char c : ToLower(text)) {
    if (std::isalnum(static_cast<unsigned char>(c))) letters += c;
  }
  for (const std::string_view name :
       {"", "standard", "normal", "chess", "classical", "fromposition"}) {
    if (letters == name) return Variant::kStandard;
  }
  for (const std::string_view name : {"960", "frc", "dfrc", "fischer", "shuffle"}) {
    if (letters.find(name) != std::string::npos) return Variant::kChess960;
  }
  return Variant::kUnknown;
}

}  // namespace

std::string_view PgnGame::Tag(std::string_view name) const {
  for (const auto& [tag, value] : tags) {
    if (tag == name) return value;
  }
  return {};
}

void PgnGame::SetTag(const std::string& name, const std::string& value) {
  for (auto& [tag, old_value] : tags) {
    if (tag != name) continue;
    old_value = value;
    return;
  }
  tags.emplace_back(name, value);
}

PositionHistory PgnGame::Replay() const {
  PositionHistory history(start_fen);
  for (const PgnMove& move : moves) history.Append(move.move);
  return history;
}

void PgnReader::Fail(int line, const std::string& reason) {
  failed_ = true;
  throw Exception("PGN line " + std::to_string(line) + ": " + reason);
}

int PgnReader::Peek() { return in_->peek(); }

int PgnReader::Get() {
  int c = in_->get();
  if (c == '\r') {  // CR/LF and a lone CR end a line as LF does
    if (in_->peek() == '\n') in_->get();
    c = '\n';
  }
  if (c == '\n') ++line_;
  at_line_start_ = c == '\n';
  return c;
}

// Up to `end`, which is taken away.
std::string PgnReader::ReadUntil(char end, const std::string& what) {
  const int start = line_;
  std::string text;
  while (true) {
    const int c = Get();
    if (c == end) return text;
    if (c == kEnd) Fail(start, "the " + what + " that begins here does not end.");
    text += static_cast<char>(c);
  }
}

void PgnReader::SkipLine() {
  while (Peek() != kEnd && Get() != '\n') {
  }
}

// After a fault: to the next line that begins with a tag, behind at least one that does not.
void PgnReader::SkipToNextGame() {
  failed_ = false;
  pending_tag_ = {};
  bool in_tags = true;
  while (Peek() != kEnd) {
    if (!at_line_start_) {
      SkipLine();
      continue;
    }
    if (Peek() != '[') {
      in_tags = false;
    } else if (!in_tags) {
      return;
    }
    SkipLine();
  }
}

// Skips blanks, byte order marks and % lines; false at the end of the text.
bool PgnReader::SkipToContent() {
  while (true) {
    const int c = Peek();
    if (c == kEnd) return false;
    if (c == '%' && at_line_start_) {
      SkipLine();
    } else if (IsBlank(c) || (line_ == 1 && (c == 0xef || c == 0xbb || c == 0xbf))) {
      Get();
    } else {
      return true;
    }
  }
}

// [Name "value"]; the bracket has been seen, not taken.
std::pair<std::string, std::string> PgnReader::ReadTag() {
  const int start = line_;
  Get();
  std::string name;
  while (IsBlank(Peek())) Get();
  while (std::isalnum(Peek()) || Peek() == '_' || Peek() == '-' || Peek() == '+')
    name += static_cast<char>(Get());
  while (IsBlank(Peek())) Get();
  if (name.empty() || Peek() != '"') Fail(start, "expected a tag such as [White \"name\"].");
  Get();
  std::string value;
  while (true) {
    int c = Get();
    if (c == kEnd || c == '\n') Fail(start, "the value of tag " + name + " does not end.");
    if (c == '"') break;
    if (c == '\\' && (Peek() == '"' || Peek() == '\\')) c = Get();
    value += static_cast<char>(c);
  }
  while (IsBlank(Peek())) Get();
  if (Peek() != ']') Fail(start, "tag " + name + " lacks its closing bracket.");
  Get();
  return {name, value};
}

// False if the game is over with its tags: no moves, no result, and the tags of another one follow.
bool PgnReader::ReadTags(PgnGame* game) {
  if (!pending_tag_.first.empty()) game->tags.push_back(std::exchange(pending_tag_, {}));
  const int first_line = line_;
  while (SkipToContent() && Peek() == '[') {
    std::pair<std::string, std::string> tag = ReadTag();
    if (std::any_of(game->tags.begin(), game->tags.end(),
                    [&](const auto& old) { return old.first == tag.first; })) {
      if (tag.first != "Event") Fail(line_, "tag " + tag.first + " occurs twice.");
      pending_tag_ = std::move(tag);
      ApplyTags(game, first_line);
      return false;
    }
    game->tags.push_back(std::move(tag));
  }
  ApplyTags(game, first_line);
  return true;
}

void PgnReader::ApplyTags(PgnGame* game, int line) {
  const Variant variant = ParseVariant(game->Tag("Variant"));
  if (variant == Variant::kUnknown) {
    Fail(line, "variant \"" + std::string(game->Tag("Variant")) +
                   "\" is not supported, only standard and Chess960.");
  }
  game->chess960 = variant == Variant::kChess960;
  ParseResult(game->Tag("Result"), &game->result);
  if (game->Tag("FEN").empty()) {
    if (game->Tag("SetUp") == "1") Fail(line, "SetUp is 1 but there is no FEN tag.");
    return;
  }
  game->start_fen = game->Tag("FEN");
  try {
    ParseFen(game->start_fen);
  } catch (const Exception& e) {
    Fail(line, e.what());
  }
}

std::string PgnReader::ReadToken() {
  std::string token;
  while (!IsBreak(Peek())) token += static_cast<char>(Get());
  return token;
}

// Balanced parentheses, with the comments inside; the opening one has been seen, not taken.
void PgnReader::SkipVariation() {
  const int start = line_;
  int depth = 0;
  do {
    const int c = Get();
    if (c == kEnd) Fail(start, "the variation that begins here does not end.");
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == '{') ReadUntil('}', "comment");
    if (c == ';') SkipLine();
  } while (depth > 0);
}

void PgnReader::AddComment(PgnGame* game, std::string text) {
  const std::string words = Join(SplitWords(text), " ");
  std::string& comment = game->moves.empty() ? game->comment : game->moves.back().comment;
  if (!comment.empty() && !words.empty()) comment += ' ';
  comment += words;
}

// Takes one word; false if it was the result, which ends the game.
bool PgnReader::ReadWord(PgnGame* game, PositionHistory* history) {
  const int start = line_;
  const std::string token = ReadToken();
  if (ParseResult(token, &game->result)) return false;
  std::string_view word = token;
  // Move numbers, also glued to the move: "12.", "12...", "12.Nf3"; but "0-0" is a move.
  const size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
  if (digits == word.size()) {
    word = {};
  } else if (digits == 0 || word[digits] == '.') {
    word.remove_prefix(std::min(word.find_first_not_of('.', digits), word.size()));
  }
  const bool is_glyph =
      !word.empty() &&
      (word.front() == '$' || word.find_first_not_of("!?") == word.npos || word == "e.p." ||
       word == "ep" || word == "+-" || word == "-+" || word == "=" || word == "N" || word == "D");
  if (word.empty() || is_glyph) return true;
  try {
    const Move move = ParseSan(history->Last().board, word);
    history->Append(move);
    game->moves.push_back({move});
  } catch (const Exception& e) {
    Fail(start, e.what());
  }
  return true;
}

void PgnReader::ReadMoves(PgnGame* game) {
  PositionHistory history(game->start_fen);
  while (SkipToContent()) {
    const int c = Peek();
    if (c == '[') return;  // the next game; this one has no result of its own
    if (c == '{') {
      Get();
      AddComment(game, ReadUntil('}', "comment"));
    } else if (c == ';') {
      Get();
      std::string text;
      while (Peek() != kEnd && Peek() != '\n' && Peek() != '\r') text += static_cast<char>(Get());
      AddComment(game, std::move(text));
    } else if (c == '(') {
      SkipVariation();
    } else if (c == ')' || c == '}') {
      Fail(line_, std::string("'") + static_cast<char>(c) + "' closes nothing.");
    } else if (!ReadWord(game, &history)) {
      return;
    }
  }
}

bool PgnReader::Next(PgnGame* game) {
  if (failed_) SkipToNextGame();
  *game = PgnGame();
  if (pending_tag_.first.empty() && !SkipToContent()) return false;
  if (ReadTags(game)) ReadMoves(game);
  return true;
}

std::string_view ResultText(GameResult result) {
  switch (result) {
    case GameResult::kWhiteWon:
      return "1-0";
    case GameResult::kBlackWon:
      return "0-1";
    case GameResult::kDraw:
      return "1/2-1/2";
    case GameResult::kUndecided:
      break;
  }
  return "*";
}

namespace {

void WriteTag(std::string_view name, std::string_view value, std::ostream* out) {
  *out << '[' << name << " \"";
  for (const char c : value) {
    if (c == '"' || c == '\\') *out << '\\';
    *out << (c == '\n' || c == '\r' ? ' ' : c);
  }
  *out << "\"]\n";
}

void WriteTags(const PgnGame& game, std::ostream* out) {
  constexpr std::array<std::string_view, 6> kRoster = {"Event", "Site",  "Date",
                                                       "Round", "White", "Black"};
  constexpr std::array<std::string_view, 4> kMade = {"Result", "Variant", "SetUp", "FEN"};
  for (const std::string_view name : kRoster) {
    const std::string_view value = game.Tag(name);
    WriteTag(name, !value.empty() ? value : name == "Date" ? "????.??.??" : "?", out);
  }
  WriteTag("Result", ResultText(game.result), out);
  if (game.chess960) WriteTag("Variant", "Chess960", out);
  if (game.start_fen != kStartFen) {
    WriteTag("SetUp", "1", out);
    WriteTag("FEN", game.start_fen, out);
  }
  for (const auto& [name, value] : game.tags) {
    if (std::find(kRoster.begin(), kRoster.end(), name) == kRoster.end() &&
        std::find(kMade.begin(), kMade.end(), name) == kMade.end()) {
      WriteTag(name, value, out);
    }
  }
}

// Fills lines with words.
class LineFiller {
 public:
  explicit LineFiller(std::ostream* out) : out_(out) {}
  void Word(const std::string& word) {
    constexpr size_t kMaxLine = 79;
    if (used_ > 0 && used_ + 1 + word.size() > kMaxLine) {
      *out_ << '\n';
      used_ = 0;
    }
    if (used_ > 0) *out_ << ' ';
    *out_ << word;
    used_ += word.size() + (used_ > 0 ? 1 : 0);
  }
  void Comment(std::string text) {
    std::replace(text.begin(), text.end(), '}', ')');
    std::vector<std::string> words = SplitWords(text);
    if (words.empty()) return;
    words.front().insert(0, "{");
    words.back() += "}";
    for (const std::string& word : words) Word(word);
  }

 private:
  std::ostream* out_;
  size_t used_ = 0;
};

}  // namespace

void WritePgn(const PgnGame& game, std::ostream* out) {
  WriteTags(game, out);
  *out << '\n';
  LineFiller line(out);
  line.Comment(game.comment);
  Board board = ParseFen(game.start_fen).board;
  int number = ParseFen(game.start_fen).fullmove;
  bool needs_number = true;
  for (const PgnMove& move : game.moves) {
    if (!IsLegal(board, move.move)) {
      throw Exception("cannot write game: move " + ToUci(board, move.move, true) +
                      " is not legal in position " + ToFen(board, 0, number) + ".");
    }
    const bool white = board.side_to_move() == Color::kWhite;
    if (white || needs_number) line.Word(std::to_string(number) + (white ? "." : "..."));
    line.Word(ToSan(board, move.move));
    line.Comment(move.comment);
    needs_number = !move.comment.empty();
    board.Apply(move.move);
    if (!white) ++number;
  }
  line.Word(std::string(ResultText(game.result)));
  *out << "\n\n";
}

}  // namespace plexus
