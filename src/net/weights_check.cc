#include "net/weights_check.h"

#include "base/exception.h"
#include "net/planes.h"

namespace plexus {
namespace {

constexpr int kInputEmbeddingMap =
    64;  // PE_MAP adds a row of the fixed 64x64 map to each square's planes
constexpr int kConvolutionPolicyPlanes = 80;

enum class Biases { kNeeded, kOptional };

class Lister {
 public:
  void Vector(const std::string& name, const std::vector<float>& values, int size) {
    list.push_back({name, {size}, &values});
  }
  void OptionalVector(const std::string& name, const std::vector<float>& values, int size) {
    if (!values.empty()) Vector(name, values, size);
  }
  void Conv(const std::string& name, const ConvWeights& conv) {
    list.push_back({name + " weights",
                    {conv.out_channels, conv.in_channels, conv.kernel, conv.kernel},
                    &conv.weights});
    Vector(name + " biases", conv.biases, conv.out_channels);
  }
  void Dense(const std::string& name, const DenseWeights& dense, Biases biases = Biases::kNeeded) {
    list.push_back({name + " weights", {dense.outputs, dense.inputs}, &dense.weights});
    if (biases == Biases::kNeeded || !dense.biases.empty())
      Vector(name + " biases", dense.biases, dense.outputs);
  }
  void LayerNorm(const std::string& name, const LayerNormWeights& norm, int width) {
    Vector(name + " gammas", norm.gammas, width);
    OptionalVector(name + " betas", norm.betas, width);
  }
  void Encoder(const std::string& name, const EncoderWeights& encoder) {
    const MhaWeights& mha = encoder.mha;
    Dense(name + " attention q", mha.q, Biases::kOptional);
    Dense(name + " attention k", mha.k, Biases::kOptional);
    Dense(name + " attention v", mha.v, Biases::kOptional);
    Dense(name + " attention output", mha.out, Biases::kOptional);
    if (mha.smolgen.present()) Smolgen(name + " smolgen", mha.smolgen);
    LayerNorm(name + " layer norm 1", encoder.ln1, mha.out.outputs);
    Dense(name + " feed-forward 1", encoder.ffn.dense1, Biases::kOptional);
    Dense(name + " feed-forward 2", encoder.ffn.dense2, Biases::kOptional);
    LayerNorm(name + " layer norm 2", encoder.ln2, encoder.ffn.dense2.outputs);
  }
  void Body(const NetworkWeights& net) {
    if (net.body == BodyKind::kConvolution || !net.residual.empty()) {
      Conv("input convolution", net.input);
      for (size_t i = 0; i < net.residual.size(); ++i) {
        const std::string block = "block " + std::to_string(i + 1);
        const ResidualWeights& residual = net.residual[i];
        Conv(block + " conv 1", residual.conv1);
        Conv(block + " conv 2", residual.conv2);
        if (!residual.se.present()) continue;
        Dense(block + " squeeze", residual.se.squeeze);
        Dense(block + " excite", residual.se.excite);
      }
    }
    if (net.body == BodyKind::kAttention) AttentionBody(net.attention);
  }
  void Policy(const PolicyHeadWeights& head) {
    const std::string name = "policy head " + head.name;
    switch (head.kind) {
      case PolicyKind::kClassical:
        Conv(name + " convolution", head.conv);
        Dense(name + " dense", head.dense);
        break;
      case PolicyKind::kConvolution:
        Conv(name + " convolution 1", head.conv1);
        Conv(name + " convolution 2", head.conv);
        break;
      case PolicyKind::kAttention:
        Dense(name + " embedding", head.dense);
        for (size_t i = 0; i < head.encoders.size(); ++i) {
          Encoder(name + " encoder " + std::to_string(i + 1), head.encoders[i]);
        }
        Dense(name + " q", head.q, Biases::kOptional);
        Dense(name + " k", head.k, Biases::kOptional);
        Dense(name + " promotion", head.promotion, Biases::kOptional);
        break;
    }
  }
  void Value(const ValueHeadWeights& head, BodyKind body) {
    const std::string name = "value head " + head.name;
    if (body == BodyKind::kConvolution)
      Conv(name + " convolution", head.conv);
    else
      Dense(name + " embedding", head.embedding);
    Dense(name + " dense 1", head.dense1);
    Dense(name + " dense 2", head.dense2);
  }
  void MovesLeft(const MovesLeftHeadWeights& head, BodyKind body) {
    if (body == BodyKind::kConvolution)
      Conv("moves-left head convolution", head.conv);
    else
      Dense("moves-left head embedding", head.embedding);
    Dense("moves-left head dense 1", head.dense1);
    Dense("moves-left head dense 2", head.dense2);
  }

  std::vector<TensorView> list;

