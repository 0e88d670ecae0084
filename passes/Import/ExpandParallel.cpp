// interpreter.run_parallel -> a manual computation over a mesh of replicas and partitions.
//
//   1. the function that every process runs: its collectives name processes by replica or by
//      partition; here they name devices, which are numbered replica by replica;
//   2. the inputs of all processes are stacked along a new dimension, which the mesh splits;
//   3. the computation calls the function on its slice; the results are taken apart again.
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "passes/Import/Passes.h"
#include "tandem/IR/Check/Check.h"
#include "tandem/IR/Shardy/Shardy.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "llvm/ADT/SetVector.h"

namespace tandem {
#define GEN_PASS_DEF_EXPANDPARALLELPASS
#include "passes/Import/Passes.h.inc"

using namespace mlir;
namespace {

constexpr StringLiteral kReplica = "replica", kPartition = "partition";

RankedTensorType stackedType(Type type, int64_t count) {
  auto tensor = cast<RankedTensorType>(type);
  SmallVector<int64_t> shape{count};
  llvm::append_range(shape, tensor.getShape());
  return RankedTensorType::get(shape, tensor.getElementType());
}

Value reshape(OpBuilder &b, Location loc, Value value, RankedTensorType type) {
  return stablehlo::ReshapeOp::create(b, loc, type, value);
}

class Expander {
public:
  Expander(ModuleOp module) : module(module) {}

  LogicalResult expand(interpreter::RunParallelOp op) {
    FailureOr<func::FuncOp> function = readPrograms(op);
    if (failed(function))
      return failure();
    int64_t processes = replicas * partitions;
    unsigned inputs = function->getNumArguments(), outputs = function->getNumResults();
    if (int64_t(op.getInputs().size()) != inputs * processes ||
        int64_t(op.getOutputs().size()) != outputs * processes)
      return op.emitError() << "expected " << inputs << " inputs and " << outputs
                            << " results for each of " << processes << " processes";
    if (rewritten.insert(*function))
      nameDevices(*function);

    OpBuilder b(op);
    Location loc = op.getLoc();
    SmallVector<Value> stacked;
    for (unsigned i = 0; i < inputs; ++i) {
      SmallVector<Value> parts;
      for (int64_t p = 0; p < processes; ++p) {
        Value input = op.getInputs()[p * inputs + i];
        parts.push_back(reshape(b, loc, input, stackedType(input.getType(), 1)));
      }
      stacked.push_back(stablehlo::ConcatenateOp::create(
          b, loc, stackedType(function->getArgumentTypes()[i], processes), parts,
          b.getI64IntegerAttr(0)));
    }
    auto stack = [&](TypeRange types, int64_t count) {
      return llvm::map_to_vector(types,
                                 [&](Type type) -> Type { return stackedType(type, count); });
    };
    SmallVector<Type> results = stack(function->getResultTypes(), processes);
    FlatSymbolRefAttr mesh = makeMesh(op);
    auto manual = sdy::ManualComputationOp::create(
        b, loc, results, stacked, shardings(stack(function->getArgumentTypes(), processes), mesh),
        shardings(results, mesh),
        sdy::ManualAxesAttr::get(b.getContext(),
                                 {b.getStringAttr(kReplica), b.getStringAttr(kPartition)}));
    fillBody(manual, *function, stack(function->getArgumentTypes(), 1));

    b.setInsertionPointAfter(manual);
    for (int64_t p = 0; p < processes; ++p)
      for (unsigned r = 0; r < outputs; ++r) {
        Value result = op.getOutputs()[p * outputs + r];
        auto type = cast<RankedTensorType>(result.getType());
        SmallVector<int64_t> start(type.getRank() + 1, 0), stride(start.size(), 1);
        SmallVector<int64_t> limit(cast<RankedTensorType>(results[r]).getShape());
        start[0] = p;
        limit[0] = p + 1;
        Value slice = stablehlo::SliceOp::create(
            b, loc, stackedType(type, 1), manual.getResult(r), b.getDenseI64ArrayAttr(start),
            b.getDenseI64ArrayAttr(limit), b.getDenseI64ArrayAttr(stride));
        result.replaceAllUsesWith(reshape(b, loc, slice, type));
      }
    op.erase();
    return success();
  }

private:
  FailureOr<func::FuncOp> readPrograms(interpreter::RunParallelOp op) {
    FlatSymbolRefAttr symbol;
    replicas = op.getPrograms().size();
    partitions = 0;
    for (Attribute row : op.getPrograms()) {
      auto programs = dyn_cast<ArrayAttr>(row);
      if (!programs || programs.empty() || (partitions && int64_t(programs.size()) != partitions))
        return op.emitError("expected a rectangle of programs: for each replica one for each "
                            "partition");
      partitions = programs.size();
      for (Attribute program : programs) {
        auto name = dyn_cast<FlatSymbolRefAttr>(program);
        if (!name || (symbol && name != symbol))
          return op.emitError("expected one function that all processes run, found ")
                 << op.getPrograms();
        symbol = name;
      }
    }
    auto function = symbol ? module.lookupSymbol<func::FuncOp>(symbol.getAttr()) : func::FuncOp();
    if (!function)
      return op.emitError("expected a function of this module, found ") << op.getPrograms();
    return function;
  }

