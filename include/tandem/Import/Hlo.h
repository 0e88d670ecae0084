// HLO modules as data: what the text says, field by field, and nothing derived from it.
//
//   auto module = hlo::parse(text, "step.hlo.txt");           // tandem/Import/HloText.h
//   for (hlo::Computation *c : (*module)->computations)
//     for (hlo::Instruction *i : c->instructions)              // in the order of the text, which
//       if (i->phase == hlo::Phase::Start) ...                 // for a scheduled module is issue
//       order
//
// It is a plain syntax layer for modules of every stage (before optimisation, partitioned,
// optimised, scheduled). Opcodes, attributes and custom calls that are not known are kept, so
// that everything can be analysed and written again.
//
// Ownership: a Module owns its text and an arena; instructions, shapes and all strings live in
// these and die with it. Nothing in the arena has a destructor. Equal shapes of arrays usually
// share one Shape, but pointers are not to be compared for equality of shapes.
// Shapes are the text's: global before partitioning, a device's after it.
// Threading: reading a Module from several threads is safe, changing it is not.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Allocator.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace tandem::hlo {

using llvm::ArrayRef;
using llvm::StringRef;

// ---- shapes

// Element types, by XLA's names in lower case.
enum class DType : uint8_t {
#define TANDEM_HLO_DTYPE(Id, Name, Bits) Id,
#include "tandem/Import/HloNames.def"
};

StringRef nameOf(DType type);
std::optional<DType> dtypeFromName(StringRef name);
// Bits of an element in memory: 8 for pred, 0 for token and opaque.
unsigned bitsOf(DType type);
bool isFloat(DType type);
bool isComplex(DType type);
bool isSigned(DType type); // integers only
bool isUnsigned(DType type);

// `{1,0:T(8,128)(2,1)E(4)S(5)}`.
struct Layout {
  ArrayRef<int64_t> minorToMajor;
  ArrayRef<ArrayRef<int64_t>> tiles;                // -1: `*`, a dimension combined with the next
  ArrayRef<std::pair<StringRef, StringRef>> others; // letter and text within (): L, SC, ...
  int64_t elementBits = 0;
  int64_t memorySpace = 0; // 5: host memory on GPUs
};

struct Shape {
  DType dtype = DType::Tuple;     // Tuple: `elements` says the rest
  bool isBuffer = false;          // b(f32[2]): a buffer of an array
  ArrayRef<int64_t> dims;         // bounds, where `dynamic` is set
  ArrayRef<bool> dynamic;         // of each dimension; empty: none is
  const Layout *layout = nullptr; // null: the text gives none
  ArrayRef<const Shape *> elements;

  bool isTuple() const { return dtype == DType::Tuple; }
  bool isArray() const { return !isTuple() && dtype != DType::Token && dtype != DType::Opaque; }
  int64_t rank() const { return static_cast<int64_t>(dims.size()); }
  int64_t memorySpace() const { return layout ? layout->memorySpace : 0; }
  bool onHost() const { return memorySpace() == 5; }
  int64_t elementCount() const; // of an array; 1 for a scalar
  int64_t byteSize() const;     // dense, tuples summed, tokens nothing
};

// Types, dimensions and structure agree; layouts may differ.
bool sameShape(const Shape &a, const Shape &b);
// The array, token and opaque leaves in order.
void appendLeaves(const Shape &shape, std::vector<const Shape *> &leaves);

// ---- values of attributes

// A constant's value: row-major whatever the layout, sub-byte integers and pred a byte each.
struct Literal {
  const Shape *shape = nullptr;
  bool elided = false; // `{...}`: the dump does not hold the values
  ArrayRef<char> bytes;
  ArrayRef<Literal> elements; // of a tuple
};

struct MeshAxis {
  StringRef name;
  int64_t size = 0;
};
// A whole axis, or with `size` the part `name:(pre)size` of it.
struct AxisRef {
  StringRef name;
  int64_t preSize = 0, size = 0;
};
// [reshape]T(permutation): the row-major numbers of `reshape`, transposed.
struct IotaList {
  ArrayRef<int64_t> reshape, permutation; // permutation empty: none

  void expand(std::vector<int64_t> &numbers) const;
};

