#include "net/encoder.h"

#include <algorithm>
#include <cassert>

#include "net/transform.h"

namespace plexus {
namespace {

constexpr int kHistorySteps = 8;
constexpr int kPlanesPerStep = 13;
constexpr int kRepetitionPlane = 12;
constexpr int kAuxPlanes = kHistorySteps * kPlanesPerStep;  // 104
constexpr int kSidePlane = 108;  // side to move, or the en-passant square in canonical formats
constexpr int kRule50Plane = 109;
constexpr int kArmageddonPlane = 110;
constexpr int kOnesPlane = 111;
constexpr int kTransformedPlanes = 109;
constexpr Bitboard kAllSquares = ~Bitboard{0};

// The board in the mover's view.
struct View {
  Color us;
  int flip_ranks;  // xor for squares
  Bitboard operator()(Bitboard b) const { return flip_ranks ? FlipRanks(b) : b; }
};

View ViewOf(const Board& board) {
  const Color us = board.side_to_move();
  return {us, us == Color::kBlack ? 56 : 0};
}

void WritePieces(const Board& board, const View& view, uint64_t* planes) {
  for (int type = 0; type < 6; ++type) {
    const auto piece = static_cast<PieceType>(type);
    planes[type] = view(board.pieces(view.us, piece));
    planes[6 + type] = view(board.pieces(~view.us, piece));
  }
}

// Puts the pawn that has just made its double step back to where it came from.
void UndoDoubleStep(Square en_passant, const View& view, uint64_t* planes) {
  const int file = FileOf(en_passant);
  const bool white_pawn = RankOf(en_passant) == 2;
  const Square from = MakeSquare(file, white_pawn ? 1 : 6);
  const Square to = MakeSquare(file, white_pawn ? 3 : 4);
  const Color owner = white_pawn ? Color::kWhite : Color::kBlack;
  planes[owner == view.us ? 0 : 6] ^= view(Bit(from) | Bit(to));
}

bool IsStartPosition(const Board& board) {
  static const Board start = Board::StartPosition();
  return board.key() == start.key() && board.SamePosition(start);
}

// May the first known position stand in for an earlier, unknown one?
bool MayRepeatFirst(InputFormat format, HistoryFill fill, const Board& first) {
  // A canonical history does not go past an en-passant square, so nothing could be written.
  if (IsCanonical(format) && first.en_passant() != kNoSquare) return false;
  if (fill == HistoryFill::kNo)
    return first.en_passant() != kNoSquare;  // that step is known: the double step undone
  return fill == HistoryFill::kAlways || !IsStartPosition(first);
}

// Fills the planes of all history steps, untransformed.
void WriteHistory(InputFormat format, HistoryFill fill, std::span<const Position> history,
                  const View& view, InputPlanes* out) {
  const bool canonical = IsCanonical(format);
  const int last = static_cast<int>(history.size()) - 1;
  const CastlingRights& castling = history[last].board.castling();
  int step = 0;
  int i = last;
  for (; i >= 0 && step < kHistorySteps; --i) {
    const Position& position = history[i];
    if (canonical && i != last) {
      // What cannot be repeated ends a canonical history, so that transforms never go across it.
      if (!(position.board.castling() == castling)) return;
      if (position.board.en_passant() != kNoSquare) return;
    }
    if (i == last || !IsV2(format) || position.repetitions > 0) {
      uint64_t* planes = &out->mask[step * kPlanesPerStep];
      WritePieces(position.board, view, planes);
      if (position.repetitions > 0) planes[kRepetitionPlane] = kAllSquares;
      ++step;
    }
    if (canonical && position.rule50_ply == 0) return;
  }
  // V2 writes repetitions only, and the first position of a game is none.
  if (step == kHistorySteps || IsV2(format)) return;

  const Position& first = history[0];
  if (!MayRepeatFirst(format, fill, first.board)) return;
  const int end = fill == HistoryFill::kNo ? step + 1 : kHistorySteps;
  for (; step < end; ++step) {
    uint64_t* planes = &out->mask[step * kPlanesPerStep];
    WritePieces(first.board, view, planes);
    if (first.repetitions > 0) planes[kRepetitionPlane] = kAllSquares;
    if (first.board.en_passant() != kNoSquare)
      UndoDoubleStep(first.board.en_passant(), view, planes);
  }
}

void WriteCastling(InputFormat format, const Board& board, const View& view, InputPlanes* out) {
  for (int side = 0; side < 2; ++side) {
    const Square ours = board.castling().Rook(view.us, side);
    const Square theirs = board.castling().Rook(~view.us, side);
    if (format == InputFormat::kClassical) {
      if (ours != kNoSquare) out->mask[kAuxPlanes + side] = kAllSquares;
      if (theirs != kNoSquare) out->mask[kAuxPlanes + 2 + side] = kAllSquares;
    } else {
      Bitboard rooks = 0;
      if (ours != kNoSquare) rooks |= Bit(ours);
      if (theirs != kNoSquare) rooks |= Bit(theirs);
      out->mask[kAuxPlanes + side] = view(rooks);
    }
  }
}

void WriteAuxiliary(InputFormat format, const Position& position, const View& view,
                    InputPlanes* out) {
  const Board& board = position.board;
  const bool black = view.us == Color::kBlack;
  WriteCastling(format, board, view, out);
  if (!IsCanonical(format)) {
    if (black) out->mask[kSidePlane] = kAllSquares;
  } else if (board.en_passant() != kNoSquare) {
    out->mask[kSidePlane] = Bit(MakeSquare(FileOf(board.en_passant()), 7));
  }
  out->mask[kRule50Plane] = kAllSquares;
  const auto rule50 = static_cast<float>(position.rule50_ply);
  out->value[kRule50Plane] = IsHectoplies(format) ? rule50 / 100.0f : rule50;
  if (IsArmageddon(format) && black) out->mask[kArmageddonPlane] = kAllSquares;
  out->mask[kOnesPlane] = kAllSquares;
}

// For a king on the diagonal: is the board smaller after the transpose? The first set of pieces
// that differs decides.
bool TransposeIsSmaller(const Board& board, const View& view, int transform) {
  const Bitboard sets[] = {board.occupied(),
                           board.pieces(view.us),
                           board.pieces(PieceType::kKing),
                           board.pieces(PieceType::kQueen),
                           board.pieces(PieceType::kRook),
                           board.pieces(PieceType::kKnight),
                           board.pieces(PieceType::kBishop)};
  for (const Bitboard set : sets) {
    const Bitboard plain = TransformBitboard(view(set), transform);
    const Bitboard transposed = TransposeAntiDiagonal(plain);
    if (plain != transposed) return transposed < plain;
  }
  return false;
}

}  // namespace

int TransformFor(InputFormat format, const Board& board) {
  if (!IsCanonical(format) || board.castling().Any()) return kNoTransform;
  const View view = ViewOf(board);
  const int king = board.KingSquare(view.us) ^ view.flip_ranks;
  int transform = kNoTransform;
  if ((king & 7) < 4) transform |= kFlipTransform;
  if (board.pieces(PieceType::kPawn)) return transform;
  if ((king >> 3) > 3) transform |= kMirrorTransform;
  // The king now stands on e1..h4. Files count from h, ranks from 1: beyond the diagonal h1-e4 or
  // on it?
  const Square placed = TransformSquare(king, transform);
  const int distance = RankOf(placed) - (7 - FileOf(placed));
  if (distance > 0 || (distance == 0 && TransposeIsSmaller(board, view, transform))) {
    transform |= kTransposeTransform;
  }
  return transform;
}

int EncodePlanes(InputFormat format, HistoryFill fill, std::span<const Position> history,
                 InputPlanes* out) {
  assert(!history.empty());
  out->mask.fill(0);
  out->value.fill(1.0f);
  const Position& current = history.back();
  const View view = ViewOf(current.board);
  WriteHistory(format, fill, history, view, out);
  WriteAuxiliary(format, current, view, out);
  const int transform = TransformFor(format, current.board);
  if (transform != kNoTransform) {
    for (int plane = 0; plane < kTransformedPlanes; ++plane) {
      if (out->mask[plane]) out->mask[plane] = TransformBitboard(out->mask[plane], transform);
    }
  }
  return transform;
}

}  // namespace plexus
