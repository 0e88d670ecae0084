// Types, constants, names and collectives of Programs.
#include "passes/Lower/ProgramParts.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "tandem/IR/StableHLO/StablehloOps.h"
#include "tandem/IR/Tandem/Cause.h"
#include "llvm/ADT/TypeSwitch.h"

namespace tandem {

using mlir::Operation;
using mlir::RankedTensorType;
using mlir::Type;
using mlir::Value;
using program::DType;
namespace stablehlo = mlir::stablehlo;

std::optional<DType> dtypeOf(Type element) {
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element)) {
    bool isUnsigned = integer.isUnsigned();
    switch (integer.getWidth()) {
    case 1:
      return DType::I1;
    case 2:
      return isUnsigned ? DType::UI2 : DType::I2;
    case 4:
      return isUnsigned ? DType::UI4 : DType::I4;
    case 8:
      return isUnsigned ? DType::UI8 : DType::I8;
    case 16:
      return isUnsigned ? DType::UI16 : DType::I16;
    case 32:
      return isUnsigned ? DType::UI32 : DType::I32;
    case 64:
      return isUnsigned ? DType::UI64 : DType::I64;
    default:
      return std::nullopt;
    }
  }
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element)) {
    if (complex.getElementType().isF32())
      return DType::C64;
    if (complex.getElementType().isF64())
      return DType::C128;
    return std::nullopt;
  }
  return llvm::TypeSwitch<Type, std::optional<DType>>(element)
      .Case([](mlir::Float8E3M4Type) { return DType::F8E3M4; })
      .Case([](mlir::Float8E4M3Type) { return DType::F8E4M3; })
      .Case([](mlir::Float8E4M3FNType) { return DType::F8E4M3FN; })
      .Case([](mlir::Float8E4M3FNUZType) { return DType::F8E4M3FNUZ; })
      .Case([](mlir::Float8E4M3B11FNUZType) { return DType::F8E4M3B11FNUZ; })
      .Case([](mlir::Float8E5M2Type) { return DType::F8E5M2; })
      .Case([](mlir::Float8E5M2FNUZType) { return DType::F8E5M2FNUZ; })
      .Case([](mlir::BFloat16Type) { return DType::BF16; })
      .Case([](mlir::Float16Type) { return DType::F16; })
      .Case([](mlir::Float32Type) { return DType::F32; })
      .Case([](mlir::Float64Type) { return DType::F64; })
      .Default([](Type) { return std::nullopt; });
}

std::unique_ptr<program::TensorTypeT> tensorTypeOf(RankedTensorType type) {
  auto result = std::make_unique<program::TensorTypeT>();
  result->dtype = dtypeOf(type.getElementType()).value_or(DType::I1);
  result->dims.assign(type.getShape().begin(), type.getShape().end());
  return result;
}

llvm::FailureOr<std::vector<uint8_t>> constantBytes(mlir::ElementsAttr value) {
  auto type = llvm::dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return mlir::failure();
  std::vector<uint8_t> bytes;
  bytes.reserve(getByteSize(type));
  auto appendBits = [&](const llvm::APInt &bits, unsigned size) {
    for (unsigned byte = 0; byte < size; ++byte)
      bytes.push_back(static_cast<uint8_t>(bits.extractBitsAsZExtValue(8, 8 * byte)));
  };
  if (auto resource = llvm::dyn_cast<mlir::DenseResourceElementsAttr>(value)) {
    mlir::AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob)
      return mlir::failure();
    bytes.assign(blob->getData().begin(), blob->getData().end());
    if (bytes.size() != static_cast<size_t>(getByteSize(type)))
      return mlir::failure();
    return bytes;
  }
  Type element = type.getElementType();
  if (auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value);
      dense && !dense.isSplat() && element.isIntOrFloat() &&
      element.getIntOrFloatBitWidth() % 8 == 0) {
    bytes.assign(dense.getRawData().begin(), dense.getRawData().end());
    return bytes;
  }
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element)) {
    unsigned size = std::max(1u, integer.getWidth() / 8);
    bool zeroExtend = integer.isUnsigned() || integer.getWidth() == 1;
    for (llvm::APInt bits : value.getValues<llvm::APInt>())
      appendBits(zeroExtend ? bits.zextOrTrunc(8 * size) : bits.sextOrTrunc(8 * size), size);
    return bytes;
  }
  if (llvm::isa<mlir::FloatType>(element)) {
    unsigned size = std::max(1u, element.getIntOrFloatBitWidth() / 8);
    for (llvm::APFloat number : value.getValues<llvm::APFloat>())
      appendBits(number.bitcastToAPInt().zextOrTrunc(8 * size), size);
    return bytes;
  }
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(element);
      complex && llvm::isa<mlir::FloatType>(complex.getElementType())) {
    unsigned size = complex.getElementType().getIntOrFloatBitWidth() / 8;
    for (std::complex<llvm::APFloat> number : value.getValues<std::complex<llvm::APFloat>>()) {
      appendBits(number.real().bitcastToAPInt(), size);
      appendBits(number.imag().bitcastToAPInt(), size);
    }
    return bytes;
  }
  return mlir::failure();
}

