#include "net/weights_build.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/exception.h"
#include "net/planes.h"
#include "net/tensor_codec.h"
#include "net/weights_check.h"
#include "net/weights_format.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

using pblczero::ConvBlock;
using pblczero::Layer;

constexpr float kBatchNormEpsilon = 1e-5f;
constexpr uint64_t kMostRows = 1 << 24;  // keeps products with 64 squares or 3x3 kernels in 32 bits
constexpr int kDeduce = 0;               // this dimension follows from the tensor's size

class WeightsBuilder {
 public:
  WeightsBuilder(const pblczero::Net& net, const std::string& source)
      : file_(net), weights_(net.weights()), source_(source), format_(ReadFormat(net, source)) {}

  NetworkWeights Build() {
    net_.source = source_;
    net_.license = file_.license();
    net_.training_steps = file_.training_params().training_steps();
    net_.format = format_.description;
    net_.input_format = format_.input;
    net_.body = format_.body;
    net_.default_activation = format_.default_activation;
    if (format_.body == BodyKind::kConvolution) {
      ConvolutionBody();
      net_.channels = net_.input.out_channels;
    } else {
      AttentionBody();
      net_.channels = net_.attention.embedding.outputs;
    }
    if (format_.multihead) {
      ManyPolicyHeads();
      ManyValueHeads();
    } else {
      net_.policy_heads.push_back(
          PolicyHead(weights_, weights_.ip_pol_w(), weights_.ip_pol_b(), "vanilla"));
      net_.value_heads.push_back(ValueHead(weights_, "winner"));
    }
    if (format_.moves_left) MovesLeftHead();
    net_.encodings = EncodingNames();
    CheckWeights(net_);
    if (net_.value_heads[0].kind != format_.value) {
      throw Exception(source_ + ": the main value head has " +
                          std::to_string(net_.value_heads[0].dense2.outputs) +
                          " outputs, expected " + (format_.value == ValueKind::kWdl ? "3." : "1."),
                      "The file is damaged or of another network format; download it again.");
    }
    return std::move(net_);
  }

 private:
  std::vector<float> Tensor(const Layer& layer, const std::string& name) const {
    const std::string what = source_ + ": tensor " + name;
    if (!layer.params().empty()) encodings_.insert(EncodingOf(layer, what));
    return DecodeTensor(layer, what);
  }

  std::string EncodingNames() const {
    std::string names;
    for (const TensorEncoding encoding : encodings_) {
      names += (names.empty() ? "" : ", ") + std::string(EncodingName(encoding));
    }
    return names;
  }

  // The rows of a matrix with rows of `row` values.
  int Rows(uint64_t values, uint64_t row, const std::string& name) const {
    if (row > 0 && values > 0 && values % row == 0 && values / row < kMostRows)
      return static_cast<int>(values / row);
    throw Exception(source_ + ": tensor " + name + " has " + std::to_string(values) +
                        " values, expected a positive multiple of " + std::to_string(row) + ".",
                    "The file is damaged or of another network format; download it again.");
  }

  DenseWeights Dense(const Layer& weights, const Layer& biases, int inputs,
                     const std::string& name) const {
    DenseWeights dense;
    dense.weights = Tensor(weights, name + " weights");
    dense.biases = Tensor(biases, name + " biases");
    if (dense.biases.empty()) {
      dense.inputs = inputs;
      dense.outputs = Rows(dense.weights.size(), inputs, name + " weights");
    } else {
      dense.outputs = Rows(dense.biases.size(), 1, name + " biases");
      dense.inputs =
          inputs != kDeduce ? inputs : Rows(dense.weights.size(), dense.outputs, name + " weights");
    }
    CheckTensorSize(source_, name + " weights", dense.weights.size(),
                    {dense.outputs, dense.inputs});
    return dense;
  }

  // A tensor of one value an output channel, `fallback` where the file leaves it out.
  std::vector<float> PerChannel(const Layer& layer, int channels, float fallback,
                                const std::string& name) const {
    std::vector<float> values = Tensor(layer, name);
    if (values.empty()) values.assign(channels, fallback);
    CheckTensorSize(source_, name, values.size(), {channels});
    return values;
  }

