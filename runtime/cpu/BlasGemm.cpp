// OpenBLAS products.
#include "runtime/cpu/BlasGemm.h"

#include <algorithm>
#include <bit>
#include <cstring>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
#include <optional>
#include <type_traits>

#include <cblas-openblas.h>
#include <oneapi/dnnl/dnnl.h>

#include "absl/strings/string_view.h"
#include "runtime/base/SmallFloat.h"

namespace tandem::runtime {
namespace {

// How BLAS sees a strided matrix: row-major with a leading dimension, or transposed.
struct BlasForm {
  CBLAS_TRANSPOSE transpose;
  blasint leading;
};

constexpr int64_t kMaxBlasInt = 0x7FFFFFFF;

std::optional<BlasForm> blasForm(const StridedMatrix &matrix) {
  if (matrix.rows > kMaxBlasInt || matrix.columns > kMaxBlasInt)
    return std::nullopt;
  auto leading = [](int64_t stride, int64_t count, int64_t length) -> std::optional<blasint> {
    int64_t least = std::max<int64_t>(1, length);
    if (count <= 1) // the stride is never used
      return static_cast<blasint>(least);
    if (stride < least || stride > kMaxBlasInt)
      return std::nullopt;
    return static_cast<blasint>(stride);
  };
  if (matrix.columnStride == 1 || matrix.columns <= 1)
    if (auto stride = leading(matrix.rowStride, matrix.rows, matrix.columns))
      return BlasForm{CblasNoTrans, *stride};
  if (matrix.rowStride == 1 || matrix.rows <= 1)
    if (auto stride = leading(matrix.columnStride, matrix.columns, matrix.rows))
      return BlasForm{CblasTrans, *stride};
  return std::nullopt;
}

void gemm(CBLAS_TRANSPOSE lhsTranspose, CBLAS_TRANSPOSE rhsTranspose, blasint m, blasint n,
          blasint k, const float *lhs, blasint lhsLeading, const float *rhs, blasint rhsLeading,
          float *out, blasint outLeading) {
  if (!isBlasTuned()) {
    auto letter = [](CBLAS_TRANSPOSE transpose) { return transpose == CblasNoTrans ? 'N' : 'T'; };
    // Fails on sizes only, which BLAS's checks have passed.
    (void)dnnl_sgemm(letter(lhsTranspose), letter(rhsTranspose), m, n, k, 1.0f, lhs, lhsLeading,
                     rhs, rhsLeading, 0.0f, out, outLeading);
    return;
  }
  cblas_sgemm(CblasRowMajor, lhsTranspose, rhsTranspose, m, n, k, 1.0f, lhs, lhsLeading, rhs,
              rhsLeading, 0.0f, out, outLeading);
}

void gemm(CBLAS_TRANSPOSE lhsTranspose, CBLAS_TRANSPOSE rhsTranspose, blasint m, blasint n,
          blasint k, const double *lhs, blasint lhsLeading, const double *rhs, blasint rhsLeading,
          double *out, blasint outLeading) {
  cblas_dgemm(CblasRowMajor, lhsTranspose, rhsTranspose, m, n, k, 1.0, lhs, lhsLeading, rhs,
              rhsLeading, 0.0, out, outLeading);
}

void gemv(CBLAS_TRANSPOSE transpose, blasint rows, blasint columns, const float *matrix,
          blasint leading, const float *x, blasint xStride, float *y, blasint yStride) {
  cblas_sgemv(CblasRowMajor, transpose, rows, columns, 1.0f, matrix, leading, x, xStride, 0.0f, y,
              yStride);
}

void gemv(CBLAS_TRANSPOSE transpose, blasint rows, blasint columns, const double *matrix,
          blasint leading, const double *x, blasint xStride, double *y, blasint yStride) {
  cblas_dgemv(CblasRowMajor, transpose, rows, columns, 1.0, matrix, leading, x, xStride, 0.0, y,
              yStride);
}

CBLAS_TRANSPOSE flip(CBLAS_TRANSPOSE transpose) {
  return transpose == CblasNoTrans ? CblasTrans : CblasNoTrans;
}

// Calls body(lhsOffset, rhsOffset, outOffset) for every batch element, offsets in elements.
template <typename Body> void forEachBatch(const GemmShape &shape, Body body) {
  int64_t lhs = 0, rhs = 0, out = 0;
  int64_t count = shape.batchCount();
  constexpr size_t kMaxRank = 64;
  int64_t index[kMaxRank] = {};
  for (int64_t i = 0; i < count; ++i) {
    body(lhs, rhs, out);
    for (size_t d = shape.batch.size(); d-- > 0;) {
      lhs += shape.lhs.batchStrides[d];
      rhs += shape.rhs.batchStrides[d];
      out += shape.out.batchStrides[d];
      if (++index[d] < shape.batch[d])
        break;
      lhs -= shape.lhs.batchStrides[d] * shape.batch[d];
      rhs -= shape.rhs.batchStrides[d] * shape.batch[d];
      out -= shape.out.batchStrides[d] * shape.batch[d];
      index[d] = 0;
    }
  }
}

template <typename T> class BlasPlan : public GemmPlan {
public:
  BlasPlan(const GemmShape &shape, BlasForm lhs, BlasForm rhs, BlasForm out)
      : shape(shape), lhsForm(lhs), rhsForm(rhs), outForm(out) {}

  size_t scratchBytes() const override { return 0; }
  const char *name() const override { return "openblas"; }

  absl::Status run(const void *lhs, const void *rhs, void *out, int, std::byte *) const override {
    forEachBatch(shape, [&](int64_t lhsOffset, int64_t rhsOffset, int64_t outOffset) {
      runOne(static_cast<const T *>(lhs) + lhsOffset, static_cast<const T *>(rhs) + rhsOffset,
             static_cast<T *>(out) + outOffset);
    });
    return absl::OkStatus();
  }

private:
  void runOne(const T *lhs, const T *rhs, T *out) const {
    blasint m = static_cast<blasint>(shape.m()), n = static_cast<blasint>(shape.n()),
            k = static_cast<blasint>(shape.k());
    auto stride = [](int64_t stride, int64_t count) {
      return static_cast<blasint>(count <= 1 ? 1 : stride);
    };
    if (m == 1 && fits(shape.lhs.columnStride) && fits(shape.out.columnStride)) {
      // out^T = rhs^T * lhs^T
      bool asStored = rhsForm.transpose == CblasNoTrans;
      gemv(flip(rhsForm.transpose), asStored ? k : n, asStored ? n : k, rhs, rhsForm.leading, lhs,
           stride(shape.lhs.columnStride, k), out, stride(shape.out.columnStride, n));
    } else if (n == 1 && fits(shape.rhs.rowStride) && fits(shape.out.rowStride)) {
      bool asStored = lhsForm.transpose == CblasNoTrans;
      gemv(lhsForm.transpose, asStored ? m : k, asStored ? k : m, lhs, lhsForm.leading, rhs,
           stride(shape.rhs.rowStride, k), out, stride(shape.out.rowStride, m));
    } else if (outForm.transpose == CblasNoTrans) {
      gemm(lhsForm.transpose, rhsForm.transpose, m, n, k, lhs, lhsForm.leading, rhs,
           rhsForm.leading, out, outForm.leading);
    } else {
      gemm(flip(rhsForm.transpose), flip(lhsForm.transpose), n, m, k, rhs, rhsForm.leading, lhs,
           lhsForm.leading, out, outForm.leading);
    }
  }

  // gemv's vectors may have any positive stride.
  static bool fits(int64_t stride) { return stride >= 1 && stride <= kMaxBlasInt; }

  const GemmShape shape;
  const BlasForm lhsForm, rhsForm, outForm;
};

template <typename T> T loadAs(DType dtype, const std::byte *data) {
  auto read = [&]<typename S>(S) {
    S value;
    std::memcpy(&value, data, sizeof(S));
    return value;
  };
  switch (dtype) {
  case DType::F64:
    return static_cast<T>(read(double()));
  case DType::F32:
    return read(float());
  case DType::BF16:
    return bf16ToFloat(read(uint16_t()));
  case DType::F16:
    return f16ToFloat(read(uint16_t()));
  default:
    return f8ToFloat(read(uint8_t()), float8Format(dtype));
  }
}

template <typename T> void storeAs(DType dtype, T value, std::byte *data) {
  auto write = [&](auto bits) { std::memcpy(data, &bits, sizeof(bits)); };
  switch (dtype) {
  case DType::F64:
    return write(static_cast<double>(value));
  case DType::F32:
    return write(static_cast<float>(value));
  case DType::BF16:
    return write(floatToBf16(static_cast<float>(value)));
  case DType::F16:
    return write(floatToF16(static_cast<float>(value)));
  default:
    return write(floatToF8(static_cast<float>(value), float8Format(dtype)));
  }
}

#if defined(__x86_64__)
// Eight at a time; returns how many of `count` it did.
__attribute__((target("avx2,f16c"))) int64_t widenF16(const std::byte *from, float *to,
                                                      int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm256_storeu_ps(
        to + i, _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i *>(from + 2 * i))));
  return i;
}
__attribute__((target("avx2,f16c"))) int64_t narrowF16(const float *from, std::byte *to,
                                                       int64_t count) {
  int64_t i = 0;
  for (; i + 8 <= count; i += 8)
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to + 2 * i),
                     _mm256_cvtps_ph(_mm256_loadu_ps(from + i), _MM_FROUND_TO_NEAREST_INT));
  return i;
}
bool hasF16Conversions() {
  static const bool has = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("f16c");
  return has;
}
#else
int64_t widenF16(const std::byte *, float *, int64_t) { return 0; }
int64_t narrowF16(const float *, std::byte *, int64_t) { return 0; }
bool hasF16Conversions() { return false; }
#endif

