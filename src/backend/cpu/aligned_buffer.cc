#include "backend/cpu/aligned_buffer.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>

namespace plexus {
namespace {

constexpr size_t kCacheLine = 64;
constexpr size_t kHugePage = size_t{2} << 20;

}  // namespace

AlignedBuffer::AlignedBuffer(size_t floats) : size_(floats) {
  if (floats == 0) return;
  // A network's transformed weights and a block's scratch span hundreds of 4 KB pages: with huge pages the address
  // translation stays in its first-level cache.
  const size_t alignment = floats * sizeof(float) >= kHugePage / 2 ? kHugePage : kCacheLine;
  const size_t bytes = (floats * sizeof(float) + alignment - 1) / alignment * alignment;
  data_.reset(static_cast<float*>(std::aligned_alloc(alignment, bytes)));
  if (!data_) throw std::bad_alloc();
  if (alignment == kHugePage)
    madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish; failure only costs speed
  std::memset(data_.get(), 0, bytes);
}

void AlignedBuffer::Free::operator()(float* p) const { std::free(p); }

}  // namespace plexus
