// Functions of one or two floats.
//
// f32: polynomials and rational functions; coefficients of exp, log, sin, cos and erfc are those of
// the Cephes library, those of tanh and erf Eigen's, of erf_inv M. Giles' ("Approximating the
// erfinv function"). f64, and what has no formula here: the C library, lane by lane.

#include "ScalarEmitter.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "llvm/ADT/TypeSwitch.h"

#include <cmath>

using namespace mlir;
using IPred = mlir::arith::CmpIPredicate;
using FPred = mlir::arith::CmpFPredicate;

namespace tandem::codegen {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();
/// Adding it to a float rounds that to an integer, which then lies in the low bits.
constexpr double roundingMagic = 12582912.0;
constexpr int64_t roundingMagicBits = 0x4b400000;
/// ln 2 in two parts; the first has few bits, so that small multiples of it are exact.
constexpr double ln2High = 0.693359375, ln2Low = -2.12194440e-4;

} // namespace

Value ScalarEmitter::function(Operation *op, ArrayRef<Value> v) {
  Value x = v[0];
  bool isF32 = scalarType(x).isF32();
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<stablehlo::ExpOp>([&](auto) { return isF32 ? exp(x) : libm("exp", v); })
      .Case<stablehlo::Expm1Op>([&](auto) { return isF32 ? expm1(x) : libm("expm1", v); })
      .Case<stablehlo::LogOp>([&](auto) { return isF32 ? log(x) : libm("log", v); })
      .Case<stablehlo::Log1pOp>([&](auto) { return isF32 ? log1p(x) : libm("log1p", v); })
      .Case<stablehlo::TanhOp>([&](auto) { return isF32 ? tanh(x) : libm("tanh", v); })
      .Case<chlo::ErfOp>([&](auto) { return isF32 ? erf(x) : libm("erf", v); })
      .Case<chlo::ErfcOp>([&](auto) { return isF32 ? erfc(x) : libm("erfc", v); })
      .Case<chlo::ErfInvOp>([&](auto) { return erfInv(x); })
      .Case<chlo::DigammaOp>([&](auto) { return digamma(x); })
      .Case<stablehlo::SineOp>([&](auto) { return circular(x, Circular::Sine); })
      .Case<stablehlo::CosineOp>([&](auto) { return circular(x, Circular::Cosine); })
      .Case<stablehlo::TanOp, chlo::TanOp>([&](auto) { return circular(x, Circular::Tangent); })
      .Case<stablehlo::LogisticOp>([&](auto) {
        Value e = isF32 ? exp(neg(x)) : libm("exp", {neg(x)});
        return div(f(x, 1), add(e, 1));
      })
      .Case<stablehlo::SqrtOp>([&](auto) { return sqrt(x); })
      .Case<stablehlo::RsqrtOp>([&](auto) { return div(f(x, 1), sqrt(x)); })
      .Case<stablehlo::PowOp>([&](auto) { return power(v[0], v[1]); })
      .Case<stablehlo::CbrtOp>([&](auto) { return libm("cbrt", v); })
      .Case<stablehlo::Atan2Op>([&](auto) { return libm("atan2", v); })
      .Case<chlo::AcosOp>([&](auto) { return libm("acos", v); })
      .Case<chlo::AcoshOp>([&](auto) { return libm("acosh", v); })
      .Case<chlo::AsinOp>([&](auto) { return libm("asin", v); })
      .Case<chlo::AsinhOp>([&](auto) { return libm("asinh", v); })
      .Case<chlo::AtanOp>([&](auto) { return libm("atan", v); })
      .Case<chlo::AtanhOp>([&](auto) { return libm("atanh", v); })
      .Case<chlo::CoshOp>([&](auto) { return isF32 ? hyperbolic(x, false) : libm("cosh", v); })
      .Case<chlo::SinhOp>([&](auto) { return isF32 ? hyperbolic(x, true) : libm("sinh", v); })
      .Case<chlo::BesselI1eOp>([&](auto) { return besselI1e(x); })
      .Case<chlo::ZetaOp>([&](auto) { return zeta(v[0], v[1]); })
      .Case<chlo::PolygammaOp>([&](auto) { return polygamma(v[0], v[1]); })
      .Case<chlo::LgammaOp>([&](auto) { return libm("lgamma", v); })
      .Default([&](Operation *) -> Value { return nullptr; });
}

