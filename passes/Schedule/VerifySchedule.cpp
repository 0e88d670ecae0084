// Replays a scheduled function on its buffers: each write leaves a stamp on its bytes, each read
// must find the stamp of the value it names. A start reads until its done, so its operands are
// looked at again there.
#include <map>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "passes/Schedule/Passes.h"
#include "tandem/Analysis/Liveness.h"
#include "tandem/Analysis/Rotation.h"
#include "tandem/IR/Tandem/Tandem.h"
#include "llvm/ADT/STLExtras.h"

namespace tandem {
#define GEN_PASS_DEF_VERIFYSCHEDULEPASS
#include "passes/Schedule/Passes.h.inc"

namespace {

using mlir::Operation;
using mlir::Value;

using Stamp = int64_t; // 0: nothing that may be read

struct Range {
  std::pair<Arena, unsigned> space;
  int64_t begin, end;
  bool operator==(const Range &) const = default;
  bool meets(const Range &other) const {
    return space == other.space && begin < other.end && other.begin < end;
  }
};

// Stamps and last writers of the bytes of all allocations.
class StampedBytes {
public:
  void write(const Range &range, Stamp stamp, Operation *writer) {
    auto &space = spaces[range.space];
    if (range.begin >= range.end)
      return;
    cut(space, range.begin);
    cut(space, range.end);
    space.erase(space.lower_bound(range.begin), space.lower_bound(range.end));
    space[range.begin] = {range.end, stamp, writer};
  }

  // Whether all bytes hold `stamp`; if not, who wrote the first that does not.
  bool holds(const Range &range, Stamp stamp, Operation *&writer) const {
    if (range.begin >= range.end)
      return true;
    writer = nullptr;
    auto found = spaces.find(range.space);
    if (found == spaces.end())
      return false;
    auto it = found->second.upper_bound(range.begin);
    if (it == found->second.begin())
      return false;
    --it;
    for (int64_t at = range.begin; at < range.end; ++it) {
      if (it == found->second.end() || it->first > at || it->second.end <= at)
        return false;
      if (it->second.stamp != stamp) {
        writer = it->second.writer;
        return false;
      }
      at = it->second.end;
    }
    return true;
  }

  // Keeps the stamps on which both agree.
  void meet(const StampedBytes &other) {
    for (auto &[key, space] : spaces)
      for (auto it = space.begin(); it != space.end(); ++it) {
        auto &[begin, segment] = *it;
        Operation *writer;
        if (other.holds({key, begin, segment.end}, segment.stamp, writer))
          continue;
        segment.stamp = 0;
        if (writer)
          segment.writer = writer;
      }
  }

private:
  struct Segment {
    int64_t end;
    Stamp stamp;
    Operation *writer;
  };
  using Space = std::map<int64_t, Segment>;

  static void cut(Space &space, int64_t at) {
    auto it = space.upper_bound(at);
    if (it == space.begin())
      return;
    --it;
    if (it->first == at || it->second.end <= at)
      return;
    space[at] = it->second;
    it->second.end = at;
  }

  std::map<std::pair<Arena, unsigned>, Space> spaces;
};

class Replay {
public:
  explicit Replay(mlir::func::FuncOp func)
      : func(func), aliasing(func), rotation(func, aliasing), stamps(aliasing.size(), 0) {
    if (auto bytes = func->getParentOfType<mlir::ModuleOp>()->getAttrOfType<mlir::IntegerAttr>(
            "tandem.temp_bytes"))
      tempBytes = bytes.getInt();
  }

  mlir::LogicalResult run() {
    for (auto [index, argument] : llvm::enumerate(func.getArguments())) {
      if (!Aliasing::numPieces(argument.getType()))
        continue;
      auto buffer = func.getArgAttrOfType<BufferAttr>(index, kBufferAttr);
      if (!buffer)
        return func.emitError() << "argument " << index << " has no " << kBufferAttr;
      buffers[aliasing.id(argument)] = buffer;
    }
    mlir::WalkResult collected = func.walk([&](Operation *op) {
      if (op == func || !inProgramOrder(op))
        return mlir::WalkResult::advance();
      return mlir::failed(collect(op)) ? mlir::WalkResult::interrupt()
                                       : mlir::WalkResult::advance();
    });
    if (collected.wasInterrupted())
      return mlir::failure();
    for (Value argument : func.getArguments())
      if (Aliasing::numPieces(argument.getType()))
        stamp(aliasing.id(argument), nullptr);
    return play(func.getBody().front());
  }

private:
  static bool inProgramOrder(Operation *op) {
    Operation *parent = op->getParentOp();
    return parent && (llvm::isa<mlir::func::FuncOp>(parent) || holdsProgramOrder(parent));
  }

