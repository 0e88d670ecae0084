// Device memory: aligned blocks that are reused from step to step.
//
// Fresh pages cost several times what warm ones do (TOOLCHAIN: 3.4 times), so freed blocks wait
// in a cache of their client for a request of the same size.
#ifndef TANDEM_RUNTIME_EXECUTOR_MEMORY_H
#define TANDEM_RUNTIME_EXECUTOR_MEMORY_H

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace tandem::runtime {

inline constexpr size_t kBlockAlignment = 64;

class BlockCache;

// Owns one allocation; gives it back to its cache. Movable.
class Block {
public:
  Block() = default;
  // Memory of somebody else, which must live longer.
  static Block borrow(std::byte *pointer, size_t bytes);
  Block(Block &&other) noexcept;
  Block &operator=(Block &&other) noexcept;
  ~Block();

  std::byte *data() const { return pointer; }
  size_t size() const { return bytes; } // as requested

private:
  friend class BlockCache;
  std::byte *pointer = nullptr;
  size_t bytes = 0;
  std::shared_ptr<BlockCache> cache;
};

// Safe to use from any thread. Lives until the last of its blocks.
class BlockCache : public std::enable_shared_from_this<BlockCache> {
public:
  ~BlockCache();
  // Uninitialised bytes, aligned to 64; large blocks to 2 MiB, on huge pages where there are.
  // `what` stands in the message when there is no memory: "the constants".
  absl::StatusOr<Block> allocate(size_t bytes, absl::string_view what);

private:
  friend class Block;
  void free(std::byte *pointer, size_t bytes);

  std::mutex mutex;
  std::map<size_t, std::vector<std::byte *>> unused; // by allocated size
};

} // namespace tandem::runtime

#endif
