// Attributes and types of the tandem dialect: syntax and verification.

#include "tandem/IR/Tandem/Tandem.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tandem;

#include "tandem/IR/Tandem/TandemEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "tandem/IR/Tandem/TandemAttrs.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "tandem/IR/Tandem/TandemTypes.cpp.inc"

void TandemDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "tandem/IR/Tandem/TandemAttrs.cpp.inc"
      >();
}

void TandemDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "tandem/IR/Tandem/TandemTypes.cpp.inc"
      >();
}

//===-- Syntax shared by the attributes -----------------------------------------------===//

/// Parses a keyword that names a case of an enum.
template <typename Enum>
static FailureOr<Enum> parseCase(AsmParser &parser, StringRef what,
                                 std::optional<Enum> (*symbolize)(StringRef)) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef keyword;
  if (parser.parseKeyword(&keyword))
    return failure();
  if (std::optional<Enum> value = symbolize(keyword))
    return *value;
  parser.emitError(loc) << "unknown " << what << " '" << keyword << "'";
  return failure();
}

/// `["a", "b"]`
static ParseResult parseStrings(AsmParser &parser, SmallVectorImpl<StringAttr> &strings) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() {
    std::string text;
    if (parser.parseString(&text))
      return failure();
    strings.push_back(StringAttr::get(parser.getContext(), text));
    return success();
  });
}

static void printStrings(AsmPrinter &printer, ArrayRef<StringAttr> strings) {
  printer << "[";
  llvm::interleaveComma(strings, printer, [&](StringAttr s) { printer.printString(s); });
  printer << "]";
}

static bool hasIndex(Arena arena) { return arena == Arena::Argument || arena == Arena::Result; }

//===-- #tandem.buffer ------------------------------------------------------------------===//

Attribute BufferAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<Arena> arena = parseCase<Arena>(parser, "arena", symbolizeArena);
  if (failed(arena))
    return {};
  uint32_t index = 0;
  int64_t offset, bytes, slots = 1, stride = 0;
  if (hasIndex(*arena) && parser.parseInteger(index))
    return {};
  if (parser.parseComma() || parser.parseInteger(offset) || parser.parseComma() ||
      parser.parseInteger(bytes))
    return {};
  if (succeeded(parser.parseOptionalComma()) &&
      (parser.parseInteger(slots) || parser.parseComma() || parser.parseInteger(stride)))
    return {};
  if (parser.parseGreater())
    return {};
  return parser.getChecked<BufferAttr>(loc, parser.getContext(), *arena, index, offset, bytes,
                                       slots, stride);
}

void BufferAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyArena(getArena());
  if (hasIndex(getArena()))
    printer << " " << getIndex();
  printer << ", " << getOffset() << ", " << getBytes();
  if (getSlots() != 1)
    printer << ", " << getSlots() << ", " << getStride();
  printer << ">";
}

LogicalResult BufferAttr::verify(function_ref<InFlightDiagnostic()> emitError, Arena arena,
                                 uint32_t index, int64_t offset, int64_t bytes, int64_t slots,
                                 int64_t stride) {
  if (!hasIndex(arena) && index != 0)
    return emitError() << "the " << stringifyArena(arena) << " arena has no index, found " << index;
  if (offset < 0 || offset % kAlignmentBytes != 0)
    return emitError() << "expected an offset that is a non-negative multiple of "
                       << kAlignmentBytes << ", found " << offset;
  if (bytes < 0)
    return emitError() << "expected a non-negative number of bytes, found " << bytes;
  if (slots < 1)
    return emitError() << "expected at least one slot, found " << slots;
  if (slots == 1 && stride != 0)
    return emitError() << "a buffer of one slot has no stride, found " << stride;
  if (slots > 1 && (stride < bytes || stride % kAlignmentBytes != 0))
    return emitError() << "expected a stride of at least " << bytes
                       << " bytes (one slot) and a multiple of " << kAlignmentBytes << ", found "
                       << stride;
  return success();
}

//===-- #tandem.stream ------------------------------------------------------------------===//

Attribute StreamAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<StreamKind> kind = parseCase<StreamKind>(parser, "stream", symbolizeStreamKind);
  uint32_t level = 0;
  if (failed(kind) || (*kind == StreamKind::Communication && parser.parseInteger(level)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<StreamAttr>(loc, parser.getContext(), *kind, level);
}

void StreamAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyStreamKind(getKind());
  if (getKind() == StreamKind::Communication)
    printer << " " << getLevel();
  printer << ">";
}

LogicalResult StreamAttr::verify(function_ref<InFlightDiagnostic()> emitError, StreamKind kind,
                                 uint32_t level) {
  if (kind != StreamKind::Communication && level != 0)
    return emitError() << "the " << stringifyStreamKind(kind) << " stream has no link level, found "
                       << level;
  return success();
}

//===-- #tandem.cause -------------------------------------------------------------------===//

Attribute CauseAttr::parse(AsmParser &parser, Type) {
  std::string rule, array;
  SmallVector<StringAttr> axes;
  if (parser.parseLess() || parser.parseKeyword("rule") || parser.parseString(&rule) ||
      parser.parseComma() || parser.parseKeyword("for") || parser.parseString(&array) ||
      parser.parseComma() || parser.parseKeyword("axes") || parseStrings(parser, axes) ||
      parser.parseGreater())
    return {};
  return CauseAttr::get(parser.getContext(), rule, array, axes);
}

void CauseAttr::print(AsmPrinter &printer) const {
  printer << "<rule ";
  printer.printString(getRule());
  printer << ", for ";
  printer.printString(getArray());
  printer << ", axes ";
  printStrings(printer, getAxes());
  printer << ">";
}

//===-- #tandem.policy ------------------------------------------------------------------===//

Attribute RematPolicyAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess())
    return {};
  FailureOr<RematKind> kind = parseCase<RematKind>(parser, "policy", symbolizeRematKind);
  SmallVector<StringAttr> names;
  if (failed(kind) || (*kind == RematKind::Names && parseStrings(parser, names)) ||
      parser.parseGreater())
    return {};
  return parser.getChecked<RematPolicyAttr>(loc, parser.getContext(), *kind, names);
}

void RematPolicyAttr::print(AsmPrinter &printer) const {
  printer << "<" << stringifyRematKind(getKind());
  if (getKind() == RematKind::Names) {
    printer << " ";
    printStrings(printer, getNames());
  }
  printer << ">";
}

LogicalResult RematPolicyAttr::verify(function_ref<InFlightDiagnostic()> emitError, RematKind kind,
                                      ArrayRef<StringAttr> names) {
  if (kind != RematKind::Names && !names.empty())
    return emitError() << "only the policy 'names' lists names, found " << stringifyRematKind(kind);
  return success();
}

//===-- Types -----------------------------------------------------------------------------===//

LogicalResult FutureType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<Type> types) {
  if (types.empty())
    return emitError() << "expected at least one type in a future";
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor || !tensor.hasStaticShape())
      return emitError() << "expected statically shaped tensors in a future, found " << type;
  }
  return success();
}
