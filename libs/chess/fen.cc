#include "chess/fen.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <vector>

#include "base/exception.h"
#include "chess/attacks.h"
#include "chess/square_name.h"

namespace plexus {
namespace {

constexpr std::string_view kPieceLetters = "pnbrqk";
constexpr int kMaxRule50Ply = 255;
constexpr int kMaxFullmove = 65535;

// What ParseFen knows about its text while it reads it.
class FenReader {
 public:
  explicit FenReader(std::string_view fen) : fen_(fen) { Split(); }
  FenPosition Read();

 private:
  [[noreturn]] void Fail(const std::string& field, const std::string& reason) const;
  void Split();
  std::string_view Field(size_t i, std::string_view missing) const {
    return i < fields_.size() ? fields_[i] : missing;
  }
  void ReadPlacement(std::string_view text);
  void ReadRank(std::string_view text, int rank);
  void CheckMaterial(Color color) const;
  void ReadSide(std::string_view text);
  void ReadCastling(std::string_view text);
  void ReadCastlingLetter(char letter, CastlingRights* rights) const;
  void ReadEnPassant(std::string_view text);
  void CheckChecks() const;
  int ReadNumber(const std::string& field, std::string_view text, int max) const;

  std::string_view fen_;
  std::vector<std::string_view> fields_;
  Board board_;
};

void FenReader::Fail(const std::string& field, const std::string& reason) const {
  constexpr size_t kShown = 120;
  std::string shown;
  for (const char c : fen_.substr(0, kShown))
    shown += std::isprint(static_cast<unsigned char>(c)) ? c : '?';
  if (fen_.size() > kShown) shown += "...";
  throw Exception("FEN \"" + shown + "\": " + field + ": " + reason + ".");
}

void FenReader::Split() {
  constexpr std::string_view kBlanks = " \t\r\n";
  size_t at = 0;
  while ((at = fen_.find_first_not_of(kBlanks, at)) != std::string_view::npos) {
    const size_t end = std::min(fen_.find_first_of(kBlanks, at), fen_.size());
    fields_.push_back(fen_.substr(at, end - at));
    at = end;
    if (fields_.size() > 6) Fail("too many fields", "a FEN has six");
  }
  if (fields_.empty()) Fail("piece placement", "the text is empty");
}

std::string ColorName(Color color) { return color == Color::kWhite ? "white" : "black"; }

void FenReader::ReadRank(std::string_view text, int rank) {
  int file = 0;
  bool after_digit = false;
  for (const char c : text) {
    const bool is_digit = c >= '1' && c <= '8';
    if (is_digit) {
      if (after_digit) Fail("piece placement", "two numbers of empty squares in a row");
      file += c - '0';
    } else {
      const bool black = c >= 'a' && c <= 'z';
      const size_t type = kPieceLetters.find(black ? c : static_cast<char>(c | 0x20));
      if (type == std::string_view::npos || !std::isalpha(static_cast<unsigned char>(c))) {
        Fail("piece placement", std::string("letter '") + c + "' is no piece");
      }
      if (file < 8) {
        board_.Put(black ? Color::kBlack : Color::kWhite, static_cast<PieceType>(type),
                   MakeSquare(file, rank));
      }
      ++file;
    }
    after_digit = is_digit;
    if (file > 8) break;
  }
  if (file != 8) {
    Fail("piece placement", "rank " + std::to_string(rank + 1) + " has " +
                                (file > 8 ? "more" : "fewer") + " than 8 squares");
  }
}

void FenReader::ReadPlacement(std::string_view text) {
  int rank = 7;
  size_t at = 0;
  while (true) {
    const size_t end = std::min(text.find('/', at), text.size());
    if (rank < 0) Fail("piece placement", "more than 8 ranks");
    ReadRank(text.substr(at, end - at), rank);
    if (end == text.size()) break;
    at = end + 1;
    --rank;
  }
  if (rank != 0) Fail("piece placement", "only " + std::to_string(8 - rank) + " ranks");
  for (const Color color : {Color::kWhite, Color::kBlack}) CheckMaterial(color);
  if (board_.pieces(PieceType::kPawn) & (RankMask(0) | RankMask(7))) {
    Fail("piece placement", "a pawn stands on rank 1 or 8");
  }
}

// Besides the laws this bounds the number of moves: MoveList relies on it.
void FenReader::CheckMaterial(Color color) const {
  const auto count = [&](PieceType type) { return PopCount(board_.pieces(color, type)); };
  const int kings = count(PieceType::kKing);
  if (kings != 1) {
    Fail("piece placement",
         ColorName(color) + " has " + (kings == 0 ? "no king" : std::to_string(kings) + " kings"));
  }
  const int total = PopCount(board_.pieces(color));
  if (total > 16) {
    Fail("piece placement",
         ColorName(color) + " has " + std::to_string(total) + " pieces, 16 are the most");
  }
  const int pawns = count(PieceType::kPawn);
  const int promoted =
      std::max(0, count(PieceType::kKnight) - 2) + std::max(0, count(PieceType::kBishop) - 2) +
      std::max(0, count(PieceType::kRook) - 2) + std::max(0, count(PieceType::kQueen) - 1);
  if (pawns + promoted > 8) {
    Fail("piece placement", ColorName(color) + " has " + std::to_string(pawns) + " pawns and " +
                                std::to_string(promoted) +
                                " promoted pieces, 8 together are the most");
  }
}

void FenReader::ReadSide(std::string_view text) {
  if (text.empty()) Fail("side to move", "missing");
  if (text != "w" && text != "b") {
    Fail("side to move", "\"" + std::string(text) + "\" is neither w nor b");
  }
  board_.SetSideToMove(text == "w" ? Color::kWhite : Color::kBlack);
}

// Fills in the rook that `letter` means; leaves `rights` as it is when no king and rook back the
// right.
void FenReader::ReadCastlingLetter(char letter, CastlingRights* rights) const {
  const Color color = letter >= 'a' ? Color::kBlack : Color::kWhite;
  const char upper = static_cast<char>(letter & ~0x20);
  const int back_rank = color == Color::kWhite ? 0 : 7;
  const Square king = board_.KingSquare(color);
  const Bitboard rooks = board_.pieces(color, PieceType::kRook) & RankMask(back_rank);
  const Bitboard east_of_king = RankMask(back_rank) & ~(Bit(king) | (Bit(king) - 1));
  if (RankOf(king) != back_rank) return;
  Square rook = kNoSquare;
  if (upper == 'K') {  // the outermost rook (X-FEN)
    const Bitboard candidates = rooks & east_of_king;
    if (candidates) rook = static_cast<Square>(63 - std::countl_zero(candidates));
  } else if (upper == 'Q') {
    const Bitboard candidates = rooks & ~east_of_king;
    if (candidates) rook = LowestSquare(candidates);
  } else if (upper >= 'A' && upper <= 'H') {
    const Square named = MakeSquare(upper - 'A', back_rank);
    if (rooks & Bit(named)) rook = named;
  } else {
    Fail("castling", std::string("letter '") + letter + "' is none of KQkq, A-H, a-h");
  }
  if (rook == kNoSquare) return;
  Square& right = rights->rook[Index(color)][rook > king ? 1 : 0];
  if (right != kNoSquare && right != rook) {
    Fail("castling", "two rooks on one side of the " + ColorName(color) + " king");
  }
  right = rook;
}

void FenReader::ReadCastling(std::string_view text) {
  CastlingRights rights;
  if (text.size() > 16) Fail("castling", "too many letters");
  if (text != "-") {
    for (const char letter : text) {
      if (!std::isalpha(static_cast<unsigned char>(letter))) {
        Fail("castling", std::string("'") + letter + "' is none of KQkq, A-H, a-h");
      }
      ReadCastlingLetter(letter, &rights);
    }
  }
  board_.SetCastling(rights);
}

void FenReader::ReadEnPassant(std::string_view text) {
  if (text == "-") return;
  if (text.size() != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8') {
    Fail("en passant", "\"" + std::string(text) + "\" is no square");
  }
  const Square target = MakeSquare(text[0] - 'a', text[1] - '1');
  const Color mover = ~board_.side_to_move();  // of the double step
  const int rank = mover == Color::kWhite ? 2 : 5;
  const std::string name = SquareName(target);
  if (RankOf(target) != rank) {
    Fail("en passant", name + " is not on rank " + std::to_string(rank + 1) + ", where a pawn of " +
                           ColorName(mover) + " can just have passed");
  }
  const Square pawn = target ^ 8;
  const Square origin = static_cast<Square>(mover == Color::kWhite ? target - 8 : target + 8);
  if (!(board_.pieces(mover, PieceType::kPawn) & Bit(pawn))) {
    Fail("en passant",
         "no pawn of " + ColorName(mover) + " on " + SquareName(pawn) + " can have passed " + name);
  }
  if (board_.occupied() & (Bit(target) | Bit(origin))) {
    Fail("en passant", "a piece stands on " + name + " or " + SquareName(origin) +
                           ", which the pawn would have passed or left");
  }
  // Before the double step no knight or other pawn gave check, and the step cannot have opened its
  // way.
  const Square king = board_.KingSquare(board_.side_to_move());
  const Bitboard leapers =
      (board_.pieces(PieceType::kPawn) | board_.pieces(PieceType::kKnight)) & ~Bit(pawn);
  if (board_.AttackersTo(king, board_.occupied()) & leapers & board_.pieces(mover)) return;
  board_.SetEnPassant(target);
}

void FenReader::CheckChecks() const {
  const Color us = board_.side_to_move();
  if (board_.IsAttacked(board_.KingSquare(~us), us)) {
    Fail("side to move",
         ColorName(us) + " is to move, but the king of " + ColorName(~us) + " is in check");
  }
  const Bitboard checkers =
      board_.AttackersTo(board_.KingSquare(us), board_.occupied()) & board_.pieces(~us);
  if (PopCount(checkers) > 2) {
    Fail("piece placement", "the king of " + ColorName(us) + " is attacked by " +
                                std::to_string(PopCount(checkers)) + " pieces at once");
  }
  const Bitboard leapers = board_.pieces(PieceType::kPawn) | board_.pieces(PieceType::kKnight);
  if (PopCount(checkers & leapers) > 1) {
    Fail("piece placement",
         "the king of " + ColorName(us) + " is attacked by two pawns or knights at once");
  }
}

int FenReader::ReadNumber(const std::string& field, std::string_view text, int max) const {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) {
    Fail(field, "\"" + std::string(text) + "\" is no number");
  }
  if (error != std::errc() || value < 0 || value > max) {
    Fail(field, std::string(text) + " is not between 0 and " + std::to_string(max));
  }
  return value;
}

FenPosition FenReader::Read() {
  ReadPlacement(fields_[0]);
  ReadSide(Field(1, ""));
  ReadCastling(Field(2, "-"));
  ReadEnPassant(Field(3, "-"));
  CheckChecks();
  board_.Finish();
  FenPosition position;
  position.board = board_;
  position.rule50_ply = ReadNumber("half-move clock", Field(4, "0"), kMaxRule50Ply);
  position.fullmove = std::max(1, ReadNumber("full-move number", Field(5, "1"), kMaxFullmove));
  return position;
}

// The rook that "K" or "Q" means to a reader of X-FEN.
Square OutermostRook(const Board& board, Color color, int side) {
  const Square king = board.KingSquare(color);
  const Bitboard rooks =
      board.pieces(color, PieceType::kRook) & RankMask(color == Color::kWhite ? 0 : 7);
  const Bitboard west = rooks & (Bit(king) - 1);
  const Bitboard east = rooks & ~(Bit(king) - 1);
  if (side == 0) return west ? LowestSquare(west) : kNoSquare;
  return east ? static_cast<Square>(63 - std::countl_zero(east)) : kNoSquare;
}

std::string CastlingField(const Board& board, bool chess960) {
  std::string text;
  for (const Color color : {Color::kWhite, Color::kBlack}) {
    for (const int side : {1, 0}) {
      const Square rook = board.castling().Rook(color, side);
      if (rook == kNoSquare) continue;
      char letter = static_cast<char>('A' + FileOf(rook));
      if (!chess960 && rook == OutermostRook(board, color, side)) letter = side == 1 ? 'K' : 'Q';
      text += color == Color::kWhite ? letter : static_cast<char>(letter | 0x20);
    }
  }
  return text.empty() ? "-" : text;
}

std::string PlacementField(const Board& board) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    int empty = 0;
    for (int file = 0; file < 8; ++file) {
      const Square s = MakeSquare(file, rank);
      const PieceType type = board.PieceAt(s);
      if (type == PieceType::kNone) {
        ++empty;
        continue;
      }
      if (empty) text += static_cast<char>('0' + empty);
      empty = 0;
      const char letter = kPieceLetters[static_cast<size_t>(Index(type))];
      text += board.pieces(Color::kWhite) & Bit(s) ? static_cast<char>(letter & ~0x20) : letter;
    }
    if (empty) text += static_cast<char>('0' + empty);
    if (rank > 0) text += '/';
  }
  return text;
}

}  // namespace

FenPosition ParseFen(std::string_view fen) { return FenReader(fen).Read(); }

std::string ToFen(const Board& board, int rule50_ply, int fullmove, bool chess960) {
  return PlacementField(board) + (board.side_to_move() == Color::kWhite ? " w " : " b ") +
         CastlingField(board, chess960) + " " + SquareName(board.en_passant()) + " " +
         std::to_string(rule50_ply) + " " + std::to_string(fullmove);
}

}  // namespace plexus
