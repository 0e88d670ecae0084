// Turns products that a library does into tandem.gemm.
//
//   1. stablehlo.dot is a dot_general.
//   2. A transpose in front is read through, if the result's dimensions keep their order and the
//      library can read what lies behind it.
//   3. A transpose behind that only exchanges rows and columns is the product of the exchanged
//      operands.
//   4. An operand that the library cannot read is transposed to batch, rows, columns.

#include "passes/Fuse/FusionLimits.h"
#include "passes/Fuse/Passes.h"

#include "tandem/Codegen/GemmShape.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_FORMGEMMSPASS
#include "passes/Fuse/Passes.h.inc"

namespace {

using Dims = SmallVector<int64_t>;

/// One operand and the roles of its dimensions.
struct Side {
  Value value;
  Dims batching, contracting;
};

Side getSide(stablehlo::DotGeneralOp dot, bool isLhs) {
  auto numbers = dot.getDotDimensionNumbers();
  if (isLhs)
    return {dot.getLhs(), Dims(numbers.getLhsBatchingDimensions()),
            Dims(numbers.getLhsContractingDimensions())};
  return {dot.getRhs(), Dims(numbers.getRhsBatchingDimensions()),
          Dims(numbers.getRhsContractingDimensions())};
}

Dims freeDims(const Side &side) {
  Dims free;
  for (int64_t dim : llvm::seq(cast<RankedTensorType>(side.value.getType()).getRank()))
    if (!llvm::is_contained(side.batching, dim) && !llvm::is_contained(side.contracting, dim))
      free.push_back(dim);
  return free;
}

stablehlo::DotGeneralOp rebuild(stablehlo::DotGeneralOp dot, const Side &lhs, const Side &rhs) {
  OpBuilder builder(dot);
  auto numbers = stablehlo::DotDimensionNumbersAttr::get(
      dot.getContext(), lhs.batching, rhs.batching, lhs.contracting, rhs.contracting);
  auto copy = cast<stablehlo::DotGeneralOp>(builder.clone(*dot));
  copy->setOperands({lhs.value, rhs.value});
  copy.setDotDimensionNumbersAttr(numbers);
  return copy;
}

/// 2. `side` as seen behind the transpose that makes its value.
std::optional<Side> behindTranspose(const Side &side) {
  auto transpose = side.value.getDefiningOp<stablehlo::TransposeOp>();
  if (!transpose)
    return std::nullopt;
  ArrayRef<int64_t> permutation = transpose.getPermutation();
  auto behind = [&](ArrayRef<int64_t> dims) {
    return llvm::map_to_vector(dims, [&](int64_t dim) { return permutation[dim]; });
  };
  // The result lists free dimensions in the operand's order.
  if (!llvm::is_sorted(behind(freeDims(side))))
    return std::nullopt;
  return Side{transpose.getOperand(), behind(side.batching), behind(side.contracting)};
}

/// 4. `side` transposed to batch, rows, contracted (lhs) or batch, contracted, columns (rhs).
Side transposed(OpBuilder &builder, Location loc, const Side &side, bool isLhs) {
  Dims free = freeDims(side), permutation = side.batching;
  llvm::append_range(permutation, isLhs ? free : side.contracting);
  llvm::append_range(permutation, isLhs ? side.contracting : free);
  auto type = cast<RankedTensorType>(side.value.getType());
  Dims shape = llvm::map_to_vector(permutation, [&](int64_t d) { return type.getDimSize(d); });
  Value value = stablehlo::TransposeOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), side.value,
      builder.getDenseI64ArrayAttr(permutation));
  int64_t batch = side.batching.size();
  int64_t firstContracting = batch + (isLhs ? free.size() : 0);
  return {value, llvm::to_vector(llvm::seq<int64_t>(0, batch)),
          llvm::to_vector(
              llvm::seq<int64_t>(firstContracting, firstContracting + side.contracting.size()))};
}

struct FormGemmsPass : impl::FormGemmsPassBase<FormGemmsPass> {
  void runOnOperation() override {
    SmallVector<stablehlo::DotOp> dots;
    getOperation().walk([&](stablehlo::DotOp op) { dots.push_back(op); });
    for (stablehlo::DotOp op : dots)
      generalise(op); // 1

    SmallVector<stablehlo::DotGeneralOp> products;
    getOperation().walk([&](stablehlo::DotGeneralOp op) {
      if (!isa<GemmOp, KernelOp>(op->getParentOp()))
        products.push_back(op);
    });
    for (stablehlo::DotGeneralOp op : products)
      if (hasGemmTypes(op) && isLarge(op))
        wrap(adapt(exchanged(op)));
  }

  static void generalise(stablehlo::DotOp op) {
    OpBuilder builder(op);
    int64_t lhsRank = cast<RankedTensorType>(op.getLhs().getType()).getRank();
    auto numbers =
        stablehlo::DotDimensionNumbersAttr::get(op.getContext(), {}, {}, {lhsRank - 1}, {0});
    auto dot = stablehlo::DotGeneralOp::create(builder, op.getLoc(), op.getType(), op.getLhs(),
                                               op.getRhs(), numbers, op.getPrecisionConfigAttr(),
                                               /*algorithm=*/nullptr);
    op.replaceAllUsesWith(dot.getResult());
    op.erase();
  }

