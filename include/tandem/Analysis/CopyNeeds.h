// Where value semantics may need a copy (DESIGN.md, D1): the operands through which two
// different values could be live in bytes that must be shared, in some order of the ops.
//
//   for (const CopyNeed &need : findCopyNeeds(func)) ... need.operand, describe(need.reason)
//
// No order is assumed but the dependences: an op counts as "before" only when it is needed for
// the other. Never edits. Cost: one backward search per operand with competing readers, of at
// most 20,000 ops; longer ones count as a need.
#ifndef TANDEM_ANALYSIS_COPYNEEDS_H
#define TANDEM_ANALYSIS_COPYNEEDS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/SmallVector.h"

namespace tandem {

// The numbers are those of passes/Memory/InsertCopies.cpp.
enum class CopyReason {
  ReadAfterOverwrite = 1, // a loop or call overwrites bytes that another op may still read
  NotOwned = 2,           // ... bytes of an argument of the function, or of a constant
  Captured = 3,           // ... or yields bytes of a value from outside its block
  GivenTwice = 4,         // one value is to be in two places at once
  CarriedElsewhere = 5,   // a carried argument is given on, but another value takes its place
  Permuted = 6,           // a carried or donated argument moves to another's place
  ArgumentStillRead = 7,  // the argument whose bytes are taken may still be read
  ResultNotOwned = 8,     // an argument or constant is returned
};

llvm::StringRef describe(CopyReason reason);

struct CopyNeed {
  mlir::OpOperand *operand;
  CopyReason reason;
  bool viaTemporary = false; // two copies: what is read is itself a place to be overwritten
};

// In program order of the operands' owners.
llvm::SmallVector<CopyNeed> findCopyNeeds(mlir::func::FuncOp func);

} // namespace tandem

#endif // TANDEM_ANALYSIS_COPYNEEDS_H
