#pragma once
// A network as plain structs: one std::vector<float> a tensor, its shape in the comment. Batch norms are folded into
// the convolution before them. Dense weights are [outputs][inputs], convolutions [out_channels][in_channels][k][k].
// An empty vector means "this network has no such tensor".

#include <cstdint>
#include <string>
#include <vector>

#include "net/input_format.h"

namespace plexus {

enum class Activation : uint8_t {
  kDefault = 0, kMish = 1, kRelu = 2, kNone = 3, kTanh = 4, kSigmoid = 5, kSelu = 6, kSwish = 7, kRelu2 = 8, kSoftmax = 9
};
enum class BodyKind : uint8_t { kConvolution, kAttention };
enum class PolicyKind : uint8_t { kClassical = 1, kConvolution = 2, kAttention = 3 };
enum class ValueKind : uint8_t { kClassical = 1, kWdl = 2 };
enum class InputEmbedding : uint8_t { kNone = 0, kPeMap = 1, kPeDense = 2 };

struct ConvWeights {
  int in_channels = 0, out_channels = 0, kernel = 0;   // kernel 1 or 3, padding keeps 8x8
  std::vector<float> weights;    // [out][in][kernel][kernel]
  std::vector<float> biases;     // [out]
};
struct DenseWeights {
  int inputs = 0, outputs = 0;
  std::vector<float> weights;    // [outputs][inputs]
  std::vector<float> biases;     // [outputs]; may be empty where the format has none
};
struct SeWeights {               // out = sigmoid(w2 first half) * x + (w2 second half), see facts of the format
  DenseWeights squeeze;          // channels -> se_channels, then the default activation
  DenseWeights excite;           // se_channels -> 2 * channels
  bool present() const { return squeeze.outputs > 0; }
};
struct ResidualWeights {
  ConvWeights conv1, conv2;      // 3x3, channels -> channels
  SeWeights se;                  // optional
};
struct LayerNormWeights {
  std::vector<float> gammas, betas;   // [width]
};
struct SmolgenWeights {
  DenseWeights compress;         // embedding -> compressed, per square, no bias
  DenseWeights dense1, dense2;
  LayerNormWeights ln1, ln2;
  bool present() const { return compress.outputs > 0; }
};
struct MhaWeights {
  DenseWeights q, k, v, out;
  SmolgenWeights smolgen;
};
struct FfnWeights {
  DenseWeights dense1, dense2;
};
struct EncoderWeights {
  MhaWeights mha;
  LayerNormWeights ln1, ln2;
  FfnWeights ffn;
};
struct PolicyHeadWeights {
  std::string name;              // "vanilla" for networks with one head
  PolicyKind kind = PolicyKind::kClassical;
  ConvWeights conv1;             // convolution head: 3x3 channels -> channels (activation); empty otherwise
  ConvWeights conv;              // classical: 1x1 channels -> planes (activation); convolution: 3x3 channels -> 80 (none)
  DenseWeights dense;            // classical: planes*64 -> 1858 (input order [plane][square]); attention: embedding
  std::vector<EncoderWeights> encoders;   // attention
  int encoder_heads = 0;
  DenseWeights q, k;             // attention
  DenseWeights promotion;        // attention: d_model -> 4, no bias
};
struct ValueHeadWeights {
  std::string name;              // "winner" for networks with one head
  ValueKind kind = ValueKind::kClassical;
  ConvWeights conv;              // 1x1 channels -> planes (activation); convolution bodies
  DenseWeights embedding;        // attention bodies: per square
  DenseWeights dense1;           // (activation)
  DenseWeights dense2;           // -> 1 (tanh) or 3 (softmax W, D, L)
};
struct MovesLeftHeadWeights {
  ConvWeights conv;              // 1x1 (activation)
  DenseWeights embedding;        // attention bodies
  DenseWeights dense1;           // (activation)
  DenseWeights dense2;           // -> 1 (ReLU), plies
  bool present() const { return dense2.outputs > 0; }
};
struct AttentionBodyWeights {
  InputEmbedding input_embedding = InputEmbedding::kNone;
  DenseWeights preprocess;       // PE_DENSE
  DenseWeights embedding;        // per square
  LayerNormWeights embedding_ln;
  std::vector<float> multiply_gate, add_gate;    // [channel][square]
  FfnWeights embedding_ffn;
  LayerNormWeights embedding_ffn_ln;
  std::vector<EncoderWeights> encoders;
  int heads = 0;
  DenseWeights smolgen_global;   // per head -> 64*64, no bias
  Activation smolgen_activation = Activation::kDefault;
  Activation ffn_activation = Activation::kDefault;
};

struct NetworkWeights {
  // -- what the file says about itself --
  std::string source;            // path or "built in"
  std::string license;
  uint32_t training_steps = 0;
  std::string format;            // structure and least version, "SE_WITH_HEADFORMAT, version 0.21.0"; for the user
  std::string encodings;         // of the tensors, "LINEAR16" or "LINEAR16, FLOAT16"; empty if not from a file
  InputFormat input_format = InputFormat::kClassical;
  BodyKind body = BodyKind::kConvolution;
  Activation default_activation = Activation::kRelu;   // kRelu or kMish
  // -- body --
  int channels = 0;              // width of the body
  ConvWeights input;             // 3x3, 112 -> channels
  std::vector<ResidualWeights> residual;
  AttentionBodyWeights attention;
  // -- heads; at least one of each of the first two --
  std::vector<PolicyHeadWeights> policy_heads;
  std::vector<ValueHeadWeights> value_heads;
  MovesLeftHeadWeights moves_left;

  bool has_wdl() const { return !value_heads.empty() && value_heads[0].kind == ValueKind::kWdl; }
};

}  // namespace plexus