static void appendPlace(mlir::Location location, std::string &text) {
  mlir::FileLineColLoc place;
  location->walk([&](mlir::Location inner) {
    place = llvm::dyn_cast<mlir::FileLineColLoc>(inner);
    return place ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
  });
  if (!place)
    return;
  llvm::StringRef file = place.getFilename().getValue();
  file = file.drop_front(file.find_last_of('/') + 1);
  text += (" " + file + ":" + llvm::Twine(place.getLine())).str();
}

std::string commandName(Operation *op, llvm::StringRef what) {
  std::string name = (what.empty() ? op->getName().stripDialect() : what).str();
  appendPlace(op->getLoc(), name);
  return name;
}

// The reduction that a reducer body computes: one op on both arguments.
static std::optional<program::Reduction> reductionOf(mlir::Region &body) {
  if (!body.hasOneBlock() || body.front().getOperations().size() != 2)
    return std::nullopt;
  Type element =
      llvm::cast<RankedTensorType>(body.front().getArgument(0).getType()).getElementType();
  bool isPredicate = element.isInteger(1);
  using program::Reduction;
  return llvm::TypeSwitch<Operation *, std::optional<Reduction>>(&body.front().front())
      .Case<stablehlo::AddOp>([&](auto) { return isPredicate ? Reduction::Or : Reduction::Add; })
      .Case<stablehlo::MulOp>([&](auto) { return isPredicate ? Reduction::And : Reduction::Mul; })
      .Case<stablehlo::MinOp>([&](auto) { return isPredicate ? Reduction::And : Reduction::Min; })
      .Case<stablehlo::MaxOp>([&](auto) { return isPredicate ? Reduction::Or : Reduction::Max; })
      .Case<stablehlo::AndOp>([](auto) { return Reduction::And; })
      .Case<stablehlo::OrOp>([](auto) { return Reduction::Or; })
      .Case<stablehlo::XorOp>([](auto) { return Reduction::Xor; })
      .Default([](Operation *) { return std::nullopt; });
}

// The dtype in which sums of `element` are formed: its own; of floats f64 if the user asked for
// it, else f32 at least. What travels keeps its type, so that the wider sum costs no bytes; only
// it is rounded, once.
static DType accumulateDType(Operation *op, Type element) {
  auto asked = op->getParentOfType<mlir::ModuleOp>()->getAttrOfType<mlir::StringAttr>(
      "tandem.reduction_dtype");
  if (llvm::isa<mlir::FloatType>(element)) {
    if (asked && asked.getValue() == "f64")
      return DType::F64;
    if (element.getIntOrFloatBitWidth() < 32)
      return DType::F32;
  }
  return dtypeOf(element).value_or(DType::F32);
}

