#include "base/options_parser.h"

#include "base/exception.h"
#include "base/files.h"
#include "base/strings.h"

namespace plexus {
namespace {

constexpr size_t kMaxConfigBytes = 1 << 20;

[[noreturn]] void FailUnknown(const std::string& flag, const OptionSet& options) {
  std::vector<std::string> known = {"config", "help"};
  for (const Option& option : options.all()) {
    if (!option.flag.empty()) known.push_back(option.flag);
  }
  throw Exception("There is no option --" + flag + ".",
                  DidYouMean(flag, known, "--help lists all options."));
}

class CommandLineParser {
 public:
  CommandLineParser(std::span<const std::string> args, OptionSet* options)
      : args_(args), options_(*options) {}

  // Looks at the same arguments twice: first only for --config, so that flags win wherever they
  // stand.
  std::vector<std::string> Parse(bool only_config) {
    only_config_ = only_config;
    std::vector<std::string> rest;
    for (at_ = 0; at_ < args_.size(); ++at_) {
      const std::string& arg = args_[at_];
      if (arg == "--") {
        rest.insert(rest.end(), args_.begin() + static_cast<std::ptrdiff_t>(at_) + 1, args_.end());
        break;
      }
      if (arg.starts_with("--")) {
        ParseLong(arg.substr(2));
      } else if (IsShortFlag(arg)) {
        ParseShort(arg);
      } else {
        rest.push_back(arg);
      }
    }
    return rest;
  }

 private:
  // "-5" is a number and "-" a file name, unless an option is called so.
  bool IsShortFlag(const std::string& arg) const {
    if (arg.size() < 2 || arg[0] != '-') return false;
    const bool is_number = arg[1] == '.' || (arg[1] >= '0' && arg[1] <= '9');
    return !is_number || options_.FindByShortFlag(arg[1]) != nullptr;
  }

  std::string NextArgument(const std::string& flag) {
    if (at_ + 1 == args_.size()) {
      throw Exception("The option " + flag + " needs a value.", "Write " + flag + " VALUE.");
    }
    return args_[++at_];
  }

  void Set(const Option& option, const std::string& value) {
    if (!only_config_) option.set(value);
  }

  void ParseLong(const std::string& text) {
    const size_t equals = text.find('=');
    const std::string flag = text.substr(0, equals);
    const bool has_value = equals != std::string::npos;
    const std::string value = has_value ? text.substr(equals + 1) : "";
    if (flag == "config") {
      const std::string path = has_value ? value : NextArgument("--config");
      if (only_config_) ApplyConfigFile(path, &options_);
      return;
    }
    if (const Option* option = options_.FindByFlag(flag)) {
      if (has_value) {
        Set(*option, value);
      } else if (option->type == OptionType::kCheck) {
        Set(*option, "true");
      } else {
        Set(*option, NextArgument("--" + flag));
      }
      return;
    }
    const Option* negated = flag.starts_with("no-") ? options_.FindByFlag(flag.substr(3)) : nullptr;
    if (negated == nullptr || negated->type != OptionType::kCheck) FailUnknown(flag, options_);
    if (has_value) {
      throw Exception("The option --" + flag + " takes no value.",
                      "Write --" + flag + " or --" + negated->flag + "=" + value + ".");
    }
    Set(*negated, "false");
  }

  void ParseShort(const std::string& arg) {
    const Option* option = options_.FindByShortFlag(arg[1]);
    const std::string flag = arg.substr(0, 2);
    if (option == nullptr) {
      throw Exception("There is no option " + flag + ".", "--help lists all options.");
    }
    if (option->type == OptionType::kCheck) {
      if (arg.size() > 2) throw Exception("The option " + flag + " takes no value.");
      Set(*option, "true");
    } else {
      Set(*option, arg.size() > 2 ? arg.substr(2) : NextArgument(flag));
    }
  }

  std::span<const std::string> args_;
  OptionSet& options_;
  size_t at_ = 0;
  bool only_config_ = false;
};

void ApplyConfigLine(std::string_view line, OptionSet* options) {
  const size_t equals = line.find('=');
  std::string name(Trim(line.substr(0, equals)));
  if (name.starts_with("--")) name = name.substr(2);
  const Option* option = options->FindByFlag(name);
  if (option == nullptr) option = options->FindByName(name);
  if (option == nullptr) FailUnknown(name, *options);
  if (equals != std::string_view::npos) {
    option->set(std::string(Trim(line.substr(equals + 1))));
  } else if (option->type == OptionType::kCheck) {
    option->set("true");
  } else {
    throw Exception("The option " + name + " needs a value.", "Write " + name + "=VALUE.");
  }
}

}  // namespace

std::vector<std::string> ParseCommandLine(std::span<const std::string> args, OptionSet* options) {
  CommandLineParser parser(args, options);
  parser.Parse(/*only_config=*/true);
  return parser.Parse(/*only_config=*/false);
}

void ApplyConfigFile(const std::string& path, OptionSet* options) {
  int number = 0;
  for (const std::string& line : Split(ReadFile(path, kMaxConfigBytes), '\n')) {
    ++number;
    const std::string_view text = Trim(line);
    if (text.empty() || text[0] == '#') continue;
    try {
      ApplyConfigLine(text, options);
    } catch (const Exception& error) {
      throw Exception(path + ":" + std::to_string(number) + ": " + error.what());
    }
  }
}

bool WantsHelp(std::span<const std::string> args) {
  for (const std::string& arg : args) {
    if (arg == "--") return false;
    if (arg == "--help" || arg == "-h") return true;
  }
  return false;
}

}  // namespace plexus
