// Factorisations and solvers called as a program calls them.
#include "runtime/cpu/Lapack.h"

#include <cmath>
#include <complex>

#include "runtime/cpu/LibraryCall.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

using testing::ElementsAre;
using testing::FloatNear;
using testing::HasSubstr;
using testing::Pointwise;
using Complex = std::complex<float>;

struct Array {
  Array(std::vector<float> x, std::vector<int64_t> dims)
      : Array(x.data(), x.size(), DType::F32, dims) {}
  Array(std::vector<Complex> x, std::vector<int64_t> dims)
      : Array(x.data(), x.size(), DType::C64, dims) {}
  Array(DType dtype, std::vector<int64_t> dims)
      : bytes(static_cast<size_t>(elementCount(dims) * dtypeBytes(dtype))), dtype(dtype),
        dims(dims) {}
  template <typename T>
  Array(const T *x, size_t count, DType dtype, std::vector<int64_t> dims)
      : bytes(count * sizeof(T)), dtype(dtype), dims(dims) {
    if (count)
      std::memcpy(bytes.data(), x, bytes.size());
  }
  template <typename T> std::vector<T> get() const {
    std::vector<T> x(bytes.size() / sizeof(T));
    if (!x.empty())
      std::memcpy(x.data(), bytes.data(), bytes.size());
    return x;
  }
  std::vector<char> bytes;
  DType dtype;
  std::vector<int64_t> dims;
};

absl::Status call(const char *target, const char *attributes, std::vector<Array> operands,
                  std::vector<Array> &results) {
  CustomCallRegistry registry;
  addLapackCalls(registry);
  program::CustomCallT body;
  body.target = target;
  body.attributes = attributes;
  std::vector<void *> buffers;
  auto add = [&](Array &array, auto &types) {
    types.push_back(std::make_unique<program::TensorTypeT>());
    types.back()->dtype = array.dtype;
    types.back()->dims = array.dims;
    buffers.push_back(array.bytes.data());
  };
  for (Array &array : operands)
    add(array, body.operand_types);
  for (Array &array : results)
    add(array, body.result_types);
  body.operands.resize(operands.size());
  body.results.resize(results.size());
  absl::StatusOr<CustomCallPlan> plan = CustomCallPlan::create(body, registry);
  if (!plan.ok())
    return plan.status();
  std::vector<TandemArray> scratch(plan->numArrays());
  return plan->run(buffers.data(), 0, 1, scratch.data());
}

TEST(Lapack, choleskyOfEachTriangle) {
  // [[4, 2], [2, 10]] = [[2, 0], [1, 3]] [[2, 1], [0, 3]]; the other triangle is not read.
  std::vector<Array> results{Array(DType::F32, {2, 2, 2})};
  EXPECT_OK(call("tandem.cholesky", "{\"lower\": true}",
                 {Array(std::vector<float>{4, 99, 2, 10, -1, 0, 0, 1}, {2, 2, 2})}, results));
  std::vector<float> got = results[0].get<float>();
  EXPECT_THAT(std::vector<float>(got.begin(), got.begin() + 4), ElementsAre(2, 0, 1, 3));
  EXPECT_TRUE(std::isnan(got[4])) << "not positive definite";
  EXPECT_OK(call("tandem.cholesky", "{\"lower\": false}",
                 {Array(std::vector<float>{4, 2, 99, 10, 1, 0, 0, 1}, {2, 2, 2})}, results));
  EXPECT_THAT(results[0].get<float>(), ElementsAre(2, 1, 0, 3, 1, 0, 0, 1));
}

TEST(Lapack, choleskyOfHermitian) {
  // L = [[1, 0], [i, 2]]; L L^H = [[1, -i], [i, 5]].
  Complex i(0, 1);
  std::vector<Array> results{Array(DType::C64, {2, 2})};
  EXPECT_OK(call("tandem.cholesky", "{\"lower\": true}",
                 {Array(std::vector<Complex>{1, -i, i, 5}, {2, 2})}, results));
  EXPECT_THAT(results[0].get<Complex>(), ElementsAre(1, 0, i, 2));
}

TEST(Lapack, triangularSolve) {
  auto solve = [](const char *attributes, Array a, Array b) {
    std::vector<Array> results{Array(b.dtype, b.dims)};
    EXPECT_OK(call("tandem.triangular_solve", attributes, {a, b}, results));
    return results[0];
  };
  Array a(std::vector<float>{2, 0, 1, 4}, {2, 2});
  // a x = b: x = (1, 2).
  EXPECT_THAT(
      solve(
          R"({"left_side": true, "lower": true, "unit_diagonal": false, "transpose": "NO_TRANSPOSE"})",
          a, Array(std::vector<float>{2, 9}, {2, 1}))
          .get<float>(),
      ElementsAre(1, 2));
  // x a^T = b, unit diagonal: x = (1, 2).
  EXPECT_THAT(
      solve(
          R"({"left_side": false, "lower": true, "unit_diagonal": true, "transpose": "TRANSPOSE"})",
          a, Array(std::vector<float>{1, 3}, {1, 2}))
          .get<float>(),
      ElementsAre(1, 2));
  // a^H x = b with a = [[1, 0], [i, 1]]: x = (1, 2).
  Complex i(0, 1);
  EXPECT_THAT(
      solve(R"({"left_side": true, "lower": true, "unit_diagonal": false, "transpose": "ADJOINT"})",
            Array(std::vector<Complex>{1, 0, i, 1}, {2, 2}),
            Array(std::vector<Complex>{Complex(1) - 2.0f * i, 2}, {2, 1}))
          .get<Complex>(),
      ElementsAre(1, 2));
}

