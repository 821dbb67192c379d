#include "backend/reference/reference_device.h"

#include <algorithm>
#include <cassert>

#include "backend/reference/reference_layers.h"
#include "base/exception.h"
#include "net/network_support.h"
#include "net/weights_check.h"

namespace plexus {
namespace {

constexpr const char* kName = "reference";
constexpr EvaluatorAbilities kAbilities = {.attention_policy = true};

class ReferenceDevice : public Device {
 public:
  ReferenceDevice(std::shared_ptr<const NetworkWeights> weights, int max_batch)
      : weights_(std::move(weights)), max_batch_(max_batch) {}

  DeviceAttributes attributes() const override {
    DeviceAttributes result;
    result.name = "reference fp32";
    result.precision = "fp32";
    result.max_batch = max_batch_;
    result.best_batch = 1;
    result.has_wdl = weights_->has_wdl();
    result.has_moves_left = weights_->moves_left.present();
    return result;
  }

  void Run(const DeviceBatch& in, const LogitBatch& out) override {
    assert(in.size() > 0 && static_cast<int>(in.size()) <= max_batch_);
    for (size_t i = 0; i < in.size(); ++i) {
      const Tensor body = Body(in.planes[i]);
      const Activation activation = weights_->default_activation;
      const Tensor policy = PolicyLogits(weights_->policy_heads[0], activation, body);
      GatherLogits(in.Indices(i), policy, out.policy_logits.subspan(in.Begin(i)));
      const Tensor value = ValueLogits(weights_->value_heads[0], activation, body);
      std::copy(value.begin(), value.end(),
                out.value_logits.begin() + static_cast<ptrdiff_t>(i * 3));
      const MovesLeftHeadWeights& moves_left = weights_->moves_left;
      out.moves_left_plies[i] =
          moves_left.present() ? MovesLeftPlies(moves_left, activation, body) : 0.0f;
    }
  }

 private:
  Tensor Body(const InputPlanes& planes) const {
    Tensor values = Convolve(weights_->input, ExpandPlanes(planes));
    Activate(weights_->default_activation, &values);
    for (const ResidualWeights& block : weights_->residual) {
      values = ResidualBlock(block, weights_->default_activation, values);
    }
    return values;
  }

  std::shared_ptr<const NetworkWeights> weights_;
  int max_batch_;
};

}  // namespace

std::unique_ptr<Device> MakeReferenceDevice(std::shared_ptr<const NetworkWeights> weights,
                                            int max_batch) {
  CheckWeights(*weights);
  RequireSupported(*weights, kAbilities, kName);
  return std::make_unique<ReferenceDevice>(std::move(weights), max_batch);
}

std::vector<PlannedDevice> PlanReferenceDevices(const DeviceConfig& config) {
  const int max_batch = config.options.GetInt("max_batch", 64, 1, 1024);
  const int threads = config.options.GetInt("threads", 1, 1, 1024);
  if (!config.weights)
    throw Exception("The reference backend needs a network file.", "Set WeightsFile.");
  RequireSupported(*config.weights, kAbilities, kName);
  return SingleStreamDevices(threads, [weights = config.weights, max_batch] {
    return MakeReferenceDevice(weights, max_batch);
  });
}

}  // namespace plexus
