// Blocks of device memory: reuse, and the message when there is no more.
#include "runtime/executor/Memory.h"

#include <cstdint>

#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

TEST(BlockCache, blocksOfOneSizeAreReused) {
  auto cache = std::make_shared<BlockCache>();
  const std::byte *first = nullptr;
  {
    absl::StatusOr<Block> block = cache->allocate(100, "a test");
    ASSERT_OK(block);
    first = block->data();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(first) % kBlockAlignment, 0u);
  }
  absl::StatusOr<Block> again = cache->allocate(100, "a test");
  ASSERT_OK(again);
  EXPECT_EQ(again->data(), first);
}

TEST(BlockCache, lackOfMemorySaysWhatFor) {
  expectError(std::make_shared<BlockCache>()->allocate(SIZE_MAX, "the constants"),
              absl::StatusCode::kResourceExhausted,
              {"bytes for the constants", "tandem explain --memory"});
}

} // namespace
} // namespace tandem::runtime
