// Custom calls to LAPACK. In the lapack_* kernels `lines` counts columns and `length` rows.
#include "runtime/cpu/Lapack.h"

#include <cmath>
#include <limits>

#include "absl/strings/str_cat.h"
#include "runtime/cpu/LapackRoutines.h"
#include "runtime/cpu/LibraryCall.h"

namespace tandem::runtime {
namespace {

constexpr const char *kLowerUpper = "LU";

// Dimensions as LAPACK takes them; LibraryCall has checked the range.
lapack_int narrow(int64_t size) { return static_cast<lapack_int>(size); }

// Iterations of the eigenvalue and singular value routines may not end on NaN or infinity.
template <typename T> bool isFinite(const T *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(std::real(data[i])) || !std::isfinite(std::imag(data[i])))
      return false;
  return true;
}
constexpr int32_t kNotFinite = -4;

void requireSquare(LibraryCall &call, int64_t lines, int64_t length) {
  call.require(lines == length, absl::StrCat("square matrices, found ", length, " x ", lines));
}

//===--- Factorisations ---===//

template <typename T> absl::Status potrf(LibraryCall &call) {
  call.expectArrays(1, 2);
  Matrices<T> x = call.copied<T>(0, 0);
  int32_t *info = call.result<int32_t>(1, 1);
  char uplo = call.letter("uplo", kLowerUpper);
  requireSquare(call, x.lines, x.length);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    info[i] = lapack::potrf(uplo, narrow(x.length), x.at(i));
  return call.status();
}

template <typename T> absl::Status getrf(LibraryCall &call) {
  call.expectArrays(1, 3);
  Matrices<T> x = call.copied<T>(0, 0);
  int64_t least = std::min(x.lines, x.length);
  int32_t *pivots = call.result<int32_t>(1, least), *info = call.result<int32_t>(2, 1);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    info[i] = lapack::getrf(narrow(x.length), narrow(x.lines), x.at(i), pivots + i * least);
  return call.status();
}

template <typename T> absl::Status geqrf(LibraryCall &call) {
  call.expectArrays(1, 2);
  Matrices<T> x = call.copied<T>(0, 0);
  int64_t least = std::min(x.lines, x.length);
  T *tau = call.result<T>(1, least);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    lapack::geqrf(narrow(x.length), narrow(x.lines), x.at(i), tau + i * least);
  return call.status();
}

template <typename T> absl::Status geqp3(LibraryCall &call) {
  call.expectArrays(2, 3);
  Matrices<T> x = call.copied<T>(0, 0);
  int64_t least = std::min(x.lines, x.length);
  int32_t *pivots = call.copiedVectors<int32_t>(1, 1, x.lines);
  T *tau = call.result<T>(2, least);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    lapack::geqp3(narrow(x.length), narrow(x.lines), x.at(i), pivots + i * x.lines,
                  tau + i * least);
  return call.status();
}

// The first columns of the product of reflectors.
template <typename T> absl::Status orgqr(LibraryCall &call) {
  call.expectArrays(2, 1);
  Matrices<T> x = call.copied<T>(0, 0);
  const TandemArray *taus = call.operandArray(1);
  int64_t reflectors = taus && taus->rank > 0 ? taus->dims[taus->rank - 1] : 0;
  const T *tau = call.operand<T>(1, reflectors);
  call.require(reflectors <= x.lines && x.lines <= x.length,
               absl::StrCat("reflectors <= columns <= rows, found ", reflectors, ", ", x.lines,
                            " and ", x.length));
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    lapack::orgqr(narrow(x.length), narrow(x.lines), narrow(reflectors), x.at(i),
                  tau + i * reflectors);
  return call.status();
}

template <typename T> absl::Status ormqr(LibraryCall &call) {
  call.expectArrays(3, 1);
  Matrices<const T> a = call.matrices<T>(0);
  Matrices<T> c = call.copied<T>(2, 0);
  const TandemArray *taus = call.operandArray(1);
  int64_t reflectors = taus && taus->rank > 0 ? taus->dims[taus->rank - 1] : 0;
  const T *tau = call.operand<T>(1, reflectors);
  bool isLeft = call.flag("left"), isTransposed = call.flag("transpose");
  call.require(reflectors <= a.lines && a.length == (isLeft ? c.length : c.lines) &&
                   reflectors <= a.length,
               "reflectors of the size that the side needs");
  char transpose = !isTransposed ? 'N' : std::is_same_v<T, Real<T>> ? 'T' : 'C';
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    lapack::ormqr(isLeft ? 'L' : 'R', transpose, narrow(c.length), narrow(c.lines),
                  narrow(reflectors), a.at(i), narrow(a.length), tau + i * reflectors, c.at(i));
  return call.status();
}

template <typename T> absl::Status sytrd(LibraryCall &call) {
  call.expectArrays(1, 5);
  Matrices<T> x = call.copied<T>(0, 0);
  requireSquare(call, x.lines, x.length);
  int64_t n = x.length, less = std::max<int64_t>(n - 1, 0);
  auto *diagonal = call.result<Real<T>>(1, n), *off = call.result<Real<T>>(2, less);
  T *tau = call.result<T>(3, less);
  int32_t *info = call.result<int32_t>(4, 1);
  char uplo = call.letter("uplo", kLowerUpper);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    info[i] =
        lapack::sytrd(uplo, narrow(n), x.at(i), diagonal + i * n, off + i * less, tau + i * less);
  return call.status();
}

template <typename T> absl::Status gehrd(LibraryCall &call) {
  call.expectArrays(1, 3);
  Matrices<T> x = call.copied<T>(0, 0);
  requireSquare(call, x.lines, x.length);
  int64_t n = x.length, less = std::max<int64_t>(n - 1, 0);
  T *tau = call.result<T>(1, less);
  int32_t *info = call.result<int32_t>(2, 1);
  int64_t low = call.integer("low"), high = call.integer("high");
  call.require(low >= 1 && high <= n && (low <= high || n == 0),
               absl::StrCat("1 <= low <= high <= ", n, ", found ", low, " and ", high));
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    info[i] = lapack::gehrd(narrow(n), narrow(low), narrow(high), x.at(i), tau + i * less);
  return call.status();
}

//===--- Eigenvalues and singular values ---===//

template <typename T> absl::Status syevd(LibraryCall &call) {
  call.expectArrays(1, 3);
  Matrices<T> x = call.copied<T>(0, 0);
  requireSquare(call, x.lines, x.length);
  int64_t n = x.length;
  auto *w = call.result<Real<T>>(1, n);
  int32_t *info = call.result<int32_t>(2, 1);
  char job = call.letter("mode", "NV"), uplo = call.letter("uplo", kLowerUpper);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    info[i] = isFinite(x.at(i), n * n) ? lapack::syevd(job, uplo, narrow(n), x.at(i), w + i * n)
                                       : kNotFinite;
  return call.status();
}

enum class Svd { DivideAndConquer, QrIteration };

template <typename T, Svd algorithm> absl::Status svd(LibraryCall &call) {
  call.expectArrays(1, 5);
  Matrices<T> x = call.copied<T>(0, 0);
  int64_t rows = x.length, columns = x.lines, least = std::min(rows, columns);
  auto *s = call.result<Real<T>>(1, least);
  int32_t *info = call.result<int32_t>(4, 1);
  char job = call.letter("mode", "ASN");
  Matrices<T> u, vt;
  int64_t vtRows = job == 'A' ? columns : least;
  if (job != 'N') {
    u = call.matrices<T>(2, job == 'A' ? rows : least, rows);
    vt = call.matrices<T>(3, columns, vtRows);
  }
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i) {
    if (!isFinite(x.at(i), rows * columns)) {
      info[i] = kNotFinite;
      continue;
    }
    T *left = u.data ? u.at(i) : nullptr, *right = vt.data ? vt.at(i) : nullptr;
    auto run = [&](auto routine) {
      return routine(job, narrow(rows), narrow(columns), x.at(i), s + i * least, left, narrow(rows),
                     right, narrow(vtRows));
    };
    if constexpr (algorithm == Svd::DivideAndConquer)
      info[i] = run([](auto... args) { return lapack::gesdd(args...); });
    else
      info[i] = run([](auto... args) { return lapack::gesvd(args...); });
  }
  return call.status();
}

