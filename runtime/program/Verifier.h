// The checks behind verifyProgram, one member per table of the schema.
#ifndef TANDEM_RUNTIME_PROGRAM_VERIFIER_H
#define TANDEM_RUNTIME_PROGRAM_VERIFIER_H

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tandem/Runtime/Program.h"

namespace tandem::runtime {

// The first problem found, prefixed with its place.
template <typename... Parts> absl::Status programError(const Parts &...parts) {
  return absl::InvalidArgumentError(absl::StrCat("invalid program: ", parts...));
}

class ProgramVerifier {
public:
  explicit ProgramVerifier(const program::ProgramT &program) : program(program) {}

  absl::Status run();

private:
  // Verify.cpp
  absl::Status checkType(const program::TensorTypeT *type, absl::string_view where) const;
  absl::Status checkLayout(const program::TensorTypeT *type, const program::LayoutT *layout,
                           absl::string_view where) const;
  absl::Status checkArgumentsAndResults() const;
  absl::Status checkBuffers() const;
  absl::Status checkKernels() const;
  absl::Status checkGroups(const program::CollectiveOpT &op, absl::string_view where) const;
  absl::Status checkCollective(const program::CollectiveOpT &op, absl::string_view where) const;

  // VerifyCommands.cpp
  absl::Status checkCommand(const program::CommandT &command, absl::string_view where) const;
  // The buffer exists and holds at least `bytes`; nothing writes constants, or arguments that no
  // result aliases.
  absl::Status checkRef(const program::BufferRef &ref, uint64_t bytes, bool written,
                        absl::string_view where) const;
  absl::Status checkGemm(const program::GemmT &gemm, absl::string_view where) const;
  absl::Status checkCustomCall(const program::CustomCallT &call, absl::string_view where) const;
  absl::Status checkCollectiveCommand(const program::CollectiveT &command, uint32_t stream,
                                      absl::string_view where) const;

  const program::ProgramT &program;
};

// Bytes of a dense local array.
uint64_t typeBytes(const program::TensorTypeT &type);

} // namespace tandem::runtime

#endif