  // Notes the buffers that `op` names and checks that they are there and inside their arenas.
  mlir::LogicalResult collect(Operation *op) {
    if (!op->getAttrOfType<StreamAttr>(kStreamAttr))
      return op->emitError() << "has no " << kStreamAttr << " (run tandem-assign-streams)";
    auto take = [&](mlir::ValueRange values, llvm::StringRef name) -> mlir::LogicalResult {
      auto list = op->getAttrOfType<mlir::ArrayAttr>(name);
      size_t next = 0;
      for (Value value : values)
        for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e, ++next) {
          if (!list || next >= list.size())
            return op->emitError() << "has no " << name << " (run tandem-assign-buffers)";
          auto buffer = llvm::cast<BufferAttr>(list[next]);
          unsigned piece = aliasing.id(value, e);
          buffers[piece] = buffer;
          int64_t end =
              buffer.getOffset() + (buffer.getSlots() - 1) * buffer.getStride() + buffer.getBytes();
          if (buffer.getBytes() < aliasing.bytes(piece))
            return op->emitError() << "has a buffer of " << buffer.getBytes() << " bytes, expected "
                                   << aliasing.bytes(piece);
          if (buffer.getArena() == Arena::Temp && end > tempBytes)
            return op->emitError() << "has a buffer that ends at byte " << end
                                   << ", the temp arena has " << tempBytes;
        }
      return mlir::success();
    };
    if (mlir::failed(take(op->getResults(), kBuffersAttr)))
      return mlir::failure();
    if (auto loop = llvm::dyn_cast<LoopOp>(op))
      return take(mlir::ValueRange(loop.getBody().getArguments()), kArgBuffersAttr);
    return mlir::success();
  }

  Range rangeOf(unsigned piece) {
    BufferAttr buffer = buffers.lookup(piece);
    int64_t begin = buffer.getOffset();
    if (buffer.getSlots() > 1) {
      int64_t slot = iterations.lookup(rotation.loop(piece)) + rotation.rotation(piece);
      begin += slot % buffer.getSlots() * buffer.getStride();
    }
    return {{buffer.getArena(), buffer.getIndex()}, begin, begin + aliasing.bytes(piece)};
  }

  void stamp(unsigned piece, Operation *writer) {
    stamps[piece] = ++lastStamp;
    bytes.write(rangeOf(piece), lastStamp, writer);
  }

  mlir::LogicalResult read(unsigned piece, Operation *reader, llvm::StringRef what = "") {
    Operation *writer = nullptr;
    if (bytes.holds(rangeOf(piece), stamps[piece], writer))
      return mlir::success();
    mlir::InFlightDiagnostic error = reader->emitError() << (what.empty() ? "reads" : what)
                                                         << " bytes that no longer hold ";
    Value value = aliasing.piece(piece).value;
    if (Operation *def = value.getDefiningOp())
      error << "the result of " << def->getName();
    else
      error << "argument " << llvm::cast<mlir::BlockArgument>(value).getArgNumber();
    error << " (" << buffers.lookup(piece) << ")";
    if (writer)
      error.attachNote(writer->getLoc()) << "overwritten here";
    return error;
  }

  mlir::LogicalResult readAll(mlir::ValueRange values, Operation *reader) {
    for (Value value : values)
      for (unsigned e = 0; e < Aliasing::numPieces(value.getType()); ++e)
        if (mlir::failed(read(aliasing.id(value, e), reader)))
          return mlir::failure();
    return mlir::success();
  }

  // `op` writes the bytes of `piece`; `over` is the operand it may do so in place of.
  mlir::LogicalResult write(unsigned piece, Operation *op, Value over = Value()) {
    Range range = rangeOf(piece);
    auto [arena, index] = range.space;
    if (arena == Arena::Constant && range.begin < range.end)
      return op->emitError("writes to the constant arena");
    if (arena == Arena::Argument && !donatedResult(func, index))
      return op->emitError() << "writes to argument " << index << ", which is not donated";
    for (Value operand : op->getOperands()) {
      if (!llvm::isa<mlir::RankedTensorType>(operand.getType()))
        continue;
      Range other = rangeOf(aliasing.id(operand));
      if (range.meets(other) && !(operand == over && range == other))
        return op->emitError("writes a result over an operand that it may not work in place of");
    }
    stamp(piece, op);
    return mlir::success();
  }

