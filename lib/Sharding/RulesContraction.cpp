// Rules of ops that sum over dimensions, and of factorisations over trailing dimensions.
#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/Sharding/Rule.h"

namespace tandem {
using namespace mlir;

namespace {

ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

void addDot(stablehlo::DotGeneralOp op, RuleBuilder &b) {
  auto dn = op.getDotDimensionNumbers();
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  int64_t out = 0;
  for (auto [l, r] : llvm::zip_equal(dn.getLhsBatchingDimensions(), dn.getRhsBatchingDimensions()))
    b.add({l, r}, {out++}, lhs[l]);
  for (int64_t l = 0; l < static_cast<int64_t>(lhs.size()); ++l)
    if (!llvm::is_contained(dn.getLhsBatchingDimensions(), l) &&
        !llvm::is_contained(dn.getLhsContractingDimensions(), l))
      b.add({l, -1}, {out++}, lhs[l]);
  for (int64_t r = 0; r < static_cast<int64_t>(rhs.size()); ++r)
    if (!llvm::is_contained(dn.getRhsBatchingDimensions(), r) &&
        !llvm::is_contained(dn.getRhsContractingDimensions(), r))
      b.add({-1, r}, {out++}, rhs[r]);
  for (auto [l, r] :
       llvm::zip_equal(dn.getLhsContractingDimensions(), dn.getRhsContractingDimensions()))
    b.add({l, r}, {-1}, lhs[l], FactorKind::Reduction);
  b.setCombiner(Combiner::Add);
}

/// [.., k] x [k, ..]: vectors and matrices.
void addPlainDot(stablehlo::DotOp op, RuleBuilder &b) {
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), rhs = shapeOf(op.getRhs());
  int64_t out = 0;
  if (lhs.size() == 2)
    b.add({0, -1}, {out++}, lhs[0]);
  if (rhs.size() == 2)
    b.add({-1, 1}, {out++}, rhs[1]);
  b.add({static_cast<int64_t>(lhs.size()) - 1, 0}, {-1}, lhs.back(), FactorKind::Reduction);
  b.setCombiner(Combiner::Add);
}

void addReduce(stablehlo::ReduceOp op, RuleBuilder &b) {
  unsigned n = op->getNumResults();
  Combiner combiner = n == 1 ? getCombiner(op.getBody()) : Combiner::None;
  if (combiner == Combiner::None)
    combiner = Combiner::Body;
  int64_t out = 0;
  for (auto [dim, size] : llvm::enumerate(shapeOf(op.getInputs()[0]))) {
    bool reduced = llvm::is_contained(op.getDimensions(), static_cast<int64_t>(dim));
    SmallVector<int64_t> in(n, dim);
    in.append(n, -1);
    b.add(in, SmallVector<int64_t>(n, reduced ? -1 : out), size,
          reduced ? FactorKind::Reduction : FactorKind::PassThrough);
    if (!reduced)
      ++out;
  }
  b.setCombiner(combiner);
}

void addConvolution(stablehlo::ConvolutionOp op, RuleBuilder &b) {
  auto dn = op.getDimensionNumbers();
  ArrayRef<int64_t> lhs = shapeOf(op.getLhs()), out = shapeOf(op.getResult());
  // With groups a dimension is groups x what is in each, and the groups go side by side.
  int64_t features = op.getFeatureGroupCount(), batches = op.getBatchGroupCount();
  if (features > 1)
    b.add({dn.getInputFeatureDimension(), dn.getKernelOutputFeatureDimension()},
          {dn.getOutputFeatureDimension()}, features);
  if (batches > 1)
    b.add({dn.getInputBatchDimension(), dn.getKernelOutputFeatureDimension()},
          {dn.getOutputFeatureDimension()}, batches);
  auto inEach = [](int64_t size, int64_t groups) { return groups > 1 ? size / groups : size; };
  b.add({dn.getInputBatchDimension(), -1}, {dn.getOutputBatchDimension()},
        inEach(lhs[dn.getInputBatchDimension()], batches));
  b.add({-1, dn.getKernelOutputFeatureDimension()}, {dn.getOutputFeatureDimension()},
        inEach(out[dn.getOutputFeatureDimension()], features * batches));
  b.add({dn.getInputFeatureDimension(), dn.getKernelInputFeatureDimension()}, {-1},
        inEach(lhs[dn.getInputFeatureDimension()], features), FactorKind::Reduction);
  for (auto [index, in] : llvm::enumerate(dn.getInputSpatialDimensions())) {
    unsigned factor =
        b.add({in, -1}, {dn.getOutputSpatialDimensions()[index]}, lhs[in], FactorKind::Permutation);
    b.getFactor(factor).halo = true;
  }
  b.setCombiner(Combiner::Add);
}

} // namespace

bool addContractionRule(Operation *op, RuleBuilder &b) {
  if (auto dot = dyn_cast<stablehlo::DotGeneralOp>(op)) {
    addDot(dot, b);
    return true;
  }
  if (auto dot = dyn_cast<stablehlo::DotOp>(op)) {
    addPlainDot(dot, b);
    return true;
  }
  if (auto reduce = dyn_cast<stablehlo::ReduceOp>(op)) {
    addReduce(reduce, b);
    return true;
  }
  if (auto convolution = dyn_cast<stablehlo::ConvolutionOp>(op)) {
    addConvolution(convolution, b);
    return true;
  }
  int64_t own = 0; // trailing dimensions that belong to the op
  if (isa<stablehlo::CholeskyOp, stablehlo::TriangularSolveOp>(op))
    own = 2;
  else if (auto fft = dyn_cast<stablehlo::FftOp>(op))
    own = fft.getFftLength().size();
  else
    return false;
  ArrayRef<int64_t> shape = shapeOf(op->getResult(0));
  for (int64_t dim = 0; dim + own < static_cast<int64_t>(shape.size()); ++dim)
    b.addAll(dim, shape);
  return true;
}

} // namespace tandem
