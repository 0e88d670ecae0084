// The compiled kernels of a Program, linked into this process.
//
// Objects are ELF relocatables made by the compiler. They are linked by LLVM's JITLink; undefined
// symbols resolve among the objects, then in the process (libm, libc), then to the conversion
// routines that LLVM calls for bf16 and f16. Kernels stay callable while the library lives and
// may run on any number of threads at once.
#ifndef TANDEM_RUNTIME_CPU_KERNELLIBRARY_H
#define TANDEM_RUNTIME_CPU_KERNELLIBRARY_H

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

// Pointers to operands, then results; computes the units from `begin` to `end`.
using KernelFunction = void (*)(void *const *buffers, int64_t begin, int64_t end);

class KernelLibrary {
public:
  // Links program.objects and finds program.kernels. Blocking; about 0.5 ms plus 5 us a kernel.
  static absl::StatusOr<std::unique_ptr<KernelLibrary>> load(const program::ProgramT &program);
  ~KernelLibrary();

  KernelFunction get(uint32_t kernel) const { return functions[kernel]; }

private:
  struct Jit;
  KernelLibrary();

  std::unique_ptr<Jit> jit; // null when there are no kernels
  std::vector<KernelFunction> functions;
};

} // namespace tandem::runtime

#endif
