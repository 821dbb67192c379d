#pragma once
// `plexus evaluate`: what a network says about positions, before any search.

#include <iosfwd>
#include <memory>
#include <span>
#include <string>

#include "net/device.h"
#include "net/weights.h"

namespace plexus {

struct EvaluateFormat {
  HistoryFill history_fill = HistoryFill::kFenOnly;
  bool planes = false;  // print the 112 input planes too
};

// One line "FEN|startpos [moves m1 m2 ...]" -> one JSON object without a newline: fen, moves, black, transform,
// planes_fnv1a, q, d, m, policy {"e2e4": [index, logit], ...}; castling is king takes rook, in and out (e1g1 is
// understood too). A line that cannot be read gives {"line": ..., "error": ...}. Throws what the device throws.
std::string EvaluateLine(const std::string& line, const NetworkWeights& weights,
                         const EvaluateFormat& format, Device* device);

// args: what follows the mode word, as described by --help. Reads lines until the end of `in`, answers each at once;
// empty lines and lines that begin with # are passed over. Returns 0 if all lines could be read, else 1. Throws
// Exception for bad arguments, files or devices.
int RunEvaluate(std::span<const std::string> args, std::istream& in, std::ostream& out);
int RunEvaluate(std::span<const std::string> args);  // stdin, stdout

}  // namespace plexus