  // What is handed over without being moved must be in the same bytes.
  mlir::LogicalResult handOver(Value from, Value to, Operation *op) {
    for (unsigned e = 0; e < Aliasing::numPieces(from.getType()); ++e) {
      unsigned source = aliasing.id(from, e), target = aliasing.id(to, e);
      if (mlir::failed(read(source, op, "hands over")))
        return mlir::failure();
      passed.push_back({target, stamps[source], rangeOf(source)});
    }
    return mlir::success();
  }

  mlir::LogicalResult finishHandOver(Operation *op) {
    for (auto &[piece, value, range] : passed) {
      if (rangeOf(piece) != range)
        return op->emitError() << "ties values in different bytes: " << buffers.lookup(piece)
                               << " at offset " << rangeOf(piece).begin << ", found offset "
                               << range.begin;
      stamps[piece] = value;
    }
    passed.clear();
    return mlir::success();
  }

  mlir::LogicalResult play(mlir::Block &block) {
    for (Operation &op : block)
      if (mlir::failed(play(&op)))
        return mlir::failure();
    return mlir::success();
  }

  mlir::LogicalResult playLoop(LoopOp loop) {
    if (mlir::failed(readAll(loop.getPredicate(), loop)))
      return mlir::failure();
    iterations[loop] = 0;
    unsigned trips = 2;
    for (auto [init, argument] : llvm::zip_equal(loop.getInits(), loop.getIterArgs())) {
      if (Aliasing::numPieces(init.getType()))
        trips = std::max(trips, rotation.slots(aliasing.id(init)) + 1);
      if (mlir::failed(handOver(init, argument, loop)))
        return mlir::failure();
    }
    if (mlir::failed(finishHandOver(loop)))
      return mlir::failure();
    for (unsigned trip = 0; trip < trips; ++trip) {
      if (mlir::failed(play(loop.getBody().front())))
        return mlir::failure();
      Operation *yield = loop.getYield();
      if (mlir::failed(readAll(loop.getNextPredicate(), yield)))
        return mlir::failure();
      bool last = trip + 1 == trips;
      for (auto [next, argument, result] :
           llvm::zip_equal(loop.getYieldedValues(), loop.getIterArgs(), loop.getOutputs()))
        if (mlir::failed(handOver(next, last ? Value(result) : Value(argument), yield)))
          return mlir::failure();
      ++iterations[loop];
      if (mlir::failed(finishHandOver(yield)))
        return mlir::failure();
    }
    return mlir::success();
  }

  mlir::LogicalResult playCase(CaseOp branches) {
    if (mlir::failed(readAll(branches.getIndex(), branches)))
      return mlir::failure();
    StampedBytes before = bytes;
    std::vector<Stamp> stampsBefore = stamps;
    std::optional<StampedBytes> after;
    llvm::SmallVector<Stamp> results;
    for (mlir::Region &region : branches.getBranches()) {
      bytes = before;
      stamps = stampsBefore;
      if (mlir::failed(play(region.front())))
        return mlir::failure();
      Operation *yield = region.front().getTerminator();
      for (auto [next, result] : llvm::zip(yield->getOperands(), branches.getOutputs()))
        if (mlir::failed(handOver(next, result, yield)))
          return mlir::failure();
      if (mlir::failed(finishHandOver(yield)))
        return mlir::failure();
      // Whichever branch ran, the results are one value.
      unsigned next = 0;
      for (Value result : branches.getOutputs())
        for (unsigned e = 0; e < Aliasing::numPieces(result.getType()); ++e, ++next) {
          unsigned piece = aliasing.id(result, e);
          if (results.size() <= next)
            results.push_back(++lastStamp);
          stamps[piece] = results[next];
          bytes.write(rangeOf(piece), results[next], yield);
        }
      if (after)
        after->meet(bytes);
      else
        after = bytes;
    }
    bytes = *after;
    return mlir::success();
  }