struct ReplicaGroups {
  enum class Form { List, Iota, Mesh } form = Form::List;
  ArrayRef<ArrayRef<int64_t>> groups; // List; empty: one group of all
  ArrayRef<int64_t> dims;             // Iota: `[2,4]<=...`, groups by members
  IotaList iota;                      // Iota; Mesh with `device_ids=([..]T(..))`
  StringRef meshPrefix;               // Mesh: `mesh`, or `@mesh` of some name
  ArrayRef<MeshAxis> mesh;
  bool hasDeviceIds = false;
  ArrayRef<int64_t> deviceIds; // Mesh with a plain list
  ArrayRef<AxisRef> axes;      // Mesh: what varies within a group
  bool hasAxes = false;

  // The groups as lists; `devices` is the number of all, for an empty list.
  std::vector<std::vector<int64_t>> expand(int64_t devices) const;
};

struct Sharding {
  enum class Kind { Replicated, Maximal, Manual, Unknown, Unreduced, Tiled, Tuple, Named };
  Kind kind = Kind::Replicated;
  int64_t device = 0;        // Maximal
  ArrayRef<int64_t> tile;    // Tiled: tiles by dimension, subgroups behind them
  bool isIota = false;       // V2: devices come from `iota`
  IotaList iota;             //
  ArrayRef<int64_t> devices; // V1
  bool lastTileDimReplicate = false;
  ArrayRef<StringRef>
      lastTileDims;            // replicated, manual, ...: kinds of the last dimensions of `tile`
  StringRef shardGroup;        // `shard_as 1` or `shard_like 1`
  StringRef text;              // Named: `mesh[..], [..]`; else metadata, if any
  ArrayRef<Sharding> elements; // Tuple
};

struct WindowDim {
  int64_t size = 1, stride = 1, padLow = 0, padHigh = 0, lhsDilation = 1, rhsDilation = 1;
  bool reversed = false;
};
struct SliceDim {
  int64_t start = 0, limit = 0, stride = 1;
};
struct PadDim {
  int64_t low = 0, high = 0, interior = 0;
};
// `b01f_01io->b01f`: for each of input, kernel, output one letter or digit per dimension.
struct ConvDims {
  StringRef input, kernel, output;
};
struct Alias {
  ArrayRef<int64_t> outputIndex; // path into the result
  int64_t parameter = 0;         // number of the parameter or operand
  ArrayRef<int64_t> parameterIndex;
  StringRef kind; // may-alias, must-alias; empty where the form has none
};
struct Donor {
  int64_t parameter = 0;
  ArrayRef<int64_t> parameterIndex;
};
struct DictEntry {
  StringRef key, value; // value as written, quotes included
};

struct Computation;
struct Instruction;

struct Word {
  StringRef text;
}; // true, GT, kLoop, 1e-05
struct Quoted {
  StringRef text;
}; // without its quotes, escapes as written
struct RawText {
  StringRef text;
}; // backend configs and unknown forms, brackets and all
struct Dict {
  ArrayRef<DictEntry> entries;
  bool spaced = false;
}; // spaced: metadata={a=1 b=2}
struct Called {
  ArrayRef<Computation *> computations;
  bool braced = false;
};
struct Predecessors {
  ArrayRef<Instruction *> instructions;
};
struct Words {
  ArrayRef<StringRef> words;
}; // {true,false}
struct Pairs {
  ArrayRef<std::pair<int64_t, int64_t>> pairs;
}; // {{0,1},{1,0}}
struct Shapes {
  ArrayRef<const Shape *> shapes;
};
struct ProgramLayout {
  ArrayRef<const Shape *> parameters;
  const Shape *result = nullptr;
};

using Value =
    std::variant<int64_t, Word, Quoted, RawText, ArrayRef<int64_t>, Words, Dict, Called,
                 Predecessors, const ReplicaGroups *, const Sharding *, Pairs, ArrayRef<SliceDim>,
                 ArrayRef<PadDim>, ArrayRef<WindowDim>, const ConvDims *, ArrayRef<Alias>,
                 ArrayRef<Donor>, Shapes, const ProgramLayout *>;

struct Attribute {
  StringRef name;
  Value value;
};

// What instructions and the header of a module have in common. Getters return what an absent
// attribute, or one of another form, means: nothing.
struct Attributes {
  ArrayRef<Attribute> attributes; // in the order of the text

