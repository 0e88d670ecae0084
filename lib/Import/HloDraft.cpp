#include "HloDraft.h"
#include "HloOpcodes.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <numeric>

namespace tandem::hlo {

// ---- names and shapes

StringRef ModuleDraft::uniqueName(StringRef base) {
  std::string name = base.str();
  for (char &c : name)
    if (!llvm::isAlnum(c) && c != '_' && c != '-')
      c = '_';
  if (name.empty())
    name = "unnamed";
  unsigned &count = names[name];
  if (count++)
    name += "." + std::to_string(count - 1);
  return module.save(StringRef(name));
}

static std::optional<DType> dtypeOf(mlir::Type type) {
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type))
    return complex.getElementType().isF64() ? DType::C128 : DType::C64;
  if (type.isInteger(1))
    return DType::Pred;
  std::string name;
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type))
    name = (integer.isUnsigned() ? "u" : "s") + std::to_string(integer.getWidth());
  else {
    llvm::raw_string_ostream(name) << type;
    name = StringRef(name).lower(); // f8E4M3FN
  }
  return dtypeFromName(name);
}

const Shape *ModuleDraft::shapeOf(mlir::Type type) {
  const Shape *&shape = shapes[type];
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (shape || !tensor || !tensor.hasStaticShape())
    return shape;
  if (std::optional<DType> dtype = dtypeOf(tensor.getElementType()))
    shape = array(*dtype, tensor.getShape());
  return shape;
}

const Shape *ModuleDraft::array(DType type, ArrayRef<int64_t> dims) {
  while (layouts.size() <= dims.size()) {
    llvm::SmallVector<int64_t> order(layouts.size());
    std::iota(order.rbegin(), order.rend(), 0);
    Layout layout;
    layout.minorToMajor = module.save(ArrayRef<int64_t>(order));
    layouts.push_back(order.empty() ? nullptr : module.make(layout));
  }
  Shape shape;
  shape.dtype = type;
  shape.dims = module.save(dims);
  shape.layout = layouts[dims.size()];
  return module.make(shape);
}

const Shape *ModuleDraft::tuple(ArrayRef<const Shape *> elements) {
  Shape shape;
  shape.elements = module.save(elements);
  return module.make(shape);
}

const Shape *ModuleDraft::oneOrTuple(ArrayRef<const Shape *> elements) {
  return elements.size() == 1 ? elements[0] : tuple(elements);
}

StringRef ModuleDraft::quoted(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\')
      result += '\\';
    result += c == '\n' ? ' ' : c;
  }
  return module.save(StringRef(result + "\""));
}

// ---- constants

const Literal *ModuleDraft::literal(const Shape *shape, mlir::ElementsAttr value, bool elide) {
  Literal literal;
  literal.shape = shape;
  auto dense = llvm::dyn_cast<mlir::DenseElementsAttr>(value);
  literal.elided = elide || !dense;
  if (literal.elided)
    return module.make(literal);
  const size_t size = literalBytes(shape->dtype), count = shape->elementCount();
  char *bytes = module.getArena().Allocate<char>(size * count);
  const bool isInteger = dense.getElementType().isInteger();
  if (isInteger && size == 1) { // i1 is a bit in the attribute
    char *next = bytes;
    for (const llvm::APInt &element : dense.getValues<llvm::APInt>())
      *next++ = static_cast<char>(element.getZExtValue());
  } else {
    ArrayRef<char> raw = dense.getRawData();
    for (size_t i = 0; dense.isSplat() && i < count; ++i)
      std::memcpy(bytes + i * size, raw.data(), size);
    if (!dense.isSplat())
      std::memcpy(bytes, raw.data(), std::min(raw.size(), size * count));
  }
  literal.bytes = ArrayRef<char>(bytes, size * count);
  return module.make(literal);
}

// ---- computations

ComputationDraft::ComputationDraft(ModuleDraft &draft, StringRef name)
    : draft(draft), computation(std::make_unique<Computation>()) {
  computation->name = draft.uniqueName(name);
}