// Contiguous elements to T.
template <typename T> void loadLine(DType dtype, const std::byte *from, T *to, int64_t count) {
  int64_t i = 0;
  if constexpr (std::is_same_v<T, float>) {
    if (dtype == DType::F16 && hasF16Conversions())
      i = widenF16(from, to, count);
    if (dtype == DType::BF16)
      for (; i < count; ++i) {
        uint16_t bits;
        std::memcpy(&bits, from + 2 * i, 2);
        to[i] = std::bit_cast<float>(uint32_t{bits} << 16);
      }
  }
  for (int64_t unit = dtypeBytes(dtype); i < count; ++i)
    to[i] = loadAs<T>(dtype, from + i * unit);
}

template <typename T> void storeLine(DType dtype, const T *from, std::byte *to, int64_t count) {
  int64_t i = 0;
  if constexpr (std::is_same_v<T, float>) {
    if (dtype == DType::F16 && hasF16Conversions())
      i = narrowF16(from, to, count);
    if (dtype == DType::BF16)
      // floatToBf16 without branches: to the nearest, ties to even; NaN stays one.
      for (; i < count; ++i) {
        uint32_t bits = std::bit_cast<uint32_t>(from[i]);
        uint32_t rounded = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16, quiet = bits >> 16 | 0x40;
        uint16_t narrow = static_cast<uint16_t>((bits & 0x7FFFFFFF) > 0x7F800000 ? quiet : rounded);
        std::memcpy(to + 2 * i, &narrow, 2);
      }
  }
  for (int64_t unit = dtypeBytes(dtype); i < count; ++i)
    storeAs<T>(dtype, from[i], to + i * unit);
}

