#include "tools/sweep_grid.h"

#include <algorithm>

#include "backend/registry.h"
#include "base/exception.h"
#include "base/options.h"
#include "base/strings.h"

namespace plexus {
namespace {

constexpr int kMaxDevices = 1024, kMaxThreads = 128, kMaxMinibatch = 1024;

// Pieces between commas that stand outside of quotes and parentheses, trimmed.
std::vector<std::string> TopLevel(std::string_view text) {
  std::vector<std::string> items(1);
  int depth = 0;
  bool quoted = false;
  for (const char c : text) {
    if (c == '"') quoted = !quoted;
    if (!quoted && c == '(') ++depth;
    if (!quoted && c == ')') --depth;
    if (!quoted && depth == 0 && c == ',') {
      items.emplace_back();
    } else {
      items.back() += c;
    }
  }
  for (std::string& item : items) item = std::string(Trim(item));
  std::erase(items, "");
  return items;
}

std::string KeyOf(const std::string& item) {
  return std::string(Trim(item.substr(0, item.find_first_of("=("))));
}

bool IsDeviceItem(const std::string& item) {
  return item.find('(') < item.find_first_of("=\"");  // npos is greater than all
}

std::string Inside(const std::string& device) {
  const size_t open = device.find('(');
  return device.substr(open + 1, device.rfind(')') - open - 1);
}

// The value of `backend` among `items`, or "".
std::string BackendAmong(const std::vector<std::string>& items) {
  for (const std::string& item : items) {
    if (KeyOf(item) == "backend" && item.find('=') != std::string::npos)
      return std::string(Trim(item.substr(item.find('=') + 1)));
  }
  return "";
}

bool JoinsDevices(const std::string& backend) {
  return std::ranges::any_of(CombinerRows(), [&](const CombinerRow& row) {
    return row.kind == BackendKind::kJoin && backend == row.name;
  });
}

// Unknown kinds do, so that they fail for the right reason when they are made.
bool KnowsGpu(const std::string& kind) {
  for (const BackendRow& row : BackendRows()) {
    if (kind == row.name || (*row.alias && kind == row.alias))
      return std::string_view(row.options).find("gpu") != std::string_view::npos;
  }
  return kind != "auto" || KnowsGpu(FindBackendRow("auto").name);
}

std::string KindOf(const DeviceList& list, const std::string& device, const std::string& backend) {
  const std::string own = BackendAmong(TopLevel(Inside(device)));
  if (!own.empty()) return own;
  const std::string shared = BackendAmong(list.shared);
  if (!shared.empty()) return shared;
  if (const std::string name = KeyOf(device); !name.empty()) return name;
  return JoinsDevices(backend) ? "auto" : backend;
}

std::string WithGpu(const std::string& device, int gpu) {
  std::vector<std::string> items = TopLevel(Inside(device));
  const std::string text = "gpu=" + std::to_string(gpu);
  const auto old =
      std::ranges::find_if(items, [](const std::string& item) { return KeyOf(item) == "gpu"; });
  if (old != items.end()) {
    *old = text;
  } else {
    items.push_back(text);
  }
  return device.substr(0, device.find('(') + 1) + Join(items, ",") + ")";
}

std::vector<int> Doublings(int last) {
  std::vector<int> counts;
  for (int n = 1; n < last; n *= 2) counts.push_back(n);
  counts.push_back(last);
  return counts;
}

std::vector<std::string> ParseNames(const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& piece : Split(text, ',')) {
    const std::string name(Trim(piece));
    if (name.empty()) {
      throw Exception("combiners: \"" + text + "\" has an empty name.",
                      "Write for example multiplexing,roundrobin,demux.");
    }
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace

std::vector<int> ParseCounts(std::string_view text, std::string_view what, int min, int max) {
  std::vector<int> counts;
  for (const std::string& piece : Split(text, ',')) {
    const int count = static_cast<int>(ParseInt(piece, what, min, max));
    if (std::ranges::find(counts, count) == counts.end()) counts.push_back(count);
  }
  return counts;
}

DeviceList SplitDevices(const std::string& backend, const std::string& options) {
  OptionsDict::Parse(options);  // refuses what the loops here would misread
  DeviceList list;
  for (const std::string& item : TopLevel(options))
    (IsDeviceItem(item) ? list.devices : list.shared).push_back(item);
  const bool names_device = !JoinsDevices(backend) && BackendAmong(list.shared).empty();
  if (!list.devices.empty()) {
    if (names_device) list.shared.insert(list.shared.begin(), "backend=" + backend);
    return list;
  }
  std::string kind = names_device ? backend : BackendAmong(list.shared);
  if (kind.empty()) kind = "auto";
  list.devices = {"(backend=" + kind + ")"};
  std::erase_if(list.shared, [](const std::string& item) { return KeyOf(item) == "backend"; });
  return list;
}

std::string OptionsOf(const DeviceList& list, const std::string& backend, int count) {
  const int listed = static_cast<int>(list.devices.size());
  std::vector<std::string> items = list.shared;
  if (listed > 1) {
    if (count > listed) {
      throw Exception("BackendOptions lists " + std::to_string(listed) + " devices, not " +
                          std::to_string(count) + ".",
                      "List more, or a single one to repeat it with gpu=0, gpu=1 ...");
    }
    items.insert(items.end(), list.devices.begin(), list.devices.begin() + count);
    return Join(items, ",");
  }
  const bool numbered = KnowsGpu(KindOf(list, list.devices[0], backend));
  if (numbered && count > 1)
    std::erase_if(items, [](const std::string& item) { return KeyOf(item) == "gpu"; });
  for (int i = 0; i < count; ++i)
    // A single device keeps its number.
    items.push_back(numbered && count > 1 ? WithGpu(list.devices[0], i) : list.devices[0]);
  return Join(items, ",");
}

std::vector<SweepCell> SweepCells(const SweepLists& lists, const DeviceList& list,
                                  const std::string& backend, int threads, int minibatch) {
  const auto counts = [](const std::string& text, const char* what, int min, int max,
                         std::vector<int> otherwise) {
    return text.empty() ? std::move(otherwise) : ParseCounts(text, what, min, max);
  };
  const std::vector<int> devices = counts(lists.devices, "devices", 1, kMaxDevices,
                                          Doublings(static_cast<int>(list.devices.size())));
  const std::vector<int> all_threads =
      counts(lists.threads, "sweep-threads", 0, kMaxThreads, {threads});
  const std::vector<int> minibatches =
      counts(lists.minibatches, "sweep-minibatch", 0, kMaxMinibatch, {minibatch});
  const std::vector<std::string> combiners =
      lists.combiners.empty()
          ? std::vector<std::string>{JoinsDevices(backend) ? backend : "multiplexing"}
          : ParseNames(lists.combiners);
  std::vector<SweepCell> cells;
  for (const std::string& combiner : combiners) {
    for (const int t : all_threads) {
      for (const int m : minibatches) {
        for (const int d : devices) cells.push_back({combiner, d, t, m});
      }
    }
  }
  return cells;
}

}  // namespace plexus
