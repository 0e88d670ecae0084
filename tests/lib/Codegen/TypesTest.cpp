// Every element type that a kernel can hold: in memory, through arithmetic, and converted.

#include "KernelRunner.h"

#include "tandem/Codegen/KernelOps.h"

#include <complex>

using namespace tandem::test;
using testing::ElementsAre;
using testing::ElementsAreArray;

namespace {

const float inf = std::numeric_limits<float>::infinity();
const float nan = std::numeric_limits<float>::quiet_NaN();

struct Element {
  const char *name;
  int bytes;
  // Of 0, 1, 3, -1.5 and 1e9, converted to the type, doubled there, and converted back.
  std::vector<float> doubled;
};

void PrintTo(const Element &element, std::ostream *os) { *os << element.name; }

class Types : public testing::TestWithParam<Element> {};

TEST_P(Types, ConvertDoubleAndConvertBack) {
  const Element &e = GetParam();
  std::string type = "tensor<5x" + std::string(e.name) + ">", f32 = "tensor<5xf32>";
  auto narrow =
      runKernel("func.func @main(%x: " + f32 + ") -> " + type +
                    " {\n%0 = stablehlo.convert %x : (" + f32 + ") -> " + type +
                    "\n%1 = stablehlo.add %0, %0 : " + type + "\nreturn %1 : " + type + "\n}",
                {array<float>({0, 1, 3, -1.5, 1e9})});
  EXPECT_EQ(narrow[0].size(), size_t(5 * e.bytes));
  // Through memory.
  auto wide = runKernel("func.func @main(%x: " + type + ") -> " + f32 +
                            " {\n%0 = stablehlo.convert %x : (" + type + ") -> " + f32 +
                            "\nreturn %0 : " + f32 + "\n}",
                        {narrow[0]});
  expectNear(values<float>(wide[0]), e.doubled, 1e-6);
}

// Integers saturate when converted and wrap when doubled; floats that are too large are infinite,
// or NaN where the type has no infinity.
INSTANTIATE_TEST_SUITE_P(
    All, Types,
    testing::Values(
        Element{"i2", 1, {0, -2, -2, -2, -2}}, Element{"i4", 1, {0, 2, 6, -2, -2}},
        Element{"i8", 1, {0, 2, 6, -2, -2}}, Element{"i16", 2, {0, 2, 6, -2, -2}},
        Element{"i32", 4, {0, 2, 6, -2, 2e9}}, Element{"i64", 8, {0, 2, 6, -2, 2e9}},
        Element{"ui2", 1, {0, 2, 2, 0, 2}}, Element{"ui4", 1, {0, 2, 6, 0, 14}},
        Element{"ui8", 1, {0, 2, 6, 0, 254}}, Element{"ui16", 2, {0, 2, 6, 0, 65534}},
        Element{"ui32", 4, {0, 2, 6, 0, 2e9}}, Element{"ui64", 8, {0, 2, 6, 0, 2e9}},
        Element{"f8E3M4", 1, {0, 2, 6, -3, inf}}, Element{"f8E4M3", 1, {0, 2, 6, -3, inf}},
        Element{"f8E4M3FN", 1, {0, 2, 6, -3, nan}}, Element{"f8E4M3FNUZ", 1, {0, 2, 6, -3, nan}},
        Element{"f8E4M3B11FNUZ", 1, {0, 2, 6, -3, nan}}, Element{"f8E5M2", 1, {0, 2, 6, -3, inf}},
        Element{"f8E5M2FNUZ", 1, {0, 2, 6, -3, nan}},
        Element{"bf16", 2, {0, 2, 6, -3, 1.996488704e9f}}, Element{"f16", 2, {0, 2, 6, -3, inf}},
        Element{"f32", 4, {0, 2, 6, -3, 2e9}}, Element{"f64", 8, {0, 2, 6, -3, 2e9}}),
    [](const auto &info) { return std::string(info.param.name); });

TEST(ElementTypes, OnlyThoseWithCode) {
  mlir::MLIRContext context;
  auto isKernelType = [&](mlir::Type type) { return tandem::isKernelElementType(type); };
  EXPECT_FALSE(isKernelType(mlir::Float8E8M0FNUType::get(&context)));
  EXPECT_FALSE(isKernelType(mlir::Float4E2M1FNType::get(&context)));
  EXPECT_FALSE(isKernelType(mlir::Float6E2M3FNType::get(&context)));
  EXPECT_FALSE(isKernelType(mlir::IntegerType::get(&context, 128)));
  EXPECT_TRUE(isKernelType(mlir::Float8E5M2FNUZType::get(&context)));
  EXPECT_TRUE(isKernelType(mlir::ComplexType::get(mlir::Float64Type::get(&context))));
}

using C = std::complex<float>;

std::vector<C> runComplex(std::string op, std::vector<C> x, std::vector<C> y = {}) {
  std::string type = "tensor<" + std::to_string(x.size()) + "xcomplex<f32>>";
  bool isBinary = !y.empty(), isChlo = op.starts_with("chlo");
  auto out =
      runKernel("func.func @main(%x: " + type + (isBinary ? ", %y: " + type : "") + ") -> " + type +
                    " {\n%0 = " + op + " %x" + (isBinary ? ", %y" : "") + " : " + type +
                    (isChlo ? " -> " + type : "") + "\nreturn %0 : " + type + "\n}",
                isBinary ? std::vector<Array>{array(x), array(y)} : std::vector<Array>{array(x)});
  return values<C>(out[0]);
}

TEST(Complex, FunctionsAreTheLibrarys) {
  struct Function {
    const char *op;
    C (*reference)(const C &);
  };
  const std::vector<C> x = {{0.5, 0.25}, {-2, 3}, {1.5, -0.1}, {-0.3, -4}, {0, 2}};
  for (const Function &f :
       {Function{"chlo.acos", std::acos}, Function{"chlo.acosh", std::acosh},
        Function{"chlo.asin", std::asin}, Function{"chlo.asinh", std::asinh},
        Function{"chlo.atan", std::atan}, Function{"chlo.atanh", std::atanh},
        Function{"chlo.cosh", std::cosh}, Function{"chlo.sinh", std::sinh},
        Function{"stablehlo.log", std::log}, Function{"stablehlo.sqrt", std::sqrt}}) {
    std::vector<C> got = runComplex(f.op, x);
    for (size_t i = 0; i < x.size(); ++i)
      EXPECT_LT(std::abs(got[i] - f.reference(x[i])), 2e-6 * (1 + std::abs(got[i])))
          << f.op << " of " << x[i] << ": got " << got[i] << ", want " << f.reference(x[i]);
  }
}

TEST(Complex, RootsAndLogarithmsNearTheirEdges) {
  EXPECT_LT(std::abs(runComplex("stablehlo.cbrt", {{3, 4}})[0] - C(1.6289371, 0.5201745)), 1e-6);
  // |1 + z| is one up to the last bits: log1p sees the rest.
  C z(-0.1628418266773224f, -0.6868272423744202f);
  EXPECT_NEAR(runComplex("stablehlo.log_plus_one", {z})[0].real(), 0.0795970280256244, 1e-8);
  EXPECT_EQ(runComplex("stablehlo.log_plus_one", {{-1, 0}})[0].real(), -inf);
  // Roots of negative numbers have no real part, on either side of the axis.
  EXPECT_THAT(runComplex("stablehlo.sqrt", {{-4, 0}, {-4, -0.0f}}),
              ElementsAreArray({C(0, 2), C(0, 2)}));
  // Zeros keep their signs.
  C tangent = runComplex("stablehlo.tan", {{0.5, 0}})[0];
  EXPECT_FALSE(std::signbit(tangent.imag()));
  EXPECT_TRUE(std::signbit(runComplex("stablehlo.tanh", {{-0.0f, 1}})[0].real()));
}

TEST(Complex, SquaresWithoutSquaringTheParts) {
  // x^2 and y^2 are infinite, their difference is not; nor does it cancel.
  EXPECT_EQ(runComplex("chlo.square", {{3e19f, 3e19f}})[0].real(), 0);
  EXPECT_EQ(runComplex("chlo.square", {{1.0f + 0x1p-23f, 1}})[0].real(), 0x1p-22f + 0x1p-46f);
  EXPECT_THAT(runComplex("chlo.square", {{inf, 0}, {3, 4}}),
              testing::ElementsAre(testing::Property(&C::real, inf), C(-7, 24)));
}

TEST(Complex, ExtremesByRealThenImaginaryPart) {
  const std::vector<C> x = {{1.5, 2.5}, {1.5, 7.5}, {0, 1.5}},
                       y = {{7.5, 1.5}, {1.5, 2.5}, {-0.0, 2.5}};
  EXPECT_THAT(runComplex("stablehlo.maximum", x, y),
              ElementsAreArray({C(7.5, 1.5), C(1.5, 7.5), C(0, 2.5)}));
  EXPECT_THAT(runComplex("stablehlo.minimum", x, y),
              ElementsAreArray({C(1.5, 2.5), C(1.5, 2.5), C(0, 1.5)}));
}

TEST(Complex, BitcastsKeepLowBitsFirst) {
  auto split = runKernel(R"(
    func.func @main(%x: tensor<1xcomplex<f64>>) -> tensor<1x2xcomplex<f32>> {
      %0 = stablehlo.bitcast_convert %x : (tensor<1xcomplex<f64>>) -> tensor<1x2xcomplex<f32>>
      return %0 : tensor<1x2xcomplex<f32>>
    })",
                         {array<uint64_t>({0x0123456789ABCDEF, 0x0000000011111111})});
  EXPECT_THAT(values<uint32_t>(split[0]), ElementsAre(0x89ABCDEF, 0x01234567, 0x11111111, 0));
  auto joined = runKernel(R"(
    func.func @main(%x: tensor<1x2xcomplex<f32>>) -> tensor<1xcomplex<f64>> {
      %0 = stablehlo.bitcast_convert %x : (tensor<1x2xcomplex<f32>>) -> tensor<1xcomplex<f64>>
      return %0 : tensor<1xcomplex<f64>>
    })",
                          {split[0]});
  EXPECT_THAT(values<uint64_t>(joined[0]), ElementsAre(0x0123456789ABCDEF, 0x0000000011111111));
}

