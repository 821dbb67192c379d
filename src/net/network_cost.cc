#include "net/network_cost.h"

namespace plexus {
namespace {

constexpr uint64_t kSquares = 64;

// Multiply-adds.
uint64_t Once(const DenseWeights& dense) { return dense.weights.size(); }
uint64_t PerSquare(const DenseWeights& dense) { return kSquares * dense.weights.size(); }
uint64_t PerSquare(const ConvWeights& conv) { return kSquares * conv.weights.size(); }
uint64_t PerSquare(const FfnWeights& ffn) { return PerSquare(ffn.dense1) + PerSquare(ffn.dense2); }

uint64_t Encoder(const EncoderWeights& encoder, const DenseWeights& smolgen_global, int heads) {
  const MhaWeights& mha = encoder.mha;
  uint64_t sum = PerSquare(mha.q) + PerSquare(mha.k) + PerSquare(mha.v) + PerSquare(mha.out) +
                 PerSquare(encoder.ffn);
  // Every square looks at every square: queries by keys, then weights by values.
  sum += kSquares * kSquares * static_cast<uint64_t>(mha.q.outputs + mha.v.outputs);
  if (mha.smolgen.present()) {
    sum += PerSquare(mha.smolgen.compress) + Once(mha.smolgen.dense1) + Once(mha.smolgen.dense2);
    sum += static_cast<uint64_t>(heads) * Once(smolgen_global);
  }
  return sum;
}

uint64_t Body(const NetworkWeights& net) {
  uint64_t sum = PerSquare(net.input);
  for (const ResidualWeights& block : net.residual) {
    sum += PerSquare(block.conv1) + PerSquare(block.conv2) + Once(block.se.squeeze) +
           Once(block.se.excite);
  }
  if (net.body == BodyKind::kConvolution) return sum;
  const AttentionBodyWeights& body = net.attention;
  sum += Once(body.preprocess) + PerSquare(body.embedding) + PerSquare(body.embedding_ffn);
  for (const EncoderWeights& encoder : body.encoders)
    sum += Encoder(encoder, body.smolgen_global, body.heads);
  return sum;
}

uint64_t Policy(const PolicyHeadWeights& head) {
  switch (head.kind) {
    case PolicyKind::kClassical:
      return PerSquare(head.conv) + Once(head.dense);
    case PolicyKind::kConvolution:
      return PerSquare(head.conv1) + PerSquare(head.conv);
    case PolicyKind::kAttention:
      break;
  }
  uint64_t sum =
      PerSquare(head.dense) + PerSquare(head.q) + PerSquare(head.k) + 8 * Once(head.promotion);
  sum += kSquares * kSquares * static_cast<uint64_t>(head.q.outputs);
  for (const EncoderWeights& encoder : head.encoders)
    sum += Encoder(encoder, {}, head.encoder_heads);
  return sum;
}

// Value and moves-left heads have the same parts.
template <class Head>
uint64_t Scalar(const Head& head) {
  return PerSquare(head.conv) + PerSquare(head.embedding) + Once(head.dense1) + Once(head.dense2);
}

}  // namespace

uint64_t FlopsPerPosition(const NetworkWeights& weights) {
  return 2 * (Body(weights) + Policy(weights.policy_heads.at(0)) +
              Scalar(weights.value_heads.at(0)) + Scalar(weights.moves_left));
}

}  // namespace plexus
