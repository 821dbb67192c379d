#include "backend/params.h"

#include "base/exception.h"

namespace plexus {

HistoryFill ParseHistoryFill(const std::string& text) {
  if (text == "no") return HistoryFill::kNo;
  if (text == "fen_only") return HistoryFill::kFenOnly;
  if (text == "always") return HistoryFill::kAlways;
  throw Exception("HistoryFill: \"" + text + "\" is unknown.", "It can be no, fen_only or always.");
}

}  // namespace plexus
