#include "chess/notation.h"

#include "base/exception.h"
#include "chess/fen.h"
#include "chess/movegen.h"

namespace plexus {
namespace {

constexpr std::string_view kPromotionLetters = "nbrq";

// The king's square after castling.
Square CastledKing(Move move) {
  return MakeSquare(move.to() > move.from() ? 6 : 2, RankOf(move.from()));
}

bool IsStandardCastling(Move move) {
  return FileOf(move.from()) == 4 && (FileOf(move.to()) == 0 || FileOf(move.to()) == 7);
}

[[noreturn]] void FailMove(const Board& board, std::string_view text, const std::string& reason) {
  constexpr size_t kShown = 20;
  std::string shown(text.substr(0, kShown));
  if (text.size() > kShown) shown += "...";
  throw Exception("move \"" + shown + "\" in position " + ToFen(board, 0, 1) + ": " + reason + ".");
}

Square ParseSquare(std::string_view text) {
  const char file = text[0];
  const char rank = text[1];
  if (file < 'a' || file > 'h' || rank < '1' || rank > '8') return kNoSquare;
  return MakeSquare(file - 'a', rank - '1');
}

// Why no legal move goes from `from` to `to`.
std::string WhyIllegal(const Board& board, Square from, Square to) {
  const Color us = board.side_to_move();
  if (!(board.occupied() & Bit(from))) return "no piece stands on " + SquareName(from);
  if (!(board.pieces(us) & Bit(from))) {
    return "the piece on " + SquareName(from) + " is not of the side to move";
  }
  if (board.pieces(us) & Bit(to)) return "a piece of the same side stands on " + SquareName(to);
  if (board.InCheck()) return "not legal; the king is in check";
  return "not legal";
}

}  // namespace

std::string ToUci(const Board&, Move move, bool chess960) {
  if (move.is_null()) return "0000";
  if (move.kind() == Move::kCastling && !chess960 && IsStandardCastling(move)) {
    return SquareName(move.from()) + SquareName(CastledKing(move));
  }
  std::string text = SquareName(move.from()) + SquareName(move.to());
  if (move.is_promotion())
    text += kPromotionLetters[static_cast<size_t>(Index(move.promotion()) - 1)];
  return text;
}

Move ParseUci(const Board& board, std::string_view text, bool) {
  if (text == "0000") FailMove(board, text, "the null move is not a legal move");
  if (text.size() != 4 && text.size() != 5)
    FailMove(board, text, "expected four or five letters, as in e2e4");
  const Square from = ParseSquare(text.substr(0, 2));
  const Square to = ParseSquare(text.substr(2, 2));
  if (from == kNoSquare || to == kNoSquare)
    FailMove(board, text, "expected two squares, as in e2e4");
  PieceType promotion = PieceType::kNone;
  if (text.size() == 5) {
    const size_t letter = kPromotionLetters.find(static_cast<char>(text[4] | 0x20));
    if (letter == std::string_view::npos)
      FailMove(board, text, "a pawn promotes to one of n, b, r, q");
    promotion = static_cast<PieceType>(letter + 1);
  }
  Move castling;
  bool promotes = false;
  for (const Move move : LegalMoves(board)) {
    if (move.from() != from) continue;
    if (move.to() == to) {
      if (move.promotion() == promotion) return move;
      promotes |= move.is_promotion();
    } else if (move.kind() == Move::kCastling && CastledKing(move) == to &&
               promotion == PieceType::kNone) {
      castling = move;  // king's two squares; a plain king move there goes first
    }
  }
  if (!castling.is_null()) return castling;
  if (promotes) FailMove(board, text, "the letter of the promotion is missing");
  FailMove(board, text, WhyIllegal(board, from, to));
}

namespace {

constexpr std::string_view kSanLetters = "PNBRQK";

// What SAN must say besides the target: nothing, the file, the rank or both.
std::string Disambiguation(Move move, Bitboard rivals) {
  if (!rivals) return "";
  bool shares_file = false;
  bool shares_rank = false;
  while (rivals) {
    const Square rival = PopLowest(&rivals);
    shares_file |= FileOf(rival) == FileOf(move.from());
    shares_rank |= RankOf(rival) == RankOf(move.from());
  }
  const std::string name = SquareName(move.from());
  if (!shares_file) return name.substr(0, 1);
  if (!shares_rank) return name.substr(1, 1);
  return name;
}

// Without + and #.
std::string BareSan(const Board& board, Move move) {
  if (move.kind() == Move::kCastling) return move.to() > move.from() ? "O-O" : "O-O-O";
  const PieceType type = board.PieceAt(move.from());
  const bool captures = (board.occupied() & Bit(move.to())) || move.kind() == Move::kEnPassant;
  const std::string target = (captures ? "x" : "") + SquareName(move.to());
  if (type == PieceType::kPawn) {
    std::string text = captures ? SquareName(move.from()).substr(0, 1) + target : target;
    if (move.is_promotion()) {
      text += '=';
      text += kSanLetters[static_cast<size_t>(Index(move.promotion()))];
    }
    return text;
  }
  Bitboard rivals = 0;
  for (const Move other : LegalMoves(board)) {
    if (other.to() == move.to() && other.from() != move.from() && other.kind() != Move::kCastling &&
        board.PieceAt(other.from()) == type) {
      rivals |= Bit(other.from());
    }
  }
  return kSanLetters[static_cast<size_t>(Index(type))] + Disambiguation(move, rivals) + target;
}

// What a SAN text says; -1 and kNone where it says nothing.
struct SanWish {
  PieceType type = PieceType::kPawn;
  PieceType promotion = PieceType::kNone;
  int from_file = -1;
  int from_rank = -1;
  Square to = kNoSquare;
  int castling_side = -1;