TEST(ReducePrecision, WithoutMantissaThereIsNoNaN) {
  auto out = runKernel(R"(
    func.func @main(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %0 = stablehlo.reduce_precision %x, format = e5m0 : tensor<4xf32>
      %1 = stablehlo.reduce_precision %x, format = e5m2 : tensor<4xf32>
      return %0, %1 : tensor<4xf32>, tensor<4xf32>
    })",
                       {array<float>({nan, -nan, 1.3, 1e9})});
  expectNear(values<float>(out[0]), {inf, -inf, 1, inf}, 0);
  expectNear(values<float>(out[1]), {nan, nan, 1.25, inf}, 0);
}

TEST(Windows, NarrowSumsAreRoundedAtEachStep) {
  // 256 + 1 is 256 in bf16, and again.
  auto out = runKernel(R"(
    func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %b = stablehlo.convert %x : (tensor<3xf32>) -> tensor<3xbf16>
      %z = stablehlo.constant dense<0.0> : tensor<bf16>
      %0 = "stablehlo.reduce_window"(%b, %z) <{window_dimensions = array<i64: 3>, padding = dense<[[2, 0]]> : tensor<1x2xi64>}> ({
      ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
        %s = stablehlo.add %p, %q : tensor<bf16>
        stablehlo.return %s : tensor<bf16>
      }) : (tensor<3xbf16>, tensor<bf16>) -> tensor<3xbf16>
      %1 = stablehlo.convert %0 : (tensor<3xbf16>) -> tensor<3xf32>
      return %1 : tensor<3xf32>
    })",
                       {array<float>({256, 1, 1})});
  EXPECT_THAT(values<float>(out[0]), ElementsAre(256, 256, 256));
}

