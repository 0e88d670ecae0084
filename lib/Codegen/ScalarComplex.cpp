// Elementwise ops on complex numbers: through MLIR's complex dialect, or by the C library in double
// precision.

#include "ScalarEmitter.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using FPred = mlir::arith::CmpFPredicate;

namespace tandem::codegen {

/// The C library passes a complex double as two doubles and returns it as a pair of them.
Value ScalarEmitter::complexFunction(StringRef name, ArrayRef<Value> operands) {
  auto type = cast<ComplexType>(operands.front().getType());
  Type f64 = Float64Type::get(k.context());
  bool isWide = type.getElementType() == f64;
  Values parts;
  for (Value z : operands)
    for (Value part : {k.make<complex::ReOp>(z), k.make<complex::ImOp>(z)})
      parts.push_back(isWide ? part : k.make<arith::ExtFOp>(f64, part));
  Value pair = k.call(name, LLVM::LLVMStructType::getLiteral(k.context(), {f64, f64}), parts);
  auto part = [&](int64_t number) -> Value {
    Value wide = k.make<LLVM::ExtractValueOp>(pair, ArrayRef<int64_t>{number});
    return isWide ? wide : k.make<arith::TruncFOp>(type.getElementType(), wide);
  };
  return k.make<complex::CreateOp>(type, part(0), part(1));
}

/// log(1 + z) in double precision: |1 + z|^2 - 1 is formed without cancellation where it is small.
Value ScalarEmitter::complexLog1p(Value z) {
  auto type = cast<ComplexType>(z.getType());
  Type f64 = Float64Type::get(k.context());
  bool isWide = type.getElementType() == f64;
  auto widen = [&](Value part) -> Value {
    return isWide ? part : k.make<arith::ExtFOp>(f64, part);
  };
  auto narrow = [&](Value part) -> Value {
    return isWide ? part : k.make<arith::TruncFOp>(type.getElementType(), part);
  };
  Value x = widen(k.make<complex::ReOp>(z)), y = widen(k.make<complex::ImOp>(z));
  Value excess = fma(x, add(x, 2), mul(y, y));
  Value near = mul(libm("log1p", {excess}), 0.5);
  Value far = libm("log", {libm("hypot", {add(x, 1), y})});
  Value re = select(cmp(FPred::OLT, absf(excess), 0.5), near, far);
  return k.make<complex::CreateOp>(type, narrow(re), narrow(libm("atan2", {y, add(x, 1)})));
}

/// By real part, then by imaginary part; NaN if either is one.
Value ScalarEmitter::extremeComplex(Value a, Value b, bool isMax) {
  Value aRe = k.make<complex::ReOp>(a), bRe = k.make<complex::ReOp>(b);
  Value aIm = k.make<complex::ImOp>(a), bIm = k.make<complex::ImOp>(b);
  FPred better = isMax ? FPred::OGT : FPred::OLT;
  Value isTie = cmp(FPred::OEQ, aRe, bRe);
  Value takesA = ori(cmp(better, aRe, bRe), andi(isTie, cmp(better, aIm, bIm)));
  takesA = ori(takesA, ori(isNan(aRe), isNan(aIm)));
  return select(takesA, a, b);
}

/// (x - y)(x + y), 2xy: x^2 - y^2 overflows and cancels earlier. No real part where |x| = |y|.
Value ScalarEmitter::squareComplex(Value z) {
  Value x = k.make<complex::ReOp>(z), y = k.make<complex::ImOp>(z);
  Value isDiagonal = andi(cmp(FPred::OEQ, absf(x), absf(y)),
                          cmp(FPred::OLT, absf(x), std::numeric_limits<double>::infinity()));
  Value re = select(isDiagonal, f(x, 0), mul(sub(x, y), add(x, y)));
  return k.make<complex::CreateOp>(z.getType(), re, mul(mul(x, y), 2));
}

Value ScalarEmitter::emitComplex(Operation *op, ArrayRef<Value> v, const ElementKind &kind) {
  auto create = [&](Value re, Value im) {
    return k.make<complex::CreateOp>(ComplexType::get(re.getType()), re, im);
  };
  auto re = [&](Value z) { return k.make<complex::ReOp>(z); };
  auto im = [&](Value z) { return k.make<complex::ImOp>(z); };
  auto one = [&] { return create(f(re(v[0]), 1), f(re(v[0]), 0)); };
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<stablehlo::ComplexOp>([&](auto) { return create(v[0], v[1]); })
      .Case<stablehlo::RealOp>([&](auto) { return re(v[0]); })
      .Case<stablehlo::ImagOp>([&](auto) { return im(v[0]); })
      .Case<chlo::ConjOp>([&](auto) { return k.make<complex::ConjOp>(v[0]); })
      .Case<stablehlo::AddOp>(
          [&](auto) { return create(add(re(v[0]), re(v[1])), add(im(v[0]), im(v[1]))); })
      .Case<stablehlo::SubtractOp>(
          [&](auto) { return create(sub(re(v[0]), re(v[1])), sub(im(v[0]), im(v[1]))); })
      .Case<stablehlo::MulOp>([&](auto) { return k.make<complex::MulOp>(v[0], v[1]); })
      .Case<chlo::SquareOp>([&](auto) { return squareComplex(v[0]); })
      .Case<stablehlo::DivOp>([&](auto) { return k.make<complex::DivOp>(v[0], v[1]); })
      .Case<stablehlo::NegOp>([&](auto) { return create(neg(re(v[0])), neg(im(v[0]))); })
      .Case<stablehlo::AbsOp>([&](auto) { return libm("hypot", {re(v[0]), im(v[0])}); })
      .Case<stablehlo::SignOp>([&](auto) { return k.make<complex::SignOp>(v[0]); })
      .Case<stablehlo::ExpOp>([&](auto) { return k.make<complex::ExpOp>(v[0]); })
      .Case<stablehlo::Expm1Op>([&](auto) { return k.make<complex::Expm1Op>(v[0]); })
      .Case<stablehlo::LogOp>([&](auto) { return k.make<complex::LogOp>(v[0]); })
      .Case<stablehlo::Log1pOp>([&](auto) { return complexLog1p(v[0]); })
      .Case<stablehlo::SineOp>([&](auto) { return k.make<complex::SinOp>(v[0]); })
      .Case<stablehlo::CosineOp>([&](auto) { return k.make<complex::CosOp>(v[0]); })
      .Case<stablehlo::TanOp, chlo::TanOp>([&](auto) { return complexFunction("ctan", v); })
      .Case<stablehlo::TanhOp>([&](auto) { return complexFunction("ctanh", v); })
      .Case<stablehlo::SqrtOp>([&](auto) {
        // On the negative real axis the upper side's, as XLA's: -0 + 0 is 0.
        return complexFunction("csqrt", {create(re(v[0]), add(im(v[0]), 0))});
      })
      .Case<stablehlo::RsqrtOp>([&](auto) { return k.make<complex::RsqrtOp>(v[0]); })
      .Case<stablehlo::CbrtOp>([&](auto) {
        Value third = create(f(re(v[0]), 1.0 / 3), f(re(v[0]), 0));
        return k.make<complex::PowOp>(v[0], third);
      })
      .Case<chlo::AcosOp>([&](auto) { return complexFunction("cacos", v); })
      .Case<chlo::AcoshOp>([&](auto) { return complexFunction("cacosh", v); })
      .Case<chlo::AsinOp>([&](auto) { return complexFunction("casin", v); })
      .Case<chlo::AsinhOp>([&](auto) { return complexFunction("casinh", v); })
      .Case<chlo::AtanOp>([&](auto) { return complexFunction("catan", v); })
      .Case<chlo::AtanhOp>([&](auto) { return complexFunction("catanh", v); })
      .Case<chlo::CoshOp>([&](auto) { return complexFunction("ccosh", v); })
      .Case<chlo::SinhOp>([&](auto) { return complexFunction("csinh", v); })
      .Case<stablehlo::MaxOp>([&](auto) { return extremeComplex(v[0], v[1], /*isMax=*/true); })
      .Case<stablehlo::MinOp>([&](auto) { return extremeComplex(v[0], v[1], /*isMax=*/false); })
      .Case<stablehlo::PowOp>([&](auto) { return k.make<complex::PowOp>(v[0], v[1]); })
      .Case<stablehlo::Atan2Op>([&](auto) { return k.make<complex::Atan2Op>(v[0], v[1]); })
      .Case<stablehlo::LogisticOp>([&](auto) {
        Value e = k.make<complex::ExpOp>(create(neg(re(v[0])), neg(im(v[0]))));
        Value sum = create(add(re(e), 1), im(e));
        return k.make<complex::DivOp>(one(), sum);
      })
      .Case<stablehlo::CompareOp>([&](stablehlo::CompareOp compare) {
        Value equal = k.make<arith::AndIOp>(cmp(FPred::OEQ, re(v[0]), re(v[1])),
                                            cmp(FPred::OEQ, im(v[0]), im(v[1])));
        bool isEqual = compare.getComparisonDirection() == stablehlo::ComparisonDirection::EQ;
        return isEqual ? equal : noti(equal);
      })
      .Default([&](Operation *) -> Value { return nullptr; });
}

} // namespace tandem::codegen