  ConvWeights Conv(const ConvBlock& block, int in, int out, int kernel,
                   const std::string& name) const {
    ConvWeights conv;
    conv.weights = Tensor(block.weights(), name + " weights");
    const int row = in * kernel * kernel;
    conv.in_channels = in;
    conv.kernel = kernel;
    conv.out_channels = out != kDeduce ? out : Rows(conv.weights.size(), row, name + " weights");
    CheckTensorSize(source_, name + " weights", conv.weights.size(),
                    {conv.out_channels, in, kernel, kernel});
    conv.biases = PerChannel(block.biases(), conv.out_channels, 0, name + " biases");
    if (block.has_bn_means() || block.has_bn_stddivs()) FoldBatchNorm(block, name, &conv);
    return conv;
  }

  void FoldBatchNorm(const ConvBlock& block, const std::string& name, ConvWeights* conv) const {
    const int out = conv->out_channels;
    const std::vector<float> means =
        PerChannel(block.bn_means(), out, 0, name + " batch norm means");
    const std::vector<float> variances =
        PerChannel(block.bn_stddivs(), out, 1, name + " batch norm variances");
    const std::vector<float> gammas =
        PerChannel(block.bn_gammas(), out, 1, name + " batch norm gammas");
    const std::vector<float> betas =
        PerChannel(block.bn_betas(), out, 0, name + " batch norm betas");
    const size_t row = conv->weights.size() / out;
    for (int o = 0; o < out; ++o) {
      const float scale = gammas[o] / std::sqrt(variances[o] + kBatchNormEpsilon);
      if (!std::isfinite(scale)) {
        throw Exception(source_ + ": tensor " + name + " batch norm variances has " +
                            std::to_string(variances[o]) + " for channel " + std::to_string(o) +
                            ", expected a variance >= 0.",
                        "The file is damaged; download it again.");
      }
      for (size_t i = 0; i < row; ++i) conv->weights[o * row + i] *= scale;
      conv->biases[o] = betas[o] - scale * (means[o] - conv->biases[o]);
    }
  }

  LayerNormWeights LayerNorm(const Layer& gammas, const Layer& betas,
                             const std::string& name) const {
    return {Tensor(gammas, name + " gammas"), Tensor(betas, name + " betas")};
  }

  void ConvolutionBody() {
    net_.input = Conv(weights_.input(), kInputPlanes, kDeduce, 3, "input convolution");
    const int channels = net_.input.out_channels;
    for (int i = 0; i < weights_.residual_size(); ++i) {
      const pblczero::Residual& residual = weights_.residual(i);
      const std::string block = "block " + std::to_string(i + 1);
      ResidualWeights result;
      result.conv1 = Conv(residual.conv1(), channels, channels, 3, block + " conv 1");
      result.conv2 = Conv(residual.conv2(), channels, channels, 3, block + " conv 2");
      if (residual.se().has_w1()) {
        result.se.squeeze =
            Dense(residual.se().w1(), residual.se().b1(), channels, block + " squeeze");
        result.se.excite = Dense(residual.se().w2(), residual.se().b2(), result.se.squeeze.outputs,
                                 block + " excite");
      }
      net_.residual.push_back(std::move(result));
    }
  }

  void AttentionBody() {
    AttentionBodyWeights& body = net_.attention;
    body.input_embedding = format_.input_embedding;
    body.smolgen_activation = format_.smolgen_activation;
    body.ffn_activation = format_.ffn_activation;
    body.heads = static_cast<int>(std::min(weights_.headcount(), 1u << 16));
    int inputs = kInputPlanes;
    if (weights_.residual_size() > 0) {
      ConvolutionBody();
      inputs = net_.input.out_channels;
    } else if (format_.input_embedding == InputEmbedding::kPeMap) {
      inputs += 64;
    } else if (format_.input_embedding == InputEmbedding::kPeDense) {
      body.preprocess = Dense(weights_.ip_emb_preproc_w(), weights_.ip_emb_preproc_b(), 64 * 12,
                              "embedding preprocess");
      inputs += body.preprocess.outputs / 64;
      body.embedding_ln = LayerNorm(weights_.ip_emb_ln_gammas(), weights_.ip_emb_ln_betas(),
                                    "embedding layer norm");
    }
    body.embedding = Dense(weights_.ip_emb_w(), weights_.ip_emb_b(), inputs, "embedding");
    const int width = body.embedding.outputs;
    if (weights_.has_ip_mult_gate())
      body.multiply_gate = Tensor(weights_.ip_mult_gate(), "multiplicative gate");
    if (weights_.has_ip_add_gate()) body.add_gate = Tensor(weights_.ip_add_gate(), "additive gate");
    if (weights_.has_ip_emb_ffn()) {
      body.embedding_ffn = FeedForward(weights_.ip_emb_ffn(), width, "embedding feed-forward");
      body.embedding_ffn_ln =
          LayerNorm(weights_.ip_emb_ffn_ln_gammas(), weights_.ip_emb_ffn_ln_betas(),
                    "embedding feed-forward layer norm");
    }
    for (int i = 0; i < weights_.encoder_size(); ++i) {
      body.encoders.push_back(
          Encoder(weights_.encoder(i), width, "encoder " + std::to_string(i + 1)));
    }
    if (weights_.has_smolgen_w()) {
      const int outputs = 64 * 64;
      body.smolgen_global.weights = Tensor(weights_.smolgen_w(), "smolgen global weights");
      body.smolgen_global.biases = Tensor(weights_.smolgen_b(), "smolgen global biases");
      body.smolgen_global.outputs = outputs;
      body.smolgen_global.inputs =
          Rows(body.smolgen_global.weights.size(), outputs, "smolgen global weights");
    }
  }

