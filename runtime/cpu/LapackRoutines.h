// LAPACK's routines, column-major, one overload for each element type. All return LAPACK's info.
#ifndef TANDEM_RUNTIME_CPU_LAPACKROUTINES_H
#define TANDEM_RUNTIME_CPU_LAPACKROUTINES_H

#include <complex>
#include <vector>

#define lapack_complex_float std::complex<float>
#define lapack_complex_double std::complex<double>
#include <cblas-openblas.h>
#include <lapacke.h>

#include "runtime/cpu/LibraryCall.h"

namespace tandem::runtime::lapack {

// Those that ask for scratch are called twice: `run` with no room, which tells how much is
// best, and with it.
template <typename T, typename Run> lapack_int withWork(Run run) {
  T best{};
  if (lapack_int info = run(&best, -1); info != 0)
    return info;
  auto size = static_cast<lapack_int>(std::max(Real<T>(1), std::real(best)));
  std::vector<T> work(static_cast<size_t>(size));
  return run(work.data(), size);
}

// letter: s, d, c, z. T: the element type.
#define TANDEM_LAPACK_ANY(letter, T)                                                               \
  inline lapack_int potrf(char uplo, lapack_int n, T *a) {                                         \
    return LAPACKE_##letter##potrf_work(LAPACK_COL_MAJOR, uplo, n, a, std::max(n, 1));             \
  }                                                                                                \
  inline lapack_int getrf(lapack_int m, lapack_int n, T *a, lapack_int *pivots) {                  \
    return LAPACKE_##letter##getrf_work(LAPACK_COL_MAJOR, m, n, a, std::max(m, 1), pivots);        \
  }                                                                                                \
  inline lapack_int geqrf(lapack_int m, lapack_int n, T *a, T *tau) {                              \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##geqrf_work(LAPACK_COL_MAJOR, m, n, a, std::max(m, 1), tau, work,    \
                                          size);                                                   \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int gehrd(lapack_int n, lapack_int low, lapack_int high, T *a, T *tau) {           \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##gehrd_work(LAPACK_COL_MAJOR, n, low, high, a, std::max(n, 1), tau,  \
                                          work, size);                                             \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int gtsv(lapack_int n, lapack_int columns, T *lower, T *diagonal, T *upper,        \
                         T *b) {                                                                   \
    return LAPACKE_##letter##gtsv_work(LAPACK_COL_MAJOR, n, columns, lower, diagonal, upper, b,    \
                                       std::max(n, 1));                                            \
  }
TANDEM_LAPACK_ANY(s, float)
TANDEM_LAPACK_ANY(d, double)
TANDEM_LAPACK_ANY(c, std::complex<float>)
TANDEM_LAPACK_ANY(z, std::complex<double>)
#undef TANDEM_LAPACK_ANY

// Those whose names differ: symmetric or Hermitian, orthogonal or unitary.
#define TANDEM_LAPACK_NAMED(letter, T, symmetric, orthogonal)                                      \
  inline lapack_int orgqr(lapack_int m, lapack_int n, lapack_int k, T *a, const T *tau) {          \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##orthogonal##gqr_work(LAPACK_COL_MAJOR, m, n, k, a, std::max(m, 1),  \
                                                    tau, work, size);                              \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int ormqr(char side, char transpose, lapack_int m, lapack_int n, lapack_int k,     \
                          const T *a, lapack_int lda, const T *tau, T *c) {                        \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##orthogonal##mqr_work(LAPACK_COL_MAJOR, side, transpose, m, n, k, a, \
                                                    std::max(lda, 1), tau, c, std::max(m, 1),      \
                                                    work, size);                                   \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int sytrd(char uplo, lapack_int n, T *a, Real<T> *diagonal, Real<T> *off,          \
                          T *tau) {                                                                \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##symmetric##trd_work(LAPACK_COL_MAJOR, uplo, n, a, std::max(n, 1),   \
                                                   diagonal, off, tau, work, size);                \
    });                                                                                            \
  }
TANDEM_LAPACK_NAMED(s, float, sy, or)
TANDEM_LAPACK_NAMED(d, double, sy, or)
TANDEM_LAPACK_NAMED(c, std::complex<float>, he, un)
TANDEM_LAPACK_NAMED(z, std::complex<double>, he, un)
#undef TANDEM_LAPACK_NAMED

