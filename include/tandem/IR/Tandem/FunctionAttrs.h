// Edits the attributes of many arguments and results of a function.
//
//   FunctionAttrs attrs(func);
//   for (auto [index, argument] : llvm::enumerate(func.getArguments()))
//     attrs.argument(index).set("tandem.buffer", bufferOf(argument));
//   attrs.apply();
//
// func.setArgAttr makes a new array of all arguments' attributes for each, which the context keeps:
// N arguments cost N^2 time and memory. This makes one.
#pragma once

#include "mlir/IR/OperationSupport.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tandem {

class FunctionAttrs {
public:
  /// Copies what `func` has now.
  explicit FunctionAttrs(mlir::FunctionOpInterface func);

  mlir::NamedAttrList &argument(unsigned index) { return arguments[index]; }
  mlir::NamedAttrList &result(unsigned index) { return results[index]; }

  /// Writes all of them to the function; linear in their number.
  void apply();

private:
  mlir::FunctionOpInterface func;
  llvm::SmallVector<mlir::NamedAttrList> arguments, results;
};

} // namespace tandem
