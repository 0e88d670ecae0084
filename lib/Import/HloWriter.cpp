// Modules as text, spelled as XLA does.
#include "HloOpcodes.h"
#include "tandem/Import/HloText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace tandem::hlo {
namespace {

class Writer {
public:
  Writer(const Module *module, std::string &text) : module(module), os(text) {}

  void writeModule();
  void writeShape(const Shape &shape, bool withLayout);
  void writeSharding(const Sharding &sharding);

private:
  StringRef percent() const { return !module || module->percentNames ? "%" : ""; }
  // Items with `, ` between and /*index=5*/ before every fifth.
  template <typename Range, typename Write> void writeNumbered(const Range &items, Write write) {
    size_t index = 0;
    for (const auto &item : items) {
      if (index)
        os << ", ";
      if (index && index % 5 == 0)
        os << "/*index=" << index << "*/";
      write(item);
      ++index;
    }
  }
  void writeInts(ArrayRef<int64_t> values, char open = '{', char close = '}') {
    os << open;
    llvm::interleave(values, os, ",");
    os << close;
  }
  void writeComputation(const Computation &computation);
  void writeInstruction(const Instruction &instruction);
  void writeAttributes(const Attributes &owner, bool header);
  void writeLayout(const Layout &layout);
  void writeIota(const IotaList &iota);
  void writeLiteral(const Literal &literal);
  void writeElements(const Literal &literal, size_t dim, size_t &index);
  void writeElement(DType type, const char *bytes, bool scalar);
  void writeFloat(DType type, const char *bytes);

  // ---- one per form of value
  void write(int64_t value) { os << value; }
  void write(Word word) { os << word.text; }
  void write(Quoted quoted) { os << '"' << quoted.text << '"'; }
  void write(RawText text) { os << text.text; }
  void write(ArrayRef<int64_t> ints) { writeInts(ints); }
  void write(const Words &words) {
    os << '{';
    llvm::interleave(words.words, os, ",");
    os << '}';
  }
  void write(const Dict &dict);
  void write(const Called &called);
  void write(const Predecessors &predecessors);
  void write(const ReplicaGroups *groups);
  void write(const Sharding *sharding) { writeSharding(*sharding); }
  void write(const Pairs &pairs);
  void write(ArrayRef<SliceDim> dims);
  void write(ArrayRef<PadDim> dims);
  void write(ArrayRef<WindowDim> dims);
  void write(const ConvDims *dims) {
    os << dims->input << '_' << dims->kernel << "->" << dims->output;
  }
  void write(ArrayRef<Alias> aliases);
  void write(ArrayRef<Donor> donors);
  void write(const Shapes &shapes) {
    os << '{';
    llvm::interleave(
        shapes.shapes, os, [&](const Shape *shape) { writeShape(*shape, true); }, ", ");
    os << '}';
  }
  void write(const ProgramLayout *layout);

