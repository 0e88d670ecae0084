//===- Lowering.h - Kernel functions to object code -----------------*- C++ -*-===//
//
// scf, arith, math, vector and complex ops to the llvm dialect, to LLVM IR, to an object. LLVM's
// IR optimiser does not run: the functions are emitted as they should be, and its code
// generator alone takes half the time and gives code as fast.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_LOWERING_H
#define TANDEM_LIB_CODEGEN_LOWERING_H

#include "KernelBuilder.h"

#include "tandem/Codegen/Kernels.h"

namespace tandem::codegen {

/// The vector registers that the features promise.
KernelTarget kernelTarget(const TargetFeatures &features);

/// Lowers `module` to the llvm dialect, in place.
llvm::Error lowerToLLVMDialect(mlir::ModuleOp module);

/// Translates a module in the llvm dialect and generates code.
llvm::Expected<std::string> generateObject(mlir::ModuleOp module, const TargetFeatures &features);

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_LOWERING_H
