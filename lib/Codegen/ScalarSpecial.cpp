// Special functions of one or two floats, as sums of series.
//
// Coefficients of bessel_i1e are those of the Cephes library. The zeta function is Hurwitz's, by
// Euler and Maclaurin's formula.

#include "ScalarEmitter.h"

#include <cmath>

using namespace mlir;
using FPred = mlir::arith::CmpFPredicate;

namespace tandem::codegen {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

} // namespace

Value ScalarEmitter::hyperbolic(Value x, bool isSine) {
  // With the factor 1/2 in the exponent, so that only results out of range overflow.
  Value up = exp(add(x, -M_LN2));
  Value down = exp(sub(f(x, -M_LN2), x));
  if (!isSine)
    return add(up, down);
  // Near zero the difference would cancel.
  Value e = expm1(x);
  Value small = mul(add(e, div(e, add(e, 1))), 0.5);
  Value y = select(cmp(FPred::OLT, absf(x), 1.0), small, sub(up, down));
  return select(cmp(FPred::OEQ, x, 0.0), x, y);
}

Value ScalarEmitter::chebyshev(Value x, ArrayRef<double> coefficients) {
  Value b0 = f(x, 0), b1 = b0, b2 = b0;
  for (double c : coefficients) {
    b2 = b1;
    b1 = b0;
    b0 = add(sub(mul(x, b1), b2), c);
  }
  return mul(sub(b0, b2), 0.5);
}

Value ScalarEmitter::besselI1e(Value x) {
  static constexpr double near[] = {
      2.77791411276104639959e-18,  -2.11142121435816608115e-17, 1.55363195773620046921e-16,
      -1.10559694773538630805e-15, 7.60068429473540693410e-15,  -5.04218550472791168711e-14,
      3.22379336594557470981e-13,  -1.98397439776494371520e-12, 1.17361862988909016308e-11,
      -6.66348972350202774223e-11, 3.62559028155211703701e-10,  -1.88724975172282928790e-9,
      9.38153738649577178388e-9,   -4.44505912879632808065e-8,  2.00329475355213526229e-7,
      -8.56872026469545474066e-7,  3.47025130813767847674e-6,   -1.32731636560394358279e-5,
      4.78156510755005422638e-5,   -1.61760815825896745588e-4,  5.12285956168575772895e-4,
      -1.51357245063125314899e-3,  4.15642294431288815669e-3,   -1.05640848946261981558e-2,
      2.47264490306265168283e-2,   -5.29459812080949914269e-2,  1.02643658689847095384e-1,
      -1.76416518357834055153e-1,  2.52587186443633654823e-1};
  static constexpr double far[] = {
      7.51729631084210481353e-18,  4.41434832307170791151e-18,  -4.65030536848935832153e-17,
      -3.20952592199342395980e-17, 2.96262899764595013876e-16,  3.30820231092092828324e-16,
      -1.88035477551078244854e-15, -3.81440307243700780478e-15, 1.04202769841288027642e-14,
      4.27244001671195135429e-14,  -2.10154184277266431302e-14, -4.08355111109219731823e-13,
      -7.19855177624590851209e-13, 2.03562854414708950722e-12,  1.41258074366137813316e-11,
      3.25260358301548823856e-11,  -1.89749581235054123450e-11, -5.58974346219658380687e-10,
      -3.83538038596423702205e-9,  -2.63146884688951950684e-8,  -2.51223623787020892529e-7,
      -3.88256480887769039346e-6,  -1.10588938762623716291e-4,  -9.76109749136146840777e-3,
      7.78576235018280120474e-1};
  // f32 needs the largest coefficients only.
  bool isF32 = scalarType(x).isF32();
  ArrayRef<double> a(near), b(far);
  if (isF32) {
    a = a.take_back(17);
    b = b.take_back(7);
  }
  Value z = absf(x);
  Value small = mul(z, chebyshev(sub(mul(z, 0.5), 2), a));
  Value large = div(chebyshev(sub(div(f(x, 32), z), 2), b), sqrt(z));
  Value y = select(cmp(FPred::OLE, z, 8.0), small, large);
  return select(isNan(x), x, copySign(y, x));
}

Value ScalarEmitter::zeta(Value x, Value q) {
  // (2k)! / B_2k
  static constexpr double coefficients[] = {12.0,
                                            -720.0,
                                            30240.0,
                                            -1209600.0,
                                            47900160.0,
                                            -1307674368000.0 / 691,
                                            74724249600.0,
                                            -10670622842880000.0 / 3617,
                                            5109094217170944000.0 / 43867,
                                            -802857662698291200000.0 / 174611,
                                            14101100039391805440000.0 / 77683,
                                            -1693824136731743669452800000.0 / 236364091};
  constexpr int kTerms = 9;
  Value exponent = neg(x), at = q, sum = libm("pow", {q, exponent}), power = sum;
  for (int n = 0; n < kTerms; ++n) {
    at = add(at, 1);
    power = libm("pow", {at, exponent});
    sum = add(sum, power);
  }
  // The rest of the sum, from `at` on: the integral, half the last term, the corrections.
  sum = add(sum, div(mul(power, at), sub(x, 1)));
  sum = sub(sum, mul(power, 0.5));
  Value factor = f(x, 1), k = x;
  for (double c : coefficients) {
    factor = mul(factor, k);
    power = div(power, at);
    Value term = div(mul(factor, power), f(x, c));
    // Past the last that counts, factors may be infinite and powers zero.
    sum = select(cmp(FPred::UNO, term, term), sum, add(sum, term));
    factor = mul(factor, add(k, 1));
    power = div(power, at);
    k = add(k, 2);
  }
  Value isWholeX = cmp(FPred::OEQ, x, this->k.make<math::FloorOp>(x));
  Value isWholeQ = cmp(FPred::OEQ, q, this->k.make<math::FloorOp>(q));
  Value isEven = cmp(FPred::OEQ, mul(x, 0.5), this->k.make<math::FloorOp>(mul(x, 0.5)));
  Value isPole = select(isWholeQ, boolean(x, true), noti(isWholeX));
  Value pole = select(this->k.make<arith::AndIOp>(isWholeQ, isEven), f(x, infinity), f(x, nan));
  Value notPositive = cmp(FPred::OLE, q, 0.0);
  sum = select(this->k.make<arith::AndIOp>(notPositive, isPole), pole, sum);
  sum = select(cmp(FPred::OLT, x, 1.0), f(x, nan), sum);
  sum = select(cmp(FPred::OEQ, x, 1.0), f(x, infinity), sum);
  return select(isNan(x), x, select(isNan(q), q, sum));
}

Value ScalarEmitter::polygamma(Value n, Value x) {
  // (-1)^(n+1) n! zeta(n + 1, x)
  Value order = add(n, 1);
  Value logFactorial = libm("lgamma", {order});
  Value factorial = scalarType(n).isF32() ? exp(logFactorial) : libm("exp", {logFactorial});
  Value y = mul(factorial, zeta(order, x));
  Value half = mul(n, 0.5);
  Value isEven = cmp(FPred::OEQ, half, k.make<math::FloorOp>(half));
  y = select(isEven, neg(y), y);
  y = select(cmp(FPred::OEQ, n, 0.0), digamma(x), y);
  Value isOrder =
      k.make<arith::AndIOp>(cmp(FPred::OEQ, n, k.make<math::FloorOp>(n)), cmp(FPred::OGE, n, 0.0));
  return select(isOrder, y, f(x, nan));
}

} // namespace tandem::codegen
