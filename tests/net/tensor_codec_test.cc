#include "net/tensor_codec.h"

#include <gtest/gtest.h>

#include <limits>

#include "base/exception.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

pblczero::Layer Linear16(float low, float high, const std::string& params) {
  pblczero::Layer layer;
  layer.set_min_val(low);
  layer.set_max_val(high);
  layer.set_params(params);
  return layer;
}

std::string MessageOf(const pblczero::Layer& layer) {
  try {
    DecodeTensor(layer, "net.pb: tensor x");
  } catch (const Exception& e) {
    return e.what();
  }
  return "";
}

TEST(TensorCodec, Linear16SpreadsTheRangeOverLittleEndianNumbers) {
  const std::vector<float> values =
      DecodeTensor(Linear16(-1, 3, std::string("\x00\x00\xff\xff\x00\x80", 6)), "x");
  ASSERT_EQ(values.size(), 3u);
  EXPECT_EQ(values[0], -1.0f);
  EXPECT_EQ(values[1], 3.0f);
  EXPECT_NEAR(values[2], -1 + 4 * 32768.0 / 65535, 1e-6);
}

TEST(TensorCodec, HalfAndSingleFloatsAreRawLittleEndian) {
  pblczero::Layer layer;
  layer.set_params(std::string("\x00\x3c\x00\xc0", 4));
  layer.set_encoding(pblczero::Layer::FLOAT16);
  EXPECT_EQ(DecodeTensor(layer, "x"), (std::vector<float>{1, -2}));
  layer.set_params(std::string("\x80\x3f\x00\xc0", 4));
  layer.set_encoding(pblczero::Layer::BFLOAT16);
  EXPECT_EQ(DecodeTensor(layer, "x"), (std::vector<float>{1, -2}));
  layer.set_params(std::string("\x00\x00\x20\x40", 4));
  layer.set_encoding(pblczero::Layer::FLOAT32);
  EXPECT_EQ(DecodeTensor(layer, "x"), (std::vector<float>{2.5f}));
}

TEST(TensorCodec, ALayerWithoutDataIsEmpty) {
  EXPECT_TRUE(DecodeTensor(pblczero::Layer(), "x").empty());
}

TEST(TensorCodec, EveryEncodingReadsBackWhatItWrote) {
  const std::vector<float> values = {-1.5f, 0, 0.25f, 2};
  for (const TensorEncoding encoding :
       {TensorEncoding::kFloat16, TensorEncoding::kBfloat16, TensorEncoding::kFloat32}) {
    pblczero::Layer layer;
    EncodeTensor(values, encoding, &layer);
    EXPECT_EQ(DecodeTensor(layer, "x"), values) << EncodingName(encoding);
  }
  pblczero::Layer layer;
  EncodeTensor(values, TensorEncoding::kLinear16, &layer);
  const std::vector<float> decoded = DecodeTensor(layer, "x");
  ASSERT_EQ(decoded.size(), values.size());
  for (size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(decoded[i], values[i], 0.51 * 3.5 / 65535);
}

TEST(TensorCodec, ATensorOfOneValueSurvivesLinear16) {
  pblczero::Layer layer;
  EncodeTensor(std::vector<float>{0.7f, 0.7f}, TensorEncoding::kLinear16, &layer);
  EXPECT_EQ(DecodeTensor(layer, "x"), (std::vector<float>{0.7f, 0.7f}));
}

TEST(TensorCodec, HalfAnElementIsRefusedByName) {
  const std::string message = MessageOf(Linear16(0, 1, "abc"));
  EXPECT_NE(message.find("net.pb: tensor x has 3 bytes"), std::string::npos) << message;
}

TEST(TensorCodec, ValuesThatAreNotNumbersAreRefused) {
  EXPECT_NE(MessageOf(Linear16(0, std::numeric_limits<float>::infinity(), "ab")), "");
  EXPECT_NE(MessageOf(Linear16(std::numeric_limits<float>::quiet_NaN(), 1, "ab")), "");
  pblczero::Layer layer;
  layer.set_params(std::string("\x00\x00\x00\x7c", 4));  // 0, infinity
  layer.set_encoding(pblczero::Layer::FLOAT16);
  EXPECT_NE(MessageOf(layer).find("index 1"), std::string::npos);
}

TEST(TensorCodec, AnUnknownEncodingIsRefusedByNumber) {
  pblczero::Layer layer = Linear16(0, 1, "ab");
  pblczero::Layer parsed;
  ASSERT_TRUE(parsed.ParseFromString(layer.SerializeAsString() + "\x20\x09"));  // encoding = 9
  EXPECT_NE(MessageOf(parsed).find("unknown encoding 9"), std::string::npos) << MessageOf(parsed);
}

}  // namespace
}  // namespace plexus