  const Attribute *find(StringRef name) const;
  std::optional<int64_t> integer(StringRef name) const;
  ArrayRef<int64_t> ints(StringRef name) const;
  StringRef word(StringRef name) const; // also a quoted string's text
  bool isTrue(StringRef name) const;
  const Sharding *sharding() const;
  // Values of a dict as written, without quotes; empty when there is none.
  StringRef dictValue(StringRef name, StringRef key) const;
  template <typename T> T get(StringRef name) const {
    const Attribute *attribute = find(name);
    const T *value = attribute ? std::get_if<T>(&attribute->value) : nullptr;
    return value ? *value : T();
  }
};

// ---- instructions

enum class Opcode : uint8_t {
#define TANDEM_HLO_OPCODE(Id, Name) Id,
#include "tandem/Import/HloNames.def"
  Unknown,
};

// The part of an asynchronous pair that an instruction is. `send` and `recv` are starts.
enum class Phase : uint8_t { None, Start, Update, Done };

struct Instruction : Attributes {
  StringRef name;                // without %
  StringRef opcode;              // as written: `all-gather-start`
  Opcode base = Opcode::Unknown; // without -start, -update, -done: all-gather; async, fusion, copy
  Phase phase = Phase::None;
  bool isRoot = false;
  uint32_t index = 0; // its place in the computation
  const Shape *shape = nullptr;
  ArrayRef<Instruction *> operands;
  Computation *parent = nullptr;
  const Literal *literal = nullptr; // constant
  int64_t parameter = -1;           // number of a parameter
  const char *position = nullptr;   // in the module's text; null: made by a program

  ArrayRef<Computation *> called(StringRef name) const { return get<Called>(name).computations; }
  Computation *callee(StringRef name) const {
    return called(name).empty() ? nullptr : called(name).front();
  }
  ArrayRef<Instruction *> controlPredecessors() const {
    return get<Predecessors>("control-predecessors").instructions;
  }
  StringRef backendConfig() const; // text, quotes and their escapes as written
  StringRef opName() const { return dictValue("metadata", "op_name"); }
};

bool isCollective(Opcode base); // all-gather ... collective-broadcast, send, recv

struct Computation : Attributes { // attributes behind its }: execution_thread
  StringRef name;
  bool isEntry = false;
  bool hasSignature = true; // `(p: f32[2]) -> f32[2]` stands in the text
  std::vector<Instruction *> instructions;
  std::vector<Instruction *> parameters; // by number
  Instruction *root = nullptr;
  const char *position = nullptr;
};

// FileNames, FunctionNames, FileLocations, StackFrames: tables behind the header, by line.
struct Table {
  StringRef title;
  std::vector<StringRef> lines;
};

class Module : public Attributes {
public:
  explicit Module(std::string text, std::string source = "")
      : text(std::move(text)), source(std::move(source)) {}
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  StringRef name;
  std::vector<Table> tables;
  std::vector<std::unique_ptr<Computation>> storage; // owns what `computations` lists
  std::vector<Computation *> computations;           // in the order of the text
  Computation *entry = nullptr;
  bool percentNames = true;   // names are written %x
  bool operandShapes = false; // operands are written f32[2]{0} %x

  bool isScheduled() const { return isTrue("is_scheduled"); }
  int64_t partitions() const { return integer("num_partitions").value_or(1); }
  int64_t replicas() const { return integer("replica_count").value_or(1); }
  ArrayRef<Alias> aliases() const { return get<ArrayRef<Alias>>("input_output_alias"); }
  ArrayRef<Donor> donors() const { return get<ArrayRef<Donor>>("buffer_donor"); }

  StringRef getText() const { return text; }
  StringRef getSource() const { return source; }
  // Line and column, from 1, of a position in the text.
  std::pair<size_t, size_t> lineAndColumn(const char *position) const;

  // ---- for those who make modules
  llvm::BumpPtrAllocator &getArena() { return arena; }
  StringRef save(StringRef string) { return string.copy(arena); }
  template <typename T> ArrayRef<T> save(ArrayRef<T> items) { return items.copy(arena); }
  template <typename T> T *make(T value = T()) { return new (arena.Allocate<T>()) T(value); }
  Computation *addComputation(StringRef name);

private:
  std::string text, source;
  llvm::BumpPtrAllocator arena;
};

} // namespace tandem::hlo
