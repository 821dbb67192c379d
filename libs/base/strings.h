#pragma once
// Small text helpers. Blanks are ' ', \t, \r, \n, \v, \f; letters are ASCII, whatever the locale.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plexus {

std::string_view Trim(std::string_view text);
// All pieces between separators, also empty ones; "" gives one empty piece.
std::vector<std::string> Split(std::string_view text, char separator);
// The words between blanks; no empty ones.
std::vector<std::string> SplitWords(std::string_view text);
std::string Join(const std::vector<std::string>& pieces, std::string_view separator);
std::string ToLower(std::string_view text);
bool EqualsIgnoringCase(std::string_view a, std::string_view b);

// The whole text must be one number; surrounding blanks are allowed. `what` names the number in the
// Exception, which shows the bad text: ParseInt("1x", "movetime") says `movetime: "1x" is not a
// whole number`.
int64_t ParseInt(std::string_view text, std::string_view what);
// As above, and refuses values outside min..max.
int64_t ParseInt(std::string_view text, std::string_view what, int64_t min, int64_t max);
// Refuses infinities and NaN.
double ParseFloat(std::string_view text, std::string_view what);
double ParseFloat(std::string_view text, std::string_view what, double min, double max);
// true|false, yes|no, on|off, 1|0, without regard to case.
bool ParseBool(std::string_view text, std::string_view what);

// As printf writes it.
std::string Format(const char* format, ...) __attribute__((format(printf, 1, 2)));

// The shortest text that reads back as the same number, whole numbers below 1e15 without exponent: "1.745", "100000",
// "1e+30".
std::string FormatNumber(float value);
std::string FormatNumber(double value);

// The candidates a person may have meant by `text`, best first, at most `limit`; without regard to
// case.
std::vector<std::string> CloseMatches(std::string_view text,
                                      const std::vector<std::string>& candidates, size_t limit = 3);
// `Did you mean "a" or "b"?`, or `otherwise` if nothing is close.
std::string DidYouMean(std::string_view text, const std::vector<std::string>& candidates,
                       std::string_view otherwise = "");

}  // namespace plexus
