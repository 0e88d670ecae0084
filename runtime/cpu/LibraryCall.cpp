// Checked views of a custom call's arrays and attributes.
#include "runtime/cpu/LibraryCall.h"

#include "absl/strings/str_cat.h"

namespace tandem::runtime {

namespace {

absl::Span<const int64_t> dimsOf(const TandemArray &array) {
  return {array.dims, static_cast<size_t>(array.rank)};
}

std::string describe(const TandemArray &array) {
  return describeType(static_cast<DType>(array.dtype), dimsOf(array));
}

} // namespace

void LibraryCall::require(bool condition, absl::string_view expected) {
  if (!condition && error.ok())
    error = absl::InvalidArgumentError(absl::StrCat("expected ", expected));
}

void LibraryCall::expectArrays(size_t operands, size_t results) {
  if (frame.num_operands != operands || frame.num_results != results)
    require(false, absl::StrCat(operands, " operands and ", results, " results, found ",
                                frame.num_operands, " and ", frame.num_results));
}

const TandemArray *LibraryCall::operandArray(size_t i) {
  require(i < frame.num_operands, absl::StrCat("an operand ", i));
  return error.ok() ? &frame.operands[i] : nullptr;
}

const TandemArray *LibraryCall::resultArray(size_t i) {
  require(i < frame.num_results, absl::StrCat("a result ", i));
  return error.ok() ? &frame.results[i] : nullptr;
}

LibraryCall::Split LibraryCall::split(const TandemArray *array, DType dtype) {
  if (!array)
    return {};
  bool fits = array->rank >= 2 && array->dtype == static_cast<int32_t>(dtype);
  require(fits, absl::StrCat("matrices of ", dtypeName(dtype), ", found ", describe(*array)));
  if (!fits)
    return {};
  absl::Span<const int64_t> dims = dimsOf(*array);
  int64_t count = elementCount(dims.first(dims.size() - 2));
  if (batches < 0)
    batches = count;
  require(batches == count, absl::StrCat(batches, " matrices, found ", describe(*array)));
  require(dims[dims.size() - 2] <= INT32_MAX && dims.back() <= INT32_MAX,
          absl::StrCat("fewer than 2^31 rows and columns, found ", describe(*array)));
  if (!error.ok())
    return {};
  return {array->data, dims[dims.size() - 2], dims.back()};
}

void *LibraryCall::counted(const TandemArray *array, DType dtype, int64_t perMatrix) {
  if (!array)
    return nullptr;
  require(array->dtype == static_cast<int32_t>(dtype) &&
              elementCount(dimsOf(*array)) == batch() * perMatrix,
          absl::StrCat(batch(), " times ", perMatrix, " elements of ", dtypeName(dtype), ", found ",
                       describe(*array)));
  return error.ok() ? array->data : nullptr;
}

void *LibraryCall::copy(size_t operand, size_t result) {
  const TandemArray *from = operandArray(operand), *to = resultArray(result);
  if (!from || !to)
    return nullptr;
  require(from->dtype == to->dtype && dimsOf(*from) == dimsOf(*to),
          absl::StrCat("result ", result, " of operand ", operand, "'s type ", describe(*from),
                       ", found ", describe(*to)));
  if (!error.ok())
    return nullptr;
  if (from->data != to->data)
    std::memcpy(to->data, from->data,
                static_cast<size_t>(elementCount(dimsOf(*from)) *
                                    dtypeBytes(static_cast<DType>(from->dtype))));
  return to->data;
}

const nlohmann::json &LibraryCall::attribute(const char *name) {
  static const nlohmann::json absent;
  if (attributes.is_null())
    attributes = nlohmann::json::parse(frame.attributes, nullptr, /*allow_exceptions=*/false);
  auto found = attributes.is_object() ? attributes.find(name) : attributes.end();
  require(found != attributes.end(), absl::StrCat("an attribute '", name, "'"));
  return error.ok() ? *found : absent;
}

char LibraryCall::letter(const char *name, absl::string_view allowed) {
  int64_t code = integer(name);
  bool isAllowed = code > 0 && code < 128 && allowed.find(static_cast<char>(code)) != allowed.npos;
  require(isAllowed, absl::StrCat("attribute '", name, "' to be the code of one of ", allowed,
                                  ", found ", code));
  return isAllowed ? static_cast<char>(code) : allowed[0];
}

bool LibraryCall::flag(const char *name) {
  const nlohmann::json &value = attribute(name);
  require(value.is_boolean(), absl::StrCat("attribute '", name, "' to be true or false"));
  return error.ok() && value.get<bool>();
}

int64_t LibraryCall::integer(const char *name) {
  const nlohmann::json &value = attribute(name);
  require(value.is_number_integer(), absl::StrCat("attribute '", name, "' to be an integer"));
  return error.ok() ? value.get<int64_t>() : 0;
}

std::string LibraryCall::text(const char *name) {
  const nlohmann::json &value = attribute(name);
  require(value.is_string(), absl::StrCat("attribute '", name, "' to be a string"));
  return error.ok() ? value.get<std::string>() : std::string();
}

std::vector<int64_t> LibraryCall::integers(const char *name) {
  const nlohmann::json &value = attribute(name);
  std::vector<int64_t> result;
  require(value.is_array(), absl::StrCat("attribute '", name, "' to be a list"));
  for (const nlohmann::json &element : value) {
    require(element.is_number_integer(), absl::StrCat("attribute '", name, "' to hold integers"));
    if (!error.ok())
      return {};
    result.push_back(element.get<int64_t>());
  }
  return result;
}

} // namespace tandem::runtime
