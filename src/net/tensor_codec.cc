#include "net/tensor_codec.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "base/exception.h"
#include "base/fp16.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

constexpr const char* kDamaged = "The file is damaged; download it again.";

uint16_t LoadU16(const char* bytes) {
  return static_cast<uint16_t>(static_cast<uint8_t>(bytes[0]) |
                               (static_cast<uint8_t>(bytes[1]) << 8));
}

float LoadFloat(const char* bytes) {
  return std::bit_cast<float>(LoadU16(bytes) | (static_cast<uint32_t>(LoadU16(bytes + 2)) << 16));
}

void StoreU16(uint16_t value, std::string* bytes) {
  bytes->push_back(static_cast<char>(value & 0xff));
  bytes->push_back(static_cast<char>(value >> 8));
}

void DecodeLinear16(const pblczero::Layer& layer, const std::string& what,
                    std::vector<float>* values) {
  const float low = layer.min_val(), high = layer.max_val();
  if (!std::isfinite(low) || !std::isfinite(high)) {
    throw Exception(
        what + " has the range " + std::to_string(low) + " to " + std::to_string(high) + ".",
        kDamaged);
  }
  const char* bytes = layer.params().data();
  for (size_t i = 0; i < values->size(); ++i) {
    const float t = static_cast<float>(LoadU16(bytes + 2 * i)) / 65535.0f;
    (*values)[i] = low * (1.0f - t) + high * t;
  }
}

}  // namespace

const char* EncodingName(TensorEncoding encoding) {
  switch (encoding) {
    case TensorEncoding::kLinear16:
      return "LINEAR16";
    case TensorEncoding::kFloat16:
      return "FLOAT16";
    case TensorEncoding::kBfloat16:
      return "BFLOAT16";
    case TensorEncoding::kFloat32:
      return "FLOAT32";
  }
  return "unknown";
}

// A layer without its own encoding has the file's, and LINEAR16 is the only one a file can have.
TensorEncoding EncodingOf(const pblczero::Layer& layer, const std::string& what) {
  // The protobuf runtime keeps enum values that the schema does not know as unknown fields.
  for (int i = 0; i < layer.unknown_fields().field_count(); ++i) {
    const auto& field = layer.unknown_fields().field(i);
    if (field.number() != pblczero::Layer::kEncodingFieldNumber) continue;
    const bool number = field.type() == google::protobuf::UnknownField::TYPE_VARINT;
    throw Exception(
        what + " has the unknown encoding " + (number ? std::to_string(field.varint()) : "?") + ".",
        "This version reads LINEAR16, FLOAT16, BFLOAT16 and FLOAT32; use a newer version or "
        "another file.");
  }
  switch (layer.encoding()) {
    case pblczero::Layer::FLOAT16:
      return TensorEncoding::kFloat16;
    case pblczero::Layer::BFLOAT16:
      return TensorEncoding::kBfloat16;
    case pblczero::Layer::FLOAT32:
      return TensorEncoding::kFloat32;
    default:
      return TensorEncoding::kLinear16;
  }
}

std::vector<float> DecodeTensor(const pblczero::Layer& layer, const std::string& what) {
  const std::string& params = layer.params();
  if (params.empty()) return {};
  const TensorEncoding encoding = EncodingOf(layer, what);
  const size_t element = encoding == TensorEncoding::kFloat32 ? 4 : 2;
  if (params.size() % element != 0) {
    throw Exception(what + " has " + std::to_string(params.size()) +
                        " bytes, expected a multiple of " + std::to_string(element) + " (" +
                        EncodingName(encoding) + ").",
                    kDamaged);
  }
  std::vector<float> values(params.size() / element);
  if (encoding == TensorEncoding::kLinear16) {
    DecodeLinear16(layer, what, &values);
  } else {
    for (size_t i = 0; i < values.size(); ++i) {
      const char* bytes = params.data() + element * i;
      values[i] = encoding == TensorEncoding::kFloat32   ? LoadFloat(bytes)
                  : encoding == TensorEncoding::kFloat16 ? HalfToFloat(LoadU16(bytes))
                                                         : Bfloat16ToFloat(LoadU16(bytes));
    }
  }
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad != values.end()) {
    throw Exception(what + " holds a value that is not a finite number at index " +
                        std::to_string(bad - values.begin()) + ".",
                    kDamaged);
  }
  return values;
}

void EncodeTensor(std::span<const float> values, TensorEncoding encoding, pblczero::Layer* layer) {
  layer->Clear();
  if (values.empty()) return;
  std::string* params = layer->mutable_params();
  params->reserve(values.size() * (encoding == TensorEncoding::kFloat32 ? 4 : 2));
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  layer->set_min_val(*low);
  layer->set_max_val(*high);
  const double range = static_cast<double>(*high) - *low;
  for (const float v : values) {
    switch (encoding) {
      case TensorEncoding::kLinear16:
        StoreU16(range > 0 ? static_cast<uint16_t>(
                                 std::lround((static_cast<double>(v) - *low) / range * 65535.0))
                           : 0,
                 params);
        break;
      case TensorEncoding::kFloat16:
        StoreU16(FloatToHalf(v), params);
        break;
      case TensorEncoding::kBfloat16:
        StoreU16(FloatToBfloat16(v), params);
        break;
      case TensorEncoding::kFloat32: {
        const auto bits = std::bit_cast<uint32_t>(v);
        StoreU16(static_cast<uint16_t>(bits & 0xffff), params);
        StoreU16(static_cast<uint16_t>(bits >> 16), params);
        break;
      }
    }
  }
  switch (encoding) {
    case TensorEncoding::kLinear16:
      break;  // the file's default
    case TensorEncoding::kFloat16:
      layer->set_encoding(pblczero::Layer::FLOAT16);
      break;
    case TensorEncoding::kBfloat16:
      layer->set_encoding(pblczero::Layer::BFLOAT16);
      break;
    case TensorEncoding::kFloat32:
      layer->set_encoding(pblczero::Layer::FLOAT32);
      break;
  }
}

}  // namespace plexus
