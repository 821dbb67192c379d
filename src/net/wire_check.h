#pragma once
// A walk over serialized protobuf that proves its structure before the real parser allocates
// anything.

#include <string>
#include <string_view>

namespace google::protobuf {
class Descriptor;
}

namespace plexus {

// Throws Exception naming `source`, the offset and the field for: a varint of more than 10 bytes, a
// field number 0, an unknown wire type, a length that runs past the end (of the file: truncated; of
// its message: damaged), more than 4096 entries in a repeated message, more than a million fields.
// Only messages of the schema are entered, which nests a few levels: whatever else a file nests is
// passed over as one field.
void CheckWire(std::string_view bytes, const google::protobuf::Descriptor& message,
               const std::string& source);

}  // namespace plexus
