#include "backend/cpu/cpu_device.h"

#include <algorithm>
#include <string>
#include <utility>

#include "backend/cpu/dispatch.h"
#include "backend/cpu/network_runner.h"
#include "base/cpu_info.h"
#include "base/exception.h"

namespace plexus {
namespace {

struct CpuDeviceSettings {
  const CpuKernels* kernels = nullptr;
  std::shared_ptr<const PackedNetwork> network;
  int max_batch = 256;
  int best_batch = 0;  // 0: two blocks
};

class CpuDevice : public Device {
 public:
  explicit CpuDevice(CpuDeviceSettings settings)
      : settings_(std::move(settings)), runner_(*settings_.kernels, settings_.network) {}

  DeviceAttributes attributes() const override {
    DeviceAttributes attributes;
    attributes.name =
        std::string("cpu ") + settings_.kernels->precision + " " + settings_.kernels->isa;
    attributes.precision = settings_.kernels->precision;
    attributes.max_batch = settings_.max_batch;
    const int best = settings_.best_batch > 0 ? settings_.best_batch : 2 * runner_.block_boards();
    attributes.best_batch = std::min(best, settings_.max_batch);
    attributes.has_wdl = settings_.network->has_wdl;
    attributes.has_moves_left = settings_.network->moves_left.present();
    return attributes;
  }

  void Run(const DeviceBatch& in, const LogitBatch& out) override {
    if (in.size() == 0 || in.size() > static_cast<size_t>(settings_.max_batch)) {
      throw Exception("cpu device: a batch of " + std::to_string(in.size()) + " positions; 1 to " +
                          std::to_string(settings_.max_batch) + " are possible.",
                      "Raise max_batch in the backend's options.");
    }
    runner_.Run(in, out);
  }

 private:
  const CpuDeviceSettings settings_;
  NetworkRunner runner_;
};

}  // namespace

std::vector<PlannedDevice> PlanCpuDevices(const DeviceConfig& config) {
  const OptionsDict& options = config.options;
  int threads = options.GetInt("threads", 0, 0, 1024);
  if (threads == 0) threads = ReadCpuInfo().UsableCores();
  const std::string isa = options.GetString("isa", "auto");
  const std::string precision = options.GetString("precision", "fp32");
  const bool winograd = options.GetBool("winograd", true);
  CpuDeviceSettings settings;
  settings.max_batch = options.GetInt("max_batch", 256, 1, 65536);
  settings.best_batch = options.GetInt("batch", 0, 0, settings.max_batch);
  if (precision != "fp32" && !winograd) {
    throw Exception("cpu backend: winograd=false is there for precision=fp32 only.",
                    "Leave one of them out.");
  }
  settings.kernels = &SelectCpuKernels(isa, precision);
  if (!config.weights)
    throw Exception("The cpu backend needs a network.", "Name one with --weights.");
  settings.network = PackNetwork(*config.weights, MethodOf(*settings.kernels, winograd));
  const DeviceFactory factory = [settings] { return std::make_unique<CpuDevice>(settings); };
  return SingleStreamDevices(threads, factory);
}

}  // namespace plexus
