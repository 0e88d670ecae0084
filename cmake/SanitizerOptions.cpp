// Linked into every tool and test of a sanitized build: the options it runs with by itself, so that
// build-asan/bin/tandem needs no environment. What ASAN_OPTIONS and so on say is added to these.
//
// The LLVM and MLIR libraries are Debian's and not instrumented, nor are kernels. There are no
// suppressions: code of ours has to be clean, and so far theirs is.

#define TANDEM_SANITIZER_HOOK                                                                      \
  extern "C" __attribute__((no_sanitize("all"), used, visibility("default")))

// allow_user_poisoning=0: LLVM's arenas (BumpPtrAllocator, in headers) poison what they have not
// handed
//   out. The copies of this code in our objects do so, those in the libraries do not take it back:
//   two halves of one arena disagree. What is lost is only the check of reads beyond an arena's
//   last object; malloc, stacks and globals are checked as ever.
// detect_stack_use_after_return, strict_init_order: checks that are off by default.
TANDEM_SANITIZER_HOOK const char *__asan_default_options() {
  return "allow_user_poisoning=0:detect_stack_use_after_return=1:strict_init_order=1:"
         "check_initialization_order=1:detect_leaks=1";
}

TANDEM_SANITIZER_HOOK const char *__ubsan_default_options() { return "print_stacktrace=1"; }

// A report stops the program, so that a test that looks only at its results fails too.
TANDEM_SANITIZER_HOOK const char *__tsan_default_options() {
  return "halt_on_error=1:second_deadlock_stack=1";
}
