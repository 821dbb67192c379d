#pragma once
// Counts of positive values over many orders of magnitude: latencies, batch sizes.

#include <cstdint>
#include <string>
#include <vector>

namespace plexus {

// Sixteen buckets for each factor of two: a percentile is off by at most 2.2 percent of its value;
// count, sum, least and greatest value are exact. Not thread-safe; add up those of several threads
// with Merge().
class Histogram {
 public:
  // Values of 0 or less count as the smallest value that can be told apart (2^-32).
  void Add(double value);
  void Merge(const Histogram& other);

  int64_t count() const { return count_; }
  double sum() const { return sum_; }
  double mean() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_); }
  double min() const { return min_; }  // 0 if empty
  double max() const { return max_; }
  // The value that `percent` percent of all values do not exceed, 0 <= percent <= 100; 0 if empty.
  double Percentile(double percent) const;
  // "n 12 mean 3.5 p50 3 p90 6 p99 8 max 8"
  std::string Describe() const;

 private:
  std::vector<int64_t> buckets_;
  int64_t count_ = 0;
  double sum_ = 0, min_ = 0, max_ = 0;
};

}  // namespace plexus
