// What the list scheduler needs to know of one block: dependences, time and engine of each op,
// and bytes that become and cease to be live.
//
// Bytes are counted per class of values that must share them (Aliasing); classes that hold an
// argument of the block, or bytes from outside, are live whatever the order, and left out. A
// class is live from its first definition to its last use in the order; what a start reads, to
// the done. A loop or case also holds, while it runs, the peak of its body.
#ifndef TANDEM_PASSES_SCHEDULE_BLOCKMODEL_H
#define TANDEM_PASSES_SCHEDULE_BLOCKMODEL_H

#include <vector>

#include "tandem/Analysis/Aliasing.h"
#include "tandem/Analysis/Dependences.h"
#include "tandem/Cost/EventSimulation.h"

namespace tandem {

class BlockModel {
public:
  enum class Engine { None, Compute, Wire };
  struct Node {
    int64_t picoseconds = 0;
    Engine engine = Engine::None;
    unsigned wire = 0;                    // of starts: which wire
    int64_t heldBytes = 0;                // while it runs, on top of what is live
    std::vector<unsigned> defines, reads; // classes
  };

  // `peaks`: peak bytes of the bodies of ops in this block, already known.
  BlockModel(mlir::Block &block, const Aliasing &aliasing, const CostModel &cost,
             EventSimulation &simulation, const llvm::DenseMap<mlir::Operation *, int64_t> &peaks);

  const Dependences &dependences() const { return deps; }
  unsigned size() const { return deps.size(); }
  const Node &node(unsigned index) const { return nodes[index]; }
  unsigned numClasses() const { return static_cast<unsigned>(classBytes.size()); }
  int64_t bytesOf(unsigned cls) const { return classBytes[cls]; }

  // Most bytes live at one time, `order` being a permutation of the nodes.
  int64_t peakBytes(llvm::ArrayRef<unsigned> order) const;

private:
  Dependences deps;
  std::vector<Node> nodes;
  std::vector<int64_t> classBytes;
};

} // namespace tandem

#endif // TANDEM_PASSES_SCHEDULE_BLOCKMODEL_H
