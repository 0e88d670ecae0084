//===- Check.h - the check and interpreter dialects ---------------------------===//
//
// check.expect_eq, expect_eq_const, expect_almost_eq, expect_almost_eq_const, expect_close: what a
// program expects of its own values. interpreter.run_parallel: several processes run one function.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_IR_CHECK_CHECK_H
#define TANDEM_IR_CHECK_CHECK_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"

#include "tandem/IR/Check/CheckDialect.h.inc"
#include "tandem/IR/Check/InterpreterDialect.h.inc"

#define GET_OP_CLASSES
#include "tandem/IR/Check/CheckOps.h.inc"
#define GET_OP_CLASSES
#include "tandem/IR/Check/InterpreterOps.h.inc"

#endif // TANDEM_IR_CHECK_CHECK_H
