// Which collectives a compiled module has, and why: `tandem explain --comm`.
//
//   std::vector<CommunicationRow> rows = explainCommunication(module);   // after phase overlap
//   llvm::outs() << formatCommunication(rows);          // or communicationJson(rows)
//
//   kind        dtype     bytes  wire bytes  runs  groups  axes  cause
//   all-reduce  bf16       4096        7168     1  1 of 8  data  partial sums of ...
//   (step.mlir:9:5)
//
// A query over the program, in program order; nothing is edited. All bytes are per device.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tandem {

struct CommunicationRow {
  std::string kind;              // "all-reduce", "all-gather", ...
  std::string dtype;             // StableHLO's name: bf16, f32, i32
  int64_t bytes = 0;             // of the operands, each time it runs
  int64_t wireBytes = 0;         // sent, each time it runs, by the cost model's formula
  std::optional<int64_t> runs;   // product of the trip counts around it; none: not known
  bool conditional = false;      // in a branch: `runs` is an upper bound
  int64_t groups = 0;            // how many groups of how many devices; for a permute
  int64_t groupSize = 0;         // the number of pairs, and 2
  std::vector<std::string> axes; // of the mesh, empty when the cause names none
  std::string rule;              // why it was inserted; empty: it is the user's own
  std::string array;             // the argument, result or op it was inserted for
  std::string place;             // file:line:column of the op that it serves
};

std::vector<CommunicationRow> explainCommunication(mlir::ModuleOp module);

// A table (of more than 40 collectives: by groups that are alike but for a layer's number), totals
// by kind and type, and sums by array. `reductionDtype`: what --reduction-dtype asked for, or
// empty.
std::string formatCommunication(const std::vector<CommunicationRow> &rows,
                                llvm::StringRef reductionDtype = "");
// {"collectives": [...], "totals": [...]}, keys sorted, ends in a newline.
std::string communicationJson(const std::vector<CommunicationRow> &rows);

} // namespace tandem
