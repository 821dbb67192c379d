#pragma once
// A device that does what a test tells it.

#include <gtest/gtest.h>

#include <atomic>
#include <condition_variable>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <thread>

#include "base/exception.h"
#include "net/device.h"

namespace plexus {

// Holds device threads inside Run until it is opened.
class RunGate {
 public:
  // Called by the device.
  void Pass() {
    std::unique_lock lock(mutex_);
    ++arrived_;
    changed_.notify_all();
    changed_.wait(lock, [&] { return open_ || passes_ > 0; });
    if (!open_) --passes_;
    if (broken_) throw Exception("interrupted.");
  }
  void WaitForArrivals(int number) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return arrived_ >= number; });
  }
  // Lets `number` batches through; later ones wait again.
  void Let(int number) {
    const std::lock_guard lock(mutex_);
    passes_ += number;
    changed_.notify_all();
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  void Break() {
    const std::lock_guard lock(mutex_);
    open_ = broken_ = true;
    changed_.notify_all();
  }
  int arrived() const {
    const std::lock_guard lock(mutex_);
    return arrived_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int arrived_ = 0, passes_ = 0;
  bool open_ = false, broken_ = false;
};

struct Script {
  int best_batch = 8;
  int streams = 1;
  int fail_at = 0;                  // the n-th Run of a stream throws
  int nan_from = 0, nan_count = 0;  // these Runs answer NaN
  std::function<void()> on_run = {};
  std::shared_ptr<RunGate> gate = nullptr;
  bool interruptible = true;  // Interrupt() breaks the gate

  Script Best(int n) const {
    Script s = *this;
    s.best_batch = n;
    return s;
  }
  Script Streams(int n) const {
    Script s = *this;
    s.streams = n;
    return s;
  }
  Script FailAt(int n) const {
    Script s = *this;
    s.fail_at = n;
    return s;
  }
  Script NanFrom(int n, int count) const {
    Script s = *this;
    s.nan_from = n;
    s.nan_count = count;
    return s;
  }
  Script OnRun(std::function<void()> f) const {
    Script s = *this;
    s.on_run = std::move(f);
    return s;
  }
  Script At(std::shared_ptr<RunGate> g) const {
    Script s = *this;
    s.gate = std::move(g);
    return s;
  }
  Script Deaf() const {
    Script s = *this;
    s.interruptible = false;
    return s;
  }
};

// Answers with the number that the position carries in its first mask.
class ScriptedDevice : public Device {
 public:
  explicit ScriptedDevice(const Script& script) : script_(script) {}

  DeviceAttributes attributes() const override {
    DeviceAttributes attributes;
    attributes.name = "scripted";
    attributes.max_batch = 64;
    attributes.best_batch = script_.best_batch;
    attributes.has_wdl = true;
    attributes.is_cpu = false;
    return attributes;
  }

  void Run(const DeviceBatch& in, const LogitBatch& out) override {
    EXPECT_EQ(std::this_thread::get_id(), thread_);
    ++runs_;
    if (script_.on_run) script_.on_run();
    if (script_.gate) script_.gate->Pass();
    if (runs_ == script_.fail_at) throw Exception("scripted failure.");
    const bool nan = runs_ >= script_.nan_from && runs_ < script_.nan_from + script_.nan_count;
    std::ranges::fill(out.policy_logits, 0.0f);
    std::ranges::fill(out.moves_left_plies, 0.0f);
    for (size_t i = 0; i < in.size(); ++i) {
      for (int k = 0; k < 3; ++k)
        out.value_logits[3 * i + k] = static_cast<float>(in.planes[i].mask[0]);
      if (nan) out.moves_left_plies[i] = std::numeric_limits<float>::quiet_NaN();
    }
  }

  void Interrupt() override {
    if (script_.gate && script_.interruptible) script_.gate->Break();
  }

 private:
  const Script script_;
  const std::thread::id thread_ = std::this_thread::get_id();
  int runs_ = 0;
};

}  // namespace plexus
