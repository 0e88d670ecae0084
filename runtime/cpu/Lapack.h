// Factorisations and solvers as custom calls, through LAPACKE.
//
//   lapack_{s,d,c,z}X_ffi    what JAX writes for the CPU; X is one of potrf, getrf, geqrf, orgqr
//       (complex: ungqr), ormqr (unmqr), geqp3, gesdd, gesvd, syevd (heevd), sytrd (hetrd), geev,
//       gees, gehrd, gtsv, trsm. Matrices are column-major (the program's layouts say so), so that
//       here the last dimension counts rows. Attributes as JAX writes them.
//   tandem.cholesky          stablehlo.cholesky and triangular_solve, of row-major matrices.
//   tandem.triangular_solve
//
// Leading dimensions are batches. A factorisation that fails leaves LAPACK's code in its last
// result, or NaN where there is none. OpenBLAS runs them on the calling thread (GemmLibrary).
#ifndef TANDEM_RUNTIME_CPU_LAPACK_H
#define TANDEM_RUNTIME_CPU_LAPACK_H

#include "runtime/cpu/CustomCalls.h"

namespace tandem::runtime {

void addLapackCalls(CustomCallRegistry &registry);

} // namespace tandem::runtime

#endif