Value ScalarEmitter::exp2i(Value n) {
  return bitcast(shl(addi(n, 127), 23), Float32Type::get(k.context()));
}

//===--- exp and log ---===//

Value ScalarEmitter::exp(Value x) {
  // e^x = 2^n e^r, |r| <= ln 2 / 2. Beyond the bounds the result is 0 or inf anyway; where it is 0,
  // as for what a mask has set to -1e9, multiplying down to it would take the processor a hundred
  // cycles for each step below the normal numbers.
  Value isZero = cmp(FPred::OLT, x, -104.0);
  Value bounded = select(isZero, f(x, 0), clampF(x, -104, 89));
  Value shifted = fma(bounded, M_LOG2E, f(x, roundingMagic));
  Value n = sub(shifted, roundingMagic);
  Value r = fma(n, -ln2Low, fma(n, -ln2High, bounded));
  Value p = polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                           1.6666665459e-1, 5.0000001201e-1});
  Value y = add(fma(p, mul(r, r), r), 1);
  if (k.target().scalesByPowers && lanesOf(x) == 16)
    return select(isZero, f(x, 0), scaleByPower(y, n));
  // In two steps, so that subnormal results and 2^128 come out right.
  Value ni = addi(bitsOf(shifted), -roundingMagicBits);
  Value half = ashr(ni, 1);
  Value scaled = mul(mul(y, exp2i(half)), exp2i(subi(ni, half)));
  return select(isZero, f(x, 0), scaled);
}

Value ScalarEmitter::scaleByPower(Value x, Value n) {
  Value all = constant(intType(16), k.raw().getI16IntegerAttr(-1));
  Value asIs = constant(intType(32), k.raw().getI32IntegerAttr(4)); // the rounding mode in force
  return k.make<LLVM::CallIntrinsicOp>(x.getType(),
                                       k.raw().getStringAttr("llvm.x86.avx512.mask.scalef.ps.512"),
                                       ValueRange{x, n, x, all, asIs});
}

Value ScalarEmitter::extremeInOne(Value a, Value b, bool isMax) {
  // The instruction passes NaN over for a number; the sum of the two is NaN then.
  constexpr int64_t min = 0b0100, max = 0b0101; // with the sign of the one chosen
  Type type = a.getType();
  Value all = constant(intType(16), k.raw().getI16IntegerAttr(-1));
  Value asIs = constant(intType(32), k.raw().getI32IntegerAttr(4)); // the rounding mode in force
  Value which = constant(intType(32), k.raw().getI32IntegerAttr(isMax ? max : min));
  Value chosen = k.make<LLVM::CallIntrinsicOp>(
      type, k.raw().getStringAttr("llvm.x86.avx512.mask.range.ps.512"),
      ValueRange{a, b, which, a, all, asIs});
  return select(cmp(FPred::UNO, a, b), add(a, b), chosen);
}

Value ScalarEmitter::divideByOne(Value a, Value scalar) {
  // With y the nearest float to 1 / b and q one of the two around a / b, q + y (a - b q) rounds to
  // the nearest float to a / b (Markstein): the first correction makes such a q, the second ends.
  // What is too small or large for the remainders to be exact goes the long way, as -0 does.
  constexpr int64_t small = 0x1f800000, large = 0x5f800000; // 2^-64, 2^64
  Value b = splat(scalar, lanesOf(a));
  auto isBetween = [&](Value bits) {
    Value magnitude = andi(bits, 0x7fffffff);
    return cmp(IPred::ult, addi(magnitude, -small), large - small);
  };
  Value isTame = ori(isBetween(bitsOf(a)), cmp(IPred::eq, bitsOf(a), 0));
  Value areTame = k.make<vector::ReductionOp>(vector::CombiningKind::AND, isTame);
  areTame = andi(areTame, isBetween(bitsOf(scalar)));
  return k.branch(
      areTame, TypeRange{a.getType()},
      [&] {
        Value y = splat(div(f(scalar, 1), scalar), lanesOf(a));
        Value q = mul(a, y);
        for (int correction = 0; correction < 2; ++correction)
          q = fma(fma(neg(q), b, a), y, q);
        return Values{q};
      },
      // Right here: elsewhere it would be computed in any case.
      [&] { return Values{k.put<arith::DivFOp>(a, b, contract).getResult()}; })[0];
}