// Column j and the next one are a pair of conjugates' real and imaginary parts where the
// eigenvalue is not real.
template <typename T>
void joinParts(int64_t n, const T *imaginary, const T *parts, std::complex<T> *vectors) {
  for (int64_t j = 0; j < n; ++j) {
    bool isPair = imaginary[j] != 0 && j + 1 < n;
    for (int64_t k = 0; k < n; ++k) {
      T re = parts[j * n + k], im = isPair ? parts[(j + 1) * n + k] : 0;
      vectors[j * n + k] = {re, im};
      if (isPair)
        vectors[(j + 1) * n + k] = {re, -im};
    }
    j += isPair;
  }
}

template <typename T> absl::Status geev(LibraryCall &call) {
  constexpr bool isReal = std::is_same_v<T, Real<T>>;
  using Complex = std::complex<Real<T>>;
  size_t next = isReal ? 2 : 1;
  call.expectArrays(1, next + 3);
  Matrices<const T> x = call.matrices<T>(0);
  requireSquare(call, x.lines, x.length);
  int64_t n = x.length;
  T *w = call.result<T>(0, n), *imaginary = isReal ? call.result<T>(1, n) : nullptr;
  char left = call.letter("compute_left", "NV"), right = call.letter("compute_right", "NV");
  auto *vl = call.result<Complex>(next, n * n), *vr = call.result<Complex>(next + 1, n * n);
  int32_t *info = call.result<int32_t>(next + 2, 1);
  auto square = static_cast<size_t>(n * n);
  std::vector<T> work(square), leftParts(isReal ? square : 0), rightParts(isReal ? square : 0);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i) {
    if (!isFinite(x.at(i), n * n)) {
      info[i] = kNotFinite;
      continue;
    }
    std::copy_n(x.at(i), n * n, work.data());
    if constexpr (isReal) {
      info[i] = lapack::geev(left, right, narrow(n), work.data(), w + i * n, imaginary + i * n,
                             leftParts.data(), rightParts.data());
      if (info[i] == 0 && left == 'V')
        joinParts(n, imaginary + i * n, leftParts.data(), vl + i * n * n);
      if (info[i] == 0 && right == 'V')
        joinParts(n, imaginary + i * n, rightParts.data(), vr + i * n * n);
    } else {
      info[i] = lapack::geev(left, right, narrow(n), work.data(), w + i * n, vl + i * n * n,
                             vr + i * n * n);
    }
  }
  return call.status();
}

