// Verifier of #sdy.op_sharding_rule against the op that carries it.

#include "Verify.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::sdy;

/// The mappings of all operands or all results; sets the factors that occur in `used`.
static LogicalResult verifyMappings(Operation *op, OpShardingRuleAttr rule, TypeRange types,
                                    ArrayRef<TensorMappingAttr> mappings, StringRef kind,
                                    llvm::BitVector &used) {
  // One mapping per value, and at least one.
  if (types.size() != mappings.size())
    return op->emitOpError("sharding rule: expects ")
           << types.size() << " " << kind << " mappings, found " << mappings.size();
  if (mappings.empty())
    return op->emitOpError("sharding rule: expects an op with at least one ") << kind;

  ArrayRef<int64_t> sizes = rule.getFactorSizes();
  for (auto [index, type, mapping] : llvm::enumerate(types, mappings)) {
    auto emit = [&, index = index] {
      return op->emitOpError("sharding rule: ") << kind << " " << index << ": ";
    };
    // The value is a tensor of static shape, of the mapping's rank.
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped || !shaped.hasStaticShape())
      return emit() << "expects a tensor of static shape, found " << type;
    if (shaped.getRank() != mapping.getRank())
      return emit() << "expects " << shaped.getRank() << " dimensions in the mapping, found "
                    << mapping.getRank();
    llvm::BitVector usedHere(sizes.size());
    for (auto [dim, dimMapping] : llvm::enumerate(mapping.getDimMappings())) {
      ArrayRef<int64_t> factors = dimMapping.getFactorIndices();
      // A dimension has at least one factor.
      if (factors.empty())
        return emit() << "expects at least one factor for dimension " << dim;
      for (int64_t factor : factors) {
        std::string symbol = OpShardingRuleAttr::getFactorSymbol(factor);
        // The factor has a size.
        if (factor < 0 || factor >= static_cast<int64_t>(sizes.size()))
          return emit() << "factor " << symbol << " of dimension " << dim << " has no size";
        // A factor occurs once per value.
        if (usedHere.test(factor))
          return emit() << "factor " << symbol << " occurs twice";
        // Next to other factors, none has size 1.
        if (sizes[factor] == 1 && factors.size() > 1)
          return emit() << "factor " << symbol << " of size 1 is to be left out of dimension "
                        << dim << ", which has other factors";
        usedHere.set(factor);
        used.set(factor);
      }
    }
  }
  return success();
}

/// A list of factors is sorted, unique, and within the rule.
static LogicalResult verifySpecialFactors(Operation *op, OpShardingRuleAttr rule, StringRef kind,
                                          ArrayRef<int64_t> factors) {
  for (auto [index, factor] : llvm::enumerate(factors)) {
    std::string symbol = OpShardingRuleAttr::getFactorSymbol(factor);
    if (factor < 0 || factor >= rule.getNumFactors())
      return op->emitOpError("sharding rule: ") << kind << " factor " << symbol << " has no size";
    if (index > 0 && factors[index - 1] >= factor)
      return op->emitOpError("sharding rule: expects ")
             << kind << " factors in order and once each, found " << symbol << " after "
             << OpShardingRuleAttr::getFactorSymbol(factors[index - 1]);
  }
  return success();
}

LogicalResult sdy::verifyShardingRule(Operation *op, OpShardingRuleAttr rule) {
  // Only custom calls have rules of a user's own.
  if (rule.getIsCustomRule() && op->getName().getStringRef() != "stablehlo.custom_call")
    return op->emitOpError("sharding rule: only stablehlo.custom_call may have a custom rule");
  for (auto [factor, size] : llvm::enumerate(rule.getFactorSizes()))
    if (size < 0)
      return op->emitOpError("sharding rule: expects a size of at least 0 for factor ")
             << OpShardingRuleAttr::getFactorSymbol(factor) << ", found " << size;

  llvm::BitVector used(rule.getNumFactors());
  if (failed(verifyMappings(op, rule, op->getOperandTypes(), rule.getOperandMappings(), "operand",
                            used)) ||
      failed(
          verifyMappings(op, rule, op->getResultTypes(), rule.getResultMappings(), "result", used)))
    return failure();
  // Every factor occurs.
  if (!used.all())
    return op->emitOpError("sharding rule: factor ")
           << OpShardingRuleAttr::getFactorSymbol(used.find_first_unset())
           << " occurs in no operand or result";

  const std::pair<StringRef, ArrayRef<int64_t>> kinds[] = {
      {"reduction", rule.getReductionFactors()},
      {"need_replication", rule.getNeedReplicationFactors()},
      {"permutation", rule.getPermutationFactors()}};
  SmallVector<StringRef> kindOf(rule.getNumFactors());
  for (auto [kind, factors] : kinds) {
    if (failed(verifySpecialFactors(op, rule, kind, factors)))
      return failure();
    // A factor is of one kind.
    for (int64_t factor : factors) {
      if (!kindOf[factor].empty())
        return op->emitOpError("sharding rule: factor ")
               << OpShardingRuleAttr::getFactorSymbol(factor) << " is both a " << kindOf[factor]
               << " and a " << kind << " factor";
      kindOf[factor] = kind;
    }
  }
  return verifySpecialFactors(op, rule, "blocked_propagation", rule.getBlockedPropagationFactors());
}