 private:
  void Smolgen(const std::string& name, const SmolgenWeights& smolgen) {
    Dense(name + " compress", smolgen.compress, Biases::kOptional);
    Dense(name + " dense 1", smolgen.dense1, Biases::kOptional);
    LayerNorm(name + " layer norm 1", smolgen.ln1, smolgen.dense1.outputs);
    Dense(name + " dense 2", smolgen.dense2, Biases::kOptional);
    LayerNorm(name + " layer norm 2", smolgen.ln2, smolgen.dense2.outputs);
  }
  void AttentionBody(const AttentionBodyWeights& body) {
    const int width = body.embedding.outputs;
    if (body.preprocess.outputs > 0) Dense("embedding preprocess", body.preprocess);
    Dense("embedding", body.embedding);
    if (!body.embedding_ln.gammas.empty())
      LayerNorm("embedding layer norm", body.embedding_ln, width);
    OptionalVector("multiplicative gate", body.multiply_gate, 64 * width);
    OptionalVector("additive gate", body.add_gate, 64 * width);
    if (body.embedding_ffn.dense1.outputs > 0) {
      Dense("embedding feed-forward 1", body.embedding_ffn.dense1);
      Dense("embedding feed-forward 2", body.embedding_ffn.dense2);
      LayerNorm("embedding feed-forward layer norm", body.embedding_ffn_ln, width);
    }
    for (size_t i = 0; i < body.encoders.size(); ++i) {
      Encoder("encoder " + std::to_string(i + 1), body.encoders[i]);
    }
    if (body.smolgen_global.outputs > 0)
      Dense("smolgen global", body.smolgen_global, Biases::kOptional);
  }
};

class FitChecker {
 public:
  explicit FitChecker(const NetworkWeights& net) : net_(net) {}

  void Check() const {
    CheckBody();
    if (net_.policy_heads.empty()) Refuse("has no policy head");
    if (net_.value_heads.empty()) Refuse("has no value head");
    for (const PolicyHeadWeights& head : net_.policy_heads) CheckPolicy(head);
    for (const ValueHeadWeights& head : net_.value_heads) CheckValue(head);
    if (net_.moves_left.present()) CheckMovesLeft(net_.moves_left);
  }

