//===- KernelRunner.h - Compiles and runs kernels in tests ----------*- C++ -*-===//
//
// Runs a kernel given as a function's text: the function's body becomes that of a tandem.kernel,
// is compiled by compileKernels, loaded by LLJIT, and called.
//
//   auto out = runKernel(R"(
//     func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
//       %0 = stablehlo.negate %x : tensor<3xf32>
//       return %0 : tensor<3xf32>
//     })", {array<float>({1, 2, 3})});
//   EXPECT_THAT(values<float>(out[0]), ElementsAre(-1, -2, -3));
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_TESTS_LIB_CODEGEN_KERNELRUNNER_H
#define TANDEM_TESTS_LIB_CODEGEN_KERNELRUNNER_H

#include "tandem/Codegen/Kernels.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"

#include <cstring>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tandem::test {

/// The bytes of an array as a kernel sees them.
using Array = std::vector<char>;

template <typename T> Array array(std::vector<T> values) {
  Array bytes(values.size() * sizeof(T));
  if constexpr (std::is_same_v<T, bool>) {
    for (size_t i = 0; i < values.size(); ++i)
      bytes[i] = values[i];
  } else if (!values.empty()) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  return bytes;
}

template <typename T> std::vector<T> values(const Array &array) {
  std::vector<T> result(array.size() / sizeof(T));
  if constexpr (std::is_same_v<T, bool>) {
    for (size_t i = 0; i < result.size(); ++i)
      result[i] = array[i];
  } else if (!result.empty()) {
    std::memcpy(result.data(), array.data(), array.size());
  }
  return result;
}

/// `count` floats between low and high, the same for the same seed.
std::vector<float> randomFloats(size_t count, float low = -2, float high = 2, unsigned seed = 1);

struct RunOptions {
  /// Pairs (result, operand).
  std::vector<int64_t> inPlace = {};
  /// Run with the pairs' buffers coinciding.
  bool coincide = false;
};

/// Runs @main of `text` on the arguments; fails the test on any error. Results begin as garbage.
std::vector<Array> runKernel(llvm::StringRef text, std::vector<Array> arguments,
                             const RunOptions &options = {});

/// The kernels that the functions of a module's text make, in order.
struct ParsedKernels {
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::vector<KernelOp> kernels;
};
ParsedKernels parseKernels(llvm::StringRef text, const RunOptions &options = {});

MATCHER_P2(NearTo, expected, tolerance, "") {
  double difference = std::abs(double(arg) - double(expected));
  return difference <= tolerance * (std::abs(double(expected)) + 1e-6);
}

/// Each element within `tolerance` of the expected one, relatively; NaN and inf in their places.
void expectNear(const std::vector<float> &got, const std::vector<float> &want, double tolerance);

} // namespace tandem::test

#endif // TANDEM_TESTS_LIB_CODEGEN_KERNELRUNNER_H