  mlir::LogicalResult play(Operation *op) {
    if (auto loop = llvm::dyn_cast<LoopOp>(op))
      return playLoop(loop);
    if (auto branches = llvm::dyn_cast<CaseOp>(op))
      return playCase(branches);
    if (llvm::isa<YieldOp>(op))
      return mlir::success();
    if (auto constant = llvm::dyn_cast<ConstantOp>(op)) {
      // The same bytes may stand for several constants of the same value.
      unsigned piece = aliasing.id(constant.getOutput());
      Stamp &known = constants[constant.getValue()];
      if (known == 0)
        known = ++lastStamp;
      stamps[piece] = known;
      // Again each time: what a branch wrote is forgotten where branches meet.
      bytes.write(rangeOf(piece), known, op);
      return mlir::success();
    }
    if (auto done = llvm::dyn_cast<DoneOp>(op)) {
      for (auto [e, output] : llvm::enumerate(done.getOutputs())) {
        unsigned future = aliasing.id(done.getFuture(), e), piece = aliasing.id(output);
        if (mlir::failed(read(future, op, "awaits")))
          return mlir::failure();
        stamps[piece] = stamps[future];
        if (rangeOf(piece) != rangeOf(future))
          return op->emitError("has a result in other bytes than its future");
        // The collective has read its operands until now.
        auto it = inFlight.find(stamps[future]);
        if (it == inFlight.end())
          continue;
        for (auto &[operand, range, value] : it->second) {
          Operation *writer = nullptr;
          if (bytes.holds(range, value, writer))
            continue;
          mlir::InFlightDiagnostic error = op->emitError() << "awaits a start whose operand ("
                                                           << buffers.lookup(operand)
                                                           << ") was overwritten while in flight";
          if (writer)
            error.attachNote(writer->getLoc())
                << "writes bytes that the collective started here still reads";
          return error;
        }
        inFlight.erase(it);
      }
      return mlir::success();
    }
    if (mlir::failed(readAll(op->getOperands(), op)))
      return mlir::failure();
    if (auto ret = llvm::dyn_cast<mlir::func::ReturnOp>(op)) {
      for (auto [index, value] : llvm::enumerate(ret.getOperands())) {
        auto [arena, place] = rangeOf(aliasing.id(value)).space;
        bool own = arena == Arena::Result && place == index;
        bool donated = arena == Arena::Argument && donatedResult(func, place) == index;
        if (!own && !donated)
          return op->emitError() << "result " << index << " is in "
                                 << buffers.lookup(aliasing.id(value))
                                 << ", expected the result arena or the argument donated to it";
      }
      return mlir::success();
    }
    if (auto start = llvm::dyn_cast<StartOp>(op)) {
      unsigned count = Aliasing::numPieces(start.getFuture().getType());
      for (unsigned e = 0; e < count; ++e)
        if (mlir::failed(write(aliasing.id(start.getFuture(), e), op)))
          return mlir::failure();
      if (count)
        for (Value input : start.getInputs()) {
          unsigned piece = aliasing.id(input);
          inFlight[stamps[aliasing.id(start.getFuture())]].push_back(
              {piece, rangeOf(piece), stamps[piece]});
        }
      return mlir::success();
    }
    if (auto copy = llvm::dyn_cast<CopyOp>(op)) {
      unsigned from = aliasing.id(copy.getInput()), to = aliasing.id(copy.getOutput());
      if (rangeOf(from) == rangeOf(to)) {
        stamps[to] = stamps[from];
        return mlir::success();
      }
      return write(to, op);
    }
    llvm::DenseMap<Value, Value> over;
    if (auto kernel = llvm::dyn_cast<KernelOp>(op))
      for (auto [result, operand] : kernel.getInPlacePairs())
        over[op->getResult(result)] = op->getOperand(operand);
    if (auto call = llvm::dyn_cast<CallOp>(op))
      for (auto [result, operand] : call.getAliasedPairs())
        over[op->getResult(result)] = op->getOperand(operand);
    for (Value result : op->getResults())
      if (Aliasing::numPieces(result.getType()) &&
          mlir::failed(write(aliasing.id(result), op, over.lookup(result))))
        return mlir::failure();
    return mlir::success();
  }

  struct Passed {
    unsigned piece;
    Stamp value;
    Range range;
  };
  struct Operand {
    unsigned piece;
    Range range;
    Stamp value;
  };

  mlir::func::FuncOp func;
  Aliasing aliasing;
  Rotation rotation;
  std::vector<Stamp> stamps;
  llvm::DenseMap<unsigned, BufferAttr> buffers;
  llvm::DenseMap<Operation *, int64_t> iterations;
  llvm::DenseMap<mlir::Attribute, Stamp> constants;
  std::map<Stamp, std::vector<Operand>> inFlight;
  std::vector<Passed> passed;
  StampedBytes bytes;
  Stamp lastStamp = 0;
  int64_t tempBytes = 0;
};

struct VerifySchedule : impl::VerifySchedulePassBase<VerifySchedule> {
  void runOnOperation() override {
    for (auto func : getOperation().getOps<mlir::func::FuncOp>())
      if (!func.isExternal() && mlir::failed(Replay(func).run()))
        return signalPassFailure();
  }
};

} // namespace
} // namespace tandem