TEST(Special, BesselZetaAndPolygamma) {
  auto out = runKernel(R"(
    func.func @main(%x: tensor<4xf64>, %s: tensor<4xf64>, %q: tensor<4xf64>, %n: tensor<4xf64>)
        -> (tensor<4xf64>, tensor<4xf64>, tensor<4xf64>) {
      %0 = chlo.bessel_i1e %x : tensor<4xf64> -> tensor<4xf64>
      %1 = chlo.zeta %s, %q : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
      %2 = chlo.polygamma %n, %q : tensor<4xf64>, tensor<4xf64> -> tensor<4xf64>
      return %0, %1, %2 : tensor<4xf64>, tensor<4xf64>, tensor<4xf64>
    })",
                       {array<double>({1, -1, 10, 0}), array<double>({2, 2, 1, 0.5}),
                        array<double>({1, 3, 1, 1}), array<double>({1, 1, 2, -1})});
  auto bessel = values<double>(out[0]), zeta = values<double>(out[1]),
       polygamma = values<double>(out[2]);
  EXPECT_NEAR(bessel[0], 0.2079104153497085, 1e-15);
  EXPECT_NEAR(bessel[1], -0.2079104153497085, 1e-15);
  EXPECT_NEAR(bessel[2], 0.12126268138445552, 1e-15);
  EXPECT_EQ(bessel[3], 0);
  EXPECT_NEAR(zeta[0], M_PI * M_PI / 6, 1e-14);
  EXPECT_NEAR(zeta[1], M_PI * M_PI / 6 - 1.25, 1e-14);
  EXPECT_EQ(zeta[2], inf);
  EXPECT_TRUE(std::isnan(zeta[3]));
  EXPECT_NEAR(polygamma[0], M_PI * M_PI / 6, 1e-14);
  EXPECT_NEAR(polygamma[1], M_PI * M_PI / 6 - 1.25, 1e-14);
  EXPECT_NEAR(polygamma[2], -2 * 1.2020569031595942, 1e-13);
  EXPECT_TRUE(std::isnan(polygamma[3]));
}

} // namespace
