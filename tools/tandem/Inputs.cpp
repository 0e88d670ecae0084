// Reads or makes the arguments of a run.
#include "Inputs.h"

#include "tandem/Runtime/Npz.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/APFloat.h"

#include <cmath>
#include <cstring>
#include <map>
#include <numbers>

namespace tandem::tool {
namespace {

using runtime::DType;
using runtime::HostArray;

// SplitMix64 (Steele, Lea, Flood 2014): a counter-based stream, the same everywhere.
class Random {
public:
  Random(uint64_t seed, uint64_t index) : state(mix(seed) ^ mix(index + 0x5851f42d4c957f2dULL)) {}

  uint64_t bits() { return mix(state += 0x9e3779b97f4a7c15ULL); }
  // In (0, 1].
  double uniform() { return static_cast<double>((bits() >> 11) + 1) * 0x1p-53; }
  // Box and Muller.
  double normal() {
    return std::sqrt(-2 * std::log(uniform())) * std::cos(2 * std::numbers::pi * uniform());
  }

private:
  static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  uint64_t state;
};

const llvm::fltSemantics &semanticsOf(DType dtype) {
  switch (dtype) {
  case DType::F8E3M4:
    return llvm::APFloat::Float8E3M4();
  case DType::F8E4M3:
    return llvm::APFloat::Float8E4M3();
  case DType::F8E4M3FN:
    return llvm::APFloat::Float8E4M3FN();
  case DType::F8E4M3FNUZ:
    return llvm::APFloat::Float8E4M3FNUZ();
  case DType::F8E4M3B11FNUZ:
    return llvm::APFloat::Float8E4M3B11FNUZ();
  case DType::F8E5M2:
    return llvm::APFloat::Float8E5M2();
  case DType::F8E5M2FNUZ:
    return llvm::APFloat::Float8E5M2FNUZ();
  case DType::BF16:
    return llvm::APFloat::BFloat();
  case DType::F16:
    return llvm::APFloat::IEEEhalf();
  case DType::F32:
  case DType::C64:
    return llvm::APFloat::IEEEsingle();
  default:
    return llvm::APFloat::IEEEdouble();
  }
}

// Little-endian bytes of `value` in the format of `dtype` (for complex: of its parts).
void storeFloat(double value, DType dtype, std::byte *destination, size_t bytes) {
  llvm::APFloat number(value);
  bool losesInfo = false;
  number.convert(semanticsOf(dtype), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  const uint64_t bits = number.bitcastToAPInt().getZExtValue();
  std::memcpy(destination, &bits, bytes);
}

absl::Status checkNumbers(const std::map<int64_t, HostArray> &arrays, size_t count,
                          absl::string_view prefix, const std::string &path) {
  if (arrays.empty() || arrays.rbegin()->first < static_cast<int64_t>(count))
    return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(path, ": found ", prefix, arrays.rbegin()->first,
                                                 ", expected at most ", count,
                                                 " arrays: the program has ", count, " arguments"));
}

} // namespace

HostArray makeArray(uint64_t seed, size_t index, DType dtype, absl::Span<const int64_t> dims) {
  constexpr double kDeviation = 0.1;
  constexpr uint64_t kIntegers = 8;
  HostArray array = HostArray::zeros(dtype, {dims.begin(), dims.end()});
  Random random(seed, index);
  const size_t parts = runtime::isComplex(dtype) ? 2 : 1;
  const size_t bytes = static_cast<size_t>(runtime::dtypeBytes(dtype)) / parts;
  std::byte *destination = array.bytes.data();
  for (int64_t i = 0, n = array.size() * static_cast<int64_t>(parts); i < n; ++i) {
    if (runtime::isInteger(dtype)) {
      // Signed 2- and 4-bit numbers share one byte per element: 0 and 1 fit all of them.
      const bool narrow = dtype == DType::I1 || dtype == DType::I2 || dtype == DType::UI2;
      const uint64_t value = random.bits() % (narrow ? 2 : kIntegers);
      std::memcpy(destination, &value, bytes);
    } else {
      storeFloat(kDeviation * random.normal(), dtype, destination, bytes);
    }
    destination += bytes;
  }
  return array;
}

absl::StatusOr<std::vector<runtime::Buffer>> makeArguments(const runtime::Executable &executable,
                                                           const std::string &path,
                                                           std::optional<int64_t> seed) {
  const program::ProgramT &program = executable.getProgram();
  const size_t count = program.arguments.size();
  std::map<int64_t, HostArray> arrays;
  std::vector<std::map<int64_t, HostArray>> shards;
  if (!path.empty()) {
    absl::StatusOr<std::map<int64_t, HostArray>> read = runtime::readIndexedNpz(path, "arg");
    if (!read.ok())
      return read.status();
    arrays = *std::move(read);
    for (unsigned device = 0; arrays.empty() && device < program.num_devices; ++device) {
      const std::string prefix = absl::StrCat("dev", device, "_arg");
      read = runtime::readIndexedNpz(path, prefix);
      if (!read.ok())
        return read.status();
      shards.push_back(*std::move(read));
      if (absl::Status status = checkNumbers(shards.back(), count, prefix, path); !status.ok())
        return status;
    }
    if (absl::Status status = checkNumbers(arrays, count, "arg", path); !status.ok())
      return status;
  }
  std::vector<runtime::Buffer> buffers;
  buffers.reserve(count);
  for (size_t i = 0; i < count; ++i) {
    const program::ArgumentT &argument = *program.arguments[i];
    const std::string where = absl::StrCat(path, path.empty() ? "" : ": ", "arg", i);
    absl::StatusOr<runtime::Buffer> buffer;
    if (!shards.empty() && shards[0].count(static_cast<int64_t>(i))) {
      std::vector<HostArray> locals;
      for (size_t device = 0; device < shards.size(); ++device) {
        auto found = shards[device].find(static_cast<int64_t>(i));
        if (found == shards[device].end())
          return absl::InvalidArgumentError(absl::StrCat(path, ": dev", device, "_arg", i,
                                                         " is missing; every device needs one"));
        HostArray local = std::move(found->second);
        if (absl::Status status =
                runtime::adaptTo(local, argument.type->dtype, argument.layout->local,
                                 absl::StrCat(path, ": dev", device, "_arg", i));
            !status.ok())
          return status;
        locals.push_back(std::move(local));
      }
      buffer = executable.makeArgumentFromShards(i, locals, where);
    } else {
      auto found = arrays.find(static_cast<int64_t>(i));
      HostArray array;
      if (found != arrays.end()) {
        array = std::move(found->second);
        if (absl::Status status =
                runtime::adaptTo(array, argument.type->dtype, argument.type->dims, where);
            !status.ok())
          return status;
      } else if (path.empty() || seed) {
        array = makeArray(static_cast<uint64_t>(seed.value_or(0)), i, argument.type->dtype,
                          argument.type->dims);
      } else {
        return absl::InvalidArgumentError(absl::StrCat(
            where, " is missing; expected ",
            runtime::describeType(argument.type->dtype, argument.type->dims),
            argument.name.empty() ? "" : absl::StrCat(" for argument '", argument.name, "'"),
            "; add it to the file, or pass --seed S to have missing arrays made"));
      }
      buffer = executable.makeArgument(i, array, where);
    }
    if (!buffer.ok())
      return buffer.status();
    buffers.push_back(*std::move(buffer));
  }
  return buffers;
}

} // namespace tandem::tool
