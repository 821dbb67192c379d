#include "backend/cpu/dispatch.h"

#include "base/exception.h"

namespace plexus {

const CpuKernels& SelectCpuKernels(const std::string& isa) {
  std::string built, usable;
  for (const CpuIsa& entry : BuiltCpuIsas()) {
    const bool supported = entry.is_supported();
    if (supported && (isa == "auto" || isa.empty() || isa == entry.kernels->isa))
      return *entry.kernels;
    if (isa == entry.kernels->isa) built = entry.needs;
    if (supported) usable += std::string(usable.empty() ? "" : ", ") + entry.kernels->isa;
  }
  if (!built.empty()) {
    throw Exception("isa=" + isa + " needs " + built + ", which this CPU does not have.",
                    "Use isa=auto or one of: " + usable + ".");
  }
  throw Exception("isa=" + isa + " is not an instruction set that this program was built for.",
                  "Use isa=auto or one of: " + usable + ".");
}

}  // namespace plexus
