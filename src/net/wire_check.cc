#include "net/wire_check.h"

#include <google/protobuf/descriptor.h>

#include <cstdint>
#include <map>

#include "base/exception.h"

namespace plexus {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// Of one repeated field; the deepest networks have under 100 blocks.
constexpr int kMostMessages = 4096;
// Of a whole file; the largest networks have some thousands. Each may cost the parser some 100 bytes of memory.
constexpr int kMostFields = 1 << 20;

class WireChecker {
 public:
  WireChecker(std::string_view bytes, const std::string& source) : bytes_(bytes), source_(source) {}

  void Message(const Descriptor& message, size_t end) {
    std::map<int, int> entries;
    while (at_ < end) {
      if (++fields_ > kMostFields)
        Refuse("is one of more than " + std::to_string(kMostFields) + " fields", message.name());
      const uint64_t tag = Varint(end, message.name());
      const uint64_t number = tag >> 3;
      if (number == 0 || number > (1u << 29) - 1)
        Refuse("has the field number " + std::to_string(number), message.name());
      const FieldDescriptor* field = message.FindFieldByNumber(static_cast<int>(number));
      const std::string name =
          message.name() + "." + (field ? field->name() : std::to_string(number));
      Value(static_cast<int>(tag & 7), field, name, end, &entries);
    }
  }

 private:
  void Value(int wire_type, const FieldDescriptor* field, const std::string& name, size_t end,
             std::map<int, int>* entries) {
    switch (wire_type) {
      case 0:
        Varint(end, name);
        break;
      case 1:
        Skip(8, end, name);
        break;
      case 5:
        Skip(4, end, name);
        break;
      case 2: {
        const uint64_t length = Varint(end, name);
        if (length > end - at_) RunsPast(length, end, name);
        const bool is_message = field && field->type() == FieldDescriptor::TYPE_MESSAGE;
        if (!is_message) {
          at_ += length;
          break;
        }
        if (++(*entries)[field->number()] > kMostMessages) {
          Refuse("has more than " + std::to_string(kMostMessages) + " entries", name);
        }
        Message(*field->message_type(), at_ + length);
        break;
      }
      default:
        Refuse("has the unknown wire type " + std::to_string(wire_type), name);
    }
  }
  uint64_t Varint(size_t end, const std::string& name) {
    uint64_t value = 0;
    for (int i = 0; i < 10; ++i) {
      if (at_ >= end) RunsPast(1, end, name);
      const auto byte = static_cast<uint8_t>(bytes_[at_++]);
      if (i == 9 && byte > 1) break;
      value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
      if (byte < 0x80) return value;
    }
    Refuse("has a number of more than 64 bits", name);
  }
  void Skip(uint64_t count, size_t end, const std::string& name) {
    if (count > end - at_) RunsPast(count, end, name);
    at_ += count;
  }
  [[noreturn]] void RunsPast(uint64_t length, size_t end, const std::string& name) const {
    const std::string where = " at offset " + std::to_string(at_) + ": " + name + " needs " +
                              std::to_string(length) + " bytes and " + std::to_string(end - at_) +
                              " are left.";
    const bool truncated = end == bytes_.size();
    throw Exception(source_ + (truncated ? " is truncated or damaged" : " is damaged") + where,
                    "Download it again.");
  }
  [[noreturn]] void Refuse(const std::string& fault, const std::string& name) const {
    throw Exception(source_ + " is damaged or not a network at offset " + std::to_string(at_) +
                        ": " + name + " " + fault + ".",
                    "Download it again.");
  }

  std::string_view bytes_;
  const std::string& source_;
  size_t at_ = 0;
  int fields_ = 0;
};

}  // namespace

void CheckWire(std::string_view bytes, const Descriptor& message, const std::string& source) {
  WireChecker(bytes, source).Message(message, bytes.size());
}

}  // namespace plexus
