// Matrix products against a naive one: types, strides, batches, both libraries.
#include "runtime/cpu/Gemm.h"

#include <cmath>
#include <cstring>
#include <random>

#include "runtime/base/SmallFloat.h"
#include "runtime/cpu/BlasGemm.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

double load(DType dtype, const std::vector<std::byte> &data, int64_t i) {
  auto read = [&]<typename T>(T) {
    T value;
    std::memcpy(&value, data.data() + static_cast<size_t>(i) * sizeof(T), sizeof(T));
    return value;
  };
  if (dtype == DType::F64)
    return read(double());
  if (dtype == DType::F32)
    return read(float());
  if (dtype == DType::BF16)
    return bf16ToFloat(read(uint16_t()));
  return f16ToFloat(read(uint16_t()));
}

void store(DType dtype, double value, std::vector<std::byte> &data, int64_t i) {
  auto write = [&](auto bits) {
    std::memcpy(data.data() + static_cast<size_t>(i) * sizeof(bits), &bits, sizeof(bits));
  };
  if (dtype == DType::F64)
    write(value);
  else if (dtype == DType::F32)
    write(static_cast<float>(value));
  else if (dtype == DType::BF16)
    write(floatToBf16(static_cast<float>(value)));
  else
    write(floatToF16(static_cast<float>(value)));
}

struct Layout3 {
  std::vector<int64_t> batch;
  int64_t row, column;
  int64_t extent; // elements
};

// Order of the dimensions (b = all batch dims, r, c) from outermost to
// innermost.
Layout3 strides(const std::string &order, const std::vector<int64_t> &batch, int64_t rows,
                int64_t columns, int64_t gap) {
  Layout3 result{std::vector<int64_t>(batch.size()), 0, 0, 0};
  int64_t stride = gap;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    if (*it == 'r') {
      result.row = stride;
      stride *= rows;
    } else if (*it == 'c') {
      result.column = stride;
      stride *= columns;
    } else {
      for (size_t d = batch.size(); d-- > 0;) {
        result.batch[d] = stride;
        stride *= batch[d];
      }
    }
  }
  result.extent = std::max<int64_t>(stride, 1);
  return result;
}

struct GemmCase {
  const char *name;
  DType lhs, rhs, out;
  std::vector<int64_t> batch;
  int64_t m, n, k;
  std::string lhsOrder = "brc", rhsOrder = "brc", outOrder = "brc";
  int64_t gap = 1;
  const char *expectedPlan = nullptr;
  bool broadcastRhs = false;
};

class Gemm : public testing::TestWithParam<GemmCase> {};