template <typename T> class PackedPlan : public GemmPlan {
public:
  explicit PackedPlan(const GemmShape &shape) : shape(shape) {}

  size_t scratchBytes() const override {
    return align(shape.m() * shape.k()) + align(shape.k() * shape.n()) +
           align(shape.m() * shape.n());
  }
  const char *name() const override { return "packed"; }

  absl::Status run(const void *lhs, const void *rhs, void *out, int,
                   std::byte *scratch) const override {
    T *packedLhs = reinterpret_cast<T *>(scratch);
    T *packedRhs = reinterpret_cast<T *>(scratch + align(shape.m() * shape.k()));
    T *packedOut = reinterpret_cast<T *>(scratch + align(shape.m() * shape.k()) +
                                         align(shape.k() * shape.n()));
    forEachBatch(shape, [&](int64_t lhsOffset, int64_t rhsOffset, int64_t outOffset) {
      pack(shape.lhs, static_cast<const std::byte *>(lhs), lhsOffset, packedLhs);
      pack(shape.rhs, static_cast<const std::byte *>(rhs), rhsOffset, packedRhs);
      if (shape.k() == 0)
        std::fill_n(packedOut, shape.m() * shape.n(), T(0));
      else
        gemm(isByColumns(shape.lhs) ? CblasTrans : CblasNoTrans,
             isByColumns(shape.rhs) ? CblasTrans : CblasNoTrans, static_cast<blasint>(shape.m()),
             static_cast<blasint>(shape.n()), static_cast<blasint>(shape.k()), packedLhs,
             static_cast<blasint>(isByColumns(shape.lhs) ? shape.m() : shape.k()), packedRhs,
             static_cast<blasint>(isByColumns(shape.rhs) ? shape.k() : shape.n()), packedOut,
             static_cast<blasint>(shape.n()));
      unpack(packedOut, static_cast<std::byte *>(out), outOffset);
    });
    return absl::OkStatus();
  }

private:
  static size_t align(int64_t elements) {
    return (static_cast<size_t>(elements) * sizeof(T) + 63) / 64 * 64;
  }

  // What lies contiguously stays so.
  static bool isByColumns(const StridedMatrix &matrix) {
    return matrix.columnStride != 1 && matrix.rowStride == 1;
  }

  static void pack(const StridedMatrix &matrix, const std::byte *data, int64_t offset, T *target) {
    int64_t unit = dtypeBytes(matrix.dtype);
    int64_t lines = matrix.rows, length = matrix.columns, lineStride = matrix.rowStride,
            stride = matrix.columnStride;
    if (isByColumns(matrix)) {
      std::swap(lines, length);
      std::swap(lineStride, stride);
    }
    for (int64_t line = 0; line < lines; ++line, target += length) {
      const std::byte *from = data + (offset + line * lineStride) * unit;
      if (stride == 1)
        loadLine(matrix.dtype, from, target, length);
      else
        for (int64_t i = 0; i < length; ++i)
          target[i] = loadAs<T>(matrix.dtype, from + i * stride * unit);
    }
  }

  void unpack(const T *source, std::byte *data, int64_t offset) const {
    int64_t unit = dtypeBytes(shape.out.dtype);
    for (int64_t row = 0; row < shape.m(); ++row, source += shape.n()) {
      std::byte *to = data + (offset + row * shape.out.rowStride) * unit;
      if (shape.out.columnStride == 1)
        storeLine(shape.out.dtype, source, to, shape.n());
      else
        for (int64_t column = 0; column < shape.n(); ++column)
          storeAs<T>(shape.out.dtype, source[column], to + column * shape.out.columnStride * unit);
    }
  }

  const GemmShape shape;
};

} // namespace

