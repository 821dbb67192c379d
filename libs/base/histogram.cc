#include "base/histogram.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace plexus {
namespace {

constexpr int kBucketsPerOctave = 16;
constexpr int kLowestExponent = -32, kHighestExponent = 63;
constexpr int kBuckets = (kHighestExponent - kLowestExponent) * kBucketsPerOctave;

size_t BucketOf(double value) {
  if (!(value > 0)) return 0;
  const double place = (std::log2(value) - kLowestExponent) * kBucketsPerOctave;
  return static_cast<size_t>(std::clamp(place, 0.0, kBuckets - 1.0));
}

// The middle of the bucket, on the logarithmic scale.
double MiddleOf(size_t bucket) {
  return std::exp2((static_cast<double>(bucket) + 0.5) / kBucketsPerOctave + kLowestExponent);
}

}  // namespace

void Histogram::Add(double value) {
  if (buckets_.empty()) buckets_.resize(kBuckets);
  ++buckets_[BucketOf(value)];
  min_ = count_ == 0 ? value : std::min(min_, value);
  max_ = count_ == 0 ? value : std::max(max_, value);
  ++count_;
  sum_ += value;
}

void Histogram::Merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (buckets_.empty()) buckets_.resize(kBuckets);
  for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  min_ = count_ == 0 ? other.min_ : std::min(min_, other.min_);
  max_ = count_ == 0 ? other.max_ : std::max(max_, other.max_);
  count_ += other.count_;
  sum_ += other.sum_;
}

double Histogram::Percentile(double percent) const {
  if (count_ == 0) return 0;
  const double wanted = std::ceil(percent / 100 * static_cast<double>(count_));
  const int64_t rank = std::clamp<int64_t>(static_cast<int64_t>(wanted), 1, count_);
  int64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= rank) return std::clamp(MiddleOf(i), min_, max_);
  }
  return max_;
}

std::string Histogram::Describe() const {
  char text[160];
  std::snprintf(text, sizeof(text), "n %lld mean %.4g p50 %.4g p90 %.4g p99 %.4g max %.4g",
                static_cast<long long>(count_), mean(), Percentile(50), Percentile(90),
                Percentile(99), max_);
  return text;
}

}  // namespace plexus
