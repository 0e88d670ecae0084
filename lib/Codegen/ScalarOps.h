//===- ScalarOps.h - Arithmetic on registers, scalar or vector ------*- C++ -*-===//
//
// Terse arithmetic on register values (ElementKind.h), which are scalars or vectors of lanes;
// the same code serves both, so that an element has the same value in a loop's vector body and
// in its remainder. Constants take the shape of a reference value. Operands of one op
// must have one shape (unify).
//
// Floats may be contracted (a * b + c in one rounding) and are otherwise strict: NaNs,
// infinities, signed zeros and the order of operations stay.
//
//===----------------------------------------------------------------------===//

#ifndef TANDEM_LIB_CODEGEN_SCALAROPS_H
#define TANDEM_LIB_CODEGEN_SCALAROPS_H

#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tandem::codegen {

class ScalarOps {
public:
  explicit ScalarOps(KernelBuilder &builder)
      : k(builder), contract(mlir::arith::FastMathFlagsAttr::get(
                        builder.context(), mlir::arith::FastMathFlags::contract)) {}

  //===--- Shapes ---===//

  static int64_t lanesOf(Value v) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(v.getType());
    return vector ? vector.getDimSize(0) : 1;
  }
  static Type scalarType(Value v) { return mlir::getElementTypeOrSelf(v.getType()); }
  static unsigned widthOf(Value v) { return scalarType(v).getIntOrFloatBitWidth(); }
  /// `scalar`, in the shape of `ref`.
  static Type like(Value ref, Type scalar) {
    auto vector = mlir::dyn_cast<mlir::VectorType>(ref.getType());
    return vector ? Type(mlir::VectorType::get(vector.getShape(), scalar)) : scalar;
  }
  Type intType(unsigned width) { return mlir::IntegerType::get(k.context(), width); }
  Type intLike(Value ref) { return like(ref, intType(widthOf(ref))); }
  Value splat(Value scalar, int64_t lanes) {
    if (lanes == 1 || mlir::isa<mlir::VectorType>(scalar.getType()))
      return scalar;
    return k.make<mlir::vector::BroadcastOp>(mlir::VectorType::get({lanes}, scalar.getType()),
                                             scalar);
  }
  /// Splats the scalars among `values` if one is a vector.
  void unify(llvm::MutableArrayRef<Value> values) {
    int64_t lanes = 1;
    for (Value v : values)
      lanes = std::max(lanes, lanesOf(v));
    for (Value &v : values)
      v = splat(v, lanes);
  }

  //===--- Constants, in the type of `ref` ---===//

  Value constant(Type type, mlir::TypedAttr scalar) {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(type))
      scalar = mlir::DenseElementsAttr::get(vector, mlir::Attribute(scalar));
    return k.make<mlir::arith::ConstantOp>(scalar);
  }
  Value f(Value ref, double value) {
    return constant(ref.getType(), k.raw().getFloatAttr(scalarType(ref), value));
  }
  Value i(Value ref, int64_t value) { return i(ref.getType(), value); }
  Value i(Type type, int64_t value) {
    auto scalar = mlir::cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
    return constant(type, mlir::IntegerAttr::get(scalar, llvm::APInt(scalar.getWidth(), value,
                                                                     /*isSigned=*/true,
                                                                     /*implicitTrunc=*/true)));
  }
  Value boolean(Value ref, bool value) { return i(like(ref, intType(1)), value ? -1 : 0); }

  //===--- Floats ---===//

  Value add(Value a, Value b) { return k.make<mlir::arith::AddFOp>(a, b, contract); }
  Value sub(Value a, Value b) { return k.make<mlir::arith::SubFOp>(a, b, contract); }
  Value mul(Value a, Value b) { return k.make<mlir::arith::MulFOp>(a, b, contract); }
  Value div(Value a, Value b) { return k.make<mlir::arith::DivFOp>(a, b, contract); }
  Value add(Value a, double b) { return add(a, f(a, b)); }
  Value sub(Value a, double b) { return sub(a, f(a, b)); }
  Value mul(Value a, double b) { return mul(a, f(a, b)); }
  Value neg(Value a) { return k.make<mlir::arith::NegFOp>(a); }
  Value fma(Value a, Value b, Value c) { return k.make<mlir::math::FmaOp>(a, b, c); }
  Value fma(Value a, double b, Value c) { return fma(a, f(a, b), c); }
  Value fma(Value a, Value b, double c) { return fma(a, b, f(a, c)); }
  Value absf(Value a) { return k.make<mlir::math::AbsFOp>(a); }
  Value sqrt(Value a) { return k.make<mlir::math::SqrtOp>(a); }
  Value copySign(Value magnitude, Value sign) {
    return k.make<mlir::math::CopySignOp>(magnitude, sign);
  }
  /// coefficients[0] * x^n + ... + coefficients[n].
  Value polynomial(Value x, llvm::ArrayRef<double> coefficients) {
    Value y = f(x, coefficients.front());
    for (double c : coefficients.drop_front())
      y = fma(y, x, c);
    return y;
  }
  Value isNan(Value a) { return cmp(mlir::arith::CmpFPredicate::UNO, a, a); }
  Value cmp(mlir::arith::CmpFPredicate p, Value a, Value b) {
    return k.make<mlir::arith::CmpFOp>(p, a, b);
  }
  Value cmp(mlir::arith::CmpFPredicate p, Value a, double b) { return cmp(p, a, f(a, b)); }
  /// min(max(x, low), high) that lets NaN through.
  Value clampF(Value x, double low, double high) {
    x = select(cmp(mlir::arith::CmpFPredicate::OGT, x, high), f(x, high), x);
    return select(cmp(mlir::arith::CmpFPredicate::OLT, x, low), f(x, low), x);
  }

  //===--- Integers ---===//

  Value addi(Value a, Value b) { return k.make<mlir::arith::AddIOp>(a, b); }
  Value addi(Value a, int64_t b) { return addi(a, i(a, b)); }
  Value subi(Value a, Value b) { return k.make<mlir::arith::SubIOp>(a, b); }
  Value muli(Value a, Value b) { return k.make<mlir::arith::MulIOp>(a, b); }
  Value andi(Value a, Value b) { return k.make<mlir::arith::AndIOp>(a, b); }
  Value andi(Value a, int64_t b) { return andi(a, i(a, b)); }
  Value ori(Value a, Value b) { return k.make<mlir::arith::OrIOp>(a, b); }
  Value ori(Value a, int64_t b) { return ori(a, i(a, b)); }
  Value xori(Value a, Value b) { return k.make<mlir::arith::XOrIOp>(a, b); }
  Value noti(Value a) { return xori(a, i(a, -1)); }
  /// Shifts by less than the width.
  Value shl(Value a, int64_t b) { return k.make<mlir::arith::ShLIOp>(a, i(a, b)); }
  Value lshr(Value a, int64_t b) { return k.make<mlir::arith::ShRUIOp>(a, i(a, b)); }
  Value ashr(Value a, int64_t b) { return k.make<mlir::arith::ShRSIOp>(a, i(a, b)); }
  Value cmp(mlir::arith::CmpIPredicate p, Value a, Value b) {
    return k.make<mlir::arith::CmpIOp>(p, a, b);
  }
  Value cmp(mlir::arith::CmpIPredicate p, Value a, int64_t b) { return cmp(p, a, i(a, b)); }
  /// To integers of another width.
  Value resizeInt(Value a, unsigned width, bool isUnsigned) {
    Type to = like(a, intType(width));
    if (width < widthOf(a))
      return k.make<mlir::arith::TruncIOp>(to, a);
    if (width == widthOf(a))
      return a;
    return isUnsigned ? k.make<mlir::arith::ExtUIOp>(to, a) : k.make<mlir::arith::ExtSIOp>(to, a);
  }

  //===--- Both ---===//

  Value select(Value condition, Value a, Value b) {
    return k.make<mlir::arith::SelectOp>(condition, a, b);
  }
  Value bitcast(Value a, Type scalar) {
    Type to = like(a, scalar);
    return to == a.getType() ? a : k.make<mlir::arith::BitcastOp>(to, a);
  }
  Value bitsOf(Value a) { return bitcast(a, intType(widthOf(a))); }

  /// function(operands), lane by lane: for functions that only a scalar library has.
  Value mapLanes(llvm::ArrayRef<Value> operands, Type scalarResult,
                 llvm::function_ref<Value(llvm::ArrayRef<Value>)> function);
  /// The C library's function for f32 (`name` and an f) or f64, lane by lane.
  Value libm(llvm::StringRef name, llvm::ArrayRef<Value> operands);
  /// True if any lane is.
  Value any(Value condition);

protected:
  KernelBuilder &k;
  mlir::arith::FastMathFlagsAttr contract;
};

} // namespace tandem::codegen

#endif // TANDEM_LIB_CODEGEN_SCALAROPS_H
