// Run by the build: writes the network that is built into the program, as long as there is no trained one: small, of
// seeded random numbers, the same on every machine. Usage: make_builtin_network OUTPUT.pb.gz

#include <cstdio>
#include <exception>

#include "base/files.h"
#include "net/random_weights.h"
#include "net/weights_writer.h"

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "Usage: make_builtin_network OUTPUT.pb.gz\n");
    return 2;
  }
  try {
    plexus::RandomNetworkShape shape;
    shape.channels = 32;
    shape.blocks = 2;
    shape.se_channels = 8;
    const plexus::NetworkWeights weights = plexus::RandomWeights(shape, 20260101);
    const std::string bytes = plexus::SerializeNetwork(weights, plexus::TensorEncoding::kLinear16);
    plexus::WriteFile(argv[1], plexus::Gzip(bytes));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "make_builtin_network: %s\n", error.what());
    return 1;
  }
  return 0;
}
