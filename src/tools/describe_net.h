#pragma once
// `plexus describenet`: what a network file holds.

#include <span>
#include <string>

#include "net/weights.h"

namespace plexus {

// The text and the JSON object that the tool prints.
std::string DescribeNetwork(const NetworkWeights& weights);
std::string DescribeNetworkAsJson(const NetworkWeights& weights);

// args: what follows the mode word, as described by --help. Returns 0. Throws Exception for bad arguments or files.
int RunDescribeNet(std::span<const std::string> args);

}  // namespace plexus
