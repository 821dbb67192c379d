#pragma once
// One tensor of a network file <-> floats.

#include <span>
#include <string>
#include <vector>

namespace pblczero {
class Layer;
}

namespace plexus {

enum class TensorEncoding { kLinear16, kFloat16, kBfloat16, kFloat32 };

const char* EncodingName(TensorEncoding encoding);

// Throws Exception for an encoding that we do not know.
TensorEncoding EncodingOf(const pblczero::Layer& layer, const std::string& what);
// An empty vector for a layer without data. `what` names file and tensor in the Exception that is
// thrown for a length that is no multiple of an element, an unknown encoding, a range or a value
// that is not finite.
std::vector<float> DecodeTensor(const pblczero::Layer& layer, const std::string& what);
// LINEAR16 keeps the smallest and the largest value and rounds the others to one of 65536 steps
// between them. REQUIRES: finite values; for FLOAT16 and BFLOAT16 in the range of the type.
void EncodeTensor(std::span<const float> values, TensorEncoding encoding, pblczero::Layer* layer);

}  // namespace plexus
