// A dense row-major array in host memory, as read from and written to files.
//
//   HostArray a = HostArray::zeros(DType::F32, {2, 3});
//   a.as<float>()[5] = 1;
//
// A plain value that owns its bytes. Not synchronised.
#ifndef TANDEM_RUNTIME_HOSTARRAY_H
#define TANDEM_RUNTIME_HOSTARRAY_H

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "tandem/Runtime/DType.h"

namespace tandem::runtime {

struct HostArray {
  DType dtype = DType::F32;
  std::vector<int64_t> dims;
  std::vector<std::byte> bytes; // elementCount(dims) * dtypeBytes(dtype)

  static HostArray zeros(DType dtype, std::vector<int64_t> dims);

  int64_t size() const { return elementCount(dims); }
  std::string type() const { return describeType(dtype, dims); }

  // The elements as T, whose size must be that of the element type.
  template <typename T> absl::Span<T> as() {
    return {reinterpret_cast<T *>(bytes.data()), bytes.size() / sizeof(T)};
  }
  template <typename T> absl::Span<const T> as() const {
    return {reinterpret_cast<const T *>(bytes.data()), bytes.size() / sizeof(T)};
  }
};

// Makes `array` an array of the wanted type where only its spelling differs: uint16 for a bf16
// value is its bits, likewise uint8 and int8 for one-byte types. Otherwise an error
// "inputs.npz: arg3: found f32[4], expected bf16[4]" with `where` in front.
[[nodiscard]] absl::Status adaptTo(HostArray &array, DType dtype, absl::Span<const int64_t> dims,
                                   absl::string_view where);

} // namespace tandem::runtime

#endif
