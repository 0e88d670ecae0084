// Rule construction, and the dispatch over op kinds.
#include "tandem/Sharding/Rule.h"

#include "mlir/IR/BuiltinTypes.h"
#include "tandem/IR/Shardy/ShardingAccess.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

namespace tandem {
using namespace mlir;

namespace {

int64_t rankOf(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked ? ranked.getRank() : 0;
}

DimFactors toDimFactors(sdy::TensorMappingAttr mapping) {
  DimFactors dims;
  for (sdy::DimMappingAttr dim : mapping.getDimMappings()) {
    auto &factors = dims.emplace_back();
    for (int64_t factor : dim.getFactorIndices())
      factors.push_back(factor);
  }
  return dims;
}

/// A user's own rule on a custom call. Partial results add up.
ShardingRule fromAttr(sdy::OpShardingRuleAttr attr) {
  ShardingRule rule;
  for (auto [index, size] : llvm::enumerate(attr.getFactorSizes())) {
    Factor factor{size};
    if (attr.isReductionFactor(index))
      factor.kind = FactorKind::Reduction;
    else if (attr.isNeedReplicationFactor(index))
      factor.kind = FactorKind::NeedReplication;
    else if (attr.isPermutationFactor(index))
      factor.kind = FactorKind::Permutation;
    factor.blocked = attr.isBlockedPropagationFactor(index);
    rule.factors.push_back(factor);
  }
  for (sdy::TensorMappingAttr mapping : attr.getOperandMappings())
    rule.operands.push_back(toDimFactors(mapping));
  for (sdy::TensorMappingAttr mapping : attr.getResultMappings())
    rule.results.push_back(toDimFactors(mapping));
  rule.combiner = Combiner::Add;
  return rule;
}

} // namespace

RuleBuilder::RuleBuilder(Operation *op) : op(op) {
  for (Type type : op->getOperandTypes())
    rule.operands.emplace_back().resize(rankOf(type));
  for (Type type : op->getResultTypes())
    rule.results.emplace_back().resize(rankOf(type));
}

unsigned RuleBuilder::add(ArrayRef<int64_t> operandDims, ArrayRef<int64_t> resultDims, int64_t size,
                          FactorKind kind, bool blocked) {
  unsigned factor = rule.factors.size();
  rule.factors.push_back(Factor{size, kind, blocked});
  for (auto [dims, dim] : llvm::zip_equal(rule.operands, operandDims))
    if (dim >= 0)
      dims[dim].push_back(factor);
  for (auto [dims, dim] : llvm::zip_equal(rule.results, resultDims))
    if (dim >= 0)
      dims[dim].push_back(factor);
  return factor;
}

unsigned RuleBuilder::addAll(int64_t dim, ArrayRef<int64_t> shape, FactorKind kind) {
  auto dimsOf = [&](TypeRange types) {
    SmallVector<int64_t> dims;
    for (Type type : types)
      dims.push_back(rankOf(type) == static_cast<int64_t>(shape.size()) ? dim : -1);
    return dims;
  };
  return add(dimsOf(op->getOperandTypes()), dimsOf(op->getResultTypes()), shape[dim], kind);
}

ShardingRule RuleBuilder::build() {
  auto fill = [&](MutableArrayRef<DimFactors> tensors, TypeRange types) {
    for (auto [dims, type] : llvm::zip_equal(tensors, types))
      for (auto [dim, factors] : llvm::enumerate(dims))
        if (factors.empty()) {
          factors.push_back(rule.factors.size());
          rule.factors.push_back(Factor{cast<RankedTensorType>(type).getDimSize(dim),
                                        FactorKind::NeedReplication, true});
        }
  };
  fill(rule.operands, op->getOperandTypes());
  fill(rule.results, op->getResultTypes());
  for (Factor &factor : rule.factors)
    factor.alone = true;
  for (unsigned t = 0; t < rule.getNumTensors(); ++t) {
    unsigned numOperands = rule.operands.size();
    Type type =
        t < numOperands ? op->getOperand(t).getType() : op->getResult(t - numOperands).getType();
    for (auto [dim, factors] : llvm::enumerate(rule.getTensor(t)))
      for (unsigned factor : factors)
        // A reshape may know a factor of a dimension and not the rest.
        if (factors.size() > 1 ||
            (!rule.factors[factor].halo &&
             rule.factors[factor].size != cast<RankedTensorType>(type).getDimSize(dim)))
          rule.factors[factor].alone = false;
  }
  return std::move(rule);
}

Combiner getCombiner(Region &reducer) {
  if (!reducer.hasOneBlock())
    return Combiner::None;
  Block &block = reducer.front();
  if (block.getNumArguments() != 2 || block.getOperations().size() != 2)
    return Combiner::None;
  Operation &op = block.front();
  Operation *terminator = block.getTerminator();
  if (op.getNumOperands() != 2 || terminator->getNumOperands() != 1 ||
      terminator->getOperand(0).getDefiningOp() != &op)
    return Combiner::None;
  Value a = block.getArgument(0), b = block.getArgument(1);
  if (!((op.getOperand(0) == a && op.getOperand(1) == b) ||
        (op.getOperand(0) == b && op.getOperand(1) == a)))
    return Combiner::None;
  if (isa<stablehlo::AddOp>(op))
    return Combiner::Add;
  if (isa<stablehlo::MulOp>(op))
    return Combiner::Mul;
  if (isa<stablehlo::MaxOp>(op))
    return Combiner::Max;
  if (isa<stablehlo::MinOp>(op))
    return Combiner::Min;
  if (isa<stablehlo::AndOp>(op))
    return Combiner::And;
  if (isa<stablehlo::OrOp>(op))
    return Combiner::Or;
  return Combiner::None;
}

ShardingRule getShardingRule(Operation *op) {
  if (isa<stablehlo::CustomCallOp>(op))
    if (auto attr = sdy::getShardingRule(op))
      if (attr.getNumOperands() == op->getNumOperands() &&
          attr.getNumResults() == op->getNumResults())
        return fromAttr(attr);
  RuleBuilder builder(op);
  if (!addElementwiseRule(op, builder) && !addShapeRule(op, builder) &&
      !addIndexingRule(op, builder) && !addContractionRule(op, builder))
    builder.setUnknown();
  return builder.build();
}

} // namespace tandem