template <typename T> absl::Status gees(LibraryCall &call) {
  constexpr bool isReal = std::is_same_v<T, Real<T>>;
  size_t next = isReal ? 4 : 3;
  call.expectArrays(1, next + 2);
  Matrices<T> x = call.copied<T>(0, 0);
  requireSquare(call, x.lines, x.length);
  int64_t n = x.length;
  T *vectors = call.result<T>(1, n * n);
  T *w = call.result<T>(2, n), *imaginary = isReal ? call.result<T>(3, n) : nullptr;
  int32_t *selected = call.result<int32_t>(next, 1), *info = call.result<int32_t>(next + 1, 1);
  char job = call.letter("mode", "NV");
  call.letter("sort", "N");
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i) {
    selected[i] = 0;
    if (!isFinite(x.at(i), n * n))
      info[i] = kNotFinite;
    else if constexpr (isReal)
      info[i] = lapack::gees(job, narrow(n), x.at(i), selected + i, w + i * n, imaginary + i * n,
                             vectors + i * n * n);
    else
      info[i] = lapack::gees(job, narrow(n), x.at(i), selected + i, w + i * n, vectors + i * n * n);
  }
  return call.status();
}

//===--- Solvers ---===//

// The first element of the lower diagonal, and the last of the upper, lie outside.
template <typename T> absl::Status gtsv(LibraryCall &call) {
  call.expectArrays(4, 5);
  Matrices<T> b = call.copied<T>(3, 3);
  int64_t n = b.length;
  T *lower = call.copiedVectors<T>(0, 0, n), *diagonal = call.copiedVectors<T>(1, 1, n),
    *upper = call.copiedVectors<T>(2, 2, n);
  int32_t *info = call.result<int32_t>(4, 1);
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    info[i] = lapack::gtsv(narrow(n), narrow(b.lines), lower + i * n + (n > 0), diagonal + i * n,
                           upper + i * n, b.at(i));
  return call.status();
}