TEST(Lapack, factorisationsAreColumnMajor) {
  // The columns (3, 6) and (1, 4) of a 2 x 2 matrix; rows change places.
  std::vector<Array> results{Array(DType::F32, {2, 2}), Array(DType::I32, {2}),
                             Array(DType::I32, {})};
  EXPECT_OK(
      call("lapack_sgetrf_ffi", "{}", {Array(std::vector<float>{3, 6, 1, 4}, {2, 2})}, results));
  EXPECT_THAT(results[0].get<float>(), ElementsAre(6, 0.5, 4, -1));
  EXPECT_THAT(results[1].get<int32_t>(), ElementsAre(2, 2));
  EXPECT_THAT(results[2].get<int32_t>(), ElementsAre(0));
}

TEST(Lapack, failureIsCodeOfEachMatrix) {
  std::vector<Array> results{Array(DType::F32, {2, 1, 1}), Array(DType::I32, {2})};
  EXPECT_OK(call("lapack_spotrf_ffi", "{\"uplo\": 76}",
                 {Array(std::vector<float>{-1, 9}, {2, 1, 1})}, results));
  EXPECT_EQ(results[0].get<float>()[1], 3);
  EXPECT_THAT(results[1].get<int32_t>(), ElementsAre(1, 0));
}

TEST(Lapack, eigenvectorsOfPairs) {
  // A quarter turn has the eigenvalues i and -i.
  std::vector<Array> results{Array(DType::F32, {2}), Array(DType::F32, {2}),
                             Array(DType::C64, {2, 2}), Array(DType::C64, {2, 2}),
                             Array(DType::I32, {})};
  const char *attributes = "{\"compute_left\": 78, \"compute_right\": 86}";
  EXPECT_OK(call("lapack_sgeev_ffi", attributes, {Array(std::vector<float>{0, 1, -1, 0}, {2, 2})},
                 results));
  EXPECT_THAT(results[1].get<float>(), Pointwise(FloatNear(1e-6), {1.0f, -1.0f}));
  std::vector<Complex> v = results[3].get<Complex>();
  EXPECT_NEAR(std::abs(-v[1] - Complex(0, 1) * v[0]), 0, 1e-6);
  EXPECT_EQ(v[2], std::conj(v[0]));
  EXPECT_EQ(v[3], std::conj(v[1]));

  // Iterations on NaN need not end.
  float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_OK(call("lapack_sgeev_ffi", attributes, {Array(std::vector<float>{0, nan, -1, 0}, {2, 2})},
                 results));
  EXPECT_THAT(results[4].get<int32_t>(), ElementsAre(-4));
}

TEST(Lapack, emptyMatrices) {
  std::vector<Array> results{Array(DType::F32, {0, 0}), Array(DType::F32, {0}),
                             Array(DType::I32, {})};
  EXPECT_OK(call("lapack_ssyevd_ffi", "{\"mode\": 86, \"uplo\": 76}", {Array(DType::F32, {0, 0})},
                 results));
  results = {Array(DType::F32, {0, 2, 2})};
  EXPECT_OK(call("tandem.cholesky", "{\"lower\": true}", {Array(DType::F32, {0, 2, 2})}, results));
}

TEST(Lapack, badCallsAreNamed) {
  auto fails = [](const char *target, const char *attributes, std::vector<Array> operands,
                  std::vector<Array> results, const char *text) {
    EXPECT_THAT(call(target, attributes, operands, results).message(), HasSubstr(text));
  };
  Array square(DType::F32, {2, 2}), wide(DType::F32, {2, 3}), info(DType::I32, {});
  const char *lower = "{\"uplo\": 76}";
  fails("lapack_spotrf_ffi", lower, {square}, {square}, "1 operands and 2 results, found 1 and 1");
  fails("lapack_spotrf_ffi", lower, {wide}, {wide, info}, "square matrices, found 3 x 2");
  fails("lapack_spotrf_ffi", lower, {square}, {wide, info},
        "operand 0's type f32[2,2], found f32[2,3]");
  fails("lapack_spotrf_ffi", lower, {Array(DType::F64, {2, 2})}, {square, info},
        "matrices of f32, found f64[2,2]");
  fails("lapack_spotrf_ffi", lower, {square}, {square, Array(DType::I32, {2})},
        "1 times 1 elements of i32");
  fails("lapack_spotrf_ffi", lower, {Array(DType::F32, {2})}, {Array(DType::F32, {2}), info},
        "matrices of f32, found f32[2]");
  fails("lapack_spotrf_ffi", "{}", {square}, {square, info}, "an attribute 'uplo'");
  fails("lapack_spotrf_ffi", "{\"uplo\": 65}", {square}, {square, info}, "one of LU, found 65");
  fails("lapack_spotrf_ffi", "{\"uplo\": \"L\"}", {square}, {square, info},
        "'uplo' to be an integer");
  fails("tandem.cholesky", "{\"lower\": true}", {Array(DType::I32, {2, 2})}, {square}, "found i32");
}

} // namespace
} // namespace tandem::runtime
