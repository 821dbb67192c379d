#pragma once
// Games as text (Portable Game Notation), in and out, over streams. Compressed files are the
// caller's business.

#include <istream>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "chess/fen.h"
#include "chess/outcome.h"
#include "chess/position.h"

namespace plexus {

struct PgnMove {
  Move move;
  std::string comment = {};  // what stood in {} or after ; behind the move
};

struct PgnGame {
  std::vector<std::pair<std::string, std::string>> tags;  // name, value; in the order of the file
  std::string start_fen = kStartFen;                      // from the FEN tag
  bool chess960 = false;                                  // from the Variant tag
  std::string comment;                                    // before the first move
  std::vector<PgnMove> moves;
  GameResult result = GameResult::kUndecided;

  // The value of a tag; empty if there is none.
  std::string_view Tag(std::string_view name) const;
  void SetTag(const std::string& name, const std::string& value);  // replaces, or adds at the end
  // All positions of the main line.
  PositionHistory Replay() const;
};

// Reads game after game. Accepts what programs write: CR/LF, byte order marks, comments, variations
// (skipped, however deep), NAGs, % lines, missing results, games without moves, FEN without SetUp,
// castling with zeros.
class PgnReader {
 public:
  // `in` must outlive the reader.
  explicit PgnReader(std::istream* in) : in_(in) {}
  // Reads the next game into `game`; false at the end of the text. Throws Exception that names the
  // line and the reason (unreadable or illegal move, unknown variant, bad FEN, text that ends
  // inside a comment); called again, it goes on with the game after the faulty one.
  bool Next(PgnGame* game);
  int line() const { return line_; }  // of the next character, from 1

 private:
  [[noreturn]] void Fail(int line, const std::string& reason);
  int Peek();
  int Get();
  std::string ReadUntil(char end, const std::string& what);
  void SkipLine();
  void SkipToNextGame();
  bool SkipToContent();
  bool ReadTags(PgnGame* game);
  std::pair<std::string, std::string> ReadTag();
  void ApplyTags(PgnGame* game, int line);
  void ReadMoves(PgnGame* game);
  void AddComment(PgnGame* game, std::string text);
  std::string ReadToken();
  void SkipVariation();
  bool ReadWord(PgnGame* game, PositionHistory* history);

  std::istream* in_;
  int line_ = 1;
  bool at_line_start_ = true;
  bool failed_ = false;
  std::pair<std::string, std::string>
      pending_tag_;  // the first tag of a game that followed one without result
};

// "1-0", "0-1", "1/2-1/2" or "*".
std::string_view ResultText(GameResult result);

// Writes the seven standard tags first ("?" where `game` lacks them), then its others; SetUp and
// FEN, and Variant for Chess960, are made from the game itself. Moves in SAN, lines of at most 79
// letters, an empty line behind the game. Throws Exception if a move is illegal.
void WritePgn(const PgnGame& game, std::ostream* out);

}  // namespace plexus
