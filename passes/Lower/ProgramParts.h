// The parts of a Program that follow from one op, type or attribute each.
#ifndef TANDEM_PASSES_LOWER_PROGRAMPARTS_H
#define TANDEM_PASSES_LOWER_PROGRAMPARTS_H

#include <memory>
#include <string>
#include <vector>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "tandem/Cost/CostModel.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "tandem/Runtime/Program_generated.h"

namespace tandem {

// Nothing for an element type that Programs do not have.
std::optional<program::DType> dtypeOf(mlir::Type element);
std::unique_ptr<program::TensorTypeT> tensorTypeOf(mlir::RankedTensorType type);

// Dense row-major bytes of a constant, i1 and sub-byte types one byte per element. Fails for
// elements that are not numbers.
llvm::FailureOr<std::vector<uint8_t>> constantBytes(mlir::ElementsAttr value);

// "tanh step.py:12": what runs, and the first source line known. `what` replaces the op's name.
std::string commandName(mlir::Operation *op, llvm::StringRef what = "");

// The collectives of a start as one operation; all of one kind. Errors are emitted.
llvm::FailureOr<std::unique_ptr<program::CollectiveOpT>>
collectiveOf(StartOp start, const CostModel &cost, int64_t numDevices);

// Devices, mesh, arguments, results and their layouts. Errors are emitted.
llvm::LogicalResult describeInterface(mlir::func::FuncOp func, program::ProgramT &program);

} // namespace tandem

#endif // TANDEM_PASSES_LOWER_PROGRAMPARTS_H