CBLAS_TRANSPOSE transposeOf(char letter) {
  return letter == 'N' ? CblasNoTrans : letter == 'T' ? CblasTrans : CblasConjTrans;
}

template <typename T> absl::Status trsm(LibraryCall &call) {
  call.expectArrays(2, 1);
  Matrices<T> y = call.copied<T>(1, 0);
  Matrices<const T> x = call.matrices<T>(0);
  requireSquare(call, x.lines, x.length);
  bool isLeft = call.letter("side", "LR") == 'L';
  bool isLower = call.letter("uplo", kLowerUpper) == 'L';
  CBLAS_TRANSPOSE transpose = transposeOf(call.letter("trans_x", "NTC"));
  CBLAS_DIAG diag = call.letter("diag", "NU") == 'U' ? CblasUnit : CblasNonUnit;
  call.require(x.length == (isLeft ? y.length : y.lines), "matrices of fitting sizes");
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    lapack::trsm(CblasColMajor, isLeft ? CblasLeft : CblasRight, isLower ? CblasLower : CblasUpper,
                 transpose, diag, narrow(y.length), narrow(y.lines), x.at(i), narrow(x.length),
                 y.at(i), narrow(y.length));
  return call.status();
}

//===--- Row-major ---===//

// Read column-major, a Hermitian matrix is its conjugate and the lower triangle the upper one: of
// that LAPACK finds U with U^H U, and the transpose of U, which is L, lies there row-major.
template <typename T> absl::Status cholesky(LibraryCall &call) {
  call.expectArrays(1, 1);
  Matrices<T> x = call.copied<T>(0, 0);
  requireSquare(call, x.lines, x.length);
  bool isLower = call.flag("lower");
  int64_t n = x.length;
  T invalid(std::numeric_limits<Real<T>>::quiet_NaN());
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i) {
    T *matrix = x.at(i);
    if (lapack::potrf(isLower ? 'U' : 'L', narrow(n), matrix) != 0)
      std::fill_n(matrix, n * n, invalid);
    for (int64_t row = 0; row < n; ++row)
      std::fill(matrix + row * n + (isLower ? row + 1 : 0), matrix + row * n + (isLower ? n : row),
                T(0));
  }
  return call.status();
}

template <typename T> absl::Status triangularSolve(LibraryCall &call) {
  call.expectArrays(2, 1);
  Matrices<T> b = call.copied<T>(1, 0);
  Matrices<const T> a = call.matrices<T>(0);
  requireSquare(call, a.lines, a.length);
  bool isLeft = call.flag("left_side"), isLower = call.flag("lower"),
       isUnit = call.flag("unit_diagonal");
  std::string transpose = call.text("transpose");
  call.require(transpose == "NO_TRANSPOSE" || transpose == "TRANSPOSE" || transpose == "ADJOINT",
               "transpose to be NO_TRANSPOSE, TRANSPOSE or ADJOINT");
  call.require(a.length == (isLeft ? b.lines : b.length), "matrices of fitting sizes");
  CBLAS_TRANSPOSE how = transposeOf(transpose.empty() ? 'N' : transpose[0]);
  if (transpose == "ADJOINT")
    how = CblasConjTrans;
  for (int64_t i = 0; call.status().ok() && i < call.batch(); ++i)
    lapack::trsm(CblasRowMajor, isLeft ? CblasLeft : CblasRight, isLower ? CblasLower : CblasUpper,
                 how, isUnit ? CblasUnit : CblasNonUnit, narrow(b.lines), narrow(b.length), a.at(i),
                 narrow(a.length), b.at(i), narrow(b.length));
  return call.status();
}