  /// 1.
  void nameDevices(func::FuncOp function) {
    SmallVector<Operation *> ops;
    function.walk([&](Operation *op) { ops.push_back(op); });
    for (Operation *op : ops) {
      OpBuilder b(op);
      if (isa<stablehlo::ReplicaIdOp, stablehlo::PartitionIdOp>(op)) {
        nameDevice(b, op);
        continue;
      }
      bool isPermute = isa<stablehlo::CollectivePermuteOp>(op);
      StringRef name = isPermute ? "source_target_pairs" : "replica_groups";
      auto groups = op->getAttrOfType<DenseIntElementsAttr>(name);
      if (!groups || op->hasAttr("use_global_device_ids"))
        continue;
      auto channel = op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
      bool hasChannel = channel && channel.getHandle() > 0;
      bool reduces =
          isa<stablehlo::AllReduceOp, stablehlo::AllGatherOp, stablehlo::ReduceScatterOp>(op);
      op->setAttr(name, deviceGroups(b, groups, hasChannel, reduces));
      if (reduces)
        op->setAttr("use_global_device_ids", b.getUnitAttr());
      op->setAttr("channel_handle", stablehlo::ChannelHandleAttr::get(b.getContext(), 1, 1));
    }
  }

  /// Groups of replicas (without a channel; in each partition), of replicas of all partitions (a
  /// channel, reductions and all-gathers), or of partitions (in each replica).
  DenseIntElementsAttr deviceGroups(OpBuilder &b, DenseIntElementsAttr groups, bool hasChannel,
                                    bool reduces) {
    int64_t size = groups.getType().getDimSize(1);
    auto ids = llvm::map_to_vector(groups.getValues<APInt>(),
                                   [](const APInt &id) { return id.getSExtValue(); });
    auto device = [&](int64_t replica, int64_t partition) {
      return replica < 0 || partition < 0 ? -1 : replica * partitions + partition;
    };
    SmallVector<int64_t> devices;
    bool joins = hasChannel && reduces;
    if (joins) {
      for (size_t group = 0; group < ids.size(); group += size)
        for (int64_t partition = 0; partition < partitions; ++partition)
          for (int64_t i = 0; i < size; ++i)
            devices.push_back(device(ids[group + i], partition));
      size *= partitions;
    } else {
      for (int64_t other = 0; other < (hasChannel ? replicas : partitions); ++other)
        for (int64_t id : ids)
          devices.push_back(hasChannel ? device(other, id) : device(id, other));
    }
    auto type = RankedTensorType::get({int64_t(devices.size()) / std::max<int64_t>(size, 1), size},
                                      b.getI64Type());
    return DenseIntElementsAttr::get(type, ArrayRef<int64_t>(devices));
  }

