// The compact table: phases, and indented under each its passes that took measurable time.
#include "PhaseTimer.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace tandem {
namespace {

class CompactTable : public mlir::OutputStrategy {
public:
  using OutputStrategy::OutputStrategy;

  void printHeader(const mlir::TimeRecord &total) override {
    os << "      wall ms     cpu ms  phase\n";
  }
  void printFooter() override {}
  void printTime(const mlir::TimeRecord &, const mlir::TimeRecord &) override {}
  void printListEntry(llvm::StringRef, const mlir::TimeRecord &, const mlir::TimeRecord &,
                      bool) override {}
  void printTreeEntry(unsigned indent, llvm::StringRef name, const mlir::TimeRecord &time,
                      const mlir::TimeRecord &total) override {
    constexpr double kLeastSeconds = 1e-4;
    constexpr unsigned kDeepest = 6; // phase, pass manager, pass
    if (name == "root" || (indent > 2 && time.wall < kLeastSeconds) || indent > kDeepest)
      return;
    os << llvm::format("  %11.1f%11.1f  ", time.wall * 1e3, time.user * 1e3);
    os.indent(indent) << name << '\n';
  }
  void printTreeEntryEnd(unsigned, bool) override {}
};

} // namespace

PhaseTimer::PhaseTimer() {
  manager.setEnabled(true);
  manager.setDisplayMode(mlir::DefaultTimingManager::DisplayMode::Tree);
  root = manager.getRootScope();
}

std::string PhaseTimer::table() {
  std::string text;
  llvm::raw_string_ostream os(text);
  root.stop();
  manager.setOutput(std::make_unique<CompactTable>(os));
  manager.print();
  manager.setEnabled(false); // its destructor prints too, and `text` is gone by then
  return text;
}

} // namespace tandem
