// Arithmetic on registers: what takes more than one line.

#include "ScalarOps.h"

using namespace mlir;

namespace tandem::codegen {

Value ScalarOps::mapLanes(ArrayRef<Value> operands, Type scalarResult,
                          llvm::function_ref<Value(ArrayRef<Value>)> function) {
  int64_t lanes = lanesOf(operands.front());
  if (lanes == 1)
    return function(operands);
  Value result;
  k.atDepth(std::max(k.guardDepth(), k.depthOf(operands)), [&] {
    auto type = VectorType::get({lanes}, scalarResult);
    Value init = k.make<arith::ConstantOp>(k.raw().getZeroAttr(type));
    result = k.loop(0, lanes, 1, ValueRange{init}, [&](Value lane, ValueRange carried) {
      Values scalars;
      for (Value v : operands)
        scalars.push_back(k.make<LLVM::ExtractElementOp>(v, lane));
      Value updated = k.make<LLVM::InsertElementOp>(carried[0], function(scalars), lane);
      return Values{updated};
    })[0];
  });
  return result;
}

Value ScalarOps::libm(StringRef name, ArrayRef<Value> operands) {
  Type type = scalarType(operands.front());
  std::string symbol = type.isF32() ? (name + "f").str() : name.str();
  return mapLanes(operands, type,
                  [&](ArrayRef<Value> scalars) { return k.call(symbol, type, scalars); });
}

Value ScalarOps::any(Value condition) {
  if (lanesOf(condition) == 1)
    return condition;
  return k.make<vector::ReductionOp>(vector::CombiningKind::OR, condition);
}

} // namespace tandem::codegen