  bool Fits(const Board& board, Move move) const {
    if (castling_side >= 0) {
      return move.kind() == Move::kCastling && (move.to() > move.from() ? 1 : 0) == castling_side;
    }
    return move.kind() != Move::kCastling && move.to() == to && move.promotion() == promotion &&
           board.PieceAt(move.from()) == type &&
           (from_file < 0 || FileOf(move.from()) == from_file) &&
           (from_rank < 0 || RankOf(move.from()) == from_rank);
  }
};

void TrimSuffix(std::string_view* text) {
  for (const std::string_view suffix : {"e.p.", "ep"}) {
    if (text->ends_with(suffix)) text->remove_suffix(suffix.size());
  }
  while (!text->empty() && std::string_view("+#!? ").find(text->back()) != std::string_view::npos) {
    text->remove_suffix(1);
  }
}

bool ReadSanWish(std::string_view text, SanWish* wish) {
  TrimSuffix(&text);
  TrimSuffix(&text);  // "exd6 e.p.+" and "exd6+ e.p." both occur
  if (text == "O-O" || text == "0-0" || text == "o-o") return wish->castling_side = 1, true;
  if (text == "O-O-O" || text == "0-0-0" || text == "o-o-o") return wish->castling_side = 0, true;
  if (!text.empty()) {
    const size_t letter = kSanLetters.find(text.front());
    if (letter != std::string_view::npos) {
      wish->type = static_cast<PieceType>(letter);
      text.remove_prefix(1);
    }
  }
  if (text.ends_with(')') && text.size() > 3 && text[text.size() - 3] == '(') {  // e8(Q)
    text.remove_suffix(1);
  }
  if (text.size() > 2) {
    const size_t letter = kPromotionLetters.find(static_cast<char>(text.back() | 0x20));
    if (letter != std::string_view::npos) {
      wish->promotion = static_cast<PieceType>(letter + 1);
      text.remove_suffix(1);
      if (text.ends_with('=') || text.ends_with('(') || text.ends_with('/')) text.remove_suffix(1);
    }
  }
  if (text.size() < 2) return false;
  wish->to = ParseSquare(text.substr(text.size() - 2));
  if (wish->to == kNoSquare) return false;
  for (const char c : text.substr(0, text.size() - 2)) {
    if (c >= 'a' && c <= 'h' && wish->from_file < 0) {
      wish->from_file = c - 'a';
    } else if (c >= '1' && c <= '8' && wish->from_rank < 0) {
      wish->from_rank = c - '1';
    } else if (c != 'x' && c != ':' && c != '-') {
      return false;
    }
  }
  return true;
}

}  // namespace

std::string ToSan(const Board& board, Move move) {
  if (move.is_null()) return "--";
  std::string text = BareSan(board, move);
  Board next = board;
  next.Apply(move);
  if (next.InCheck()) text += HasLegalMove(next) ? '+' : '#';
  return text;
}

Move ParseSan(const Board& board, std::string_view text) {
  SanWish wish;
  if (!ReadSanWish(text, &wish))
    FailMove(board, text, "this is no move in short notation, as Nf3 or exd6 or O-O");
  Move found;
  for (const Move move : LegalMoves(board)) {
    if (!wish.Fits(board, move)) continue;
    if (!found.is_null())
      FailMove(board, text, "ambiguous, " + ToSan(board, found) + " and " + ToSan(board, move));
    found = move;
  }
  if (found.is_null()) FailMove(board, text, "not legal");
  return found;
}

std::string Diagram(const Board& board) {
  std::string text;
  for (int rank = 7; rank >= 0; --rank) {
    text += std::to_string(rank + 1) + " ";
    for (int file = 0; file < 8; ++file) {
      const Square square = MakeSquare(file, rank);
      const PieceType piece = board.PieceAt(square);
      const bool white = (board.pieces(Color::kWhite) & Bit(square)) != 0;
      text += ' ';
      text += piece == PieceType::kNone ? '.' : (white ? "PNBRQK" : "pnbrqk")[Index(piece)];
    }
    text += "\n";
  }
  return text + "   a b c d e f g h\n";
}

}  // namespace plexus