llvm::FailureOr<std::unique_ptr<program::CollectiveOpT>>
collectiveOf(StartOp start, const CostModel &cost, int64_t numDevices) {
  Operation *first = start.getCollective();
  auto op = std::make_unique<program::CollectiveOpT>();
  op->link_level = cost.linkLevel(first);
  for (Operation &inner : start.getBody().front().without_terminator()) {
    if (inner.getName() != first->getName())
      return start.emitOpError() << "holds " << first->getName() << " and " << inner.getName()
                                 << ", expected collectives of one kind";
    op->wire_bytes += CostModel::wireBytes(&inner);
    for (Value operand : inner.getOperands())
      op->operand_types.push_back(tensorTypeOf(llvm::cast<RankedTensorType>(operand.getType())));
    for (Value result : inner.getResults())
      op->result_types.push_back(tensorTypeOf(llvm::cast<RankedTensorType>(result.getType())));
  }

  auto reduce = [&](mlir::Region &body) -> llvm::LogicalResult {
    std::optional<program::Reduction> reduction = reductionOf(body);
    if (!reduction)
      return first->emitOpError("reduces with a computation that no collective does, expected one "
                                "add, multiply, minimum, maximum, and, or, xor");
    op->reduction = *reduction;
    op->accumulate = accumulateDType(
        first, llvm::cast<RankedTensorType>(first->getOperand(0).getType()).getElementType());
    return mlir::success();
  };
  using program::CollectiveKind;
  if (auto all = llvm::dyn_cast<stablehlo::AllReduceOp>(first)) {
    op->kind = CollectiveKind::AllReduce;
    if (mlir::failed(reduce(all.getComputation())))
      return mlir::failure();
  } else if (auto scatter = llvm::dyn_cast<stablehlo::ReduceScatterOp>(first)) {
    op->kind = CollectiveKind::ReduceScatter;
    op->dimension = scatter.getScatterDimension();
    if (mlir::failed(reduce(scatter.getComputation())))
      return mlir::failure();
  } else if (auto gather = llvm::dyn_cast<stablehlo::AllGatherOp>(first)) {
    op->kind = CollectiveKind::AllGather;
    op->dimension = gather.getAllGatherDim();
  } else if (auto exchange = llvm::dyn_cast<stablehlo::AllToAllOp>(first)) {
    op->kind = CollectiveKind::AllToAll;
    op->dimension = exchange.getSplitDimension();
    op->concat_dimension = exchange.getConcatDimension();
  } else if (llvm::isa<stablehlo::CollectivePermuteOp>(first)) {
    op->kind = CollectiveKind::CollectivePermute;
  } else if (llvm::isa<stablehlo::CollectiveBroadcastOp>(first)) {
    op->kind = CollectiveKind::CollectiveBroadcast;
  } else {
    return first->emitOpError("is no collective that a Program has");
  }
  if (auto handle = first->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle"))
    op->channel = handle.getHandle();

  if (op->kind == CollectiveKind::CollectivePermute) {
    auto pairs = first->getAttrOfType<mlir::DenseIntElementsAttr>("source_target_pairs");
    auto ids = llvm::to_vector(pairs.getValues<int64_t>());
    for (size_t i = 0; i + 1 < ids.size(); i += 2) {
      auto pair = std::make_unique<program::PairT>();
      pair->source = ids[i];
      pair->target = ids[i + 1];
      op->pairs.push_back(std::move(pair));
    }
  } else {
    auto groups = first->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
    auto ids = llvm::to_vector(groups.getValues<int64_t>());
    size_t size = groups.getType().getRank() == 2 ? groups.getType().getDimSize(1) : 0;
    for (size_t i = 0; size != 0 && i < ids.size(); i += size) {
      auto group = std::make_unique<program::GroupT>();
      for (size_t k = 0; k < size; ++k)
        if (ids[i + k] >= 0)
          group->devices.push_back(ids[i + k]);
      op->groups.push_back(std::move(group));
    }
    if (op->groups.empty()) { // no groups: one of all devices
      op->groups.push_back(std::make_unique<program::GroupT>());
      for (int64_t device = 0; device < numDevices; ++device)
        op->groups.back()->devices.push_back(device);
    }
  }

  if (CauseAttr cause =
          getCause(start.getLoc()) ? getCause(start.getLoc()) : getCause(first->getLoc())) {
    op->cause = cause.getRule().str();
    if (!cause.getArray().empty())
      op->cause += (" for " + cause.getArray()).str();
    if (!cause.getAxes().empty()) {
      op->cause += " over";
      for (mlir::StringAttr axis : cause.getAxes())
        op->cause += (" " + axis.getValue()).str();
    }
  }
  return op;
}

} // namespace tandem