Value ScalarEmitter::expm1(Value x) {
  Value bounded = clampF(x, -18, 80);
  Value shifted = fma(bounded, M_LOG2E, f(x, roundingMagic));
  Value n = sub(shifted, roundingMagic);
  Value r = fma(n, -ln2Low, fma(n, -ln2High, bounded));
  Value p = polynomial(r, {1.9875691500e-4, 1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2,
                           1.6666665459e-1, 5.0000001201e-1});
  Value q = fma(p, mul(r, r), r);
  Value scale = exp2i(addi(bitsOf(shifted), -roundingMagicBits));
  Value y = fma(scale, q, sub(scale, 1));
  y = select(cmp(FPred::OGT, x, 80.0), exp(x), y);
  // Tiny ones and -0 are themselves.
  return select(cmp(FPred::OLT, absf(x), 1e-8), x, y);
}

Value ScalarEmitter::log(Value x) {
  // x = 2^e m, sqrt(1/2) <= m < sqrt(2).
  Value isSubnormal = cmp(FPred::OLT, x, 1.17549435e-38);
  Value scaled = select(isSubnormal, mul(x, 8388608.0), x);
  Value bits = bitsOf(scaled);
  // Moving sqrt(1/2) to a power of two's place splits exponent and mantissa where wanted.
  Value moved = addi(bits, 0x3f800000 - 0x3f3504f3);
  Value exponent = addi(lshr(moved, 23), -127);
  Value m = bitcast(addi(andi(moved, 0x007fffff), 0x3f3504f3), scalarType(x));
  Value e = k.make<arith::SIToFPOp>(x.getType(), exponent);
  e = select(isSubnormal, sub(e, 23), e);
  Value r = sub(m, 1);
  Value z = mul(r, r);
  Value p = polynomial(r, {7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1,
                           1.4249322787e-1, -1.6668057665e-1, 2.0000714765e-1, -2.4999993993e-1,
                           3.3333331174e-1});
  Value y = mul(mul(p, r), z);
  y = fma(e, ln2Low, y);
  y = fma(z, -0.5, y);
  Value result = fma(e, ln2High, add(r, y));
  result = select(cmp(FPred::OEQ, x, infinity), x, result);
  result = select(cmp(FPred::OEQ, x, 0.0), f(x, -infinity), result);
  // Negative or NaN.
  return select(cmp(FPred::ULT, x, 0.0), f(x, nan), result);
}

Value ScalarEmitter::log1p(Value x) {
  // log(u) of the rounded u = 1 + x, corrected for what the rounding lost.
  Value u = add(x, 1);
  Value lost = sub(x, sub(u, 1));
  Value y = add(log(u), div(lost, u));
  y = select(cmp(FPred::OLT, absf(x), 1e-8), x, y);
  Value isEdge = ori(cmp(FPred::OEQ, u, infinity), cmp(FPred::OEQ, u, 0.0));
  return select(isEdge, log(u), y);
}

Value ScalarEmitter::power(Value x, Value y) {
  // Small whole exponents that are known now; they are exact, and vectorise.
  double exponent = nan;
  if (auto constant = y.getDefiningOp<arith::ConstantOp>()) {
    if (auto scalar = dyn_cast<FloatAttr>(constant.getValue()))
      exponent = scalar.getValueAsDouble();
    else if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue()))
      exponent = splat.getSplatValue<APFloat>().convertToDouble();
  } else if (auto splat = y.getDefiningOp<vector::BroadcastOp>()) {
    if (auto scalar = splat.getSource().getDefiningOp<arith::ConstantOp>())
      exponent = cast<FloatAttr>(scalar.getValue()).getValueAsDouble();
  }
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return mul(x, x);
  if (exponent == 3)
    return mul(mul(x, x), x);
  if (exponent == -1)
    return div(f(x, 1), x);
  return libm("pow", {x, y});
}

//===--- Hyperbolic and error functions ---===//

Value ScalarEmitter::tanh(Value x) {
  Value bounded = clampF(x, -7.99881172180175781, 7.99881172180175781);
  Value z = mul(bounded, bounded);
  Value p = polynomial(z, {-2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11,
                           5.12229709037114e-08, 1.48572235717979e-05, 6.37261928875436e-04,
                           4.89352455891786e-03});
  Value q = polynomial(
      z, {1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03});
  Value y = div(mul(bounded, p), q);
  return select(cmp(FPred::OLT, absf(x), 4e-4), x, y);
}