  /// The device's number from that of the replica or partition.
  void nameDevice(OpBuilder &b, Operation *op) {
    auto type = cast<RankedTensorType>(op->getResult(0).getType());
    Value device = stablehlo::PartitionIdOp::create(b, op->getLoc(), type);
    auto count = DenseElementsAttr::get(
        type, b.getIntegerAttr(type.getElementType(), APInt(32, partitions)));
    Value divisor = stablehlo::ConstantOp::create(b, op->getLoc(), count);
    Value id = isa<stablehlo::ReplicaIdOp>(op)
                   ? Value(stablehlo::DivOp::create(b, op->getLoc(), device, divisor))
                   : Value(stablehlo::RemOp::create(b, op->getLoc(), device, divisor));
    op->getResult(0).replaceAllUsesWith(id);
    op->erase();
  }

  FlatSymbolRefAttr makeMesh(Operation *user) {
    OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
    auto axes = {sdy::MeshAxisAttr::get(b.getContext(), kReplica, replicas),
                 sdy::MeshAxisAttr::get(b.getContext(), kPartition, partitions)};
    auto mesh = sdy::MeshAttr::get(b.getContext(), axes);
    for (auto known : module.getOps<sdy::MeshOp>())
      if (known.getMesh() == mesh)
        return FlatSymbolRefAttr::get(known.getSymNameAttr());
    auto op = sdy::MeshOp::create(b, user->getLoc(), "processes", mesh);
    SymbolTable(module).insert(op);
    return FlatSymbolRefAttr::get(op.getSymNameAttr());
  }

  /// The first dimension split over all processes.
  sdy::TensorShardingPerValueAttr shardings(TypeRange types, FlatSymbolRefAttr mesh) {
    MLIRContext *context = module.getContext();
    SmallVector<sdy::AxisRefAttr> axes{sdy::AxisRefAttr::get(context, kReplica),
                                       sdy::AxisRefAttr::get(context, kPartition)};
    auto split = sdy::DimensionShardingAttr::get(context, axes, /*is_closed=*/true);
    auto whole = sdy::DimensionShardingAttr::get(context, {}, /*is_closed=*/true);
    SmallVector<sdy::TensorShardingAttr> list;
    for (Type type : types) {
      SmallVector<sdy::DimensionShardingAttr> dims(cast<RankedTensorType>(type).getRank(), whole);
      dims.front() = split;
      list.push_back(sdy::TensorShardingAttr::get(context, mesh, dims, ArrayRef<sdy::AxisRefAttr>(),
                                                  ArrayRef<sdy::AxisRefAttr>()));
    }
    return sdy::TensorShardingPerValueAttr::get(context, list);
  }

  /// 3. A process calls the function on its own inputs.
  void fillBody(sdy::ManualComputationOp manual, func::FuncOp function, ArrayRef<Type> types) {
    Location loc = manual.getLoc();
    OpBuilder b(manual.getContext());
    Block *body =
        b.createBlock(&manual.getBody(), {}, types, SmallVector<Location>(types.size(), loc));
    SmallVector<Value> inputs, outputs;
    for (auto [argument, type] : llvm::zip(body->getArguments(), function.getArgumentTypes()))
      inputs.push_back(reshape(b, loc, argument, cast<RankedTensorType>(type)));
    auto call = func::CallOp::create(b, loc, function, inputs);
    for (Value result : call.getResults())
      outputs.push_back(reshape(b, loc, result, stackedType(result.getType(), 1)));
    sdy::ReturnOp::create(b, loc, outputs);
  }

  ModuleOp module;
  int64_t replicas = 0, partitions = 0;
  llvm::SetVector<func::FuncOp> rewritten;
};

struct ExpandParallelPass : impl::ExpandParallelPassBase<ExpandParallelPass> {
  void runOnOperation() override {
    SmallVector<interpreter::RunParallelOp> ops;
    getOperation().walk([&](interpreter::RunParallelOp op) { ops.push_back(op); });
    Expander expander(getOperation());
    for (interpreter::RunParallelOp op : ops)
      if (failed(expander.expand(op)))
        return signalPassFailure();
    numParallel += ops.size();
  }
};

} // namespace
} // namespace tandem
