#pragma once
// Which configurations a sweep measures, and what BackendOptions says for each. Pure functions.

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace plexus {

// As the user writes them; empty = see SweepCells.
struct SweepLists {
  std::string devices, threads, minibatches, combiners;
};

struct SweepCell {
  std::string
      combiner;  // a kind of backend that joins devices; unknown ones fail when they are made
  int devices = 1;
  int threads = 0, minibatch = 0;  // 0: automatic
  bool operator==(const SweepCell&) const = default;
};

// "1,2,4" -> whole numbers in that order, repeated ones once. Throws Exception naming `what`.
std::vector<int> ParseCounts(std::string_view text, std::string_view what, int min, int max);

// The top level of a BackendOptions text.
struct DeviceList {
  std::vector<std::string> shared;   // "key=value" outside of parentheses
  std::vector<std::string> devices;  // "(...)" or "name(...)"; never empty
};
// `backend`: the Backend that the options belong to; a kind of device becomes the device, or the default of those that
// are listed. Throws Exception for faults of the text.
DeviceList SplitDevices(const std::string& backend, const std::string& options);

// BackendOptions of `count` devices: the first ones of the list, or its only one again and again with gpu=0, gpu=1 ...
// (without where its kind knows no `gpu`). Throws Exception if the list is shorter than that.
std::string OptionsOf(const DeviceList& list, const std::string& backend, int count);

// Every combination, ordered by combiner, threads, minibatch, devices. Empty lists are: devices 1, 2, 4 ... up to all
// that are listed, `threads`, `minibatch`, and `backend` if it joins devices, else multiplexing.
std::vector<SweepCell> SweepCells(const SweepLists& lists, const DeviceList& list,
                                  const std::string& backend, int threads, int minibatch);

}  // namespace plexus
