#include "base/options.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/exception.h"
#include "base/strings.h"

namespace plexus {
namespace {

// How the UCI protocol writes an empty string.
constexpr std::string_view kEmpty = "<empty>";

// What option names are compared by: lower case, without blanks and underscores.
std::string NameKey(std::string_view name) {
  std::string key = ToLower(name);
  key.erase(std::remove_if(key.begin(), key.end(),
                           [](char c) {
                             return c == '_' || Trim({&c, 1}).empty();
                           }),
            key.end());
  return key;
}

std::string OptionTitle(const std::string& name) { return "Option " + name; }

// A bound of a range: whole numbers in full, never as 1e+05.
std::string FormatBound(double bound) {
  const auto whole = static_cast<int64_t>(bound);
  return static_cast<double>(whole) == bound ? std::to_string(whole) : FormatNumber(bound);
}

// "the value range" part of --help.
std::string DescribeValues(const Option& option) {
  switch (option.type) {
    case OptionType::kCheck:
      return "true or false";
    case OptionType::kSpin:
    case OptionType::kFloat:
      return FormatBound(option.min) + " to " + FormatBound(option.max);
    case OptionType::kCombo:
      return Join(option.choices, ", ");
    case OptionType::kString:
      return "text";
    case OptionType::kButton:
      return "";
  }
  return "";
}

std::string UciLine(const Option& option) {
  std::string line = "option name " + option.uci_name + " type ";
  const std::string shown =
      option.default_value.empty() ? std::string(kEmpty) : option.default_value;
  switch (option.type) {
    case OptionType::kCheck:
      return line + "check default " + shown;
    case OptionType::kSpin:
      return line + "spin default " + shown + " min " + FormatBound(option.min) + " max " +
             FormatBound(option.max);
    case OptionType::kCombo:
      line += "combo default " + shown;
      for (const std::string& choice : option.choices) line += " var " + choice;
      return line;
    case OptionType::kFloat:
    case OptionType::kString:
      return line + "string default " + shown;
    case OptionType::kButton:
      return line + "button";
  }
  return line;
}

// Breaks `text` into lines of at most 79 characters that start with `indent`.
std::string Wrapped(const std::string& text, const std::string& indent) {
  std::string result, line;
  for (const std::string& word : SplitWords(text)) {
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > 79) {
      result += indent + line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
  }
  return line.empty() ? result : result + indent + line + "\n";
}

void CheckRow(const Option& option) {
  const bool is_number = option.type == OptionType::kSpin || option.type == OptionType::kFloat;
  if (is_number && !(option.min < option.max)) {
    throw Exception(OptionTitle(option.uci_name) + " is declared without a range.",
                    "Give its row a minimum below its maximum.");
  }
  if (option.type == OptionType::kButton) return;
  try {
    option.set(option.default_value);
  } catch (const Exception& error) {
    throw Exception("The default of an option is refused by its own row: " +
                    std::string(error.what()));
  }
}

}  // namespace

std::vector<std::string> SplitBar(std::string_view text) {
  return text.empty() ? std::vector<std::string>() : Split(text, '|');
}

Option MakeOption(bool* field, const std::string& name) {
  Option option;
  option.type = OptionType::kCheck;
  option.get = [field] { return *field ? "true" : "false"; };
  option.set = [field, name](const std::string& value) {
    *field = ParseBool(value, OptionTitle(name));
  };
  return option;
}

Option MakeOption(int* field, const std::string& name, double min, double max) {
  Option option;
  option.type = OptionType::kSpin;
  option.get = [field] { return std::to_string(*field); };
  const int lowest =
      static_cast<int>(std::max(min, static_cast<double>(std::numeric_limits<int>::min())));
  const int highest =
      static_cast<int>(std::min(max, static_cast<double>(std::numeric_limits<int>::max())));
  option.set = [field, name, lowest, highest](const std::string& value) {
    *field = static_cast<int>(ParseInt(value, OptionTitle(name), lowest, highest));
  };
  return option;
}

Option MakeOption(float* field, const std::string& name, double min, double max) {
  Option option;
  option.type = OptionType::kFloat;
  option.get = [field] { return FormatNumber(*field); };
  option.set = [field, name, min, max](const std::string& value) {
    *field = static_cast<float>(ParseFloat(value, OptionTitle(name), min, max));
  };
  return option;
}

Option MakeOption(std::string* field, const std::string& name, const std::string& choices) {
  Option option;
  option.get = [field] { return *field; };
  option.choices = SplitBar(choices);
  if (option.choices.empty()) {
    option.set = [field](const std::string& value) {
      *field = value == kEmpty ? std::string() : value;
    };
    return option;
  }
  option.type = OptionType::kCombo;
  option.set = [field, name, allowed = option.choices](const std::string& value) {
    for (const std::string& choice : allowed) {
      if (EqualsIgnoringCase(choice, Trim(value))) {
        *field = choice;
        return;
      }
    }
    throw Exception(OptionTitle(name) + ": \"" + value + "\" is not one of its values.",
                    "Give one of: " + Join(allowed, ", ") + ".");
  };
  return option;
}

void OptionSet::AddButton(const std::string& uci_name, const std::string& help,
                          std::function<void()> press) {
  Option option;
  option.uci_name = uci_name;
  option.help = help;
  option.type = OptionType::kButton;
  option.get = [] { return std::string(); };
  option.set = [press = std::move(press)](const std::string&) { press(); };
  Add(std::move(option));
}

void OptionSet::Add(Option option) {
  option.default_value = option.get();
  CheckRow(option);
  std::vector<std::string> names = option.aliases;
  names.push_back(option.uci_name);
  for (const std::string& name : names) {
    if (FindByName(name) != nullptr) throw Exception("Two options are named " + name + ".");
  }
  if (!option.flag.empty() && FindByFlag(option.flag) != nullptr) {
    throw Exception("Two options have the flag --" + option.flag + ".");
  }
  if (option.short_flag != 0 && FindByShortFlag(option.short_flag) != nullptr) {
    throw Exception(std::string("Two options have the flag -") + option.short_flag + ".");
  }
  options_.push_back(std::move(option));
}

const Option* OptionSet::FindByName(std::string_view name) const {
  const std::string key = NameKey(name);
  const auto matches = [&key](const std::string& other) { return NameKey(other) == key; };
  for (const Option& option : options_) {
    if (matches(option.uci_name) ||
        std::any_of(option.aliases.begin(), option.aliases.end(), matches)) {
      return &option;
    }
  }
  return nullptr;
}

const Option* OptionSet::FindByFlag(std::string_view flag) const {
  if (flag.empty()) return nullptr;
  for (const Option& option : options_) {
    if (option.flag == flag) return &option;
  }
  return nullptr;
}

const Option* OptionSet::FindByShortFlag(char flag) const {
  if (flag == 0) return nullptr;
  for (const Option& option : options_) {
    if (option.short_flag == flag) return &option;
  }
  return nullptr;
}

void OptionSet::Set(std::string_view uci_name, const std::string& value) {
  const Option* option = FindByName(uci_name);
  if (option == nullptr) {
    std::vector<std::string> names;
    for (const Option& other : options_) names.push_back(other.uci_name);
    throw Exception("There is no option named \"" + std::string(uci_name) + "\".",
                    DidYouMean(uci_name, names, "The command uci lists all options."));
  }
  option->set(value);
}

std::vector<std::string> OptionSet::UciLines(bool with_expert) const {
  std::vector<std::string> lines;
  for (const Option& option : options_) {
    if (option.visibility == OptionVisibility::kCommandLineOnly) continue;
    if (option.visibility == OptionVisibility::kExpert && !with_expert) continue;
    lines.push_back(UciLine(option));
  }
  return lines;
}

std::string OptionSet::Help(bool with_expert) const {
  std::string text;
  for (const Option& option : options_) {
    if (option.visibility == OptionVisibility::kExpert && !with_expert) continue;
    if (option.flag.empty() && option.short_flag == 0) continue;
    std::string title;
    if (option.short_flag != 0) title += std::string("-") + option.short_flag + ", ";
    title +=
        option.type == OptionType::kCheck ? "--[no-]" + option.flag : "--" + option.flag + "=VALUE";
    text += "  " + title + "\n";
    text += Wrapped(option.help, "      ");
    text += "      UCI name: " + option.uci_name + ". Values: " + DescribeValues(option) +
            ". Default: " + (option.default_value.empty() ? "none" : option.default_value) + ".\n";
  }
  return text;
}

std::string OptionSet::DescribeChanged() const {
  std::vector<std::string> changed;
  for (const Option& option : options_) {
    if (option.type == OptionType::kButton) continue;
    std::string value = option.get();
    if (value == option.default_value) continue;
    if (value.empty() || value.find_first_of(" \t") != std::string::npos) {
      value = "\"" + value + "\"";
    }
    changed.push_back(option.uci_name + "=" + value);
  }
  return Join(changed, " ");
}

}  // namespace plexus
