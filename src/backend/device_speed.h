#pragma once
// How long a device takes for a batch, learned from the batches that it has run.

namespace plexus {

// Seconds for n positions = latency + n * position time, fitted by least squares; older batches count less.
class DeviceSpeed {
 public:
  // A batch of `positions` kept the device busy for `seconds`. The very first one is replaced by the second: it also
  // paid for warming up. Nothing is learned from a batch that took no time.
  void Add(int positions, double seconds);

  bool known() const { return weight_ > 0; }
  // 0 if nothing is known.
  double Seconds(int positions) const { return latency_s_ + positions * position_s_; }
  double latency_s() const { return latency_s_; }
  double position_s() const { return position_s_; }
  // Batches were so alike that latency could not be told from the rest; Seconds() is right for such batches only, and
  // latency_s() is 0.
  bool latency_known() const { return latency_known_; }

 private:
  void Fit();

  // Weighted sums of 1, n, n * n, t, n * t.
  double weight_ = 0, n_ = 0, nn_ = 0, t_ = 0, nt_ = 0;
  bool warm_ = false;
  bool latency_known_ = false;
  double latency_s_ = 0, position_s_ = 0;
};

}  // namespace plexus
