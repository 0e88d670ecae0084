// Gives every piece an address: groups of pieces that share bytes, then a place per group.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "passes/Memory/Passes.h"
#include "tandem/Analysis/Bins.h"
#include "tandem/Analysis/ByteSharing.h"
#include "tandem/Analysis/Placement.h"
#include "tandem/IR/Tandem/Buffers.h"
#include "tandem/IR/Tandem/FunctionAttrs.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <map>
#include <utility>

namespace tandem {
#define GEN_PASS_DEF_ASSIGNBUFFERSPASS
#include "passes/Memory/Passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

constexpr int64_t kAlignment = BufferAttr::kAlignmentBytes;

struct AssignBuffers : impl::AssignBuffersPassBase<AssignBuffers> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<mlir::func::FuncOp>())
      if (!func.isExternal() && mlir::failed(assign(func)))
        return signalPassFailure();
  }

  mlir::LogicalResult assign(mlir::func::FuncOp func) {
    Aliasing aliasing(func);
    Liveness liveness(func, aliasing);
    Rotation rotation(func, aliasing);
    ByteSharing sharing(func, aliasing, liveness, rotation,
                        copyRegionAnalysis(getOperation()) != CopyRegionAnalysis::Off);
    if (std::optional<ByteSharing::Conflict> conflict = sharing.conflict())
      return report(func, aliasing, *conflict);
    numInPlace += sharing.numInPlace();
    numElidedCopies += sharing.numCopiesShared();

    // Decide: a home for every group; what has none goes to the temp arena.
    llvm::MapVector<unsigned, size_t> tempItems; // group -> item
    std::vector<PlacementItem> items;
    std::vector<Bin> bins; // results and donated arguments, where temporaries may be meanwhile
    std::vector<unsigned> binGroups;
    int64_t resultBytes = 0, argumentBytes = 0;
    for (unsigned piece = 0; piece < aliasing.size(); ++piece) {
      if (sharing.group(piece) != piece)
        continue;
      Home home = sharing.home(piece);
      if (home.arena == Arena::Result)
        resultBytes += aliasing.bytes(piece);
      if (home.arena == Arena::Argument)
        argumentBytes += aliasing.bytes(piece);
      if (home.arena && home.arena != Arena::Constant) {
        bins.push_back({aliasing.bytes(piece), sharing.live(piece)});
        binGroups.push_back(piece);
      }
      if (home.arena)
        continue;
      tempItems[piece] = items.size();
      items.push_back({stride(aliasing.bytes(piece)) * rotation.slots(piece), sharing.live(piece)});
      if (rotation.slots(piece) == 1)
        items.back().bytes = aliasing.bytes(piece);
    }
    std::vector<BinPlace> binPlaces =
        placeInBins(itemsForBins(items, tempItems, rotation), bins, kAlignment);
    std::vector<PlacementItem> left = items;
    for (auto [index, place] : llvm::enumerate(binPlaces))
      if (place.bin != ~0u) {
        left[index].bytes = 0;
        ++numInIdleBytes;
      }
    Placement placement = placeAll(left, kAlignment);
    llvm::DenseMap<mlir::Attribute, int64_t> constants;
    int64_t constantBytes = 0;

    auto bufferOf = [&](unsigned piece) {
      unsigned group = sharing.group(piece);
      Home home = sharing.home(group);
      int64_t bytes = aliasing.bytes(piece);
      mlir::MLIRContext *context = func.getContext();
      if (home.arena == Arena::Constant) {
        auto [it, isNew] = constants.try_emplace(constantOf(aliasing.piece(group)), constantBytes);
        if (isNew)
          constantBytes = llvm::alignTo(constantBytes + bytes, kAlignment);
        return BufferAttr::get(context, Arena::Constant, 0, it->second, bytes);
      }
      if (home.arena)
        return BufferAttr::get(context, *home.arena, home.index, 0, bytes);
      const size_t item = tempItems.lookup(group);
      if (BinPlace place = binPlaces[item]; place.bin != ~0u) {
        Home idle = sharing.home(binGroups[place.bin]);
        return BufferAttr::get(context, *idle.arena, idle.index, place.offset, bytes);
      }
      int64_t offset = placement.offsets[item];
      if (rotation.slots(piece) == 1)
        return BufferAttr::get(context, Arena::Temp, 0, offset, bytes);
      if (rotation.fixed(piece))
        return BufferAttr::get(context, Arena::Temp, 0,
                               offset + rotation.rotation(piece) * stride(bytes), bytes);
      return BufferAttr::get(context, Arena::Temp, 0, offset, bytes, rotation.slots(piece),
                             stride(bytes));
    };
    auto buffersOf = [&](mlir::ValueRange values) {
      llvm::SmallVector<mlir::Attribute> buffers;
      for (Value value : values)
        for (unsigned element = 0; element < Aliasing::numPieces(value.getType()); ++element)
          buffers.push_back(bufferOf(aliasing.id(value, element)));
      return mlir::ArrayAttr::get(func.getContext(), buffers);
    };

    // Edit.
    FunctionAttrs attrs(func);
    for (auto [index, argument] : llvm::enumerate(func.getArguments()))
      if (Aliasing::numPieces(argument.getType()))
        attrs.argument(index).set(kBufferAttr, bufferOf(aliasing.id(argument)));
    attrs.apply();
    forEachOp(func, [&](Operation *op) {
      mlir::ArrayAttr buffers = buffersOf(op->getResults());
      if (!buffers.empty())
        op->setAttr(kBuffersAttr, buffers);
      if (auto loop = llvm::dyn_cast<LoopOp>(op)) {
        mlir::ArrayAttr arguments = buffersOf(mlir::ValueRange(loop.getBody().getArguments()));
        if (!arguments.empty())
          op->setAttr(kArgBuffersAttr, arguments);
      }
    });
    mlir::Builder builder(func.getContext());
    mlir::ModuleOp module = getOperation();
    int64_t peak = argumentBytes + resultBytes + placement.totalBytes;
    module->setAttr("tandem.temp_bytes", builder.getI64IntegerAttr(placement.totalBytes));
    module->setAttr("tandem.constant_bytes", builder.getI64IntegerAttr(constantBytes));
    module->setAttr("tandem.peak_bytes", builder.getI64IntegerAttr(peak));
    tempBytes += placement.totalBytes;
    fragmentedBytes += placement.totalBytes - placement.liveBytes;
    peakBytes += peak;
    auto limit = module->getAttrOfType<mlir::IntegerAttr>("tandem.memory_limit");
    if (!limit || peak <= limit.getInt())
      return mlir::success();
    mlir::InFlightDiagnostic error =
        func.emitError() << "needs " << peak << " bytes per device (arguments " << argumentBytes
                         << ", results " << resultBytes << ", temporaries " << placement.totalBytes
                         << "), expected at most the " << limit.getInt() << " of the memory limit";
    std::vector<unsigned> groups(items.size());
    for (auto [group, item] : tempItems)
      groups[item] = group;
    // The caller keeps arguments and results all the time.
    for (unsigned piece = 0; piece < aliasing.size(); ++piece) {
      std::optional<Arena> arena = sharing.home(piece).arena;
      if (sharing.group(piece) != piece || (arena != Arena::Argument && arena != Arena::Result))
        continue;
      items.push_back({aliasing.bytes(piece), {}});
      groups.push_back(piece);
    }
    listPeak(aliasing, items, groups, error);
    error.attachNote() << "no order was found that needs less: raise the limit to " << peak
                       << " bytes, donate arguments, or shard these values over more devices";
    return error;
  }

  // The items that may be in other arenas: not those that rotate.
  static std::vector<PlacementItem> itemsForBins(std::vector<PlacementItem> items,
                                                 const llvm::MapVector<unsigned, size_t> &tempItems,
                                                 const Rotation &rotation) {
    for (auto [group, item] : tempItems)
      if (rotation.slots(group) != 1)
        items[item].bytes = 0;
    return items;
  }

  // Notes on the largest values alive when most bytes are; an item without intervals always is.
  static void listPeak(const Aliasing &aliasing, llvm::ArrayRef<PlacementItem> items,
                       llvm::ArrayRef<unsigned> groups, mlir::InFlightDiagnostic &error) {
    std::map<int64_t, int64_t> changes;
    for (const PlacementItem &item : items)
      for (Interval interval : item.live) {
        changes[interval.begin] += item.bytes;
        changes[interval.end] -= item.bytes;
      }
    int64_t alive = 0, most = 0, position = 0;
    for (auto [at, change] : changes) {
      alive += change;
      if (alive > most)
        most = alive, position = at;
    }
    llvm::SmallVector<size_t> present;
    for (auto [index, item] : llvm::enumerate(items))
      if (item.live.empty() || llvm::any_of(item.live, [&](Interval interval) {
            return interval.begin <= position && position < interval.end;
          }))
        present.push_back(index);
    llvm::sort(present, [&](size_t a, size_t b) {
      return std::pair(-items[a].bytes, a) < std::pair(-items[b].bytes, b);
    });
    constexpr size_t kListed = 8;
    for (size_t index : llvm::ArrayRef(present).take_front(kListed)) {
      Value value = aliasing.piece(groups[index]).value;
      mlir::Diagnostic &note = error.attachNote(value.getLoc());
      note << "alive at the peak: " << items[index].bytes << " bytes of ";
      describe(value, note);
      Operation *last = nullptr; // in the block that defines it
      for (Operation *user : value.getUsers())
        if (Operation *here = value.getParentBlock()->findAncestorOpInBlock(*user))
          if (!last || last->isBeforeInBlock(here))
            last = here;
      if (last)
        note << ", needed until " << last->getName();
    }
    if (present.size() > kListed)
      error.attachNote() << "and " << present.size() - kListed << " smaller ones";
  }

  static void describe(Value value, mlir::Diagnostic &diagnostic) {
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value))
      diagnostic << "argument " << argument.getArgNumber() << " of "
                 << argument.getOwner()->getParentOp()->getName();
    else
      diagnostic << "the result of " << value.getDefiningOp()->getName();
  }

  static int64_t stride(int64_t bytes) { return llvm::alignTo(bytes, kAlignment); }

  static mlir::Attribute constantOf(Piece piece) {
    return piece.value.getDefiningOp<ConstantOp>().getValue();
  }

  static mlir::LogicalResult report(mlir::func::FuncOp func, const Aliasing &aliasing,
                                    ByteSharing::Conflict conflict) {
    Value first = aliasing.piece(conflict.first).value;
    Value second = aliasing.piece(conflict.second).value;
    mlir::InFlightDiagnostic error = mlir::emitError(second.getLoc()) << "bytes of ";
    describe(second, *error.getUnderlyingDiagnostic());
    error << " are still needed for ";
    describe(first, *error.getUnderlyingDiagnostic());
    error << ", which must share them; expected an order or a tandem.copy that keeps them apart";
    error.attachNote(first.getLoc()) << "the other value is here";
    return error;
  }
};

} // namespace
} // namespace tandem
