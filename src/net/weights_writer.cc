#include "net/weights_writer.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include "base/exception.h"
#include "net/weights_check.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

using pblczero::NetworkFormat;

constexpr uint32_t kMagic = 0x1c0;

class WeightsWriter {
 public:
  WeightsWriter(const NetworkWeights& weights, TensorEncoding encoding)
      : weights_(weights), encoding_(encoding) {}

  std::string Write() {
    if (weights_.body != BodyKind::kConvolution || !weights_.policy_heads.at(0).encoders.empty()) {
      throw Exception(weights_.source + " has encoder layers, which cannot be written yet.",
                      "Only convolutional networks can be written.");
    }
    CheckWeights(weights_);
    net_.set_magic(kMagic);
    if (!weights_.license.empty()) net_.set_license(weights_.license);
    Version();
    Format();
    if (weights_.training_steps)
      net_.mutable_training_params()->set_training_steps(weights_.training_steps);
    Body();
    Policy(weights_.policy_heads[0]);
    Value(weights_.value_heads.at(0));
    if (weights_.moves_left.present()) MovesLeft(weights_.moves_left);
    return Bytes();
  }

 private:
  // The oldest readers that know what the file holds.
  void Version() {
    const bool own_encodings = encoding_ != TensorEncoding::kLinear16;
    net_.mutable_min_version()->set_major(0);
    net_.mutable_min_version()->set_minor(own_encodings                                      ? 33
                                          : weights_.default_activation == Activation::kMish ? 30
                                                                                             : 25);
  }
  void Format() {
    net_.mutable_format()->set_weights_encoding(pblczero::Format::LINEAR16);
    bool any_se = false;
    for (const ResidualWeights& block : weights_.residual) any_se = any_se || block.se.present();
    NetworkFormat& format = *net_.mutable_format()->mutable_network_format();
    format.set_input(static_cast<NetworkFormat::InputFormat>(weights_.input_format));
    format.set_output(weights_.has_wdl() ? NetworkFormat::OUTPUT_WDL
                                         : NetworkFormat::OUTPUT_CLASSICAL);
    format.set_network(any_se ? NetworkFormat::NETWORK_SE_WITH_HEADFORMAT
                              : NetworkFormat::NETWORK_CLASSICAL_WITH_HEADFORMAT);
    format.set_policy(static_cast<NetworkFormat::PolicyFormat>(weights_.policy_heads[0].kind));
    format.set_value(weights_.has_wdl() ? NetworkFormat::VALUE_WDL
                                        : NetworkFormat::VALUE_CLASSICAL);
    format.set_moves_left(weights_.moves_left.present() ? NetworkFormat::MOVES_LEFT_V1
                                                        : NetworkFormat::MOVES_LEFT_NONE);
    switch (weights_.default_activation) {
      case Activation::kRelu:
        format.set_default_activation(NetworkFormat::DEFAULT_ACTIVATION_RELU);
        break;
      case Activation::kMish:
        format.set_default_activation(NetworkFormat::DEFAULT_ACTIVATION_MISH);
        break;
      default:
        throw Exception(
            weights_.source + " has a default activation that the network format cannot name.",
            "Use ReLU or mish.");
    }
  }
  void Tensor(const std::vector<float>& values, pblczero::Layer* layer) const {
    EncodeTensor(values, encoding_, layer);
  }
  void Conv(const ConvWeights& conv, pblczero::ConvBlock* block) const {
    Tensor(conv.weights, block->mutable_weights());
    Tensor(conv.biases, block->mutable_biases());
  }
  void Dense(const DenseWeights& dense, pblczero::Layer* weights, pblczero::Layer* biases) const {
    Tensor(dense.weights, weights);
    Tensor(dense.biases, biases);
  }
  void Body() {
    pblczero::Weights& out = *net_.mutable_weights();
    Conv(weights_.input, out.mutable_input());
    for (const ResidualWeights& block : weights_.residual) {
      pblczero::Residual& residual = *out.add_residual();
      Conv(block.conv1, residual.mutable_conv1());
      Conv(block.conv2, residual.mutable_conv2());
      if (!block.se.present()) continue;
      Dense(block.se.squeeze, residual.mutable_se()->mutable_w1(),
            residual.mutable_se()->mutable_b1());
      Dense(block.se.excite, residual.mutable_se()->mutable_w2(),
            residual.mutable_se()->mutable_b2());
    }
  }
  void Policy(const PolicyHeadWeights& head) {
    pblczero::Weights& out = *net_.mutable_weights();
    switch (head.kind) {
      case PolicyKind::kClassical:
        Conv(head.conv, out.mutable_policy());
        Dense(head.dense, out.mutable_ip_pol_w(), out.mutable_ip_pol_b());
        break;
      case PolicyKind::kConvolution:
        Conv(head.conv1, out.mutable_policy1());
        Conv(head.conv, out.mutable_policy());
        break;
      case PolicyKind::kAttention:
        Dense(head.dense, out.mutable_ip_pol_w(), out.mutable_ip_pol_b());
        Dense(head.q, out.mutable_ip2_pol_w(), out.mutable_ip2_pol_b());
        Dense(head.k, out.mutable_ip3_pol_w(), out.mutable_ip3_pol_b());
        Tensor(head.promotion.weights, out.mutable_ip4_pol_w());
        break;
    }
  }
  void Value(const ValueHeadWeights& head) {
    pblczero::Weights& out = *net_.mutable_weights();
    Conv(head.conv, out.mutable_value());
    Dense(head.dense1, out.mutable_ip1_val_w(), out.mutable_ip1_val_b());
    Dense(head.dense2, out.mutable_ip2_val_w(), out.mutable_ip2_val_b());
  }
  void MovesLeft(const MovesLeftHeadWeights& head) {
    pblczero::Weights& out = *net_.mutable_weights();
    Conv(head.conv, out.mutable_moves_left());
    Dense(head.dense1, out.mutable_ip1_mov_w(), out.mutable_ip1_mov_b());
    Dense(head.dense2, out.mutable_ip2_mov_w(), out.mutable_ip2_mov_b());
  }
  std::string Bytes() const {
    std::string bytes;
    {
      google::protobuf::io::StringOutputStream stream(&bytes);
      google::protobuf::io::CodedOutputStream coded(&stream);
      coded.SetSerializationDeterministic(true);
      if (!net_.SerializeToCodedStream(&coded))
        throw Exception(weights_.source + " could not be serialized.");
    }
    return bytes;
  }

  const NetworkWeights& weights_;
  TensorEncoding encoding_;
  pblczero::Net net_;
};

}  // namespace

std::string SerializeNetwork(const NetworkWeights& weights, TensorEncoding encoding) {
  return WeightsWriter(weights, encoding).Write();
}

}  // namespace plexus