  static bool isLarge(stablehlo::DotGeneralOp op) {
    int64_t turns = loopTurns(op), elements = cast<RankedTensorType>(op.getType()).getNumElements();
    return turns > 0 && elements > kSmallProduct / turns;
  }

  static void replace(stablehlo::DotGeneralOp &dot, stablehlo::DotGeneralOp by) {
    Operation *operands[] = {dot.getLhs().getDefiningOp(), dot.getRhs().getDefiningOp()};
    dot.replaceAllUsesWith(by.getResult());
    dot.erase();
    dot = by;
    if (operands[0] == operands[1])
      operands[1] = nullptr;
    for (Operation *operand : operands)
      if (isa_and_nonnull<stablehlo::TransposeOp>(operand) && operand->use_empty())
        operand->erase();
  }

  /// 3. The product of the exchanged operands in place of `dot` and the transpose that reads it, or
  /// `dot`.
  stablehlo::DotGeneralOp exchanged(stablehlo::DotGeneralOp dot) {
    if (!dot->hasOneUse() || dot.getAlgorithm())
      return dot;
    auto transpose = dyn_cast<stablehlo::TransposeOp>(*dot->user_begin());
    if (!transpose)
      return dot;
    const Side lhs = getSide(dot, true), rhs = getSide(dot, false);
    const int64_t batch = lhs.batching.size(), rank = transpose.getPermutation().size();
    const int64_t rows = freeDims(lhs).size();
    // Batch, the columns, the rows.
    Dims permutation = llvm::to_vector(llvm::seq<int64_t>(0, batch));
    llvm::append_range(permutation, llvm::seq<int64_t>(batch + rows, rank));
    llvm::append_range(permutation, llvm::seq<int64_t>(batch, batch + rows));
    if (transpose.getPermutation() != ArrayRef<int64_t>(permutation))
      return dot;
    stablehlo::DotGeneralOp by = rebuild(dot, rhs, lhs);
    by.getResult().setType(cast<RankedTensorType>(transpose.getType()));
    if (ArrayAttr precision = dot.getPrecisionConfigAttr(); precision && precision.size() == 2)
      by.setPrecisionConfigAttr(ArrayAttr::get(dot.getContext(), {precision[1], precision[0]}));
    transpose.replaceAllUsesWith(by.getResult());
    transpose.erase();
    dot.erase();
    ++numFolded;
    return by;
  }

  /// Makes `dot` readable for the library.
  stablehlo::DotGeneralOp adapt(stablehlo::DotGeneralOp dot) {
    for (bool isLhs : {true, false}) { // 2
      while (std::optional<Side> side = behindTranspose(getSide(dot, isLhs))) {
        stablehlo::DotGeneralOp seen = isLhs ? rebuild(dot, *side, getSide(dot, false))
                                             : rebuild(dot, getSide(dot, true), *side);
        if (!getGemmShape(seen)) {
          seen.erase();
          break;
        }
        replace(dot, seen);
        ++numFolded;
      }
    }
    if (getGemmShape(dot))
      return dot;
    // 4. One side first, since a transpose copies it.
    for (auto [lhs, rhs] :
         {std::pair(true, false), std::pair(false, true), std::pair(true, true)}) {
      OpBuilder builder(dot);
      Side left = getSide(dot, true), right = getSide(dot, false);
      if (lhs)
        left = transposed(builder, dot.getLoc(), left, true);
      if (rhs)
        right = transposed(builder, dot.getLoc(), right, false);
      stablehlo::DotGeneralOp seen = rebuild(dot, left, right);
      if (getGemmShape(seen)) {
        numInserted += lhs + rhs;
        replace(dot, seen);
        return dot;
      }
      seen.erase();
      if (lhs)
        left.value.getDefiningOp()->erase();
      if (rhs)
        right.value.getDefiningOp()->erase();
    }
    llvm_unreachable("batch, rows, columns in row-major order always collapse");
  }

  void wrap(stablehlo::DotGeneralOp dot) {
    OpBuilder builder(dot);
    Value inputs[] = {dot.getLhs(), dot.getRhs()};
    auto gemm = GemmOp::create(builder, dot.getLoc(), inputs, dot->getResultTypes());
    Block &body = gemm.getBody().front();
    builder.setInsertionPointToEnd(&body);
    auto inner = cast<stablehlo::DotGeneralOp>(builder.clone(*dot));
    inner->setOperands(body.getArguments());
    YieldOp::create(builder, dot.getLoc(), inner->getResults());
    dot.replaceAllUsesWith(gemm.getOutputs().front());
    dot.erase();
    ++numGemms;
  }
};

} // namespace
} // namespace tandem
