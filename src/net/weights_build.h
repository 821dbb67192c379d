#pragma once
// From the messages of a network file to plain structs: decodes tensors, folds batch norms into
// convolutions.

#include <string>

#include "net/weights.h"

namespace pblczero {
class Net;
}

namespace plexus {

// Throws Exception that names `source`, the tensor, and what was expected. The result passed
// CheckWeights.
NetworkWeights BuildWeights(const pblczero::Net& net, const std::string& source);

}  // namespace plexus
