// Refuses collectives that only a part of their group would reach.

#include "passes/Overlap/Passes.h"

#include "tandem/Analysis/Uniformity.h"
#include "tandem/IR/Shardy/Shardy.h"

#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

namespace tandem {
#define GEN_PASS_DEF_CHECKUNIFORMITYPASS
#include "passes/Overlap/Passes.h.inc"

namespace {

/// The devices that run the module: its option, else those of its largest mesh.
int64_t getNumDevices(ModuleOp module) {
  if (auto attr = module->getAttrOfType<IntegerAttr>("tandem.num_devices"))
    return attr.getInt();
  int64_t devices = 1;
  for (auto mesh : module.getOps<sdy::MeshOp>())
    devices = std::max(devices, mesh.getMesh().getTotalSize());
  return devices;
}

std::string spell(Operation *loopOrCase, int64_t value) {
  if (isa<LoopOp>(loopOrCase))
    return value ? "true" : "false";
  return std::to_string(value);
}

struct CheckUniformityPass : impl::CheckUniformityPassBase<CheckUniformityPass> {
  void runOnOperation() override {
    int64_t numDevices = getNumDevices(getOperation());
    if (numDevices == 1)
      return;
    for (auto function : getOperation().getOps<FunctionOpInterface>())
      if (failed(check(function, numDevices)))
        signalPassFailure();
  }

  LogicalResult check(FunctionOpInterface function, int64_t numDevices) {
    // Each loop or case over each start inside of it.
    SmallVector<std::pair<Operation *, StartOp>> pairs;
    function->walk([&](StartOp start) {
      for (Operation *parent = start->getParentOp(); parent != function;
           parent = parent->getParentOp())
        if (isa<LoopOp, CaseOp>(parent) && !Uniformity::getGroups(start).empty())
          pairs.emplace_back(parent, start);
    });
    if (pairs.empty())
      return success();

    Uniformity uniformity(function, numDevices);
    bool valid = true;
    for (auto [parent, start] : pairs) {
      bool proved = true;
      for (ArrayRef<int64_t> group : Uniformity::getGroups(start)) {
        Uniformity::Answer answer = uniformity.judge(parent, group);
        if (answer.verdict == Uniformity::Verdict::Differs) {
          report(parent, start, answer);
          valid = false;
          proved = true; // said enough
          break;
        }
        proved &= answer.verdict == Uniformity::Verdict::Uniform;
      }
      if (proved) {
        ++numProved;
        continue;
      }
      ++numUnproved;
      InFlightDiagnostic remark = start->emitRemark()
                                  << "'" << start.getCollective()->getName()
                                  << "' runs under a predicate that is not proved equal on all "
                                     "devices of its group; the order is checked at run time";
      remark.attachNote(parent->getLoc()) << "the predicate is that of this op";
    }
    return success(valid);
  }

  static void report(Operation *parent, StartOp start, const Uniformity::Answer &answer) {
    InFlightDiagnostic error = start->emitError()
                               << "'" << start.getCollective()->getName()
                               << "' runs under a predicate that differs within its group: "
                               << spell(parent, answer.valueA) << " on device " << answer.deviceA
                               << ", " << spell(parent, answer.valueB) << " on device "
                               << answer.deviceB
                               << "; move the collective out, or make the predicate the same";
    error.attachNote(parent->getLoc()) << "the predicate is that of this op";
  }
};

} // namespace
} // namespace tandem
