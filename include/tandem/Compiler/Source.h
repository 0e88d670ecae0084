// What the user wants compiled, as bytes with a name.
//
//   absl::StatusOr<tandem::Source> source = tandem::readSource("step.mlir.gz");
//   source->kind == tandem::Source::Kind::Mlir
//
// A path of "-" is standard input. Gzipped bytes are unpacked; the kind is told from the
// content, never from the file's name. Thread-safe; reads block.
#pragma once

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

#include <string>

namespace tandem {

struct Source {
  enum class Kind {
    Mlir,    // text or bytecode of a module in StableHLO, Shardy or the tandem dialect
    Program, // a serialised Program, ready to run
    HloText, // an HLO dump
    Unknown, // empty or binary; neither of the above
  };

  std::string name;  // for diagnostics: the path, or "<stdin>"
  std::string bytes; // unpacked
  Kind kind = Kind::Unknown;
  std::string note; // of a dump directory: which of its files this is, for the user; else empty
};

// Tells the kind of unpacked bytes.
Source::Kind kindOf(absl::string_view bytes);

// What is wanted of a dump directory, as --xla_dump_to writes them.
enum class DumpStage {
  Scheduled,           // the module that ran
  BeforeOptimizations, // the module to compile anew
};

// Reads and unpacks a file, or of a directory the HLO text that is nearest to `stage` by its header
// and name, the largest of several. NotFound, PermissionDenied or InvalidArgument (damaged gzip
// data, a directory without HLO text) name the path.
absl::StatusOr<Source> readSource(absl::string_view path, DumpStage stage = DumpStage::Scheduled);

} // namespace tandem