Value ScalarEmitter::erf(Value x) {
  Value bounded = clampF(x, -4, 4);
  Value z = mul(bounded, bounded);
  Value p = polynomial(z, {-2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06,
                           -5.69250639462346e-05, -7.34990630326855e-04, -2.95459980854025e-03,
                           -1.60960333262415e-02});
  Value q = polynomial(z, {-1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03,
                           -7.37332916720468e-03, -1.42647390514189e-02});
  return clampF(div(mul(bounded, p), q), -1, 1);
}

Value ScalarEmitter::erfc(Value x) {
  Value a = absf(x);
  Value q = div(f(x, 1), a);
  Value y = mul(q, q);
  Value near = polynomial(y, {2.326819970068386e-2, -1.387039388740657e-1, 3.687424674597105e-1,
                              -5.824733027278666e-1, 6.210004621745983e-1, -4.944515323274145e-1,
                              3.404879937665872e-1, -2.741127028184656e-1, 5.638259427386472e-1});
  Value far = polynomial(y, {-1.047766399936249e+1, 1.297719955372516e+1, -7.495518717768503e+0,
                             2.921019019210786e+0, -1.015265279202700e+0, 4.218463358204948e-1,
                             -2.820767439740514e-1, 5.641895067754075e-1});
  Value p = select(cmp(FPred::OLT, a, 2.0), near, far);
  // exp(-a^2) with the square's rounding error made good.
  Value square = mul(a, a);
  Value error = fma(a, a, neg(square));
  Value scale = exp(neg(square));
  scale = fma(scale, neg(error), scale);
  Value tail = mul(mul(scale, q), p);
  tail = select(cmp(FPred::OGT, a, 11.0), f(x, 0), tail);
  tail = select(cmp(FPred::OLT, x, 0.0), sub(f(x, 2), tail), tail);
  return select(cmp(FPred::OLT, a, 1.0), sub(f(x, 1), erf(x)), select(isNan(x), x, tail));
}

Value ScalarEmitter::erfInv(Value x) {
  if (!scalarType(x).isF32()) {
    // The f32 value, and three steps of Newton's method on erf.
    Type f32 = Float32Type::get(k.context());
    Value start = erfInv(k.make<arith::TruncFOp>(like(x, f32), x));
    Value y = k.make<arith::ExtFOp>(x.getType(), start);
    for (int step = 0; step < 3; ++step) {
      Value slope = mul(libm("exp", {neg(mul(y, y))}), M_2_SQRTPI);
      y = sub(y, div(sub(libm("erf", {y}), x), slope));
    }
    Value isOne = cmp(FPred::OEQ, absf(x), 1.0);
    return select(isOne, copySign(f(x, infinity), x), y);
  }
  Value w = neg(log1p(neg(mul(x, x))));
  Value isCentral = cmp(FPred::OLT, w, 5.0);
  Value central = polynomial(sub(w, 2.5), {2.81022636e-08, 3.43273939e-07, -3.5233877e-06,
                                           -4.39150654e-06, 0.00021858087, -0.00125372503,
                                           -0.00417768164, 0.246640727, 1.50140941});
  Value tail = polynomial(sub(sqrt(w), 3),
                          {-0.000200214257, 0.000100950558, 0.00134934322, -0.00367342844,
                           0.00573950773, -0.0076224613, 0.00943887047, 1.00167406, 2.83297682});
  Value y = mul(select(isCentral, central, tail), x);
  return select(cmp(FPred::OEQ, absf(x), 1.0), mul(x, infinity), y);
}

Value ScalarEmitter::digamma(Value x) {
  // Reflection to x >= 1/2, recurrence up to x >= 10, then the asymptotic series.
  bool isF32 = scalarType(x).isF32();
  Value isReflected = cmp(FPred::OLT, x, 0.5);
  Value z = select(isReflected, sub(f(x, 1), x), x);
  Value sum = f(x, 0), at = z;
  for (int step = 0; step < 10; ++step) {
    Value isSmall = cmp(FPred::OLT, at, 10.0);
    sum = select(isSmall, add(sum, div(f(x, 1), at)), sum);
    at = select(isSmall, add(at, 1), at);
  }
  Value inverse = div(f(x, 1), at);
  Value square = mul(inverse, inverse);
  Value series = mul(square, polynomial(square, {1.0 / 12, -691.0 / 32760, 1.0 / 132, -1.0 / 240,
                                                 1.0 / 252, -1.0 / 120, 1.0 / 12}));
  Value logAt = isF32 ? log(at) : libm("log", {at});
  Value y = sub(sub(sub(logAt, mul(inverse, 0.5)), series), sum);
  // pi cot(pi x) of the distance to the nearest integer, which is exact.
  Value fraction = sub(x, k.make<math::RoundEvenOp>(x));
  Value cotangent = div(f(x, M_PI), circular(mul(fraction, M_PI), Circular::Tangent));
  y = select(isReflected, sub(y, cotangent), y);
  Value isPole = k.make<arith::AndIOp>(cmp(FPred::OLE, x, 0.0), cmp(FPred::OEQ, fraction, 0.0));
  return select(isPole, f(x, nan), y);
}

