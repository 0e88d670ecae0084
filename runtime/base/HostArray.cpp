// Host arrays and the few spellings of a type that are taken for each other.
#include "tandem/Runtime/HostArray.h"

#include "absl/strings/str_cat.h"

namespace tandem::runtime {

HostArray HostArray::zeros(DType dtype, std::vector<int64_t> dims) {
  HostArray array;
  array.dtype = dtype;
  array.bytes.resize(static_cast<size_t>(elementCount(dims) * dtypeBytes(dtype)));
  array.dims = std::move(dims);
  return array;
}

namespace {

// May the stored type stand for the wanted one, bit for bit?
bool isRawFormOf(DType stored, DType wanted) {
  switch (wanted) {
  case DType::BF16:
  case DType::F16:
    return stored == DType::UI16;
  case DType::I2:
  case DType::I4:
    return stored == DType::I8;
  case DType::UI2:
  case DType::UI4:
  case DType::I1:
    return stored == DType::UI8;
  default:
    return isFloat(wanted) && dtypeBytes(wanted) == 1 && stored == DType::UI8;
  }
}

} // namespace

absl::Status adaptTo(HostArray &array, DType dtype, absl::Span<const int64_t> dims,
                     absl::string_view where) {
  bool sameDims = absl::MakeConstSpan(array.dims) == dims;
  if (sameDims && array.dtype != dtype && isRawFormOf(array.dtype, dtype))
    array.dtype = dtype;
  if (sameDims && array.dtype == dtype && dtype == DType::I1)
    for (std::byte &byte : array.bytes) // whatever is not zero is true
      byte = std::byte{byte != std::byte{0}};
  if (!sameDims || array.dtype != dtype)
    return absl::InvalidArgumentError(absl::StrCat(where, where.empty() ? "" : ": ", "found ",
                                                   array.type(), ", expected ",
                                                   describeType(dtype, dims)));
  return absl::OkStatus();
}

} // namespace tandem::runtime
