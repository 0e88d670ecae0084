// Inserts a copy wherever values that must share bytes could be live together. Reasons, as
// decided by tandem/Analysis/CopyNeeds.h; "may" means: in some order that the dependences allow.
//
//  1. a loop's init, or a call's aliased operand, may be read after the loop or call overwrote it
//  2. ... or is an argument of the function (the caller's bytes) or a constant (read-only)
//  3. ... or comes from an enclosing block (the next trip needs it again); likewise what a loop
//     or case yields
//  4. one value is an init twice, an init and a plain operand of the same call, or is yielded
//     or returned twice
//  5. a carried argument is the init of an inner loop, but the outer loop yields another value
//     in its place
//  6. a carried argument is yielded, or an argument of the function returned, in the place of
//     another one. Two copies: all such values are read before the first place is overwritten
//  7. what is yielded or returned may be written while the argument whose place it takes may
//     still be read
//  8. an argument of the function or a constant is returned (other than an argument in the
//     result it is donated to)
//
// The copy of a constant that is one value everywhere is a kernel that writes that value.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/Memory/Passes.h"
#include "tandem/Analysis/CopyNeeds.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Cause.h"
#include "tandem/IR/Tandem/Tandem.h"

namespace tandem {
#define GEN_PASS_DEF_INSERTCOPIESPASS
#include "passes/Memory/Passes.h.inc"

namespace {

using mlir::Operation;
using mlir::OpOperand;
using mlir::Value;

std::string nameOf(OpOperand &operand) {
  Operation *owner = operand.getOwner();
  return (llvm::Twine(llvm::isa<mlir::func::ReturnOp>(owner) ? "result " : "operand ") +
          llvm::Twine(operand.getOperandNumber()) + " of " + owner->getName().getStringRef())
      .str();
}

struct InsertCopies : impl::InsertCopiesPassBase<InsertCopies> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<mlir::func::FuncOp>())
      if (!func.isExternal())
        insert(func);
  }

  void insert(mlir::func::FuncOp func) {
    // Copies before a terminator: first those that only read, then, in `last`, those that write
    // over a carried or donated place that the first ones may read.
    llvm::SmallVector<std::pair<OpOperand *, CopyNeed>> last;
    for (const CopyNeed &need : findCopyNeeds(func)) {
      OpOperand &operand = *need.operand;
      Operation *owner = operand.getOwner();
      if (owner->hasTrait<mlir::OpTrait::IsTerminator>()) {
        bool isReturn = llvm::isa<mlir::func::ReturnOp>(owner);
        ++(isReturn ? numResultCopies : numYieldCopies);
        bool overwrites = need.viaTemporary || need.reason != CopyReason::ResultNotOwned;
        if (need.viaTemporary)
          operand.set(copyBefore(owner, operand, need.reason));
        if (overwrites) {
          last.push_back({&operand, need});
          continue;
        }
      } else {
        ++numInitCopies;
      }
      operand.set(copyBefore(owner, operand, need.reason));
    }
    for (auto &[operand, need] : last)
      operand->set(copyBefore(operand->getOwner(), *operand, need.reason));
  }

  static Value copyBefore(Operation *op, OpOperand &operand, CopyReason reason) {
    mlir::OpBuilder builder(op);
    CauseAttr cause =
        makeCause(op->getContext(), ("copy: " + describe(reason)).str(), nameOf(operand));
    Operation *def = operand.get().getDefiningOp();
    mlir::Location source = def ? def->getLoc() : operand.get().getLoc();
    // One value everywhere is written without reading it.
    if (auto constant = llvm::dyn_cast_or_null<ConstantOp>(def))
      if (auto splat = llvm::dyn_cast<mlir::SplatElementsAttr>(constant.getValue()))
        return fill(builder, withCause(source, cause), splat);
    return CopyOp::create(builder, withCause(source, cause), operand.get()).getOutput();
  }

  static Value fill(mlir::OpBuilder &builder, mlir::Location loc, mlir::SplatElementsAttr value) {
    auto kernel =
        KernelOp::create(builder, loc, mlir::ValueRange(), mlir::TypeRange(value.getType()));
    mlir::OpBuilder inside = mlir::OpBuilder::atBlockEnd(&kernel.getBody().front());
    auto constant = mlir::stablehlo::ConstantOp::create(inside, loc, value);
    YieldOp::create(inside, loc, mlir::ValueRange(constant.getResult()));
    return kernel.getOutputs().front();
  }
};

} // namespace
} // namespace tandem
