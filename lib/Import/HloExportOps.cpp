// The ops of kernels' bodies as HLO instructions.
#include "HloDraft.h"

#include "tandem/IR/StableHLO/ChloOps.h"
#include "tandem/IR/StableHLO/StablehloOps.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

#include <cmath>
#include <limits>

namespace tandem::hlo {
namespace {

using mlir::Operation;
using mlir::Value;
namespace stablehlo = mlir::stablehlo;
namespace chlo = mlir::chlo;

// Large constants of kernels are left out of the text.
constexpr int64_t kMostPrintedElements = 4096;

llvm::SmallVector<int64_t> numbersOf(std::optional<mlir::DenseIntElementsAttr> attr) {
  if (!attr || !*attr)
    return {};
  return llvm::to_vector(attr->getValues<int64_t>());
}

class OpExporter {
public:
  OpExporter(ComputationDraft &draft, Values &values)
      : draft(draft), module(draft.getModule()), values(values) {}

  bool run(Operation *op);

private:
  Instruction *operand(Operation *op, unsigned index) {
    return values.lookup(op->getOperand(index));
  }
  llvm::SmallVector<Instruction *> operands(Operation *op) {
    llvm::SmallVector<Instruction *> result;
    for (Value value : op->getOperands())
      result.push_back(values.lookup(value));
    return result;
  }
  const Shape *shapeOf(Value value) { return module.shapeOf(value.getType()); }

  // One instruction for the op; a tuple and its elements for several results.
  bool emit(Operation *op, StringRef opcode, ArrayRef<Attribute> attributes = {}) {
    return emit(op, opcode, operands(op), attributes);
  }
  bool emit(Operation *op, StringRef opcode, ArrayRef<Instruction *> inputs,
            ArrayRef<Attribute> attributes = {}, bool alwaysTuple = false);
  bool note(Operation *op, Instruction *instruction) {
    values[op->getResult(0)] = instruction;
    return true;
  }
  // A scalar as an array of `shape`.
  Instruction *splat(Instruction *scalar, const Shape *shape) {
    if (shape->dims.empty())
      return scalar;
    return draft.add("broadcast", shape, {scalar}, {module.ints("dimensions", {})});
  }
  Instruction *splat(double value, const Shape *shape) {
    return splat(draft.addScalar(shape->dtype, value), shape);
  }
  Instruction *compare(Instruction *lhs, Instruction *rhs, StringRef direction) {
    return draft.add("compare", module.array(DType::Pred, lhs->shape->dims), {lhs, rhs},
                     {module.word("direction", direction)});
  }
  // Attributes with a region each; nothing where a region has no form.
  std::optional<Attribute> region(StringRef name, mlir::Region &body) {
    Computation *computation = exportScalars(body, module, "region");
    if (!computation)
      return std::nullopt;
    return module.called(name, {computation});
  }
  void addFlag(Attrs &attributes, StringRef name, bool value) {
    if (value)
      attributes.push_back(module.word(name, "true"));
  }
  void addPrecision(Attrs &attributes, std::optional<mlir::ArrayAttr> config);

  bool exportConstant(stablehlo::ConstantOp op);
  bool exportBroadcast(stablehlo::BroadcastInDimOp op);
  bool exportSelect(stablehlo::SelectOp op);
  bool exportDot(stablehlo::DotGeneralOp op);
  bool exportConvolution(stablehlo::ConvolutionOp op);
  bool exportGather(stablehlo::GatherOp op);
  bool exportScatter(stablehlo::ScatterOp op);
  bool exportReduceWindow(stablehlo::ReduceWindowOp op);
  bool exportSelectAndScatter(stablehlo::SelectAndScatterOp op);
  bool exportPad(stablehlo::PadOp op);
  bool exportSlice(stablehlo::SliceOp op);
  bool exportChlo(Operation *op);
  bool exportPlain(Operation *op);

