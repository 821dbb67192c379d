#include "tools/json_text.h"

#include <gtest/gtest.h>

#include <limits>

#include "support/json.h"

namespace plexus {
namespace {

TEST(JsonText, WhatIsQuotedReadsBackTheSame) {
  const std::string text = "a \"quoted\" \\ path\n\twith \x01 and UTF-8 \xc3\xa4";
  EXPECT_EQ(Json::Parse(JsonQuote(text)).text, text);
}

TEST(JsonText, BytesThatAreNoUtf8AreReplaced) {
  EXPECT_EQ(JsonQuote("caf\xe9!"), "\"caf\xef\xbf\xbd!\"");
}

TEST(JsonText, NumbersHaveTheDigitsAskedForAndAreNeverNan) {
  EXPECT_EQ(JsonNumber(-0.5, 3), "-0.500");
  EXPECT_EQ(JsonNumber(std::numeric_limits<double>::infinity(), 3), "null");
  EXPECT_EQ(JsonNumber(std::numeric_limits<double>::quiet_NaN(), 3), "null");
}

}  // namespace
}  // namespace plexus
