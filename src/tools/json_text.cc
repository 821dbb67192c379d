#include "tools/json_text.h"

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

namespace plexus {

std::string JsonQuote(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string JsonNumber(double value, int decimals) {
  if (!std::isfinite(value)) return "null";
  char text[400];
  std::snprintf(text, sizeof(text), "%.*f", decimals, value);
  return text;
}

}  // namespace plexus