//===--- Circular functions ---===//

Value ScalarEmitter::circular(Value x, Circular which) {
  StringRef name = which == Circular::Sine ? "sin" : which == Circular::Cosine ? "cos" : "tan";
  if (!scalarType(x).isF32())
    return libm(name, {x});
  // x = n pi/2 + r, |r| <= pi/4, with pi/2 in three parts.
  Value shifted = fma(x, M_2_PI, f(x, roundingMagic));
  Value n = sub(shifted, roundingMagic);
  Value r = fma(n, -1.57079637050628662109375, x);
  r = fma(n, 4.37113900018624283e-8, r);
  r = fma(n, 1.71512449777e-15, r);
  Value z = mul(r, r);
  Value sine =
      fma(mul(polynomial(z, {-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1}), z), r, r);
  Value cosine = polynomial(z, {2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2});
  cosine = add(fma(z, -0.5, mul(cosine, mul(z, z))), 1);
  Value quadrant = bitsOf(shifted);
  if (which == Circular::Cosine)
    quadrant = addi(quadrant, 1);
  Value swaps = cmp(IPred::ne, andi(quadrant, 1), 0);
  // In the odd quadrants sine and cosine change places.
  Value chosen;
  if (which == Circular::Tangent) {
    chosen = select(swaps, neg(div(cosine, sine)), div(sine, cosine));
  } else {
    chosen = select(swaps, cosine, sine);
    Value sign = shl(andi(quadrant, 2), 30);
    chosen = bitcast(xori(bitsOf(chosen), sign), scalarType(x));
  }
  if (which != Circular::Cosine)
    chosen = select(cmp(FPred::OEQ, x, 0.0), x, chosen);
  // Far out the reduction is not exact enough.
  Value result;
  k.atDepth(std::max(k.guardDepth(), k.depthOf({x})), [&] {
    Value isFar = any(cmp(FPred::OGT, absf(x), 1e5));
    result = k.branch(
        isFar, TypeRange{x.getType()}, [&] { return Values{libm(name, {x})}; },
        [&] { return Values{chosen}; })[0];
  });
  return result;
}

//===--- Rounding ---===//

Value ScalarEmitter::roundAwayFromZero(Value x) {
  // trunc(x) moved by one where the rest is a half or more; the rest is exact.
  Value truncated = k.make<math::TruncOp>(x);
  Value rest = absf(sub(x, truncated));
  Value moved = add(truncated, copySign(f(x, 1), x));
  return select(cmp(FPred::OGE, rest, 0.5), moved, truncated);
}

Value ScalarEmitter::nextAfter(Value x, Value y, const ElementKind &kind) {
  if (!kind.isNarrowFloat())
    return libm("nextafter", {x, y});
  // On the narrow type's own bits: the neighbour's magnitude is one more or one less.
  Value bits = toMemory(x, kind);
  unsigned width = widthOf(bits);
  int64_t signBit = int64_t(1) << (width - 1);
  Value magnitude = andi(bits, signBit - 1);
  Value isZero = cmp(IPred::eq, magnitude, 0);
  Value growsUp = cmp(FPred::OLT, x, y);
  Value isNegative = cmp(IPred::ne, andi(bits, signBit), 0);
  Value awayFromZero = xori(growsUp, isNegative);
  Value step = select(awayFromZero, addi(bits, 1), addi(bits, -1));
  Value fromZero = select(growsUp, i(bits, 1), i(bits, signBit | 1));
  Value moved = fromMemory(select(isZero, fromZero, step), kind);
  Value result = select(cmp(FPred::OEQ, x, y), y, moved);
  return select(isNan(x), x, select(isNan(y), y, result));
}

} // namespace tandem::codegen
