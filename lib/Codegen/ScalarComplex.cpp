// Elementwise ops on complex numbers, through MLIR's complex dialect.

#include "ScalarEmitter.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using FPred = mlir::arith::CmpFPredicate;

namespace tandem::codegen {

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
      .Case<chlo::SquareOp>([&](auto) { return k.make<complex::MulOp>(v[0], v[0]); })
      .Case<stablehlo::DivOp>([&](auto) { return k.make<complex::DivOp>(v[0], v[1]); })
      .Case<stablehlo::NegOp>([&](auto) { return create(neg(re(v[0])), neg(im(v[0]))); })
      .Case<stablehlo::AbsOp>([&](auto) { return libm("hypot", {re(v[0]), im(v[0])}); })
      .Case<stablehlo::SignOp>([&](auto) { return k.make<complex::SignOp>(v[0]); })
      .Case<stablehlo::ExpOp>([&](auto) { return k.make<complex::ExpOp>(v[0]); })
      .Case<stablehlo::Expm1Op>([&](auto) { return k.make<complex::Expm1Op>(v[0]); })
      .Case<stablehlo::LogOp>([&](auto) { return k.make<complex::LogOp>(v[0]); })
      .Case<stablehlo::Log1pOp>([&](auto) { return k.make<complex::Log1pOp>(v[0]); })
      .Case<stablehlo::SineOp>([&](auto) { return k.make<complex::SinOp>(v[0]); })
      .Case<stablehlo::CosineOp>([&](auto) { return k.make<complex::CosOp>(v[0]); })
      .Case<stablehlo::TanOp, chlo::TanOp>([&](auto) { return k.make<complex::TanOp>(v[0]); })
      .Case<stablehlo::TanhOp>([&](auto) { return k.make<complex::TanhOp>(v[0]); })
      .Case<stablehlo::SqrtOp>([&](auto) { return k.make<complex::SqrtOp>(v[0]); })
      .Case<stablehlo::RsqrtOp>([&](auto) { return k.make<complex::RsqrtOp>(v[0]); })
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