// By the element type of the first operand.
template <absl::Status (*ofF32)(LibraryCall &), absl::Status (*ofF64)(LibraryCall &),
          absl::Status (*ofC64)(LibraryCall &), absl::Status (*ofC128)(LibraryCall &)>
absl::Status byType(LibraryCall &call) {
  const TandemArray *first = call.operandArray(0);
  if (!first)
    return call.status();
  switch (static_cast<DType>(first->dtype)) {
  case DType::F32:
    return ofF32(call);
  case DType::F64:
    return ofF64(call);
  case DType::C64:
    return ofC64(call);
  case DType::C128:
    return ofC128(call);
  default:
    call.require(false, absl::StrCat("elements of f32, f64 or complex, found ",
                                     dtypeName(static_cast<DType>(first->dtype))));
    return call.status();
  }
}

using C64 = std::complex<float>;
using C128 = std::complex<double>;

} // namespace

void addLapackCalls(CustomCallRegistry &registry) {
  auto add = [&](const char *letter, const char *name, TandemCustomCall function) {
    registry.addBuiltin(absl::StrCat("lapack_", letter, name, "_ffi"), function);
  };
#define TANDEM_ADD(name, complexName, routine)                                                     \
  add("s", name, runLibraryCall<routine<float>>);                                                  \
  add("d", name, runLibraryCall<routine<double>>);                                                 \
  add("c", complexName, runLibraryCall<routine<C64>>);                                             \
  add("z", complexName, runLibraryCall<routine<C128>>);
  TANDEM_ADD("potrf", "potrf", potrf)
  TANDEM_ADD("getrf", "getrf", getrf)
  TANDEM_ADD("geqrf", "geqrf", geqrf)
  TANDEM_ADD("geqp3", "geqp3", geqp3)
  TANDEM_ADD("orgqr", "ungqr", orgqr)
  TANDEM_ADD("ormqr", "unmqr", ormqr)
  TANDEM_ADD("sytrd", "hetrd", sytrd)
  TANDEM_ADD("gehrd", "gehrd", gehrd)
  TANDEM_ADD("syevd", "heevd", syevd)
  TANDEM_ADD("geev", "geev", geev)
  TANDEM_ADD("gees", "gees", gees)
  TANDEM_ADD("gtsv", "gtsv", gtsv)
  TANDEM_ADD("trsm", "trsm", trsm)
#undef TANDEM_ADD
#define TANDEM_ADD(letter, T)                                                                      \
  add(letter, "gesdd", runLibraryCall<svd<T, Svd::DivideAndConquer>>);                             \
  add(letter, "gesvd", runLibraryCall<svd<T, Svd::QrIteration>>);
  TANDEM_ADD("s", float)
  TANDEM_ADD("d", double)
  TANDEM_ADD("c", C64)
  TANDEM_ADD("z", C128)
#undef TANDEM_ADD
  registry.addBuiltin(
      "tandem.cholesky",
      runLibraryCall<byType<cholesky<float>, cholesky<double>, cholesky<C64>, cholesky<C128>>>);
  registry.addBuiltin("tandem.triangular_solve",
                      runLibraryCall<byType<triangularSolve<float>, triangularSolve<double>,
                                            triangularSolve<C64>, triangularSolve<C128>>>);
}

} // namespace tandem::runtime
