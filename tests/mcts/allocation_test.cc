// Nothing is allocated while a worker holds the tree's lock, and a node takes no more memory than it should.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "support/search_fixture.h"

namespace {

thread_local int64_t allocations = 0;

}  // namespace

// All of this program's; they only count. Every form, since a sanitizer has its own of those that are missing here. Not
// inlined, or gcc sees a free() of what new gave.
[[gnu::noinline]] void* operator new(size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size > 0 ? size : 1);
}
[[gnu::noinline]] void* operator new(size_t size) {
  if (void* memory = operator new(size, std::nothrow)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void* operator new[](size_t size) { return operator new(size); }
[[gnu::noinline]] void* operator new[](size_t size, const std::nothrow_t&) noexcept {
  return operator new(size, std::nothrow);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete[](void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace plexus {
namespace {

// Gather and BackUp hold the lock for nearly all of their time; what they do before and after allocates nothing either.
TEST(Allocation, AWorkerThatRunsForAWhileAllocatesNothingUnderTheLock) {
  for (const char* fen : {kStartFen, kMiddlegameFen}) {
    PhaseFixture f(fen);
    f.params.minibatch_size = 64;
    SearchWorker worker(f.shared());
    int64_t under_the_lock = 0, elsewhere = 0;
    for (int i = 0; i < 600; ++i) {
      const int64_t before = allocations;
      worker.Gather();
      const int64_t gathered = allocations;
      worker.Extend();
      ASSERT_TRUE(worker.Compute());
      const int64_t computed = allocations;
      worker.BackUp();
      if (i == 0) continue;  // the root's own vectors
      under_the_lock += gathered - before + allocations - computed;
      elsewhere += computed - gathered;
    }
    EXPECT_EQ(under_the_lock, 0) << fen;
    EXPECT_GT(elsewhere, 0) << fen;  // the counter counts
  }
}

TEST(Allocation, ANodeTakesFewBytesMoreThanItsPriors) {
  for (const char* fen : {kStartFen, kMiddlegameFen}) {
    PhaseFixture f(fen);
    f.params.minibatch_size = 64;
    f.Grow(600);
    TreeReadLock lock(f.tree.nodes_mutex());
    ASSERT_GT(f.tree.nodes_in_use(), 20'000);
    // Node, slot with a little slack, 12 bits for each of 30 and 45 moves, network value, rounding.
    EXPECT_LE(f.tree.bytes_in_use() / f.tree.nodes_in_use(), fen == kStartFen ? 120 : 140) << fen;
  }
}

}  // namespace
}  // namespace plexus
