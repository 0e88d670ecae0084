// Tiles of global arrays, and Buffers.
#include "runtime/executor/Placement.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace tandem::runtime {
namespace {

// Calls body(globalOffset, localOffset, bytes) for each contiguous run of the tile that lies
// inside the global array; offsets in bytes.
template <typename Body> void forEachRun(const Placement &placement, uint32_t device, Body body) {
  size_t rank = placement.dims.size();
  int64_t unit = dtypeBytes(placement.dtype);
  if (rank == 0) {
    body(int64_t{0}, int64_t{0}, unit);
    return;
  }
  std::vector<int64_t> begin(rank), count(rank), globalStride(rank), localStride(rank);
  int64_t global = unit, local = unit;
  for (size_t d = rank; d-- > 0;) {
    begin[d] = int64_t{placement.tiles[device * rank + d]} * placement.local[d];
    count[d] = std::min(placement.local[d], placement.dims[d] - begin[d]);
    if (count[d] <= 0)
      return; // all padding, or empty
    globalStride[d] = global;
    localStride[d] = local;
    global *= placement.dims[d];
    local *= placement.local[d];
  }
  // Dimensions that are whole on both sides are part of the run.
  size_t runDim = rank - 1;
  while (runDim > 0 && placement.local[runDim] == placement.dims[runDim])
    --runDim;
  int64_t runBytes = count[runDim] * localStride[runDim];
  int64_t globalOffset = 0, localOffset = 0;
  for (size_t d = 0; d < rank; ++d)
    globalOffset += begin[d] * globalStride[d];
  std::vector<int64_t> index(runDim, 0);
  for (;;) {
    body(globalOffset, localOffset, runBytes);
    size_t d = runDim;
    while (d-- > 0) {
      globalOffset += globalStride[d];
      localOffset += localStride[d];
      if (++index[d] < count[d])
        break;
      globalOffset -= globalStride[d] * count[d];
      localOffset -= localStride[d] * count[d];
      index[d] = 0;
    }
    if (d == static_cast<size_t>(-1))
      return;
  }
}

} // namespace

Placement::Placement(const program::TensorTypeT &type, const program::LayoutT &layout,
                     uint32_t numDevices)
    : dtype(type.dtype), dims(type.dims), local(layout.local), tiles(layout.tiles),
      numDevices(numDevices) {}

void Placement::scatter(const std::byte *global, uint32_t device, std::byte *tile) const {
  size_t covered = 0;
  forEachRun(*this, device,
             [&](int64_t, int64_t, int64_t bytes) { covered += static_cast<size_t>(bytes); });
  if (covered != localBytes())
    std::memset(tile, 0, localBytes());
  forEachRun(*this, device, [&](int64_t globalOffset, int64_t localOffset, int64_t bytes) {
    std::memcpy(tile + localOffset, global + globalOffset, static_cast<size_t>(bytes));
  });
}

std::optional<int64_t> Placement::stretch(uint32_t device) const {
  std::optional<int64_t> begin;
  forEachRun(*this, device, [&](int64_t globalOffset, int64_t, int64_t bytes) {
    if (static_cast<size_t>(bytes) == localBytes())
      begin = globalOffset;
  });
  return begin;
}

int64_t Placement::gather(const std::byte *tile, uint32_t device, std::byte *global,
                          bool isReplica) const {
  int64_t difference = -1;
  forEachRun(*this, device, [&](int64_t globalOffset, int64_t localOffset, int64_t bytes) {
    if (!isReplica) {
      std::memcpy(global + globalOffset, tile + localOffset, static_cast<size_t>(bytes));
      return;
    }
    if (difference >= 0 ||
        std::memcmp(global + globalOffset, tile + localOffset, static_cast<size_t>(bytes)) == 0)
      return;
    const std::byte *a = global + globalOffset, *b = tile + localOffset;
    difference = globalOffset + (std::mismatch(a, a + bytes, b).first - a);
  });
  return difference;
}

absl::StatusOr<std::unique_ptr<Buffer::Storage>>
allocateStorage(std::shared_ptr<const Placement> placement, BlockCache &cache) {
  auto storage = std::make_unique<Buffer::Storage>();
  for (uint32_t device = 0; device < placement->numDevices; ++device) {
    absl::StatusOr<Block> block =
        cache.allocate(placement->localBytes(), "a device's part of an argument or result");
    if (!block.ok())
      return block.status();
    storage->blocks.push_back(std::move(*block));
  }
  storage->placement = std::move(placement);
  return storage;
}

Buffer::Buffer() = default;
Buffer::Buffer(Buffer &&) noexcept = default;
Buffer &Buffer::operator=(Buffer &&) noexcept = default;
Buffer::~Buffer() = default;
Buffer::Buffer(std::unique_ptr<Storage> storage) : storage(std::move(storage)) {}

bool Buffer::isEmpty() const { return !storage; }
DType Buffer::dtype() const { return storage->placement->dtype; }
absl::Span<const int64_t> Buffer::dims() const { return storage->placement->dims; }
int64_t Buffer::bytesPerDevice() const {
  return static_cast<int64_t>(storage->placement->localBytes());
}
int Buffer::numDevices() const { return static_cast<int>(storage->blocks.size()); }
const void *Buffer::data(int device) const {
  return storage->blocks[static_cast<size_t>(device)].data();
}

absl::StatusOr<HostArray> Buffer::toHost() const {
  if (!storage)
    return absl::FailedPreconditionError("the buffer is empty: it was donated");
  const Placement &placement = *storage->placement;
  HostArray array = HostArray::zeros(placement.dtype, placement.dims);
  size_t rank = placement.dims.size();
  std::map<std::vector<uint32_t>, uint32_t> firstWithTile;
  for (uint32_t device = 0; device < placement.numDevices; ++device) {
    auto begin = placement.tiles.begin() + device * rank;
    auto [entry, isFirst] =
        firstWithTile.try_emplace(std::vector<uint32_t>(begin, begin + rank), device);
    int64_t difference = placement.gather(storage->blocks[device].data(), device,
                                          array.bytes.data(), /*isReplica=*/!isFirst);
    if (difference < 0)
      continue;
    int64_t element = difference / dtypeBytes(placement.dtype);
    std::vector<int64_t> index(rank);
    for (size_t d = rank; d-- > 0;) {
      index[d] = element % placement.dims[d];
      element /= placement.dims[d];
    }
    return absl::InternalError(absl::StrCat(
        "devices ", entry->second, " and ", device, " hold different values of ", array.type(),
        " at [", absl::StrJoin(index, ", "), "], which should be replicated"));
  }
  return array;
}

} // namespace tandem::runtime
