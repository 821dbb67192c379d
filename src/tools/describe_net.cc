#include "tools/describe_net.h"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "base/exception.h"
#include "base/options.h"
#include "base/options_parser.h"
#include "net/network_cost.h"
#include "net/network_support.h"
#include "net/weights_check.h"
#include "net/weights_file.h"
#include "tools/json_text.h"

namespace plexus {
namespace {

struct DescribeParams {
  std::string weights;
  bool json = false;
};

const OptionRow<DescribeParams> kDescribeOptions[] = {
    {&DescribeParams::weights, "Weights", "weights", 0, 0,
     "network file (lc0 format, gzip or plain)", OptionVisibility::kNormal, "", 'w'},
    {&DescribeParams::json, "Json", "json", 0, 0, "prints one JSON object instead of lines"},
};

const char* InputName(InputFormat format) {
  switch (format) {
    case InputFormat::kClassical:
      return "classical 112 planes";
    case InputFormat::kCastlingPlane:
      return "112 planes with castling rooks";
    case InputFormat::kCanonical:
      return "112 planes, canonical";
    case InputFormat::kCanonicalHectoplies:
      return "112 planes, canonical, hectoplies";
    case InputFormat::kCanonicalV2:
      return "112 planes, canonical v2";
    case InputFormat::kCanonicalHectopliesArmageddon:
      return "112 planes, canonical, hectoplies, armageddon";
    case InputFormat::kCanonicalV2Armageddon:
      return "112 planes, canonical v2, armageddon";
  }
  return "unknown";
}

const char* ActivationName(Activation activation) {
  constexpr const char* kNames[] = {"default", "mish", "relu",  "none",   "tanh",
                                    "sigmoid", "selu", "swish", "relu^2", "softmax"};
  const auto index = static_cast<size_t>(activation);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

const char* EmbeddingName(InputEmbedding embedding) {
  switch (embedding) {
    case InputEmbedding::kNone:
      return "none";
    case InputEmbedding::kPeMap:
      return "position map";
    case InputEmbedding::kPeDense:
      return "position dense";
  }
  return "unknown";
}

const char* PolicyName(PolicyKind kind) {
  switch (kind) {
    case PolicyKind::kClassical:
      return "classical";
    case PolicyKind::kConvolution:
      return "convolution";
    case PolicyKind::kAttention:
      return "attention";
  }
  return "unknown";
}

const char* ValueName(ValueKind kind) { return kind == ValueKind::kWdl ? "wdl" : "classical"; }

size_t BlocksWithSe(const NetworkWeights& net) {
  return static_cast<size_t>(
      std::count_if(net.residual.begin(), net.residual.end(),
                    [](const ResidualWeights& b) { return b.se.present(); }));
}

// "64 channels, 6 blocks, squeeze-excite 32"
std::string BodyText(const NetworkWeights& net) {
  std::string text;
  if (net.body == BodyKind::kAttention) {
    const AttentionBodyWeights& body = net.attention;
    text = "attention, width " + std::to_string(net.channels) + ", " +
           std::to_string(body.encoders.size()) + " encoder layers, " + std::to_string(body.heads) +
           " heads";
    if (!body.encoders.empty()) {
      text += ", feed-forward " + std::to_string(body.encoders[0].ffn.dense1.outputs);
      if (body.encoders[0].mha.smolgen.present()) text += ", smolgen";
    }
    return text + ", input embedding: " + EmbeddingName(body.input_embedding);
  }
  text = "convolution, " + std::to_string(net.channels) + " channels, " +
         std::to_string(net.residual.size()) + " blocks";
  if (const size_t count = BlocksWithSe(net); count > 0) {
    const auto& block = *std::find_if(net.residual.begin(), net.residual.end(),
                                      [](const ResidualWeights& b) { return b.se.present(); });
    text += ", squeeze-excite " + std::to_string(block.se.squeeze.outputs);
    if (count < net.residual.size()) text += " in " + std::to_string(count) + " of them";
  }
  return text;
}

std::string PolicyText(const PolicyHeadWeights& head) {
  std::string text = head.name + ": " + PolicyName(head.kind);
  if (head.kind == PolicyKind::kClassical)
    text += ", " + std::to_string(head.conv.out_channels) + " planes";
  if (head.kind == PolicyKind::kAttention) {
    text += ", embedding " + std::to_string(head.dense.outputs) + ", depth " +
            std::to_string(head.q.outputs);
    if (!head.encoders.empty())
      text += ", " + std::to_string(head.encoders.size()) + " encoder layers";
  }
  return text;
}

std::string ValueText(const ValueHeadWeights& head) {
  const int width = head.conv.out_channels > 0 ? head.conv.out_channels : head.embedding.outputs;
  return head.name + ": " + ValueName(head.kind) + ", " + std::to_string(width) +
         " planes, hidden " + std::to_string(head.dense1.outputs);
}

std::string MovesLeftText(const NetworkWeights& net) {
  if (!net.moves_left.present()) return "none";
  return "plies, hidden " + std::to_string(net.moves_left.dense1.outputs);
}

std::string Line(const std::string& name, const std::string& text) {
  std::string label = name + ":";
  label.resize(std::max<size_t>(label.size() + 1, 18), ' ');
  return label + text + "\n";
}

std::string Grouped(uint64_t number) {
  std::string text = std::to_string(number);
  for (int i = static_cast<int>(text.size()) - 3; i > 0; i -= 3)
    text.insert(static_cast<size_t>(i), ",");
  return text;
}

std::string HeadsJson(const NetworkWeights& net) {
  std::string text = "\"policy_heads\":[";
  for (const PolicyHeadWeights& head : net.policy_heads) {
    text += std::string(&head == net.policy_heads.data() ? "" : ",") +
            "{\"name\":" + JsonQuote(head.name) + ",\"kind\":" + JsonQuote(PolicyName(head.kind)) +
            ",\"encoder_layers\":" + std::to_string(head.encoders.size()) + "}";
  }
  text += "],\"value_heads\":[";
  for (const ValueHeadWeights& head : net.value_heads) {
    text += std::string(&head == net.value_heads.data() ? "" : ",") +
            "{\"name\":" + JsonQuote(head.name) + ",\"kind\":" + JsonQuote(ValueName(head.kind)) +
            "}";
  }
  return text + "],\"moves_left\":" + (net.moves_left.present() ? "true" : "false");
}

std::string FirstLine(const std::string& text) {
  const std::string line = text.substr(0, text.find('\n'));
  return line.size() < text.size() ? line + " ..." : line;
}

}  // namespace

std::string DescribeNetwork(const NetworkWeights& net) {
  std::string text = Line("network", net.source);
  text += Line("licence", net.license.empty() ? "not stated in the file" : FirstLine(net.license));
  text += Line("training steps",
               net.training_steps ? Grouped(net.training_steps) : "not stated in the file");
  text += Line("format", net.format.empty() ? "not from a file" : net.format);
  text += Line("input", InputName(net.input_format));
  text += Line("body", BodyText(net));
  text += Line("activation", ActivationName(net.default_activation));
  if (net.body == BodyKind::kAttention) {
    text += Line("feed-forward", ActivationName(net.attention.ffn_activation));
    text += Line("smolgen", ActivationName(net.attention.smolgen_activation));
  }
  for (const PolicyHeadWeights& head : net.policy_heads)
    text += Line("policy head", PolicyText(head));
  for (const ValueHeadWeights& head : net.value_heads) text += Line("value head", ValueText(head));
  text += Line("moves-left head", MovesLeftText(net));
  text += Line("encodings", net.encodings.empty() ? "not from a file" : net.encodings);
  text += Line("parameters", Grouped(ParameterCount(net)));
  text += Line("per position",
               JsonNumber(static_cast<double>(FlopsPerPosition(net)) * 1e-6, 1) + " MFLOP");
  const std::string reason = UnsupportedReason(net, {});
  text += Line("runs on",
               reason.empty() ? "every backend" : "not on the cpu backend: this network " + reason);
  return text;
}

std::string DescribeNetworkAsJson(const NetworkWeights& net) {
  const bool attention = net.body == BodyKind::kAttention;
  const std::string reason = UnsupportedReason(net, {});
  std::string text = "{\"source\":" + JsonQuote(net.source) +
                     ",\"license\":" + JsonQuote(net.license) +
                     ",\"training_steps\":" + std::to_string(net.training_steps) +
                     ",\"format\":" + JsonQuote(net.format) +
                     ",\"input_format\":" + std::to_string(static_cast<int>(net.input_format)) +
                     ",\"input\":" + JsonQuote(InputName(net.input_format)) +
                     ",\"body\":" + JsonQuote(attention ? "attention" : "convolution") +
                     ",\"channels\":" + std::to_string(net.channels) +
                     ",\"blocks\":" + std::to_string(net.residual.size()) +
                     ",\"blocks_with_se\":" + std::to_string(BlocksWithSe(net)) +
                     ",\"encoder_layers\":" + std::to_string(net.attention.encoders.size()) +
                     ",\"attention_heads\":" + std::to_string(net.attention.heads) +
                     ",\"activation\":" + JsonQuote(ActivationName(net.default_activation)) + "," +
                     HeadsJson(net) + ",\"encodings\":" + JsonQuote(net.encodings) +
                     ",\"parameters\":" + std::to_string(ParameterCount(net)) +
                     ",\"flops_per_position\":" + std::to_string(FlopsPerPosition(net)) +
                     ",\"unsupported\":" + (reason.empty() ? "null" : JsonQuote(reason)) + "}";
  return text;
}

int RunDescribeNet(std::span<const std::string> args) {
  DescribeParams params;
  OptionSet options;
  options.Add(kDescribeOptions, &params);
  if (WantsHelp(args)) {
    std::printf("plexus describenet --weights FILE\nPrints what a network file holds.\n\n%s",
                options.Help(true).c_str());
    return 0;
  }
  const std::vector<std::string> words = ParseCommandLine(args, &options);
  if (params.weights.empty() && words.size() == 1)
    params.weights = words[0];
  else if (!words.empty())
    throw Exception("describenet does not understand \"" + words[0] + "\".", "See --help.");
  if (params.weights.empty())
    throw Exception("describenet needs a network file.", "Write describenet --weights FILE.");
  const NetworkWeights weights = LoadWeights(params.weights);
  if (params.json)
    std::printf("%s\n", DescribeNetworkAsJson(weights).c_str());
  else
    std::printf("%s", DescribeNetwork(weights).c_str());
  return 0;
}

}  // namespace plexus
