// Linking of kernel objects.
#include "runtime/cpu/KernelLibrary.h"

#include <cmath>

#include "tests/runtime/IrObject.h"
#include "tests/runtime/ProgramBuilder.h"
#include "tests/runtime/StatusMatchers.h"

namespace tandem::runtime {
namespace {

TEST(KernelLibrary, kernelsCallEachOtherAndLibm) {
  ProgramBuilder b(1);
  uint32_t apply = b.kernel("apply", compileIr(R"(
    declare double @helper(double)
    define void @apply(ptr %b) {
      %p = load ptr, ptr %b
      %x = load double, ptr %p
      %y = call double @helper(double %x)
      store double %y, ptr %p
      ret void
    }
  )"));
  b.kernel("unused", compileIr(R"(
    declare double @erf(double)
    define double @helper(double %x) {
      %y = call double @erf(double %x)
      ret double %y
    }
    define void @unused(ptr %b) {
      ret void
    }
  )"));
  auto library = KernelLibrary::load(b.get());
  ASSERT_OK(library);
  double x = 0.75;
  void *buffers[] = {&x};
  (*library)->get(apply)(buffers, 0, 1);
  EXPECT_EQ(x, std::erf(0.75));
}

// Without F16C and AVX512-BF16, LLVM calls compiler-rt for these.
TEST(KernelLibrary, conversionsOfSmallFloatsResolve) {
  ProgramBuilder b(1);
  uint32_t kernel = b.kernel("convert", compileIr(R"(
    define void @convert(ptr %b) {
      %p = load ptr, ptr %b
      %x = load float, ptr %p
      %d = fpext float %x to double
      %bf = fptrunc float %x to bfloat
      %bd = fptrunc double %d to bfloat
      %h = fptrunc float %x to half
      %hd = fptrunc double %d to half
      %q = getelementptr float, ptr %p, i64 1
      store bfloat %bf, ptr %q
      %q1 = getelementptr bfloat, ptr %q, i64 1
      store bfloat %bd, ptr %q1
      %q2 = getelementptr bfloat, ptr %q, i64 2
      store half %h, ptr %q2
      %q3 = getelementptr bfloat, ptr %q, i64 3
      store half %hd, ptr %q3
      %back = fpext half %h to float
      store float %back, ptr %p
      ret void
    }
  )"));
  auto library = KernelLibrary::load(b.get());
  ASSERT_OK(library);
  struct {
    float x;
    uint16_t bits[4];
  } data = {3.14159274f, {}};
  void *buffers[] = {&data};
  (*library)->get(kernel)(buffers, 0, 1);
  EXPECT_EQ(data.bits[0], 0x4049);
  EXPECT_EQ(data.bits[1], 0x4049);
  EXPECT_EQ(data.bits[2], 0x4248);
  EXPECT_EQ(data.bits[3], 0x4248);
  EXPECT_EQ(data.x, 3.140625f);
}

TEST(KernelLibrary, errorsNameWhatIsMissing) {
  ProgramBuilder missing(1);
  missing.kernel("no_such_kernel", scalarKernels());
  expectError(KernelLibrary::load(missing.get()), absl::StatusCode::kInternal, {"no_such_kernel"});

  ProgramBuilder undefined(1);
  undefined.kernel("f", compileIr("declare void @nowhere_defined()\n"
                                  "define void @f(ptr %b) {\n call void @nowhere_defined()\n"
                                  " ret void\n}\n"));
  expectError(KernelLibrary::load(undefined.get()), absl::StatusCode::kInternal,
              {"cannot link", "nowhere_defined"});

  ProgramBuilder garbage(1);
  garbage.kernel("f", "this is not an object");
  EXPECT_FALSE(KernelLibrary::load(garbage.get()).ok());
}

} // namespace
} // namespace tandem::runtime