bool isBlasTuned() {
  static const bool tuned = [] {
    // What OpenBLAS takes for a CPU that it does not know, or cannot use more of.
    absl::string_view core = openblas_get_corename();
    for (absl::string_view plain :
         {"Prescott", "Core2", "Generic", "Unknown", "Katmai", "Coppermine", "Northwood", "Banias",
          "Nehalem", "Penryn", "Dunnington"})
      if (core == plain)
        return false;
    return true;
  }();
  return tuned;
}

std::unique_ptr<GemmPlan> makeBlasGemm(const GemmShape &shape) {
  DType dtype = shape.out.dtype;
  if (shape.lhs.dtype != dtype || shape.rhs.dtype != dtype ||
      (dtype != DType::F32 && dtype != DType::F64) || shape.k() == 0)
    return nullptr;
  std::optional<BlasForm> lhs = blasForm(shape.lhs), rhs = blasForm(shape.rhs),
                          out = blasForm(shape.out);
  if (!lhs || !rhs || !out)
    return nullptr;
  if (dtype == DType::F32)
    return std::make_unique<BlasPlan<float>>(shape, *lhs, *rhs, *out);
  return std::make_unique<BlasPlan<double>>(shape, *lhs, *rhs, *out);
}

std::unique_ptr<GemmPlan> makePackedGemm(const GemmShape &shape) {
  bool wide = shape.lhs.dtype == DType::F64 || shape.rhs.dtype == DType::F64 ||
              shape.out.dtype == DType::F64;
  if (wide)
    return std::make_unique<PackedPlan<double>>(shape);
  return std::make_unique<PackedPlan<float>>(shape);
}

} // namespace tandem::runtime