  const Module *module;
  llvm::raw_string_ostream os;
  bool inHeader = false;
};

void Writer::writeModule() {
  os << "HloModule " << module->name;
  writeAttributes(*module, /*header=*/true);
  os << "\n\n";
  for (const Table &table : module->tables) {
    os << table.title << "\n";
    for (StringRef line : table.lines)
      os << line << "\n";
    os << "\n";
  }
  for (const Computation *computation : module->computations) {
    os << "\n";
    writeComputation(*computation);
  }
  os << "\n";
}

void Writer::writeComputation(const Computation &computation) {
  if (computation.isEntry)
    os << "ENTRY ";
  os << percent() << computation.name << " ";
  if (computation.hasSignature) {
    os << "(";
    llvm::interleave(
        computation.parameters, os,
        [&](const Instruction *parameter) {
          os << parameter->name << ": ";
          writeShape(*parameter->shape, false);
        },
        ", ");
    os << ") -> ";
    writeShape(*computation.root->shape, false);
    os << " ";
  }
  os << "{\n";
  for (const Instruction *instruction : computation.instructions)
    writeInstruction(*instruction);
  os << "}";
  writeAttributes(computation, /*header=*/false);
  os << "\n";
}

void Writer::writeInstruction(const Instruction &instruction) {
  os << (instruction.isRoot ? "  ROOT " : "  ") << percent() << instruction.name << " = ";
  writeShape(*instruction.shape, true);
  os << " " << instruction.opcode << "(";
  if (instruction.literal)
    writeLiteral(*instruction.literal);
  else if (instruction.base == Opcode::Parameter)
    os << instruction.parameter;
  else
    writeNumbered(instruction.operands, [&](const Instruction *operand) {
      if (module->operandShapes) {
        writeShape(*operand->shape, true);
        os << " ";
      }
      os << percent() << operand->name;
    });
  os << ")";
  writeAttributes(instruction, /*header=*/false);
  os << "\n";
}

void Writer::writeAttributes(const Attributes &owner, bool header) {
  inHeader = header;
  for (const Attribute &attribute : owner.attributes) {
    os << ", " << attribute.name << "=";
    std::visit([&](const auto &value) { write(value); }, attribute.value);
  }
}

// ---- shapes

void Writer::writeShape(const Shape &shape, bool withLayout) {
  if (shape.isTuple()) {
    os << "(";
    writeNumbered(shape.elements, [&](const Shape *element) { writeShape(*element, withLayout); });
    os << ")";
    return;
  }
  if (shape.isBuffer)
    os << "b(";
  os << nameOf(shape.dtype) << "[";
  for (size_t i = 0; i < shape.dims.size(); ++i) {
    if (i)
      os << ",";
    if (!shape.dynamic.empty() && shape.dynamic[i])
      os << "<=";
    os << shape.dims[i];
  }
  os << "]";
  if (withLayout && shape.layout)
    writeLayout(*shape.layout);
  if (shape.isBuffer)
    os << ")";
}

void Writer::writeLayout(const Layout &layout) {
  os << "{";
  llvm::interleave(layout.minorToMajor, os, ",");
  if (!layout.tiles.empty() || !layout.others.empty() || layout.elementBits || layout.memorySpace) {
    os << ":";
    if (!layout.tiles.empty())
      os << "T";
    for (ArrayRef<int64_t> tile : layout.tiles) {
      os << "(";
      llvm::interleave(
          tile, os,
          [&](int64_t size) {
            if (size < 0)
              os << "*";
            else
              os << size;
          },
          ",");
      os << ")";
    }
    for (auto [letter, text] : layout.others)
      os << letter << text;
    if (layout.elementBits)
      os << "E(" << layout.elementBits << ")";
    if (layout.memorySpace)
      os << "S(" << layout.memorySpace << ")";
  }
  os << "}";
}

// ---- values

void Writer::write(const Dict &dict) {
  os << "{";
  llvm::interleave(
      dict.entries, os, [&](const DictEntry &entry) { os << entry.key << "=" << entry.value; },
      dict.spaced ? " " : ",");
  os << "}";
}

void Writer::write(const Called &called) {
  if (called.braced)
    os << "{";
  llvm::interleave(
      called.computations, os,
      [&](const Computation *computation) { os << percent() << computation->name; }, ", ");
  if (called.braced)
    os << "}";
}

void Writer::write(const Predecessors &predecessors) {
  os << "{";
  llvm::interleave(
      predecessors.instructions, os,
      [&](const Instruction *instruction) { os << percent() << instruction->name; }, ", ");
  os << "}";
}

void Writer::writeIota(const IotaList &iota) {
  writeInts(iota.reshape, '[', ']');
  if (!iota.permutation.empty()) {
    os << "T";
    writeInts(iota.permutation, '(', ')');
  }
}

void Writer::write(const ReplicaGroups *groups) {
  switch (groups->form) {
  case ReplicaGroups::Form::List:
    os << "{";
    llvm::interleave(groups->groups, os, [&](ArrayRef<int64_t> group) { writeInts(group); }, ",");
    os << "}";
    return;
  case ReplicaGroups::Form::Iota:
    writeInts(groups->dims, '[', ']');
    os << "<=";
    writeIota(groups->iota);
    return;
  case ReplicaGroups::Form::Mesh:
    break;
  }
  os << groups->meshPrefix << "[";
  llvm::interleave(
      groups->mesh, os, [&](const MeshAxis &axis) { os << "'" << axis.name << "'=" << axis.size; },
      ",");
  os << "]";
  if (groups->hasDeviceIds) {
    os << ", device_ids=(";
    if (!groups->iota.reshape.empty())
      writeIota(groups->iota);
    else
      llvm::interleave(groups->deviceIds, os, ",");
    os << ")";
  }
  if (!groups->hasAxes)
    return;
  os << " {";
  llvm::interleave(
      groups->axes, os,
      [&](const AxisRef &axis) {
        os << "'" << axis.name << "'";
        if (axis.size)
          os << ":(" << axis.preSize << ")" << axis.size;
      },
      ",");
  os << "}";
}

void Writer::writeSharding(const Sharding &sharding) {
  using Kind = Sharding::Kind;
  os << "{";
  switch (sharding.kind) {
  case Kind::Replicated:
    os << "replicated";
    break;
  case Kind::Maximal:
    os << "maximal device=" << sharding.device;
    break;
  case Kind::Manual:
    os << "manual";
    break;
  case Kind::Unknown:
    os << "unknown";
    break;
  case Kind::Unreduced:
    os << "unreduced";
    break;
  case Kind::Named:
    os << sharding.text << "}";
    return;
  case Kind::Tuple:
    writeNumbered(sharding.elements, [&](const Sharding &element) { writeSharding(element); });
    break;
  case Kind::Tiled:
    os << "devices=";
    writeInts(sharding.tile, '[', ']');
    if (sharding.isIota) {
      os << "<=";
      writeIota(sharding.iota);
    } else {
      llvm::interleave(sharding.devices, os, ",");
    }
    if (sharding.lastTileDimReplicate)
      os << " last_tile_dim_replicate";
    if (!sharding.lastTileDims.empty()) {
      os << " last_tile_dims={";
      llvm::interleave(sharding.lastTileDims, os, ", ");
      os << "}";
    }
    break;
  }
  if (!sharding.shardGroup.empty())
    os << " " << sharding.shardGroup;
  if (!sharding.text.empty())
    os << " " << sharding.text;
  os << "}";
}

void Writer::write(const Pairs &pairs) {
  os << "{";
  llvm::interleave(
      pairs.pairs, os,
      [&](const std::pair<int64_t, int64_t> &pair) {
        os << "{" << pair.first << "," << pair.second << "}";
      },
      ",");
  os << "}";
}

void Writer::write(ArrayRef<SliceDim> dims) {
  const bool strided = llvm::any_of(dims, [](const SliceDim &dim) { return dim.stride != 1; });
  os << "{";
  llvm::interleave(
      dims, os,
      [&](const SliceDim &dim) {
        os << "[" << dim.start << ":" << dim.limit;
        if (strided)
          os << ":" << dim.stride;
        os << "]";
      },
      ", ");
  os << "}";
}

void Writer::write(ArrayRef<PadDim> dims) {
  const bool interior = llvm::any_of(dims, [](const PadDim &dim) { return dim.interior != 0; });
  llvm::interleave(
      dims, os,
      [&](const PadDim &dim) {
        os << dim.low << "_" << dim.high;
        if (interior)
          os << "_" << dim.interior;
      },
      "x");
}

void Writer::write(ArrayRef<WindowDim> dims) {
  const char *separator = "";
  auto field = [&](StringRef name, auto isDefault, auto print, bool always = false) {
    if (dims.empty() || (!always && llvm::all_of(dims, isDefault)))
      return;
    os << separator << name << "=";
    separator = " ";
    llvm::interleave(dims, os, print, "x");
  };
  os << "{";
  field(
      "size", [](const WindowDim &) { return false; },
      [&](const WindowDim &dim) { os << dim.size; }, true);
  field(
      "stride", [](const WindowDim &dim) { return dim.stride == 1; },
      [&](const WindowDim &dim) { os << dim.stride; });
  field(
      "pad", [](const WindowDim &dim) { return dim.padLow == 0 && dim.padHigh == 0; },
      [&](const WindowDim &dim) { os << dim.padLow << "_" << dim.padHigh; });
  field(
      "lhs_dilate", [](const WindowDim &dim) { return dim.lhsDilation == 1; },
      [&](const WindowDim &dim) { os << dim.lhsDilation; });
  field(
      "rhs_dilate", [](const WindowDim &dim) { return dim.rhsDilation == 1; },
      [&](const WindowDim &dim) { os << dim.rhsDilation; });
  field(
      "rhs_reversal", [](const WindowDim &dim) { return !dim.reversed; },
      [&](const WindowDim &dim) { os << (dim.reversed ? 1 : 0); });
  os << "}";
}

void Writer::write(ArrayRef<Alias> aliases) {
  os << (inHeader ? "{ " : "{");
  llvm::interleave(
      aliases, os,
      [&](const Alias &alias) {
        writeInts(alias.outputIndex);
        os << ": (" << alias.parameter << ", ";
        writeInts(alias.parameterIndex);
        if (!alias.kind.empty())
          os << ", " << alias.kind;
        os << ")";
      },
      ", ");
  os << (inHeader ? " }" : "}");
}

void Writer::write(ArrayRef<Donor> donors) {
  os << "{ ";
  llvm::interleave(
      donors, os,
      [&](const Donor &donor) {
        os << "(" << donor.parameter << ", ";
        writeInts(donor.parameterIndex);
        os << ")";
      },
      ", ");
  os << " }";
}

void Writer::write(const ProgramLayout *layout) {
  os << "{(";
  writeNumbered(layout->parameters, [&](const Shape *shape) { writeShape(*shape, true); });
  os << ")->";
  writeShape(*layout->result, true);
  os << "}";
}

// ---- literals

void Writer::writeLiteral(const Literal &literal) {
  if (literal.shape->isTuple()) {
    os << "( ";
    llvm::interleave(
        literal.elements, os, [&](const Literal &element) { writeLiteral(element); }, ", ");
    os << " )";
    return;
  }
  if (literal.elided) {
    os << "{...}";
    return;
  }
  size_t index = 0;
  writeElements(literal, 0, index);
}

// Braces as XLA sets them on one line: rows of two and more elements have blanks inside, and
// above rank 3 each inner brace says its index.
void Writer::writeElements(const Literal &literal, size_t dim, size_t &index) {
  const Shape &shape = *literal.shape;
  if (dim == shape.dims.size()) {
    const size_t size = literalBytes(shape.dtype);
    writeElement(shape.dtype, literal.bytes.data() + index++ * size, shape.dims.empty());
    return;
  }
  const bool innermost = dim + 1 == shape.dims.size();
  const bool blanks = shape.dims.size() > 1 && (!innermost || shape.dims[dim] > 1);
  os << (blanks ? "{ " : "{");
  for (int64_t i = 0; i < shape.dims[dim]; ++i) {
    if (i)
      os << ", ";
    writeElements(literal, dim + 1, index);
  }
  os << (blanks ? " }" : "}");
}

void Writer::writeElement(DType type, const char *bytes, bool scalar) {
  if (type == DType::Pred) {
    if (scalar)
      os << (*bytes ? "true" : "false");
    else
      os << (*bytes ? '1' : '0');
    return;
  }
  if (isSigned(type) || isUnsigned(type)) {
    uint64_t raw = 0;
    const size_t size = literalBytes(type);
    std::memcpy(&raw, bytes, size);
    if (isSigned(type))
      os << (static_cast<int64_t>(raw << (64 - 8 * size)) >> (64 - 8 * size));
    else
      os << raw;
    return;
  }
  if (isComplex(type)) {
    const DType part = type == DType::C64 ? DType::F32 : DType::F64;
    os << "(";
    writeFloat(part, bytes);
    os << ", ";
    writeFloat(part, bytes + literalBytes(part));
    os << ")";
    return;
  }
  writeFloat(type, bytes);
}

// The fewest digits of two numbers that read back as the same value.
void Writer::writeFloat(DType type, const char *bytes) {
  const double value = decodeFloat(type, bytes);
  const size_t size = literalBytes(type);
  if (std::isnan(value)) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes, size);
    const unsigned width = type == DType::F16    ? 10
                           : type == DType::BF16 ? 7
                           : type == DType::F32  ? 23
                           : type == DType::F64  ? 52
                                                 : 0;
    const bool negative = bits >> (8 * size - 1);
    os << (negative && width ? "-nan" : "nan");
    const uint64_t payload = width ? bits & ((uint64_t{1} << width) - 1) : 0;
    if (width && payload != uint64_t{1} << (width - 1))
      os << "(0x" << llvm::utohexstr(payload, /*LowerCase=*/true) << ")";
    return;
  }
  int fewest, most;
  switch (type) {
  case DType::F64:
    fewest = 15, most = 17;
    break;
  case DType::F32:
    fewest = 6, most = 9;
    break;
  case DType::F16:
    fewest = most = 5;
    break;
  case DType::BF16:
    fewest = most = 4;
    break;
  default:
    fewest = 3, most = 4;
    break;
  }
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", fewest, value);
  if (fewest != most) {
    char again[8] = {};
    if (type == DType::F32) {
      float parsed = std::strtof(text, nullptr);
      std::memcpy(again, &parsed, sizeof parsed);
    } else {
      encodeFloat(type, std::strtod(text, nullptr), again);
    }
    if (std::memcmp(again, bytes, size) != 0)
      std::snprintf(text, sizeof text, "%.*g", most, value);
  }
  os << text;
}

} // namespace

std::string print(const Module &module) {
  std::string text;
  text.reserve(module.getText().size() + 1024);
  Writer(&module, text).writeModule();
  return text;
}

std::string print(const Shape &shape, bool withLayout) {
  std::string text;
  Writer(nullptr, text).writeShape(shape, withLayout);
  return text;
}

std::string print(const Sharding &sharding) {
  std::string text;
  Writer(nullptr, text).writeSharding(sharding);
  return text;
}

} // namespace tandem::hlo
