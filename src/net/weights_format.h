#pragma once
// What the header of a network file says, after the conventions of older files were applied.

#include <string>

#include "net/weights.h"

namespace pblczero {
class Net;
}

namespace plexus {

struct WeightsFormat {
  std::string description;         // structure as the file has it, and its least version
  InputFormat input = InputFormat::kClassical;
  BodyKind body = BodyKind::kConvolution;
  bool multihead = false;  // heads in policy_heads and value_heads
  PolicyKind policy = PolicyKind::kClassical;
  ValueKind value = ValueKind::kClassical;
  bool moves_left = false;
  Activation default_activation = Activation::kRelu;
  Activation smolgen_activation = Activation::kDefault;
  Activation ffn_activation = Activation::kDefault;
  InputEmbedding input_embedding = InputEmbedding::kNone;
};

// `source` names the file in the Exception that is thrown for a magic number, version or format we
// do not know, and for files that hold no weights.
WeightsFormat ReadFormat(const pblczero::Net& net, const std::string& source);

}  // namespace plexus
