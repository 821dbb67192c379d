#pragma once
// Which instruction set runs: chosen when the program runs, never when it is built.

#include <span>
#include <string>

#include "backend/cpu/kernels.h"

namespace plexus {

struct CpuIsa {
  const CpuKernels* kernels;
  bool (*is_supported)();  // by this CPU and operating system
  const char* needs;       // for the user: "AVX2 and FMA"
};

// What this program was built with, widest first; the last one runs everywhere.
std::span<const CpuIsa> BuiltCpuIsas();
// isa: "auto" (the widest that runs here) or a name; precision: "fp32" or "bf16". Throws Exception for an unknown one
// and for one that this CPU lacks, naming those that would do.
const CpuKernels& SelectCpuKernels(const std::string& isa, const std::string& precision = "fp32");

}  // namespace plexus
