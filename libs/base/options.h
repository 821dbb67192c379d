#pragma once
// One field with its default + one row that points at the field = one option. The UCI list, the command line, the
// config file, range checks, `--help` and the dump in a bug report all come from the row; the default exists once,
// in the field.
//
//   struct SearchParams { float cpuct = 1.745f; ... };
//   inline const OptionRow<SearchParams> kSearchOptions[] = {
//     {&SearchParams::cpuct, "CPuct", "cpuct", 0, 100, "exploration constant; higher looks wider"}, ...};
//   OptionSet options;  SearchParams params;
//   options.Add(kSearchOptions, &params);          // params must outlive options

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace plexus {

enum class OptionVisibility { kNormal, kExpert, kCommandLineOnly };

template <class Params>
struct OptionRow {
  std::variant<bool Params::*, int Params::*, float Params::*, std::string Params::*> field;
  const char* uci_name;     // "MinibatchSize"; unique, compared without case
  const char* flag;         // "minibatch-size": --minibatch-size=64; bools also --no-flag
  double min = 0, max = 0;  // numbers only
  const char* help = "";
  OptionVisibility visibility = OptionVisibility::kNormal;
  const char* choices = "";  // strings only: "reduction|absolute"; empty = any text
  char short_flag = 0;       // 't': -t 4
  const char* aliases = "";  // further accepted UCI names, separated by '|'
};

enum class OptionType { kCheck, kSpin, kFloat, kCombo, kString, kButton };

// An option bound to the field it sets.
struct Option {
  std::string uci_name, flag, help;
  std::vector<std::string> aliases, choices;
  OptionType type = OptionType::kString;
  OptionVisibility visibility = OptionVisibility::kNormal;
  char short_flag = 0;
  double min = 0, max = 0;
  std::string default_value;
  std::function<std::string()> get;
  // Throws Exception naming option, bad value and allowed range; the former value stays.
  std::function<void(const std::string&)> set;
};

// All options of a program, in order of addition. Not thread-safe: owned by the thread that reads commands.
class OptionSet {
 public:
  template <class Params>
  void Add(std::span<const OptionRow<Params>> rows, Params* params);
  template <class Params, size_t N>
  void Add(const OptionRow<Params> (&rows)[N], Params* params) {
    Add(std::span<const OptionRow<Params>>(rows), params);
  }
  // A button: `press` is called when it is set; it has no value.
  void AddButton(const std::string& uci_name, const std::string& help, std::function<void()> press);

  const std::vector<Option>& all() const { return options_; }
  // By UCI name or alias, without regard to case and to blanks or underscores inside; null if unknown.
  const Option* FindByName(std::string_view name) const;
  const Option* FindByFlag(std::string_view flag) const;
  const Option* FindByShortFlag(char flag) const;
  // Throws Exception if there is no such option (names close matches) or the value is refused.
  void Set(std::string_view uci_name, const std::string& value);

  // The lines "option name ... type ... default ..." of the UCI protocol. Floats are announced as strings.
  std::vector<std::string> UciLines(bool with_expert) const;
  // Text of --help, one option a paragraph.
  std::string Help(bool with_expert) const;
  // "Name=value" of every option that differs from its default.
  std::string DescribeChanged() const;

 private:
  void Add(Option option);
  std::vector<Option> options_;
};

// Typed values with nested dictionaries: what "(backend=cudnn,gpu=0,max_batch=512),(backend=cpu)" parses into.
// Grammar of backend options: item = key=value | key (means key=true) | (items) | name(items); items are separated
// by commas; a value runs to the next comma or parenthesis; "..." quotes.
class OptionsDict {
 public:
  // Throws Exception that shows the text and the position of the fault.
  static OptionsDict Parse(std::string_view text);

  bool Has(std::string_view key) const;
  // The value of `key`, or `fallback`. Throws Exception if the text is not of that type. Marks the key as read.
  std::string GetString(std::string_view key, const std::string& fallback) const;
  int GetInt(std::string_view key, int fallback, int min, int max) const;
  double GetFloat(std::string_view key, double fallback, double min, double max) const;
  bool GetBool(std::string_view key, bool fallback) const;
  void Set(const std::string& key, const std::string& value) { values_[key] = value; }
  void Remove(std::string_view key);

  // This dictionary with the values of `defaults` for keys that it lacks, as if they were written here; CheckAllRead
  // does not miss those (ask `defaults`, after MarkRead).
  OptionsDict WithDefaults(const OptionsDict& defaults) const;
  // Has(key), and the value is not from WithDefaults.
  bool HasOwn(std::string_view key) const;
  // What has been read from `reader` counts as read here.
  void MarkRead(const OptionsDict& reader) const;

  const std::string& name() const { return name_; }  // "cudnn" of cudnn(gpu=0); else empty
  const std::vector<OptionsDict>& children() const { return children_; }  // in order of appearance
  // Throws Exception naming every key that nobody has read: a typing error in backend options is never ignored.
  // with_children: those of nested dictionaries too.
  void CheckAllRead(bool with_children = true) const;

 private:
  friend class OptionsDictParser;
  std::string name_;
  std::map<std::string, std::string, std::less<>> values_;
  mutable std::set<std::string, std::less<>> read_;
  std::set<std::string, std::less<>> inherited_;
  std::vector<OptionsDict> children_;
};

// ---- implementation of the template ----
Option MakeOption(bool* field, const std::string& name);
Option MakeOption(int* field, const std::string& name, double min, double max);
Option MakeOption(float* field, const std::string& name, double min, double max);
Option MakeOption(std::string* field, const std::string& name, const std::string& choices);
std::vector<std::string> SplitBar(std::string_view text);

template <class Params>
void OptionSet::Add(std::span<const OptionRow<Params>> rows, Params* params) {
  for (const OptionRow<Params>& row : rows) {
    Option option;
    if (auto* b = std::get_if<bool Params::*>(&row.field))
      option = MakeOption(&(params->**b), row.uci_name);
    if (auto* i = std::get_if<int Params::*>(&row.field))
      option = MakeOption(&(params->**i), row.uci_name, row.min, row.max);
    if (auto* f = std::get_if<float Params::*>(&row.field))
      option = MakeOption(&(params->**f), row.uci_name, row.min, row.max);
    if (auto* s = std::get_if<std::string Params::*>(&row.field))
      option = MakeOption(&(params->**s), row.uci_name, row.choices);
    option.uci_name = row.uci_name;
    option.flag = row.flag;
    option.help = row.help;
    option.visibility = row.visibility;
    option.short_flag = row.short_flag;
    option.min = row.min;
    option.max = row.max;
    option.aliases = SplitBar(row.aliases);
    Add(std::move(option));
  }
}

}  // namespace plexus