// Those whose scratch differs.
#define TANDEM_LAPACK_REAL(letter, T)                                                              \
  inline void trsm(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose, \
                   CBLAS_DIAG diag, lapack_int m, lapack_int n, const T *a, lapack_int lda, T *b,  \
                   lapack_int ldb) {                                                               \
    cblas_##letter##trsm(order, side, uplo, transpose, diag, m, n, 1, a, std::max(lda, 1), b,      \
                         std::max(ldb, 1));                                                        \
  }                                                                                                \
  inline lapack_int geqp3(lapack_int m, lapack_int n, T *a, lapack_int *pivots, T *tau) {          \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##geqp3_work(LAPACK_COL_MAJOR, m, n, a, std::max(m, 1), pivots, tau,  \
                                          work, size);                                             \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int syevd(char job, char uplo, lapack_int n, T *a, T *w) {                         \
    lapack_int bestInt = 1;                                                                        \
    T best = 1;                                                                                    \
    lapack_int info = LAPACKE_##letter##syevd_work(LAPACK_COL_MAJOR, job, uplo, n, a,              \
                                                   std::max(n, 1), w, &best, -1, &bestInt, -1);    \
    if (info != 0)                                                                                 \
      return info;                                                                                 \
    std::vector<T> work(static_cast<size_t>(best));                                                \
    std::vector<lapack_int> ints(static_cast<size_t>(bestInt));                                    \
    return LAPACKE_##letter##syevd_work(LAPACK_COL_MAJOR, job, uplo, n, a, std::max(n, 1), w,      \
                                        work.data(), static_cast<lapack_int>(work.size()),         \
                                        ints.data(), bestInt);                                     \
  }                                                                                                \
  inline lapack_int gesdd(char job, lapack_int m, lapack_int n, T *a, T *s, T *u, lapack_int ldu,  \
                          T *vt, lapack_int ldvt) {                                                \
    std::vector<lapack_int> ints(static_cast<size_t>(8 * std::min(m, n)));                         \
    return withWork<T>([&](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##gesdd_work(LAPACK_COL_MAJOR, job, m, n, a, std::max(m, 1), s, u,    \
                                          std::max(ldu, 1), vt, std::max(ldvt, 1), work, size,     \
                                          ints.data());                                            \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int gesvd(char job, lapack_int m, lapack_int n, T *a, T *s, T *u, lapack_int ldu,  \
                          T *vt, lapack_int ldvt) {                                                \
    return withWork<T>([&](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##gesvd_work(LAPACK_COL_MAJOR, job, job, m, n, a, std::max(m, 1), s,  \
                                          u, std::max(ldu, 1), vt, std::max(ldvt, 1), work, size); \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int geev(char left, char right, lapack_int n, T *a, T *real, T *imaginary, T *vl,  \
                         T *vr) {                                                                  \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##geev_work(LAPACK_COL_MAJOR, left, right, n, a, std::max(n, 1),      \
                                         real, imaginary, vl, std::max(n, 1), vr, std::max(n, 1),  \
                                         work, size);                                              \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int gees(char job, lapack_int n, T *a, lapack_int *selected, T *real,              \
                         T *imaginary, T *vectors) {                                               \
    return withWork<T>([=](T *work, lapack_int size) {                                             \
      return LAPACKE_##letter##gees_work(LAPACK_COL_MAJOR, job, 'N', nullptr, n, a,                \
                                         std::max(n, 1), selected, real, imaginary, vectors,       \
                                         std::max(n, 1), work, size, nullptr);                     \
    });                                                                                            \
  }
TANDEM_LAPACK_REAL(s, float)
TANDEM_LAPACK_REAL(d, double)
#undef TANDEM_LAPACK_REAL

#define TANDEM_LAPACK_COMPLEX(letter, R)                                                           \
  inline void trsm(CBLAS_ORDER order, CBLAS_SIDE side, CBLAS_UPLO uplo, CBLAS_TRANSPOSE transpose, \
                   CBLAS_DIAG diag, lapack_int m, lapack_int n, const std::complex<R> *a,          \
                   lapack_int lda, std::complex<R> *b, lapack_int ldb) {                           \
    std::complex<R> one = 1;                                                                       \
    cblas_##letter##trsm(order, side, uplo, transpose, diag, m, n, &one, a, std::max(lda, 1), b,   \
                         std::max(ldb, 1));                                                        \
  }                                                                                                \
  inline lapack_int geqp3(lapack_int m, lapack_int n, std::complex<R> *a, lapack_int *pivots,      \
                          std::complex<R> *tau) {                                                  \
    std::vector<R> reals(static_cast<size_t>(2 * n));                                              \
    return withWork<std::complex<R>>([&](std::complex<R> *work, lapack_int size) {                 \
      return LAPACKE_##letter##geqp3_work(LAPACK_COL_MAJOR, m, n, a, std::max(m, 1), pivots, tau,  \
                                          work, size, reals.data());                               \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int syevd(char job, char uplo, lapack_int n, std::complex<R> *a, R *w) {           \
    std::complex<R> best = 1;                                                                      \
    R bestReal = 1;                                                                                \
    lapack_int bestInt = 1;                                                                        \
    lapack_int info =                                                                              \
        LAPACKE_##letter##heevd_work(LAPACK_COL_MAJOR, job, uplo, n, a, std::max(n, 1), w, &best,  \
                                     -1, &bestReal, -1, &bestInt, -1);                             \
    if (info != 0)                                                                                 \
      return info;                                                                                 \
    std::vector<std::complex<R>> work(static_cast<size_t>(best.real()));                           \
    std::vector<R> reals(static_cast<size_t>(bestReal));                                           \
    std::vector<lapack_int> ints(static_cast<size_t>(bestInt));                                    \
    return LAPACKE_##letter##heevd_work(LAPACK_COL_MAJOR, job, uplo, n, a, std::max(n, 1), w,      \
                                        work.data(), static_cast<lapack_int>(work.size()),         \
                                        reals.data(), static_cast<lapack_int>(reals.size()),       \
                                        ints.data(), bestInt);                                     \
  }                                                                                                \
  inline lapack_int gesdd(char job, lapack_int m, lapack_int n, std::complex<R> *a, R *s,          \
                          std::complex<R> *u, lapack_int ldu, std::complex<R> *vt,                 \
                          lapack_int ldvt) {                                                       \
    size_t least = static_cast<size_t>(std::min(m, n)),                                            \
           most = static_cast<size_t>(std::max(m, n));                                             \
    std::vector<lapack_int> ints(8 * least);                                                       \
    std::vector<R> reals(                                                                          \
        std::max(7 * least, std::max(5 * least * least + 5 * least,                                \
                                     2 * most * least + 2 * least * least + least)));              \
    return withWork<std::complex<R>>([&](std::complex<R> *work, lapack_int size) {                 \
      return LAPACKE_##letter##gesdd_work(LAPACK_COL_MAJOR, job, m, n, a, std::max(m, 1), s, u,    \
                                          std::max(ldu, 1), vt, std::max(ldvt, 1), work, size,     \
                                          reals.data(), ints.data());                              \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int gesvd(char job, lapack_int m, lapack_int n, std::complex<R> *a, R *s,          \
                          std::complex<R> *u, lapack_int ldu, std::complex<R> *vt,                 \
                          lapack_int ldvt) {                                                       \
    std::vector<R> reals(static_cast<size_t>(5 * std::min(m, n)));                                 \
    return withWork<std::complex<R>>([&](std::complex<R> *work, lapack_int size) {                 \
      return LAPACKE_##letter##gesvd_work(LAPACK_COL_MAJOR, job, job, m, n, a, std::max(m, 1), s,  \
                                          u, std::max(ldu, 1), vt, std::max(ldvt, 1), work, size,  \
                                          reals.data());                                           \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int geev(char left, char right, lapack_int n, std::complex<R> *a,                  \
                         std::complex<R> *w, std::complex<R> *vl, std::complex<R> *vr) {           \
    std::vector<R> reals(static_cast<size_t>(2 * n));                                              \
    return withWork<std::complex<R>>([&](std::complex<R> *work, lapack_int size) {                 \
      return LAPACKE_##letter##geev_work(LAPACK_COL_MAJOR, left, right, n, a, std::max(n, 1), w,   \
                                         vl, std::max(n, 1), vr, std::max(n, 1), work, size,       \
                                         reals.data());                                            \
    });                                                                                            \
  }                                                                                                \
  inline lapack_int gees(char job, lapack_int n, std::complex<R> *a, lapack_int *selected,         \
                         std::complex<R> *w, std::complex<R> *vectors) {                           \
    std::vector<R> reals(static_cast<size_t>(n));                                                  \
    return withWork<std::complex<R>>([&](std::complex<R> *work, lapack_int size) {                 \
      return LAPACKE_##letter##gees_work(LAPACK_COL_MAJOR, job, 'N', nullptr, n, a,                \
                                         std::max(n, 1), selected, w, vectors, std::max(n, 1),     \
                                         work, size, reals.data(), nullptr);                       \
    });                                                                                            \
  }
TANDEM_LAPACK_COMPLEX(c, float)
TANDEM_LAPACK_COMPLEX(z, double)
#undef TANDEM_LAPACK_COMPLEX

} // namespace tandem::runtime::lapack

#endif