TEST_P(Gemm, equalsTheNaiveProduct) {
  const GemmCase &c = GetParam();
  Layout3 lhs = strides(c.lhsOrder, c.batch, c.m, c.k, c.gap);
  Layout3 rhs = strides(c.rhsOrder, c.batch, c.k, c.n, c.gap);
  Layout3 out = strides(c.outOrder, c.batch, c.m, c.n, 1);
  if (c.broadcastRhs)
    rhs.batch.assign(c.batch.size(), 0);
  program::GemmT gemm;
  gemm.lhs_type = c.lhs;
  gemm.rhs_type = c.rhs;
  gemm.out_type = c.out;
  gemm.batch = c.batch;
  gemm.m = c.m;
  gemm.n = c.n;
  gemm.k = c.k;
  gemm.lhs_batch_strides = lhs.batch;
  gemm.lhs_m_stride = lhs.row;
  gemm.lhs_k_stride = lhs.column;
  gemm.rhs_batch_strides = rhs.batch;
  gemm.rhs_k_stride = rhs.row;
  gemm.rhs_n_stride = rhs.column;
  gemm.out_batch_strides = out.batch;
  gemm.out_m_stride = out.row;
  gemm.out_n_stride = out.column;

  std::mt19937 random(7);
  auto fill = [&](DType dtype, int64_t count) {
    std::vector<std::byte> data(static_cast<size_t>(count * dtypeBytes(dtype)));
    for (int64_t i = 0; i < count; ++i) // exact in all types
      store(dtype, static_cast<int>(random() % 9) - 4, data, i);
    return data;
  };
  std::vector<std::byte> a = fill(c.lhs, lhs.extent), b = fill(c.rhs, rhs.extent);
  std::vector<std::byte> got = fill(c.out, out.extent), want = got;

  int64_t count = elementCount(c.batch);
  for (int64_t i = 0; i < count; ++i) {
    int64_t lhsBase = 0, rhsBase = 0, outBase = 0, rest = i;
    for (size_t d = c.batch.size(); d-- > 0;) {
      int64_t index = rest % c.batch[d];
      rest /= c.batch[d];
      lhsBase += index * lhs.batch[d];
      rhsBase += index * rhs.batch[d];
      outBase += index * out.batch[d];
    }
    for (int64_t m = 0; m < c.m; ++m)
      for (int64_t n = 0; n < c.n; ++n) {
        double sum = 0;
        for (int64_t k = 0; k < c.k; ++k)
          sum += load(c.lhs, a, lhsBase + m * lhs.row + k * lhs.column) *
                 load(c.rhs, b, rhsBase + k * rhs.row + n * rhs.column);
        store(c.out, sum, want, outBase + m * out.row + n * out.column);
      }
  }

  GemmLibrary library(1);
  std::map<std::string, std::shared_ptr<GemmPlan>> shared;
  auto plan = library.plan(gemm, shared);
  ASSERT_OK(plan);
  // Where OpenBLAS is slow, f32 is oneDNN's.
  bool isOther = !isBlasTuned() && gemm.out_type == DType::F32 && gemm.lhs_type == DType::F32;
  if (c.expectedPlan && !isOther) {
    EXPECT_STREQ((*plan)->name(), c.expectedPlan);
  }
  std::vector<std::byte> scratch((*plan)->scratchBytes() + 64);
  std::byte *aligned = scratch.data() + (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64);
  for (int repeat = 0; repeat < 2; ++repeat) {
    ASSERT_OK((*plan)->run(a.data(), b.data(), got.data(), 0, aligned));
    for (int64_t i = 0; i < out.extent; ++i)
      ASSERT_EQ(load(c.out, got, i), load(c.out, want, i)) << "element " << i;
  }
  EXPECT_EQ(library.plan(gemm, shared)->get(), plan->get());
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Gemm,
    testing::Values(
        GemmCase{"small",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {},
                 5,
                 7,
                 3,
                 "rc",
                 "rc",
                 "rc",
                 1,
                 "openblas"},
        GemmCase{"medium",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {},
                 65,
                 70,
                 33,
                 "rc",
                 "rc",
                 "rc",
                 1,
                 "onednn"},
        GemmCase{"transposedLhs", DType::F32, DType::F32, DType::F32, {}, 64, 48, 40, "cr"},
        GemmCase{"transposedRhs", DType::F32, DType::F32, DType::F32, {}, 64, 48, 40, "rc", "cr"},
        GemmCase{"transposedBoth", DType::F32, DType::F32, DType::F32, {}, 64, 48, 40, "cr", "cr"},
        GemmCase{
            "transposedOut", DType::F32, DType::F32, DType::F32, {}, 64, 48, 40, "rc", "cr", "cr"},
        GemmCase{"smallTransposed",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {},
                 6,
                 4,
                 5,
                 "cr",
                 "cr",
                 "cr",
                 1,
                 "openblas"},
        GemmCase{"row",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {},
                 1,
                 300,
                 200,
                 "rc",
                 "rc",
                 "rc",
                 1,
                 "openblas"},
        GemmCase{"rowTransposedRhs",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {},
                 1,
                 300,
                 200,
                 "rc",
                 "cr",
                 "rc",
                 1,
                 "openblas"},
        GemmCase{"column",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {},
                 300,
                 1,
                 200,
                 "rc",
                 "rc",
                 "rc",
                 1,
                 "openblas"},
        GemmCase{"columnTransposedLhs",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {},
                 300,
                 1,
                 200,
                 "cr",
                 "rc",
                 "rc",
                 1,
                 "openblas"},
        GemmCase{"outer", DType::F32, DType::F32, DType::F32, {}, 300, 200, 1, "rc", "rc", "rc"},
        GemmCase{"dot", DType::F32, DType::F32, DType::F32, {}, 1, 1, 1000, "rc", "rc", "rc"},
        GemmCase{"scalar", DType::F32, DType::F32, DType::F32, {}, 1, 1, 1, "rc", "rc", "rc"},
        GemmCase{"gaps", DType::F32, DType::F32, DType::F32, {}, 40, 48, 56, "rc", "rc", "rc", 2},
        GemmCase{"batched", DType::F32, DType::F32, DType::F32, {3, 2}, 33, 34, 35},
        GemmCase{"attention",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {2, 4},
                 16,
                 16,
                 8,
                 "rbc",
                 "rbc",
                 "brc"},
        GemmCase{"batchInnermost",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {5},
                 8,
                 9,
                 10,
                 "rcb",
                 "rcb",
                 "brc"},
        GemmCase{"broadcast",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {4},
                 20,
                 30,
                 40,
                 "brc",
                 "rc",
                 "brc",
                 1,
                 nullptr,
                 true},
        GemmCase{"manyBatchDims",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {2, 1, 2, 1, 2, 1, 2, 1, 2, 2},
                 3,
                 4,
                 5,
                 "rcb",
                 "brc",
                 "brc"},
        GemmCase{"noContraction", DType::F32, DType::F32, DType::F32, {2}, 3, 4, 0},
        GemmCase{"empty",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {2},
                 0,
                 4,
                 3,
                 "brc",
                 "brc",
                 "brc",
                 1,
                 "empty"},
        GemmCase{"emptyBatch",
                 DType::F32,
                 DType::F32,
                 DType::F32,
                 {0},
                 2,
                 4,
                 3,
                 "brc",
                 "brc",
                 "brc",
                 1,
                 "empty"},
        GemmCase{"bf16", DType::BF16, DType::BF16, DType::BF16, {}, 33, 40, 24, "rc", "rc", "rc"},
        GemmCase{
            "bf16ToF32", DType::BF16, DType::BF16, DType::F32, {}, 33, 40, 24, "rc", "cr", "rc"},
        GemmCase{"bf16Batched",
                 DType::BF16,
                 DType::BF16,
                 DType::F32,
                 {6},
                 16,
                 16,
                 16,
                 "rbc",
                 "brc",
                 "brc"},
        GemmCase{"bf16Row", DType::BF16, DType::BF16, DType::BF16, {}, 1, 64, 64, "rc", "rc", "rc"},
        GemmCase{"f16",
                 DType::F16,
                 DType::F16,
                 DType::F16,
                 {2},
                 9,
                 10,
                 11,
                 "brc",
                 "brc",
                 "brc",
                 1,
                 "packed"},
        GemmCase{"f16ToF32",
                 DType::F16,
                 DType::F16,
                 DType::F32,
                 {},
                 9,
                 10,
                 11,
                 "rc",
                 "cr",
                 "rc",
                 1,
                 "packed"},
        GemmCase{"mixed",
                 DType::BF16,
                 DType::F32,
                 DType::F32,
                 {},
                 9,
                 10,
                 11,
                 "rc",
                 "rc",
                 "rc",
                 1,
                 "packed"},
        GemmCase{"f64",
                 DType::F64,
                 DType::F64,
                 DType::F64,
                 {},
                 30,
                 40,
                 50,
                 "rc",
                 "cr",
                 "rc",
                 1,
                 "openblas"},
        GemmCase{"f64Gaps",
                 DType::F64,
                 DType::F64,
                 DType::F64,
                 {2},
                 30,
                 4,
                 50,
                 "brc",
                 "bcr",
                 "brc",
                 3,
                 "packed"},
        GemmCase{"f64Batched",
                 DType::F64,
                 DType::F64,
                 DType::F64,
                 {3},
                 5,
                 1,
                 7,
                 "brc",
                 "bcr",
                 "bcr",
                 1,
                 "openblas"}),
    [](const auto &info) { return info.param.name; });