  FfnWeights FeedForward(const pblczero::FFN& ffn, int width, const std::string& name) const {
    FfnWeights result;
    result.dense1 = Dense(ffn.dense1_w(), ffn.dense1_b(), width, name + " 1");
    result.dense2 = Dense(ffn.dense2_w(), ffn.dense2_b(), result.dense1.outputs, name + " 2");
    return result;
  }

  EncoderWeights Encoder(const pblczero::EncoderLayer& encoder, int width,
                         const std::string& name) const {
    const pblczero::MHA& mha = encoder.mha();
    if (mha.has_rpe_q() || mha.has_rpe_k() || mha.has_rpe_v()) {
      throw Exception(source_ + ": " + name +
                          " uses relative position encodings, which this program does not read.",
                      "Use another network.");
    }
    EncoderWeights result;
    result.mha.q = Dense(mha.q_w(), mha.q_b(), width, name + " attention q");
    result.mha.k = Dense(mha.k_w(), mha.k_b(), width, name + " attention k");
    result.mha.v = Dense(mha.v_w(), mha.v_b(), width, name + " attention v");
    result.mha.out =
        Dense(mha.dense_w(), mha.dense_b(), result.mha.v.outputs, name + " attention output");
    if (mha.has_smolgen()) result.mha.smolgen = Smolgen(mha.smolgen(), width, name + " smolgen");
    result.ln1 = LayerNorm(encoder.ln1_gammas(), encoder.ln1_betas(), name + " layer norm 1");
    result.ffn = FeedForward(encoder.ffn(), width, name + " feed-forward");
    result.ln2 = LayerNorm(encoder.ln2_gammas(), encoder.ln2_betas(), name + " layer norm 2");
    return result;
  }

  SmolgenWeights Smolgen(const pblczero::Smolgen& smolgen, int width,
                         const std::string& name) const {
    SmolgenWeights result;
    result.compress = Dense(smolgen.compress(), Layer(), width, name + " compress");
    result.dense1 = Dense(smolgen.dense1_w(), smolgen.dense1_b(), 64 * result.compress.outputs,
                          name + " dense 1");
    result.ln1 = LayerNorm(smolgen.ln1_gammas(), smolgen.ln1_betas(), name + " layer norm 1");
    result.dense2 =
        Dense(smolgen.dense2_w(), smolgen.dense2_b(), result.dense1.outputs, name + " dense 2");
    result.ln2 = LayerNorm(smolgen.ln2_gammas(), smolgen.ln2_betas(), name + " layer norm 2");
    return result;
  }

  // Source: Weights (networks with one head) or PolicyHead; both name their parts alike.
  template <class Source>
  PolicyHeadWeights PolicyHead(const Source& source, const Layer& dense_w, const Layer& dense_b,
                               const std::string& head_name) const {
    const std::string name = "policy head " + head_name;
    const int width = net_.channels;
    PolicyHeadWeights head;
    head.name = head_name;
    head.kind = format_.policy;
    switch (head.kind) {
      case PolicyKind::kClassical:
        head.conv = Conv(source.policy(), width, kDeduce, 1, name + " convolution");
        head.dense = Dense(dense_w, dense_b, 64 * head.conv.out_channels, name + " dense");
        break;
      case PolicyKind::kConvolution:
        head.conv1 = Conv(source.policy1(), width, width, 3, name + " convolution 1");
        head.conv = Conv(source.policy(), width, 80, 3, name + " convolution 2");
        break;
      case PolicyKind::kAttention:
        head.dense = Dense(dense_w, dense_b, width, name + " embedding");
        head.encoder_heads = static_cast<int>(std::min(source.pol_headcount(), 1u << 16));
        for (int i = 0; i < source.pol_encoder_size(); ++i) {
          head.encoders.push_back(Encoder(source.pol_encoder(i), head.dense.outputs,
                                          name + " encoder " + std::to_string(i + 1)));
        }
        head.q = Dense(source.ip2_pol_w(), source.ip2_pol_b(), head.dense.outputs, name + " q");
        head.k = Dense(source.ip3_pol_w(), source.ip3_pol_b(), head.dense.outputs, name + " k");
        head.promotion = Dense(source.ip4_pol_w(), Layer(), head.k.outputs, name + " promotion");
        break;
    }
    return head;
  }