  ComputationDraft &draft;
  ModuleDraft &module;
  Values &values;
};

bool OpExporter::emit(Operation *op, StringRef opcode, ArrayRef<Instruction *> inputs,
                      ArrayRef<Attribute> attributes, bool alwaysTuple) {
  llvm::SmallVector<const Shape *> shapes;
  for (Value result : op->getResults())
    shapes.push_back(shapeOf(result));
  if (llvm::is_contained(shapes, nullptr) || llvm::is_contained(inputs, nullptr))
    return false;
  const bool isTuple = alwaysTuple || shapes.size() != 1;
  Instruction *instruction =
      draft.add(opcode, isTuple ? module.tuple(shapes) : shapes[0], inputs, attributes);
  for (auto [index, result] : llvm::enumerate(op->getResults()))
    values[result] = isTuple ? draft.addElement(instruction, index) : instruction;
  return true;
}

bool OpExporter::exportConstant(stablehlo::ConstantOp op) {
  const Shape *shape = shapeOf(op->getResult(0));
  if (!shape)
    return false;
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(op.getValue());
  if (dense && dense.isSplat() && shape->elementCount() > 1) {
    auto scalar = dense.resizeSplat(mlir::RankedTensorType::get({}, dense.getElementType()));
    Instruction *one =
        draft.addConstant(module.literal(module.array(shape->dtype, {}), scalar, false));
    return note(op, splat(one, shape));
  }
  const bool elide = shape->elementCount() > kMostPrintedElements;
  return note(op, draft.addConstant(module.literal(shape, op.getValue(), elide)));
}

// HLO's broadcast does not stretch dimensions of size one: they are dropped before.
bool OpExporter::exportBroadcast(stablehlo::BroadcastInDimOp op) {
  Instruction *input = operand(op, 0);
  const Shape *shape = shapeOf(op->getResult(0));
  if (!input || !shape)
    return false;
  llvm::SmallVector<int64_t> kept, dimensions;
  for (auto [size, to] : llvm::zip_equal(input->shape->dims, op.getBroadcastDimensions()))
    if (size == shape->dims[to]) {
      kept.push_back(size);
      dimensions.push_back(to);
    }
  if (kept.size() != input->shape->dims.size())
    input = draft.add("bitcast", module.array(shape->dtype, kept), {input});
  return note(op, draft.add("broadcast", shape, {input}, {module.ints("dimensions", dimensions)}));
}

bool OpExporter::exportSelect(stablehlo::SelectOp op) {
  llvm::SmallVector<Instruction *> inputs = operands(op);
  if (llvm::is_contained(inputs, nullptr))
    return false;
  if (inputs[0]->shape->rank() != inputs[1]->shape->rank())
    inputs[0] = splat(inputs[0], module.array(DType::Pred, inputs[1]->shape->dims));
  return emit(op, "select", inputs);
}

void OpExporter::addPrecision(Attrs &attributes, std::optional<mlir::ArrayAttr> config) {
  if (!config || !*config)
    return;
  llvm::SmallVector<StringRef> words;
  bool any = false;
  for (auto attr : config->getAsRange<stablehlo::PrecisionAttr>()) {
    any |= attr.getValue() != stablehlo::Precision::DEFAULT;
    words.push_back(module.getModule().save(
        StringRef(StringRef(stablehlo::stringifyPrecision(attr.getValue())).lower())));
  }
  if (any)
    attributes.push_back(
        {"operand_precision", Words{module.getModule().save(ArrayRef<StringRef>(words))}});
}

bool OpExporter::exportDot(stablehlo::DotGeneralOp op) {
  auto dims = op.getDotDimensionNumbers();
  Attrs attributes;
  if (!dims.getLhsBatchingDimensions().empty())
    attributes.push_back(module.ints("lhs_batch_dims", dims.getLhsBatchingDimensions()));
  attributes.push_back(module.ints("lhs_contracting_dims", dims.getLhsContractingDimensions()));
  if (!dims.getRhsBatchingDimensions().empty())
    attributes.push_back(module.ints("rhs_batch_dims", dims.getRhsBatchingDimensions()));
  attributes.push_back(module.ints("rhs_contracting_dims", dims.getRhsContractingDimensions()));
  addPrecision(attributes, op.getPrecisionConfig());
  if (auto algorithm = op.getAlgorithm()) {
    std::string text = "dot";
    llvm::raw_string_ostream os(text);
    for (mlir::Type type : {algorithm->getLhsPrecisionType(), algorithm->getRhsPrecisionType(),
                            algorithm->getAccumulationType()})
      os << "_" << type;
    if (algorithm->getNumPrimitiveOperations() > 1)
      os << "_x" << algorithm->getNumPrimitiveOperations();
    attributes.push_back(module.word("algorithm", text));
  }
  return emit(op, "dot", attributes);
}

bool OpExporter::exportConvolution(stablehlo::ConvolutionOp op) {
  auto dims = op.getDimensionNumbers();
  const size_t spatial = dims.getKernelSpatialDimensions().size();
  auto kernel = llvm::cast<mlir::RankedTensorType>(op.getRhs().getType());
  const llvm::SmallVector<int64_t> padding = numbersOf(op.getPadding());
  llvm::SmallVector<WindowDim> window(spatial);
  for (size_t i = 0; i < spatial; ++i) {
    WindowDim &dim = window[i];
    dim.size = kernel.getDimSize(dims.getKernelSpatialDimensions()[i]);
    if (op.getWindowStrides())
      dim.stride = (*op.getWindowStrides())[i];
    if (!padding.empty()) {
      dim.padLow = padding[2 * i];
      dim.padHigh = padding[2 * i + 1];
    }
    if (op.getLhsDilation())
      dim.lhsDilation = (*op.getLhsDilation())[i];
    if (op.getRhsDilation())
      dim.rhsDilation = (*op.getRhsDilation())[i];
    if (op.getWindowReversal())
      dim.reversed = (*op.getWindowReversal())[i];
  }
  auto labels = [&](int64_t first, char firstLabel, int64_t second, char secondLabel,
                    ArrayRef<int64_t> places) {
    std::string text(spatial + 2, '?');
    text[first] = firstLabel;
    text[second] = secondLabel;
    for (auto [number, place] : llvm::enumerate(places))
      text[place] = static_cast<char>('0' + number);
    return module.getModule().save(StringRef(text));
  };
  ConvDims names;
  names.input = labels(dims.getInputBatchDimension(), 'b', dims.getInputFeatureDimension(), 'f',
                       dims.getInputSpatialDimensions());
  names.kernel =
      labels(dims.getKernelInputFeatureDimension(), 'i', dims.getKernelOutputFeatureDimension(),
             'o', dims.getKernelSpatialDimensions());
  names.output = labels(dims.getOutputBatchDimension(), 'b', dims.getOutputFeatureDimension(), 'f',
                        dims.getOutputSpatialDimensions());
  Attrs attributes;
  if (spatial)
    attributes.push_back({"window", module.getModule().save(ArrayRef<WindowDim>(window))});
  attributes.push_back(
      {"dim_labels", static_cast<const ConvDims *>(module.getModule().make(names))});
  if (op.getFeatureGroupCount() != 1)
    attributes.push_back({"feature_group_count", int64_t(op.getFeatureGroupCount())});
  if (op.getBatchGroupCount() != 1)
    attributes.push_back({"batch_group_count", int64_t(op.getBatchGroupCount())});
  addPrecision(attributes, op.getPrecisionConfig());
  return emit(op, "convolution", attributes);
}

bool OpExporter::exportGather(stablehlo::GatherOp op) {
  auto dims = op.getDimensionNumbers();
  Attrs attributes = {module.ints("offset_dims", dims.getOffsetDims()),
                      module.ints("collapsed_slice_dims", dims.getCollapsedSliceDims()),
                      module.ints("start_index_map", dims.getStartIndexMap())};
  if (!dims.getOperandBatchingDims().empty()) {
    attributes.push_back(module.ints("operand_batching_dims", dims.getOperandBatchingDims()));
    attributes.push_back(
        module.ints("start_indices_batching_dims", dims.getStartIndicesBatchingDims()));
  }
  attributes.push_back({"index_vector_dim", dims.getIndexVectorDim()});
  attributes.push_back(module.ints("slice_sizes", op.getSliceSizes()));
  addFlag(attributes, "indices_are_sorted", op.getIndicesAreSorted());
  return emit(op, "gather", attributes);
}

bool OpExporter::exportScatter(stablehlo::ScatterOp op) {
  auto dims = op.getScatterDimensionNumbers();
  Attrs attributes = {
      module.ints("update_window_dims", dims.getUpdateWindowDims()),
      module.ints("inserted_window_dims", dims.getInsertedWindowDims()),
      module.ints("scatter_dims_to_operand_dims", dims.getScatterDimsToOperandDims())};
  if (!dims.getInputBatchingDims().empty()) {
    attributes.push_back(module.ints("input_batching_dims", dims.getInputBatchingDims()));
    attributes.push_back(
        module.ints("scatter_indices_batching_dims", dims.getScatterIndicesBatchingDims()));
  }
  attributes.push_back({"index_vector_dim", dims.getIndexVectorDim()});
  addFlag(attributes, "indices_are_sorted", op.getIndicesAreSorted());
  addFlag(attributes, "unique_indices", op.getUniqueIndices());
  std::optional<Attribute> update = region("to_apply", op.getUpdateComputation());
  if (!update)
    return false;
  attributes.push_back(*update);
  return emit(op, "scatter", attributes);
}

bool OpExporter::exportReduceWindow(stablehlo::ReduceWindowOp op) {
  const llvm::SmallVector<int64_t> padding = numbersOf(op.getPadding());
  llvm::SmallVector<WindowDim> window(op.getWindowDimensions().size());
  for (auto [i, dim] : llvm::enumerate(window)) {
    dim.size = op.getWindowDimensions()[i];
    if (op.getWindowStrides())
      dim.stride = (*op.getWindowStrides())[i];
    if (op.getBaseDilations())
      dim.lhsDilation = (*op.getBaseDilations())[i];
    if (op.getWindowDilations())
      dim.rhsDilation = (*op.getWindowDilations())[i];
    if (!padding.empty()) {
      dim.padLow = padding[2 * i];
      dim.padHigh = padding[2 * i + 1];
    }
  }
  std::optional<Attribute> body = region("to_apply", op.getBody());
  if (!body)
    return false;
  return emit(op, "reduce-window",
              {{"window", module.getModule().save(ArrayRef<WindowDim>(window))}, *body});
}

bool OpExporter::exportSelectAndScatter(stablehlo::SelectAndScatterOp op) {
  const llvm::SmallVector<int64_t> padding = numbersOf(op.getPadding());
  const int64_t rank = llvm::cast<mlir::RankedTensorType>(op.getOperand().getType()).getRank();
  llvm::SmallVector<WindowDim> window(rank);
  for (auto [i, dim] : llvm::enumerate(window)) {
    if (op.getWindowDimensions())
      dim.size = (*op.getWindowDimensions())[i];
    if (op.getWindowStrides())
      dim.stride = (*op.getWindowStrides())[i];
    if (!padding.empty()) {
      dim.padLow = padding[2 * i];
      dim.padHigh = padding[2 * i + 1];
    }
  }
  std::optional<Attribute> select = region("select", op.getSelect());
  std::optional<Attribute> scatter = region("scatter", op.getScatter());
  if (!select || !scatter)
    return false;
  return emit(
      op, "select-and-scatter",
      {{"window", module.getModule().save(ArrayRef<WindowDim>(window))}, *select, *scatter});
}

bool OpExporter::exportPad(stablehlo::PadOp op) {
  llvm::SmallVector<PadDim> dims;
  for (auto [low, high, interior] :
       llvm::zip_equal(op.getEdgePaddingLow(), op.getEdgePaddingHigh(), op.getInteriorPadding()))
    dims.push_back({low, high, interior});
  return emit(op, "pad", {{"padding", module.getModule().save(ArrayRef<PadDim>(dims))}});
}

bool OpExporter::exportSlice(stablehlo::SliceOp op) {
  llvm::SmallVector<SliceDim> dims;
  for (auto [start, limit, stride] :
       llvm::zip_equal(op.getStartIndices(), op.getLimitIndices(), op.getStrides()))
    dims.push_back({start, limit, stride});
  return emit(op, "slice", {{"slice", module.getModule().save(ArrayRef<SliceDim>(dims))}});
}

// What HLO has no opcode for is spelled out where it is short, else is a custom call.
bool OpExporter::exportChlo(Operation *op) {
  const StringRef name = op->getName().stripDialect();
  const Shape *shape = shapeOf(op->getResult(0));
  Instruction *x = operand(op, 0);
  if (!shape || !x)
    return false;
  if (name == "square")
    return note(op, draft.add("multiply", shape, {x, x}));
  if (name == "erfc")
    return note(op,
                draft.add("subtract", shape, {splat(1.0, shape), draft.add("erf", shape, {x})}));
  if (name == "atan" && !isComplex(shape->dtype))
    return note(op, draft.add("atan2", shape, {x, splat(1.0, shape)}));
  if (name == "conj" && isComplex(shape->dtype)) {
    const Shape *part =
        module.array(shape->dtype == DType::C64 ? DType::F32 : DType::F64, shape->dims);
    Instruction *imag = draft.add("negate", part, {draft.add("imag", part, {x})});
    return note(op, draft.add("complex", shape, {draft.add("real", part, {x}), imag}));
  }
  const double infinity = std::numeric_limits<double>::infinity();
  if (name == "is_inf")
    return note(op, compare(draft.add("abs", x->shape, {x}), splat(infinity, x->shape), "EQ"));
  if (name == "is_pos_inf" || name == "is_neg_inf")
    return note(op, compare(x, splat(name == "is_pos_inf" ? infinity : -infinity, x->shape), "EQ"));
  for (StringRef same : {"acos", "acosh", "asin", "asinh", "atanh", "cosh", "sinh", "erf", "tan"})
    if (name == same)
      return emit(op, same);
  return emit(
      op, "custom-call",
      {{"custom_call_target", Quoted{module.getModule().save(op->getName().getStringRef())}}});
}

bool OpExporter::exportPlain(Operation *op) {
  if (op->getNumRegions() || op->getName().getDialectNamespace() != "stablehlo")
    return false;
  std::string opcode = op->getName().stripDialect().str();
  std::replace(opcode.begin(), opcode.end(), '_', '-');
  if (opcode == "optimization-barrier")
    opcode = "opt-barrier";
  return emit(op, opcode);
}

bool OpExporter::run(Operation *op) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](stablehlo::ConstantOp op) { return exportConstant(op); })
      .Case([&](stablehlo::BroadcastInDimOp op) { return exportBroadcast(op); })
      .Case([&](stablehlo::SelectOp op) { return exportSelect(op); })
      .Case([&](stablehlo::DotGeneralOp op) { return exportDot(op); })
      .Case([&](stablehlo::ConvolutionOp op) { return exportConvolution(op); })
      .Case([&](stablehlo::GatherOp op) { return exportGather(op); })
      .Case([&](stablehlo::ScatterOp op) { return exportScatter(op); })
      .Case([&](stablehlo::ReduceWindowOp op) { return exportReduceWindow(op); })
      .Case([&](stablehlo::SelectAndScatterOp op) { return exportSelectAndScatter(op); })
      .Case([&](stablehlo::PadOp op) { return exportPad(op); })
      .Case([&](stablehlo::SliceOp op) { return exportSlice(op); })
      .Case([&](stablehlo::ReshapeOp op) { return emit(op, "bitcast"); })
      .Case([&](stablehlo::TransposeOp op) {
        return emit(op, "transpose", {module.ints("dimensions", op.getPermutation())});
      })
      .Case([&](stablehlo::ReverseOp op) {
        return emit(op, "reverse", {module.ints("dimensions", op.getDimensions())});
      })
      .Case([&](stablehlo::ConcatenateOp op) {
        return emit(op, "concatenate",
                    {module.ints("dimensions", {static_cast<int64_t>(op.getDimension())})});
      })
      .Case([&](stablehlo::IotaOp op) {
        return emit(op, "iota", {{"iota_dimension", static_cast<int64_t>(op.getIotaDimension())}});
      })
      .Case([&](stablehlo::CompareOp op) {
        Attrs attributes = {module.word(
            "direction", stablehlo::stringifyComparisonDirection(op.getComparisonDirection()))};
        if (op.getCompareType() == stablehlo::ComparisonType::TOTALORDER)
          attributes.push_back(module.word("type", "TOTALORDER"));
        return emit(op, "compare", attributes);
      })
      .Case([&](stablehlo::DynamicSliceOp op) {
        return emit(op, "dynamic-slice", {module.ints("dynamic_slice_sizes", op.getSliceSizes())});
      })
      .Case([&](stablehlo::ReduceOp op) {
        std::optional<Attribute> body = region("to_apply", op.getBody());
        return body && emit(op, "reduce", {module.ints("dimensions", op.getDimensions()), *body});
      })
      .Case([&](stablehlo::MapOp op) {
        std::optional<Attribute> body = region("to_apply", op.getComputation());
        return body && emit(op, "map", {module.ints("dimensions", op.getDimensions()), *body});
      })
      .Case([&](stablehlo::SortOp op) {
        std::optional<Attribute> body = region("to_apply", op.getComparator());
        const int64_t rank =
            llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType()).getRank();
        const int64_t dim = static_cast<int64_t>(op.getDimension());
        Attrs attributes = {module.ints("dimensions", {dim < 0 ? dim + rank : dim})};
        addFlag(attributes, "is_stable", op.getIsStable());
        if (body)
          attributes.push_back(*body);
        return body && emit(op, "sort", attributes);
      })
      .Case([&](stablehlo::ReducePrecisionOp op) {
        return emit(op, "reduce-precision",
                    {{"exponent_bits", static_cast<int64_t>(op.getExponentBits())},
                     {"mantissa_bits", static_cast<int64_t>(op.getMantissaBits())}});
      })
      .Case([&](stablehlo::RngBitGeneratorOp op) {
        StringRef algorithm = "rng_default";
        if (op.getRngAlgorithm() == stablehlo::RngAlgorithm::THREE_FRY)
          algorithm = "rng_three_fry";
        else if (op.getRngAlgorithm() == stablehlo::RngAlgorithm::PHILOX)
          algorithm = "rng_philox";
        return emit(op, "rng-bit-generator", {module.word("algorithm", algorithm)});
      })
      .Case([&](stablehlo::FftOp op) {
        return emit(op, "fft",
                    {module.word("fft_type", stablehlo::stringifyFftType(op.getFftType())),
                     module.ints("fft_length", op.getFftLength())});
      })
      .Case([&](stablehlo::CholeskyOp op) {
        Attrs attributes;
        addFlag(attributes, "lower", op.getLower());
        return emit(op, "cholesky", attributes);
      })
      .Case([&](stablehlo::TriangularSolveOp op) {
        Attrs attributes;
        addFlag(attributes, "left_side", op.getLeftSide());
        addFlag(attributes, "lower", op.getLower());
        addFlag(attributes, "unit_diagonal", op.getUnitDiagonal());
        attributes.push_back(
            module.word("transpose_a", stablehlo::stringifyTranspose(op.getTransposeA())));
        return emit(op, "triangular-solve", attributes);
      })
      .Default([&](Operation *op) {
        if (op->getName().getDialectNamespace() == "chlo" && op->getNumResults() == 1)
          return exportChlo(op);
        return exportPlain(op);
      });
}

} // namespace

bool exportOp(Operation *op, ComputationDraft &draft, Values &values) {
  const size_t before = draft.size();
  if (!OpExporter(draft, values).run(op))
    return false;
  if (draft.size() > before)
    draft.describe(draft.last(), op->getLoc());
  return true;
}

Computation *exportScalars(mlir::Region &region, ModuleDraft &module, StringRef name) {
  ComputationDraft draft(module, name);
  Values values;
  for (mlir::BlockArgument argument : region.getArguments()) {
    const Shape *shape = module.shapeOf(argument.getType());
    if (!shape)
      return nullptr;
    values[argument] = draft.addParameter(shape);
  }
  for (Operation &op : region.front().without_terminator())
    if (!exportOp(&op, draft, values))
      return nullptr;
  llvm::SmallVector<Instruction *> results;
  for (mlir::Value value : region.front().getTerminator()->getOperands())
    results.push_back(values.lookup(value));
  return draft.finish(results.size() == 1 ? results[0] : draft.addTuple(results));
}

} // namespace tandem::hlo
