#include "backend/cpu/dispatch.h"

#include "base/exception.h"

namespace plexus {

const CpuKernels& SelectCpuKernels(const std::string& isa, const std::string& precision) {
  const std::string asked = "isa=" + isa + ",precision=" + precision;
  std::string needs, usable;
  for (const CpuIsa& entry : BuiltCpuIsas()) {
    const bool supported = entry.is_supported();
    const bool fits =
        (isa == "auto" || isa == entry.kernels->isa) && precision == entry.kernels->precision;
    if (fits && supported) return *entry.kernels;
    if (fits) needs = entry.needs;
    if (supported) {
      usable += std::string(usable.empty() ? "" : ", ") + entry.kernels->isa + " in " +
                entry.kernels->precision;
    }
  }
  throw Exception(needs.empty() ? asked + " is nothing that this program was built for."
                                : asked + " needs " + needs + ", which this CPU does not have.",
                  "This CPU runs: " + usable + ".");
}

}  // namespace plexus
