#pragma once
// Memory for arrays that live as long as a minibatch: their addresses stay until Reset.

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace plexus {

// Not thread-safe: owned by one worker. Elements of a new array are default-initialised once, when
// their memory is made; later arrays see what earlier ones left.
template <class T>
class Arena {
 public:
  explicit Arena(size_t block_size) : block_size_(block_size) {}
  std::span<T> Allocate(size_t count) {
    while (true) {
      if (block_ == blocks_.size()) {
        const size_t size = std::max(block_size_, count);
        blocks_.push_back({std::make_unique<T[]>(size), size});
      }
      Block& block = blocks_[block_];
      if (used_ + count <= block.size) {
        T* data = block.data.get() + used_;
        used_ += count;
        return {data, count};
      }
      ++block_;
      used_ = 0;
    }
  }
  // Gives back the end of the latest array: `count` elements of it are kept.
  void Shrink(std::span<T> latest, size_t count) { used_ -= latest.size() - count; }
  void Reset() { block_ = used_ = 0; }

 private:
  struct Block {
    std::unique_ptr<T[]> data;
    size_t size;
  };
  const size_t block_size_;
  std::vector<Block> blocks_;
  size_t block_ = 0, used_ = 0;
};

}  // namespace plexus
