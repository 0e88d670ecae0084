// How a global array lies on devices, and copying between the two.
//
// Example: f32[6,4] with local shape [2,4] and tiles 0, 1, 2 in dimension 0 lies on three
// devices; a fourth device with tile 0 holds a replica of the first's rows.
#ifndef TANDEM_RUNTIME_EXECUTOR_PLACEMENT_H
#define TANDEM_RUNTIME_EXECUTOR_PLACEMENT_H

#include <memory>
#include <optional>
#include <vector>

#include "runtime/executor/Memory.h"
#include "tandem/Runtime/Client.h"
#include "tandem/Runtime/HostArray.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

struct Placement {
  DType dtype;
  std::vector<int64_t> dims;   // global
  std::vector<int64_t> local;  // of every device
  std::vector<uint32_t> tiles; // devices x rank
  uint32_t numDevices = 0;

  Placement(const program::TensorTypeT &type, const program::LayoutT &layout, uint32_t numDevices);
  bool operator==(const Placement &) const = default;

  size_t localBytes() const { return static_cast<size_t>(elementCount(local) * dtypeBytes(dtype)); }
  // Copies a device's tile out of a global array; what lies beyond the array becomes zero.
  void scatter(const std::byte *global, uint32_t device, std::byte *tile) const;
  // Where a device's tile begins in a global array, in bytes, if the tile is one stretch of it.
  std::optional<int64_t> stretch(uint32_t device) const;
  // Copies it back. Where `isReplica`, compares instead: the byte offset in the global array of
  // the first element that differs, or -1.
  int64_t gather(const std::byte *tile, uint32_t device, std::byte *global, bool isReplica) const;
};

struct Buffer::Storage {
  std::shared_ptr<const Placement> placement;
  std::vector<Block> blocks; // by device
  bool isBorrowed = false;   // some are the caller's memory
};

// Uninitialised memory on every device.
absl::StatusOr<std::unique_ptr<Buffer::Storage>>
allocateStorage(std::shared_ptr<const Placement> placement, BlockCache &cache);

} // namespace tandem::runtime

#endif
