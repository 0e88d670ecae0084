// What the built-in custom-call kernels share: typed, checked views of a frame's arrays.
//
//   absl::Status solve(LibraryCall &call) {
//     Matrices<float> a = call.matrices<float>(0);     // the last two dimensions, batched
//     int32_t *info = call.result<int32_t>(1, 1);      // one for each matrix
//     if (!call.status().ok()) return call.status();
//     for (int64_t i = 0; i < call.batch(); ++i) ... a.at(i) ...
//   }
//   registry.addBuiltin("solve", runLibraryCall<solve>);
//
// The first thing that does not fit is kept in status(); what was asked for is then null. Users
// write these calls by hand too, so every shape is checked before it is used.
#ifndef TANDEM_RUNTIME_CPU_LIBRARYCALL_H
#define TANDEM_RUNTIME_CPU_LIBRARYCALL_H

#include <algorithm>
#include <complex>
#include <cstdint>
#include <cstring>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "nlohmann/json.hpp"
#include "tandem/Runtime/CustomCall.h"
#include "tandem/Runtime/DType.h"

namespace tandem::runtime {

template <typename T> struct RealOf {
  using Type = T;
};
template <typename T> struct RealOf<std::complex<T>> {
  using Type = T;
};
template <typename T> using Real = RealOf<T>::Type;

template <typename T> constexpr DType dtypeOf() {
  if constexpr (std::is_same_v<T, float>)
    return DType::F32;
  else if constexpr (std::is_same_v<T, double>)
    return DType::F64;
  else if constexpr (std::is_same_v<T, std::complex<float>>)
    return DType::C64;
  else if constexpr (std::is_same_v<T, std::complex<double>>)
    return DType::C128;
  else
    return DType::I32;
}

// A batch of dense matrices. What lies contiguously is a line of `length` elements, and there are
// `lines` of them: the columns of a column-major matrix, the rows of a row-major one.
template <typename T> struct Matrices {
  T *data = nullptr;
  int64_t lines = 0, length = 0;
  T *at(int64_t i) const { return data + i * lines * length; }
};

class LibraryCall {
public:
  explicit LibraryCall(const TandemCustomCallFrame &frame) : frame(frame) {}

  const absl::Status &status() const { return error; }
  void require(bool condition, absl::string_view expected);
  void expectArrays(size_t operands, size_t results);

  void *userData() const { return frame.user_data; }
  const TandemArray *operandArray(size_t i);
  const TandemArray *resultArray(size_t i);
  // Number of matrices of the operand asked for first.
  int64_t batch() const { return batches < 0 ? 1 : batches; }

  // Operand i, its last two dimensions as matrices.
  template <typename T> Matrices<const T> matrices(size_t i) {
    auto [data, lines, length] = split(operandArray(i), dtypeOf<T>());
    return {static_cast<const T *>(data), lines, length};
  }
  // Result r of the same type as operand i, and with its contents.
  template <typename T> Matrices<T> copied(size_t i, size_t r) {
    auto [data, lines, length] = split(operandArray(i), dtypeOf<T>());
    return {static_cast<T *>(copy(i, r)), lines, length};
  }
  // Result r, its last two dimensions as matrices of the given size.
  template <typename T> Matrices<T> matrices(size_t r, int64_t lines, int64_t length) {
    return {result<T>(r, lines * length), lines, length};
  }
  // Operand i, or result r, with so many elements for each matrix.
  template <typename T> const T *operand(size_t i, int64_t perMatrix) {
    return static_cast<const T *>(counted(operandArray(i), dtypeOf<T>(), perMatrix));
  }
  template <typename T> T *result(size_t r, int64_t perMatrix) {
    return static_cast<T *>(counted(resultArray(r), dtypeOf<T>(), perMatrix));
  }
  // Result r, with the contents of operand i.
  template <typename T> T *copiedVectors(size_t i, size_t r, int64_t perMatrix) {
    operand<T>(i, perMatrix);
    return static_cast<T *>(copy(i, r));
  }

  // Attributes, checked.
  char letter(const char *name, absl::string_view allowed); // a character's code
  bool flag(const char *name);
  int64_t integer(const char *name);
  std::string text(const char *name);
  std::vector<int64_t> integers(const char *name);

private:
  struct Split {
    void *data = nullptr;
    int64_t lines = 0, length = 0;
  };
  Split split(const TandemArray *array, DType dtype);
  void *counted(const TandemArray *array, DType dtype, int64_t perMatrix);
  void *copy(size_t operand, size_t result);
  const nlohmann::json &attribute(const char *name);

  const TandemCustomCallFrame &frame;
  absl::Status error;
  int64_t batches = -1;
  nlohmann::json attributes;
};

// A kernel of the C ABI.
template <absl::Status (*kernel)(LibraryCall &)>
int runLibraryCall(const TandemCustomCallFrame *frame) {
  LibraryCall call(*frame);
  absl::Status status = kernel(call);
  if (status.ok())
    return 0;
  absl::string_view message = status.message();
  size_t length = std::min(message.size(), frame->message_size - 1);
  std::memcpy(frame->message, message.data(), length);
  frame->message[length] = '\0';
  return 1;
}

} // namespace tandem::runtime

#endif