  template <class Source>
  ValueHeadWeights ValueHead(const Source& source, const std::string& head_name) const {
    const std::string name = "value head " + head_name;
    ValueHeadWeights head;
    head.name = head_name;
    int inputs = 0;
    if (net_.body == BodyKind::kConvolution) {
      head.conv = Conv(source.value(), net_.channels, kDeduce, 1, name + " convolution");
      inputs = 64 * head.conv.out_channels;
    } else {
      head.embedding =
          Dense(source.ip_val_w(), source.ip_val_b(), net_.channels, name + " embedding");
      inputs = 64 * head.embedding.outputs;
    }
    head.dense1 = Dense(source.ip1_val_w(), source.ip1_val_b(), inputs, name + " dense 1");
    head.dense2 =
        Dense(source.ip2_val_w(), source.ip2_val_b(), head.dense1.outputs, name + " dense 2");
    head.kind = head.dense2.outputs == 3 ? ValueKind::kWdl : ValueKind::kClassical;
    return head;
  }

  void MovesLeftHead() {
    const std::string name = "moves-left head";
    MovesLeftHeadWeights& head = net_.moves_left;
    int inputs = 0;
    if (net_.body == BodyKind::kConvolution) {
      head.conv = Conv(weights_.moves_left(), net_.channels, kDeduce, 1, name + " convolution");
      inputs = 64 * head.conv.out_channels;
    } else {
      head.embedding =
          Dense(weights_.ip_mov_w(), weights_.ip_mov_b(), net_.channels, name + " embedding");
      inputs = 64 * head.embedding.outputs;
    }
    head.dense1 = Dense(weights_.ip1_mov_w(), weights_.ip1_mov_b(), inputs, name + " dense 1");
    head.dense2 =
        Dense(weights_.ip2_mov_w(), weights_.ip2_mov_b(), head.dense1.outputs, name + " dense 2");
  }

  void ManyPolicyHeads() {
    const pblczero::PolicyHeads& heads = weights_.policy_heads();
    const auto add = [&](const pblczero::PolicyHead& head, const std::string& name) {
      // A head without its own first dense layer shares that of all heads.
      const bool own = head.has_ip_pol_w();
      net_.policy_heads.push_back(PolicyHead(head, own ? head.ip_pol_w() : heads.ip_pol_w(),
                                             own ? head.ip_pol_b() : heads.ip_pol_b(), name));
    };
    if (heads.has_vanilla()) add(heads.vanilla(), "vanilla");
    if (heads.has_optimistic_st()) add(heads.optimistic_st(), "optimistic");
    if (heads.has_soft()) add(heads.soft(), "soft");
    if (heads.has_opponent()) add(heads.opponent(), "opponent");
    for (const pblczero::PolicyHeadEntry& entry : heads.policy_head_map())
      add(entry.value(), entry.key());
  }

  void ManyValueHeads() {
    const pblczero::ValueHeads& heads = weights_.value_heads();
    if (heads.has_winner()) net_.value_heads.push_back(ValueHead(heads.winner(), "winner"));
    if (heads.has_q()) net_.value_heads.push_back(ValueHead(heads.q(), "q"));
    if (heads.has_st()) net_.value_heads.push_back(ValueHead(heads.st(), "st"));
    for (const pblczero::ValueHeadEntry& entry : heads.value_head_map()) {
      net_.value_heads.push_back(ValueHead(entry.value(), entry.key()));
    }
  }

  const pblczero::Net& file_;
  const pblczero::Weights& weights_;
  const std::string& source_;
  const WeightsFormat format_;
  NetworkWeights net_;
  mutable std::set<TensorEncoding> encodings_;  // seen so far
};

}  // namespace

NetworkWeights BuildWeights(const pblczero::Net& net, const std::string& source) {
  return WeightsBuilder(net, source).Build();
}

}  // namespace plexus
