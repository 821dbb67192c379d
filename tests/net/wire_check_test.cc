#include "net/wire_check.h"

#include <gtest/gtest.h>

#include "base/exception.h"
#include "net/random_weights.h"
#include "net/weights_writer.h"
#include "netproto/net.pb.h"

namespace plexus {
namespace {

std::string MessageOf(const std::string& bytes) {
  try {
    CheckWire(bytes, *pblczero::Net::descriptor(), "net.pb");
  } catch (const Exception& e) {
    return e.what();
  }
  return "";
}

void ExpectRefused(const std::string& bytes, const std::string& part) {
  const std::string message = MessageOf(bytes);
  EXPECT_NE(message.find(part), std::string::npos) << "message: " << message;
  EXPECT_NE(message.find("at offset"), std::string::npos) << "message: " << message;
}

TEST(WireCheck, ARealNetworkPasses) {
  EXPECT_EQ(MessageOf(SerializeNetwork(RandomWeights({.channels = 8, .blocks = 1}, 1),
                                       TensorEncoding::kLinear16)),
            "");
  EXPECT_EQ(MessageOf(""), "");
}

TEST(WireCheck, FieldsOfTheFutureAreSkipped) {
  EXPECT_EQ(MessageOf("\xa2\x06\x03"
                      "abc"),
            "");                             // field 100, three bytes
  EXPECT_EQ(MessageOf("\xa0\x06\x05"), "");  // field 100, a varint
}

// Case 158: readers must bound lengths.
TEST(WireCheck, ALengthPastTheEndIsATruncation) {
  ExpectRefused(
      "\x12\x0a"
      "abc",
      "truncated");  // license of 10 bytes, 3 left
  ExpectRefused(
      "\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"
      "abc",
      "Net.license");
  ExpectRefused(std::string("\x0d\xc0\x01\x00", 4), "Net.magic");
}

TEST(WireCheck, ALengthPastItsMessageIsDamage) {
  // min_version of two bytes, in which a field says it has 5 bytes.
  ExpectRefused(
      "\x1a\x02\x22\x05"
      "abcdefgh",
      "damaged at offset");
}

TEST(WireCheck, NumbersAboveTenBytesAreRefused) {
  ExpectRefused("\x1a\x0c\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", "64 bits");
  ExpectRefused(std::string(20, '\xff'), "64 bits");
}

TEST(WireCheck, UnknownWireTypesAndFieldZeroAreRefused) {
  ExpectRefused("\x13", "wire type 3");  // a group
  ExpectRefused("\x16", "wire type 6");
  ExpectRefused(std::string("\x00\x01", 2), "field number 0");
}

TEST(WireCheck, MessagesOfOneFieldAreBounded) {
  std::string weights;
  for (int i = 0; i < 5000; ++i) weights += std::string("\x12\x00", 2);  // empty residual blocks
  std::string bytes = "\x52";                                            // Net.weights
  bytes += static_cast<char>(0x80 | (weights.size() & 0x7f));
  bytes += static_cast<char>(weights.size() >> 7);
  ExpectRefused(bytes + weights, "Weights.residual has more than 4096 entries");
}

TEST(WireCheck, TheNumberOfFieldsIsBounded) {
  std::string bytes;
  for (int i = 0; i < (1 << 20) + 1; ++i) bytes += std::string("\x78\x01", 2);  // unknown field 15
  ExpectRefused(bytes, "fields");
}

// The schema nests a handful of levels, and what is not in the schema is not entered: a thousand levels of an unknown
// field are as flat as one.
TEST(WireCheck, AThousandLevelsOfNestingAreHarmless) {
  std::string bytes;
  for (int i = 0; i < 1000; ++i) {  // each level wraps the former
    std::string length;
    for (size_t rest = bytes.size();; rest >>= 7) {
      length += static_cast<char>((rest & 0x7f) | (rest > 0x7f ? 0x80 : 0));
      if (rest <= 0x7f) break;
    }
    bytes = "\x52" + length + bytes;
  }
  EXPECT_EQ(MessageOf(bytes), "");
}

}  // namespace
}  // namespace plexus
