#include "net/weights_format.h"

#include <cstdint>

#include "base/exception.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

using pblczero::NetworkFormat;

constexpr uint32_t kMagic = 0x1c0;
// The newest format version whose features are all read here (0.33 brought layers with their own
// encoding).
constexpr uint32_t kKnownMajor = 0, kKnownMinor = 33, kKnownPatch = 0;
constexpr const char* kNewer = "Use a newer version of this program, or another network.";

std::string VersionText(uint32_t major, uint32_t minor, uint32_t patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

void CheckMagic(const pblczero::Net& net, const std::string& source) {
  if (net.magic() == kMagic) return;
  throw Exception(source + " is not a network file: its magic number is " +
                      std::to_string(net.magic()) + ", expected " + std::to_string(kMagic) + ".",
                  "Give the path of a network in lc0 format (.pb.gz).");
}

void CheckVersion(const pblczero::Net& net, const std::string& source) {
  const pblczero::EngineVersion& v = net.min_version();
  constexpr uint64_t kKnown =
      (uint64_t{kKnownMajor} << 40) | (uint64_t{kKnownMinor} << 20) | kKnownPatch;
  const bool newer =
      v.major() > 0xfff || v.minor() > 0xfffff || v.patch() > 0xfffff ||
      ((uint64_t{v.major()} << 40) | (uint64_t{v.minor()} << 20) | v.patch()) > kKnown;
  // The format's own reader lets this marker pass.
  const bool marker = v.major() == 97 && v.minor() == 98 && v.patch() == 99;
  if (!newer || marker) return;
  throw Exception(source + " needs a reader of format version " +
                      VersionText(v.major(), v.minor(), v.patch()) +
                      ", and this program reads up to " +
                      VersionText(kKnownMajor, kKnownMinor, kKnownPatch) + ".",
                  kNewer);
}

void CheckContent(const pblczero::Net& net, const std::string& source) {
  if (net.has_onnx_model()) {
    throw Exception(
        source + " holds an ONNX model instead of weights.",
        "ONNX models cannot be evaluated here; use the network's original .pb.gz file.");
  }
  if (!net.has_weights()) {
    throw Exception(source + " holds no weights.",
                    "The file is damaged or not a network; download it again.");
  }
}

// Values that the schema does not know end up among the unknown fields.
void RefuseUnknownFormats(const NetworkFormat& format, const std::string& source) {
  for (int i = 0; i < format.unknown_fields().field_count(); ++i) {
    const auto& field = format.unknown_fields().field(i);
    const auto* descriptor = NetworkFormat::descriptor()->FindFieldByNumber(field.number());
    if (descriptor == nullptr)
      continue;  // a feature that did not exist; min_version guards against needed ones
    const bool number = field.type() == google::protobuf::UnknownField::TYPE_VARINT;
    throw Exception(source + " has the unknown " + descriptor->name() + " format " +
                        (number ? std::to_string(field.varint()) : "?") + ".",
                    kNewer);
  }
}

[[noreturn]] void RefuseFormat(const std::string& source, const std::string& part,
                               const std::string& found) {
  throw Exception(
      source + " has the " + part + " format " + found + ", which this program does not read.",
      kNewer);
}

Activation ActivationOf(NetworkFormat::ActivationFunction activation) {
  return static_cast<Activation>(activation);
}

// "SE_WITH_HEADFORMAT, version 0.21.0"
std::string Describe(const pblczero::Net& net) {
  const NetworkFormat& format = net.format().network_format();
  std::string text =
      NetworkFormat::NetworkStructure_Name(format.network()).substr(std::string("NETWORK_").size());
  if (!format.has_network()) text = "no structure stated";
  const pblczero::EngineVersion& v = net.min_version();
  return text + ", version " + VersionText(v.major(), v.minor(), v.patch());
}

struct Structure {
  NetworkFormat::NetworkStructure network;
  bool default_heads;  // older than head formats
};

Structure UpgradedStructure(const NetworkFormat& format, const pblczero::Weights& weights) {
  switch (format.network()) {
    case NetworkFormat::NETWORK_UNKNOWN:
    case NetworkFormat::NETWORK_CLASSICAL:
      return {NetworkFormat::NETWORK_CLASSICAL_WITH_HEADFORMAT, true};
    case NetworkFormat::NETWORK_SE:
      return {NetworkFormat::NETWORK_SE_WITH_HEADFORMAT, true};
    case NetworkFormat::NETWORK_SE_WITH_HEADFORMAT:
      if (weights.encoder_size() > 0)
        return {NetworkFormat::NETWORK_ATTENTIONBODY_WITH_HEADFORMAT, false};
      break;
    case NetworkFormat::NETWORK_AB_LEGACY_WITH_MULTIHEADFORMAT:
      return {NetworkFormat::NETWORK_ATTENTIONBODY_WITH_MULTIHEADFORMAT, false};
    case NetworkFormat::NETWORK_ATTENTIONBODY_WITH_HEADFORMAT:
      if (weights.has_policy_heads() && weights.has_value_heads()) {
        return {NetworkFormat::NETWORK_ATTENTIONBODY_WITH_MULTIHEADFORMAT, false};
      }
      break;
    default:
      break;
  }
  return {format.network(), false};
}

void ReadHeads(const NetworkFormat& format, const std::string& source, WeightsFormat* result) {
  switch (format.policy()) {
    case NetworkFormat::POLICY_CLASSICAL:
      result->policy = PolicyKind::kClassical;
      break;
    case NetworkFormat::POLICY_CONVOLUTION:
      result->policy = PolicyKind::kConvolution;
      break;
    case NetworkFormat::POLICY_ATTENTION:
      result->policy = PolicyKind::kAttention;
      break;
    default:
      RefuseFormat(source, "policy", NetworkFormat::PolicyFormat_Name(format.policy()));
  }
  switch (format.value()) {
    case NetworkFormat::VALUE_CLASSICAL:
      result->value = ValueKind::kClassical;
      break;
    case NetworkFormat::VALUE_WDL:
      result->value = ValueKind::kWdl;
      break;
    default:
      RefuseFormat(source, "value", NetworkFormat::ValueFormat_Name(format.value()));
  }
  result->moves_left = format.moves_left() == NetworkFormat::MOVES_LEFT_V1;
}

void ReadAttention(const NetworkFormat& format, const pblczero::Weights& weights,
                   WeightsFormat* result) {
  result->smolgen_activation = ActivationOf(format.smolgen_activation());
  result->ffn_activation = ActivationOf(format.ffn_activation());
  // Before activations were written into the file, networks with smolgen had these two.
  const bool written_before = format.network() == NetworkFormat::NETWORK_SE_WITH_HEADFORMAT;
  if (written_before && weights.has_smolgen_w()) {
    result->ffn_activation = Activation::kRelu2;
    result->smolgen_activation = Activation::kSwish;
  }
  switch (format.input_embedding()) {
    case NetworkFormat::INPUT_EMBEDDING_PE_MAP:
      result->input_embedding = InputEmbedding::kPeMap;
      break;
    case NetworkFormat::INPUT_EMBEDDING_PE_DENSE:
      result->input_embedding = InputEmbedding::kPeDense;
      break;
    default:
      result->input_embedding = InputEmbedding::kNone;
      if (!format.has_input_embedding()) {
        const bool both = weights.has_policy_heads() && weights.has_value_heads();
        result->input_embedding = both ? InputEmbedding::kPeDense : InputEmbedding::kPeMap;
      }
  }
}

}  // namespace

