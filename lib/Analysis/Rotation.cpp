// Slots of futures that loops carry.
#include "tandem/Analysis/Rotation.h"

namespace tandem {

using mlir::Operation;
using mlir::Value;

const Rotation::Info &Rotation::info(unsigned piece) const {
  static const Info none;
  auto it = infos.find(aliasing.leader(piece));
  return it == infos.end() ? none : it->second;
}

bool Rotation::fixed(unsigned piece) const {
  LoopOp owner = loop(piece);
  Value value = aliasing.piece(piece).value;
  if (!owner || value.getParentBlock() != owner->getBlock())
    return false;
  // Before the loop: an init or what becomes one. After it: its result and what awaits that.
  Operation *def = value.getDefiningOp();
  return !def || (def != owner && def->isBeforeInBlock(owner));
}

// The rotation of carried argument `index`: one less than that of what is yielded for it.
unsigned Rotation::argumentRotation(LoopOp loop, unsigned index, unsigned slots,
                                    unsigned depth) const {
  Value next = loop.getYieldedValues()[index];
  if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(next);
      argument && argument.getOwner() == &loop.getBody().front() && depth < slots)
    return argumentRotation(loop, argument.getArgNumber(), slots, depth + 1) - 1;
  return slots - 2;
}

Rotation::Rotation(mlir::func::FuncOp func, const Aliasing &aliasing) : aliasing(aliasing) {
  forEachOp(func, [&](Operation *op) {
    auto loop = llvm::dyn_cast<LoopOp>(op);
    if (!loop)
      return;
    if (auto rotating = loop->getAttrOfType<mlir::DenseI64ArrayAttr>(kRotatingAttr))
      for (int64_t number : rotating.asArrayRef())
        infos[aliasing.leader(aliasing.id(loop.getIterArgs()[number]))] = {2, loop};
    for (mlir::BlockArgument argument : loop.getIterArgs()) {
      if (!llvm::isa<FutureType>(argument.getType()))
        continue;
      for (unsigned element = 0; element < Aliasing::numPieces(argument.getType()); ++element) {
        Info &info = infos[aliasing.leader(aliasing.id(argument, element))];
        ++info.slots;
        info.loop = loop;
      }
    }
  });
  if (infos.empty())
    return;
  forEachOp(func, [&](Operation *op) {
    auto start = llvm::dyn_cast<StartOp>(op);
    if (!start || Aliasing::numPieces(start.getFuture().getType()) == 0)
      return;
    Info future = info(aliasing.id(start.getFuture()));
    if (future.slots == 1)
      return;
    for (Value input : start.getInputs()) {
      unsigned piece = aliasing.id(input);
      bool shared = false; // carried or donated bytes cannot rotate
      for (unsigned other = 0; other < aliasing.size() && !shared; ++other)
        shared = other != piece && aliasing.mustShare(other, piece);
      if (shared || input.getParentBlock() != &future.loop.getBody().front())
        continue;
      Info &info = infos[aliasing.leader(piece)];
      info.slots = std::max(info.slots, future.slots);
      info.loop = future.loop;
    }
  });
  for (unsigned piece = 0; piece < aliasing.size(); ++piece) {
    Info owner = info(piece);
    if (owner.slots == 1)
      continue;
    unsigned rotation = owner.slots - 1;
    for (mlir::BlockArgument argument : owner.loop.getIterArgs()) {
      unsigned index = argument.getArgNumber();
      // A done's result is where its future is.
      auto source = [](Value value) {
        auto done = value.getDefiningOp<DoneOp>();
        return done ? done.getFuture() : value;
      };
      Value value = source(aliasing.piece(piece).value);
      if (value == argument || value == source(owner.loop.getInits()[index]) ||
          value == owner.loop.getOutputs()[index])
        rotation = argumentRotation(owner.loop, index, owner.slots, 0);
    }
    rotations[piece] = rotation;
  }
}

} // namespace tandem
