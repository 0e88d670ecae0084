//===- Kernels.h - Compiling tandem.kernel ops ----------------------*- C++ -*-===//
//
// Compiles kernels for the CPU, in process, to relocatable objects.
//
//   auto compiled = compileKernels(kernels, hostFeatures(), {.threads = 2});
//   if (!compiled) return compiled.takeError();
//   compiled->kernels[i]        // symbol of kernels[i], and which object defines it
//   compiled->objects[o].bytes  // ELF, PIC, small code model
//
// ABI: extern "C" void symbol(void *const *buffers, int64_t begin, int64_t end) computes the units
// from `begin` to `end` of KernelInfo::units; slices may run on different threads at once, and give
// what the whole, (buffers, 0, units), gives. `buffers` are the kernel's operands in order, then
// its results in order; each a dense row-major local array, i1 in one byte, bf16, f16 and the 8-bit
// floats as raw bits, complex as two parts. The pointers of an in-place pair may be
// equal or not; no others may overlap. A kernel touches nothing else, keeps no state, and may run
// on several threads at once. Objects refer to the C library only: memcpy, memset, malloc, free
// (scratch of more than 64 KiB), and math functions (powf, sinf, fmod, ...).
//
// The same kernels, features and symbols give the same bytes.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_CODEGEN_KERNELS_H
#define TANDEM_CODEGEN_KERNELS_H

#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tandem {

/// The machine to compile for, as LLVM names it.
struct TargetFeatures {
  std::string triple;   ///< "" for this machine's.
  std::string cpu;      ///< "sapphirerapids"; "" or "generic" for the baseline.
  std::string features; ///< "+avx512f,+avx512vl,..."
};

/// Those of the machine that this runs on.
TargetFeatures hostFeatures();

struct KernelOptions {
  /// Modules compiled side by side. The result depends on it only in how kernels are
  /// distributed over objects.
  unsigned threads = 2;
};

struct KernelObject {
  std::string bytes;
};

struct KernelInfo {
  std::string symbol;
  /// Index into CompiledKernels::objects.
  unsigned object = 0;
  /// Units of work that the outermost loop counts; 1 if the kernel is not divisible.
  int64_t units = 1;
};

struct CompiledKernels {
  std::vector<KernelObject> objects;
  /// One for each given op, in order.
  std::vector<KernelInfo> kernels;
};

/// Compiles each of `kernels`, which must be verified and hold only ops for which canEmit holds.
/// Their `symbol` attributes name the functions; those without one are called kernel_<index>.
/// What was compiled before is taken from a cache on disk (lib/Codegen/KernelCache.h), unless the
/// environment's TANDEM_CACHE_DIR is empty. Blocks until done. The context's dialects must include
/// those of registerKernelDialects.
llvm::Expected<CompiledKernels> compileKernels(llvm::ArrayRef<KernelOp> kernels,
                                               const TargetFeatures &features,
                                               const KernelOptions &options = {});

/// What kernels are lowered through; compileKernels loads them.
void registerKernelDialects(mlir::DialectRegistry &registry);

/// A module with the functions of `kernels` as compileKernels lowers them further, in the scf,
/// arith, math, vector and llvm dialects: to look at, and for tests.
mlir::OwningOpRef<mlir::ModuleOp> emitKernels(llvm::ArrayRef<KernelOp> kernels,
                                              const TargetFeatures &features);

/// Structural equality: same operand and result types, in-place pairs and bodies; locations, the
/// `symbol` and discardable attributes do not count.
bool kernelsEqual(KernelOp a, KernelOp b);
/// Equal for equal kernels; the same in every process.
llvm::hash_code kernelHash(KernelOp kernel);

} // namespace tandem

#endif // TANDEM_CODEGEN_KERNELS_H
