#include "net/weights_format.h"

#include <gtest/gtest.h>

#include "base/exception.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

using pblczero::NetworkFormat;

pblczero::Net Minimal() {
  pblczero::Net net;
  net.set_magic(0x1c0);
  net.mutable_weights();
  return net;
}

pblczero::Net WithFormat(NetworkFormat::NetworkStructure structure) {
  pblczero::Net net = Minimal();
  NetworkFormat& format = *net.mutable_format()->mutable_network_format();
  format.set_network(structure);
  format.set_policy(NetworkFormat::POLICY_CONVOLUTION);
  format.set_value(NetworkFormat::VALUE_WDL);
  return net;
}

std::string MessageOf(const pblczero::Net& net) {
  try {
    ReadFormat(net, "net.pb");
  } catch (const Exception& e) {
    EXPECT_FALSE(e.remedy().empty()) << e.what();
    return e.what();
  }
  return "";
}

void ExpectRefused(const pblczero::Net& net, const std::vector<std::string>& parts) {
  const std::string message = MessageOf(net);
  for (const std::string& part : parts)
    EXPECT_NE(message.find(part), std::string::npos) << "message: " << message;
}

TEST(WeightsFormat, AFileWithoutFormatIsClassical) {
  const WeightsFormat format = ReadFormat(Minimal(), "net.pb");
  EXPECT_EQ(format.input, InputFormat::kClassical);
  EXPECT_EQ(format.body, BodyKind::kConvolution);
  EXPECT_EQ(format.policy, PolicyKind::kClassical);
  EXPECT_EQ(format.value, ValueKind::kClassical);
  EXPECT_FALSE(format.moves_left);
}

TEST(WeightsFormat, StructuresBeforeHeadFormatsHaveClassicalHeads) {
  for (const auto structure : {NetworkFormat::NETWORK_CLASSICAL, NetworkFormat::NETWORK_SE}) {
    const WeightsFormat format = ReadFormat(WithFormat(structure), "net.pb");
    EXPECT_EQ(format.policy, PolicyKind::kClassical);
    EXPECT_EQ(format.value, ValueKind::kClassical);
  }
  const WeightsFormat format =
      ReadFormat(WithFormat(NetworkFormat::NETWORK_SE_WITH_HEADFORMAT), "net.pb");
  EXPECT_EQ(format.policy, PolicyKind::kConvolution);
  EXPECT_EQ(format.value, ValueKind::kWdl);
}

TEST(WeightsFormat, EncodersMakeAnAttentionBody) {
  pblczero::Net net = WithFormat(NetworkFormat::NETWORK_SE_WITH_HEADFORMAT);
  net.mutable_weights()->add_encoder();
  WeightsFormat format = ReadFormat(net, "net.pb");
  EXPECT_EQ(format.body, BodyKind::kAttention);
  EXPECT_EQ(format.input_embedding, InputEmbedding::kPeMap);
  EXPECT_EQ(format.ffn_activation, Activation::kDefault);
  net.mutable_weights()->mutable_smolgen_w();
  format = ReadFormat(net, "net.pb");
  EXPECT_EQ(format.ffn_activation, Activation::kRelu2);
  EXPECT_EQ(format.smolgen_activation, Activation::kSwish);
}

TEST(WeightsFormat, BothHeadMapsMakeAMultiheadNetworkWithADenseEmbedding) {
  pblczero::Net net = WithFormat(NetworkFormat::NETWORK_ATTENTIONBODY_WITH_HEADFORMAT);
  EXPECT_FALSE(ReadFormat(net, "net.pb").multihead);
  net.mutable_weights()->mutable_policy_heads();
  net.mutable_weights()->mutable_value_heads();
  const WeightsFormat format = ReadFormat(net, "net.pb");
  EXPECT_TRUE(format.multihead);
  EXPECT_EQ(format.input_embedding, InputEmbedding::kPeDense);
  EXPECT_TRUE(
      ReadFormat(WithFormat(NetworkFormat::NETWORK_AB_LEGACY_WITH_MULTIHEADFORMAT), "net.pb")
          .multihead);
}

// Case 157: a text that helps.
TEST(WeightsFormat, ANewerVersionIsRefusedWithBothVersions) {
  pblczero::Net net = Minimal();
  net.mutable_min_version()->set_minor(99);
  net.mutable_min_version()->set_patch(7);
  ExpectRefused(net, {"net.pb", "0.99.7", "0.33.0"});
  net.mutable_min_version()->set_major(0xffffffff);
  ExpectRefused(net, {"4294967295.99.7"});
  net.mutable_min_version()->set_major(0);
  net.mutable_min_version()->set_minor(33);
  net.mutable_min_version()->set_patch(0);
  EXPECT_EQ(MessageOf(net), "");
}

TEST(WeightsFormat, WhatCannotBeReadIsRefusedByName) {
  pblczero::Net net = Minimal();
  net.set_magic(5);
  ExpectRefused(net, {"not a network file", "5", "448"});
  net = Minimal();
  net.mutable_onnx_model();
  ExpectRefused(net, {"ONNX"});
  net = Minimal();
  net.clear_weights();
  ExpectRefused(net, {"no weights"});
  ExpectRefused(WithFormat(NetworkFormat::NETWORK_ONNX), {"NETWORK_ONNX"});
  net = WithFormat(NetworkFormat::NETWORK_SE_WITH_HEADFORMAT);
  net.mutable_format()->mutable_network_format()->set_value(NetworkFormat::VALUE_PARAM);
  ExpectRefused(net, {"VALUE_PARAM"});
  net.mutable_format()->mutable_network_format()->set_value(NetworkFormat::VALUE_WDL);
  net.mutable_format()->mutable_network_format()->clear_policy();
  ExpectRefused(net, {"POLICY_UNKNOWN"});
}

TEST(WeightsFormat, ValuesOfTheFutureAreRefusedByNumber) {
  pblczero::Net net = WithFormat(NetworkFormat::NETWORK_SE_WITH_HEADFORMAT);
  NetworkFormat& format = *net.mutable_format()->mutable_network_format();
  ASSERT_TRUE(format.ParseFromString(format.SerializeAsString() + "\x08\x63"));  // input = 99
  ExpectRefused(net, {"input format 99"});
}

}  // namespace
}  // namespace plexus