// A large product is made of pieces, which give the same bits in any order.
TEST(Gemm, piecesMakeUpTheWhole) {
  program::GemmT gemm;
  gemm.lhs_type = gemm.rhs_type = gemm.out_type = DType::F32;
  gemm.m = 203;
  gemm.n = 130;
  gemm.k = 260;
  gemm.lhs_m_stride = gemm.k;
  gemm.rhs_k_stride = gemm.n;
  gemm.out_m_stride = gemm.n;
  gemm.lhs_k_stride = gemm.rhs_n_stride = gemm.out_n_stride = 1;
  GemmLibrary library(1);
  std::map<std::string, std::shared_ptr<GemmPlan>> shared;
  auto plan = library.plan(gemm, shared);
  ASSERT_OK(plan);
  ASSERT_GT((*plan)->numPieces(), 1);
  std::mt19937 random(7);
  std::uniform_real_distribution<float> values(-1, 1);
  std::vector<float> lhs(203 * 260), rhs(260 * 130), whole(203 * 130), parts(203 * 130);
  for (std::vector<float> *array : {&lhs, &rhs})
    for (float &value : *array)
      value = values(random);
  std::vector<std::byte> scratch((*plan)->scratchBytes() + 64);
  std::byte *aligned = scratch.data() + (64 - reinterpret_cast<uintptr_t>(scratch.data()) % 64);
  ASSERT_OK((*plan)->run(lhs.data(), rhs.data(), whole.data(), 0, aligned));
  for (int64_t i = (*plan)->numPieces(); i-- > 0;)
    ASSERT_OK((*plan)->runPiece(i, lhs.data(), rhs.data(), parts.data(), 0, aligned));
  EXPECT_EQ(whole, parts);
  for (size_t at : {size_t{0}, size_t{130 * 101 + 7}, whole.size() - 1}) {
    double sum = 0;
    for (size_t k = 0; k < 260; ++k)
      sum += double{lhs[at / 130 * 260 + k]} * double{rhs[k * 130 + at % 130]};
    EXPECT_NEAR(whole[at], sum, 1e-4);
  }
}

} // namespace
} // namespace tandem::runtime
