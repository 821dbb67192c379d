#pragma once
// Zeroed memory for kernels: cache-line aligned, large ones on huge pages where the system gives them.

#include <cstddef>
#include <memory>

namespace plexus {

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  // Throws std::bad_alloc.
  explicit AlignedBuffer(size_t floats);

  float* data() { return data_.get(); }
  const float* data() const { return data_.get(); }
  size_t size() const { return size_; }  // floats
  float& operator[](size_t i) { return data_.get()[i]; }
  const float& operator[](size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(float* p) const;
  };
  std::unique_ptr<float, Free> data_;
  size_t size_ = 0;
};

}  // namespace plexus
