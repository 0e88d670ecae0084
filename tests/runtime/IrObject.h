// Kernel objects for tests, compiled from LLVM IR text.
#ifndef TANDEM_TESTS_RUNTIME_IROBJECT_H
#define TANDEM_TESTS_RUNTIME_IROBJECT_H

#include <string>

namespace tandem::runtime {

// An ELF relocatable with the functions of `ir`; aborts with the parser's
// message on bad text.
std::string compileIr(const std::string &ir);

// Kernels over i32 scalars, used by many tests:
//   inc(x)          x += 1
//   less(x, n, p)   p = x < n              (i1)
//   add(a, b, out)  out = a + b
std::string scalarKernels();

} // namespace tandem::runtime

#endif
