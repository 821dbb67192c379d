#pragma once
// Pieces of JSON text.

#include <string>
#include <string_view>

namespace plexus {

// In quotes, with everything escaped that JSON wants escaped; bytes that are not UTF-8 become U+FFFD.
std::string JsonQuote(std::string_view text);
// With `decimals` digits; null for numbers that are not finite.
std::string JsonNumber(double value, int decimals);

}  // namespace plexus