 private:
  [[noreturn]] void Refuse(const std::string& fault) const {
    throw Exception(net_.source + " " + fault + ".",
                    "The file is damaged or of another network format; download it again.");
  }
  void Expect(const std::string& what, int found, int expected) const {
    if (found == expected) return;
    Refuse("has " + what + " " + std::to_string(found) + ", expected " + std::to_string(expected));
  }
  void Fits(const std::string& name, const ConvWeights& conv, int in, int out, int kernel) const {
    Expect(name + " input channels", conv.in_channels, in);
    if (out > 0) Expect(name + " output channels", conv.out_channels, out);
    Expect(name + " kernel width", conv.kernel, kernel);
  }
  void Fits(const std::string& name, const DenseWeights& dense, int inputs, int outputs) const {
    Expect(name + " inputs", dense.inputs, inputs);
    if (outputs > 0) Expect(name + " outputs", dense.outputs, outputs);
    if (dense.outputs <= 0) Refuse("has " + name + " without outputs");
  }
  void CheckBody() const {
    int width = net_.channels;
    if (width <= 0) Refuse("has a body without channels");
    if (net_.body == BodyKind::kAttention) {
      width = net_.input.out_channels;
      CheckAttentionBody();
      if (net_.residual.empty()) return;
    }
    Fits("input convolution", net_.input, kInputPlanes, width, 3);
    for (size_t i = 0; i < net_.residual.size(); ++i) {
      const std::string block = "block " + std::to_string(i + 1);
      const ResidualWeights& residual = net_.residual[i];
      Fits(block + " conv 1", residual.conv1, width, width, 3);
      Fits(block + " conv 2", residual.conv2, width, width, 3);
      if (!residual.se.present()) continue;
      Fits(block + " squeeze", residual.se.squeeze, width, 0);
      Fits(block + " excite", residual.se.excite, residual.se.squeeze.outputs, 2 * width);
    }
  }
  void CheckAttentionBody() const {
    const AttentionBodyWeights& body = net_.attention;
    int inputs = kInputPlanes;
    if (!net_.residual.empty())
      inputs = net_.input.out_channels;
    else if (body.input_embedding == InputEmbedding::kPeMap)
      inputs += kInputEmbeddingMap;
    else if (body.input_embedding == InputEmbedding::kPeDense)
      inputs += body.preprocess.outputs / 64;
    Fits("embedding", body.embedding, inputs, net_.channels);
    for (size_t i = 0; i < body.encoders.size(); ++i) {
      CheckEncoder("encoder " + std::to_string(i + 1), body.encoders[i], net_.channels, body.heads);
    }
  }
  void CheckEncoder(const std::string& name, const EncoderWeights& encoder, int width,
                    int heads) const {
    const MhaWeights& mha = encoder.mha;
    Fits(name + " attention q", mha.q, width, 0);
    Fits(name + " attention k", mha.k, width, mha.q.outputs);
    Fits(name + " attention v", mha.v, width, 0);
    Fits(name + " attention output", mha.out, mha.v.outputs, width);
    if (heads <= 0 || mha.q.outputs % heads != 0 || mha.v.outputs % heads != 0) {
      Refuse("has " + std::to_string(heads) + " attention heads for the width " +
             std::to_string(mha.q.outputs) + " of " + name);
    }
    Fits(name + " feed-forward 1", encoder.ffn.dense1, width, 0);
    Fits(name + " feed-forward 2", encoder.ffn.dense2, encoder.ffn.dense1.outputs, width);
  }
  void CheckPolicy(const PolicyHeadWeights& head) const {
    const std::string name = "policy head " + head.name;
    const int width = net_.channels;
    switch (head.kind) {
      case PolicyKind::kClassical:
        Fits(name + " convolution", head.conv, width, 0, 1);
        Fits(name + " dense", head.dense, 64 * head.conv.out_channels, kPolicySize);
        break;
      case PolicyKind::kConvolution:
        Fits(name + " convolution 1", head.conv1, width, width, 3);
        Fits(name + " convolution 2", head.conv, width, kConvolutionPolicyPlanes, 3);
        break;
      case PolicyKind::kAttention:
        Fits(name + " embedding", head.dense, width, 0);
        for (size_t i = 0; i < head.encoders.size(); ++i) {
          CheckEncoder(name + " encoder " + std::to_string(i + 1), head.encoders[i],
                       head.dense.outputs, head.encoder_heads);
        }
        Fits(name + " q", head.q, head.dense.outputs, 0);
        Fits(name + " k", head.k, head.dense.outputs, head.q.outputs);
        Fits(name + " promotion", head.promotion, head.k.outputs, 4);
        break;
    }
  }
  // Returns the number of values per position that the dense layers of a head get.
  int CheckHeadInput(const std::string& name, const ConvWeights& conv,
                     const DenseWeights& embedding) const {
    if (net_.body == BodyKind::kConvolution) {
      Fits(name + " convolution", conv, net_.channels, 0, 1);
      return 64 * conv.out_channels;
    }
    Fits(name + " embedding", embedding, net_.channels, 0);
    return 64 * embedding.outputs;
  }
  void CheckValue(const ValueHeadWeights& head) const {
    const std::string name = "value head " + head.name;
    Fits(name + " dense 1", head.dense1, CheckHeadInput(name, head.conv, head.embedding), 0);
    Fits(name + " dense 2", head.dense2, head.dense1.outputs, head.kind == ValueKind::kWdl ? 3 : 1);
  }
  void CheckMovesLeft(const MovesLeftHeadWeights& head) const {
    const std::string name = "moves-left head";
    Fits(name + " dense 1", head.dense1, CheckHeadInput(name, head.conv, head.embedding), 0);
    Fits(name + " dense 2", head.dense2, head.dense1.outputs, 1);
  }

  const NetworkWeights& net_;
};

}  // namespace

std::vector<TensorView> TensorsOf(const NetworkWeights& weights) {
  Lister lister;
  lister.Body(weights);
  for (const PolicyHeadWeights& head : weights.policy_heads) lister.Policy(head);
  for (const ValueHeadWeights& head : weights.value_heads) lister.Value(head, weights.body);
  if (weights.moves_left.present()) lister.MovesLeft(weights.moves_left, weights.body);
  return std::move(lister.list);
}

uint64_t ParameterCount(const NetworkWeights& weights) {
  uint64_t count = 0;
  for (const TensorView& tensor : TensorsOf(weights)) count += tensor.values->size();
  return count;
}

void CheckTensorSize(const std::string& source, const std::string& tensor, uint64_t found,
                     const std::vector<int>& shape) {
  uint64_t expected = 1;
  std::string text;
  for (const int size : shape) {
    expected *= static_cast<uint64_t>(size);
    text += (text.empty() ? "" : " x ") + std::to_string(size);
  }
  if (found == expected) return;
  throw Exception(source + ": tensor " + tensor + " has " + std::to_string(found) +
                      " values, expected " + std::to_string(expected) + " (" + text + ").",
                  "The file is damaged or of another network format; download it again.");
}

void CheckWeights(const NetworkWeights& weights) {
  FitChecker(weights).Check();
  for (const TensorView& tensor : TensorsOf(weights)) {
    CheckTensorSize(weights.source, tensor.name, tensor.values->size(), tensor.shape);
  }
}

}  // namespace plexus