Instruction *ComputationDraft::add(StringRef opcode, const Shape *shape,
                                   ArrayRef<Instruction *> operands, ArrayRef<Attribute> attributes,
                                   StringRef name) {
  Module &module = draft.getModule();
  Instruction *instruction = module.make<Instruction>();
  instruction->name = draft.uniqueName(name.empty() ? opcode : name);
  instruction->opcode = module.save(opcode);
  std::tie(instruction->base, instruction->phase) = opcodeFromName(opcode);
  instruction->index = computation->instructions.size();
  instruction->shape = shape;
  instruction->operands = module.save(operands);
  instruction->attributes = module.save(attributes);
  instruction->parent = computation.get();
  computation->instructions.push_back(instruction);
  return instruction;
}

Instruction *ComputationDraft::addParameter(const Shape *shape, StringRef name) {
  Instruction *instruction = add("parameter", shape, {}, {}, name);
  instruction->parameter = computation->parameters.size();
  computation->parameters.push_back(instruction);
  return instruction;
}

Instruction *ComputationDraft::addConstant(const Literal *literal) {
  Instruction *instruction = add("constant", literal->shape, {});
  instruction->literal = literal;
  return instruction;
}

Instruction *ComputationDraft::addScalar(DType type, double value) {
  Literal literal;
  literal.shape = draft.array(type, {});
  const size_t size = literalBytes(type);
  char *bytes = draft.getModule().getArena().Allocate<char>(size);
  std::memset(bytes, 0, size);
  if (isFloat(type)) {
    encodeFloat(type, value, bytes);
  } else {
    const int64_t integer = static_cast<int64_t>(value);
    std::memcpy(bytes, &integer, std::min(size, sizeof(integer)));
  }
  literal.bytes = ArrayRef<char>(bytes, size);
  return addConstant(draft.getModule().make(literal));
}

Instruction *ComputationDraft::addTuple(ArrayRef<Instruction *> elements) {
  llvm::SmallVector<const Shape *> shapes;
  for (Instruction *element : elements)
    shapes.push_back(element->shape);
  return add("tuple", draft.tuple(shapes), elements);
}

Instruction *ComputationDraft::addElement(Instruction *tuple, unsigned index) {
  return add("get-tuple-element", tuple->shape->elements[index], {tuple},
             {Attribute{"index", int64_t(index)}});
}

llvm::SmallVector<Instruction *> ComputationDraft::addElements(Instruction *result, size_t count) {
  if (count == 1)
    return {result};
  llvm::SmallVector<Instruction *> elements;
  for (size_t i = 0; i < count; ++i)
    elements.push_back(addElement(result, i));
  return elements;
}

// The first name and the first file position in a location.
static void findOrigin(mlir::Location location, StringRef &name, mlir::FileLineColLoc &file) {
  if (auto named = llvm::dyn_cast<mlir::NameLoc>(location)) {
    if (name.empty())
      name = named.getName().strref();
    findOrigin(named.getChildLoc(), name, file);
  } else if (auto call = llvm::dyn_cast<mlir::CallSiteLoc>(location)) {
    findOrigin(call.getCallee(), name, file);
  } else if (auto fused = llvm::dyn_cast<mlir::FusedLoc>(location)) {
    for (mlir::Location part : fused.getLocations())
      findOrigin(part, name, file);
  } else if (auto position = llvm::dyn_cast<mlir::FileLineColLoc>(location)) {
    if (!file)
      file = position;
  }
}

void ComputationDraft::describe(Instruction *instruction, mlir::Location location,
                                ArrayRef<Attribute> more) {
  Module &module = draft.getModule();
  Attrs attributes(instruction->attributes.begin(), instruction->attributes.end());
  attributes.append(more.begin(), more.end());
  StringRef name;
  mlir::FileLineColLoc file;
  findOrigin(location, name, file);
  llvm::SmallVector<DictEntry> entries;
  if (!name.empty())
    entries.push_back({"op_name", draft.quoted(name)});
  if (file) {
    entries.push_back({"source_file", draft.quoted(file.getFilename().strref())});
    entries.push_back({"source_line", module.save(StringRef(std::to_string(file.getLine())))});
  }
  if (!entries.empty())
    attributes.push_back(
        {"metadata", Dict{module.save(ArrayRef<DictEntry>(entries)), /*spaced=*/true}});
  instruction->attributes = module.save(ArrayRef<Attribute>(attributes));
}

Computation *ComputationDraft::finish(Instruction *root) {
  root->isRoot = true;
  computation->root = root;
  Module &module = draft.getModule();
  module.storage.push_back(std::move(computation));
  module.computations.push_back(module.storage.back().get());
  return module.storage.back().get();
}

} // namespace tandem::hlo