WeightsFormat ReadFormat(const pblczero::Net& net, const std::string& source) {
  CheckMagic(net, source);
  CheckVersion(net, source);
  CheckContent(net, source);
  const NetworkFormat& format = net.format().network_format();
  RefuseUnknownFormats(format, source);

  WeightsFormat result;
  result.description = Describe(net);
  result.input = format.input() == NetworkFormat::INPUT_UNKNOWN
                     ? InputFormat::kClassical
                     : static_cast<InputFormat>(format.input());
  result.default_activation = format.default_activation() == NetworkFormat::DEFAULT_ACTIVATION_MISH
                                  ? Activation::kMish
                                  : Activation::kRelu;
  const Structure structure = UpgradedStructure(format, net.weights());
  if (!structure.default_heads) ReadHeads(format, source, &result);
  switch (structure.network) {
    case NetworkFormat::NETWORK_CLASSICAL_WITH_HEADFORMAT:
    case NetworkFormat::NETWORK_SE_WITH_HEADFORMAT:
      break;
    case NetworkFormat::NETWORK_ATTENTIONBODY_WITH_MULTIHEADFORMAT:
      result.multihead = true;
      [[fallthrough]];
    case NetworkFormat::NETWORK_ATTENTIONBODY_WITH_HEADFORMAT:
      result.body = BodyKind::kAttention;
      ReadAttention(format, net.weights(), &result);
      break;
    default:
      RefuseFormat(source, "network", NetworkFormat::NetworkStructure_Name(structure.network));
  }
  return result;
}

}  // namespace plexus
