// Times phases and their passes with MLIR's timing manager and prints one compact table.
#pragma once

#include "mlir/Support/Timing.h"

#include <string>

namespace tandem {

class PhaseTimer {
public:
  PhaseTimer();

  // A scope to nest under; hand it to PassManager::enableTiming.
  mlir::TimingScope nest(llvm::StringRef name) { return root.nest(name); }
  // The table of everything timed so far; call once, when no scope lives.
  std::string table();

private:
  mlir::DefaultTimingManager manager;
  mlir::TimingScope root;
};

} // namespace tandem
