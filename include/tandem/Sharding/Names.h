// Names of arrays for causes and reports: what the user calls them, as far as the text says.
//
//   loc("params['w']") on an argument                      params['w']
//   jax.result_info = "result[0]['w']"                     result[0]['w']
//   an argument without a name that becomes that result    argument 3 (result[0]['w'])
//
// Reads only. Cost of describeArray: a chain of operands; of describeSum: at most 400 values.
#ifndef TANDEM_SHARDING_NAMES_H
#define TANDEM_SHARDING_NAMES_H

#include <string>

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace tandem {

std::string nameArgument(mlir::func::FuncOp func, unsigned index);
std::string nameResult(mlir::func::FuncOp func, unsigned index);

/// The argument that a value is or is made from by ops that only convert or rearrange, else the
/// op that makes it.
std::string describeArray(mlir::Value value);

/// The nearest result of the function that a value flows into, through loops and branches too
/// (a gradient: the parameter it updates); the op that makes it if there is none.
std::string describeSum(mlir::Value value);

} // namespace tandem

#endif // TANDEM_SHARDING_NAMES_H
