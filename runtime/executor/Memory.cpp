// Allocation and reuse of blocks.
#include "runtime/executor/Memory.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>

#include "absl/strings/str_cat.h"

namespace tandem::runtime {
namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;

size_t allocatedBytes(size_t bytes) {
  return (std::max<size_t>(bytes, 1) + kBlockAlignment - 1) / kBlockAlignment * kBlockAlignment;
}

} // namespace

Block Block::borrow(std::byte *pointer, size_t bytes) {
  Block block;
  block.pointer = pointer;
  block.bytes = bytes;
  return block;
}

Block::Block(Block &&other) noexcept { *this = std::move(other); }

Block &Block::operator=(Block &&other) noexcept {
  std::swap(pointer, other.pointer);
  std::swap(bytes, other.bytes);
  std::swap(cache, other.cache);
  return *this;
}

Block::~Block() {
  if (cache && pointer)
    cache->free(pointer, allocatedBytes(bytes));
}

absl::StatusOr<Block> BlockCache::allocate(size_t bytes, absl::string_view what) {
  auto lacking = [&] {
    return absl::ResourceExhaustedError(absl::StrCat(
        "cannot allocate ", bytes, " bytes for ", what,
        "; 'tandem explain --memory' names the ops whose values need the most, and fewer devices "
        "in one process or --memory-limit need less"));
  };
  Block block;
  block.bytes = bytes;
  block.cache = shared_from_this();
  if (bytes > SIZE_MAX / 2)
    return lacking();
  size_t size = allocatedBytes(bytes);
  {
    std::lock_guard lock(mutex);
    auto entry = unused.find(size);
    if (entry != unused.end() && !entry->second.empty()) {
      block.pointer = entry->second.back();
      entry->second.pop_back();
      return block;
    }
  }
  bool isLarge = size >= kHugePageBytes;
  void *pointer = nullptr;
  if (posix_memalign(&pointer, isLarge ? kHugePageBytes : kBlockAlignment, size) != 0)
    return lacking();
  if (isLarge)
    madvise(pointer, size, MADV_HUGEPAGE); // a hint
  block.pointer = static_cast<std::byte *>(pointer);
  return block;
}

void BlockCache::free(std::byte *pointer, size_t bytes) {
  std::lock_guard lock(mutex);
  unused[bytes].push_back(pointer);
}

BlockCache::~BlockCache() {
  for (auto &[size, blocks] : unused)
    for (std::byte *pointer : blocks)
      std::free(pointer);
}

} // namespace tandem::runtime
