// Names, shapes, attributes and device groups of HLO modules.
#include "tandem/Import/Hlo.h"

#include "HloOpcodes.h"

#include "llvm/ADT/StringMap.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <map>

namespace tandem::hlo {
namespace {

struct DTypeRow {
  StringRef name;
  unsigned bits;
};
constexpr DTypeRow kDTypes[] = {
#define TANDEM_HLO_DTYPE(Id, Name, Bits) {Name, Bits},
#include "tandem/Import/HloNames.def"
};

// a * b, or the largest number.
int64_t saturatingProduct(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<int64_t>::max() : product;
}

StringRef withoutQuotes(StringRef value) {
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
    return value.drop_front().drop_back();
  return value;
}

} // namespace

StringRef nameOf(DType type) { return kDTypes[static_cast<size_t>(type)].name; }

std::optional<DType> dtypeFromName(StringRef name) {
  static const llvm::StringMap<DType> table = [] {
    llvm::StringMap<DType> types;
    for (size_t i = 1; i < std::size(kDTypes); ++i)
      types[kDTypes[i].name] = static_cast<DType>(i);
    return types;
  }();
  auto found = table.find(name);
  return found == table.end() ? std::nullopt : std::optional(found->second);
}

unsigned bitsOf(DType type) { return kDTypes[static_cast<size_t>(type)].bits; }
bool isFloat(DType type) { return type >= DType::F4E2M1FN && type <= DType::F64; }
bool isComplex(DType type) { return type == DType::C64 || type == DType::C128; }
bool isSigned(DType type) { return type >= DType::S1 && type <= DType::S64; }
bool isUnsigned(DType type) { return type >= DType::U1 && type <= DType::U64; }

int64_t Shape::elementCount() const {
  int64_t count = 1;
  for (int64_t dim : dims)
    count = saturatingProduct(count, dim);
  return count;
}

int64_t Shape::byteSize() const {
  if (!isTuple()) {
    const int64_t bits = saturatingProduct(elementCount(), bitsOf(dtype));
    return bits / 8 + (bits % 8 != 0);
  }
  int64_t sum = 0;
  for (const Shape *element : elements)
    if (__builtin_add_overflow(sum, element->byteSize(), &sum))
      return std::numeric_limits<int64_t>::max();
  return sum;
}

bool sameShape(const Shape &a, const Shape &b) {
  if (&a == &b)
    return true;
  if (a.dtype != b.dtype || a.dims != b.dims || a.elements.size() != b.elements.size())
    return false;
  for (size_t i = 0; i < a.elements.size(); ++i)
    if (!sameShape(*a.elements[i], *b.elements[i]))
      return false;
  return true;
}

void appendLeaves(const Shape &shape, std::vector<const Shape *> &leaves) {
  if (!shape.isTuple()) {
    leaves.push_back(&shape);
    return;
  }
  for (const Shape *element : shape.elements)
    appendLeaves(*element, leaves);
}

// ---- device groups

void IotaList::expand(std::vector<int64_t> &numbers) const {
  const size_t rank = reshape.size();
  std::vector<int64_t> strides(rank, 1);
  for (size_t i = rank; i-- > 1;)
    strides[i - 1] = strides[i] * reshape[i];
  numbers.assign(1, 0);
  for (size_t i = 0; i < rank; ++i) {
    const int64_t axis = permutation.empty() ? static_cast<int64_t>(i) : permutation[i];
    std::vector<int64_t> next;
    next.reserve(numbers.size() * reshape[axis]);
    for (int64_t number : numbers)
      for (int64_t k = 0; k < reshape[axis]; ++k)
        next.push_back(number + k * strides[axis]);
    numbers = std::move(next);
  }
}

namespace {

// Groups of a mesh: devices that differ only in the digits of the named axes. Groups come in
// the order of their first device's place in the mesh.
std::vector<std::vector<int64_t>> meshGroups(const ReplicaGroups &groups) {
  std::vector<int64_t> order;
  int64_t total = 1;
  for (const MeshAxis &axis : groups.mesh)
    total *= axis.size;
  if (!groups.iota.reshape.empty())
    groups.iota.expand(order);
  else if (!groups.deviceIds.empty())
    order.assign(groups.deviceIds.begin(), groups.deviceIds.end());
  else
    for (int64_t i = 0; i < total; ++i)
      order.push_back(i);

  std::vector<std::vector<int64_t>> result;
  std::map<std::vector<int64_t>, size_t> numbers; // fixed digits -> group
  for (size_t place = 0; place < order.size(); ++place) {
    std::vector<int64_t> key;
    int64_t rest = static_cast<int64_t>(place);
    for (const MeshAxis &axis : llvm::reverse(groups.mesh)) {
      const int64_t digit = rest % axis.size;
      rest /= axis.size;
      int64_t fixedHigh = digit, fixedLow = 0;
      for (const AxisRef &named : groups.axes) {
        if (named.name != axis.name)
          continue;
        const int64_t inner = named.size ? axis.size / (named.preSize * named.size) : 1;
        fixedHigh = digit / (inner * (named.size ? named.size : axis.size));
        fixedLow = digit % inner;
      }
      key.push_back(fixedHigh);
      key.push_back(fixedLow);
    }
    auto [entry, isNew] = numbers.try_emplace(std::move(key), result.size());
    if (isNew)
      result.emplace_back();
    result[entry->second].push_back(order[place]);
  }
  return result;
}

} // namespace

std::vector<std::vector<int64_t>> ReplicaGroups::expand(int64_t devices) const {
  std::vector<std::vector<int64_t>> result;
  if (form == Form::Mesh)
    return meshGroups(*this);
  if (form == Form::Iota) {
    std::vector<int64_t> numbers;
    iota.expand(numbers);
    const size_t size = dims.empty() || dims.back() <= 0 ? numbers.size() : dims.back();
    for (size_t i = 0; i + size <= numbers.size() && size > 0; i += size)
      result.emplace_back(numbers.begin() + i, numbers.begin() + i + size);
    return result;
  }
  for (ArrayRef<int64_t> group : groups)
    if (!group.empty())
      result.emplace_back(group.begin(), group.end());
  if (result.empty()) {
    result.emplace_back();
    for (int64_t i = 0; i < devices; ++i)
      result.back().push_back(i);
  }
  return result;
}

// ---- attributes

const Attribute *Attributes::find(StringRef name) const {
  for (const Attribute &attribute : attributes)
    if (attribute.name == name)
      return &attribute;
  return nullptr;
}

std::optional<int64_t> Attributes::integer(StringRef name) const {
  const Attribute *attribute = find(name);
  const int64_t *value = attribute ? std::get_if<int64_t>(&attribute->value) : nullptr;
  return value ? std::optional(*value) : std::nullopt;
}

ArrayRef<int64_t> Attributes::ints(StringRef name) const { return get<ArrayRef<int64_t>>(name); }

StringRef Attributes::word(StringRef name) const {
  const Attribute *attribute = find(name);
  if (!attribute)
    return {};
  if (const auto *word = std::get_if<Word>(&attribute->value))
    return word->text;
  if (const auto *quoted = std::get_if<Quoted>(&attribute->value))
    return quoted->text;
  return {};
}

bool Attributes::isTrue(StringRef name) const { return word(name) == "true"; }
const Sharding *Attributes::sharding() const { return get<const Sharding *>("sharding"); }

StringRef Attributes::dictValue(StringRef name, StringRef key) const {
  for (const DictEntry &entry : get<Dict>(name).entries)
    if (entry.key == key)
      return withoutQuotes(entry.value);
  return {};
}

StringRef Instruction::backendConfig() const {
  const Attribute *attribute = find("backend_config");
  const RawText *text = attribute ? std::get_if<RawText>(&attribute->value) : nullptr;
  return text ? text->text : StringRef();
}

// ---- opcodes

bool isCollective(Opcode base) {
  switch (base) {
  case Opcode::AllGather:
  case Opcode::AllReduce:
  case Opcode::AllToAll:
  case Opcode::CollectiveBroadcast:
  case Opcode::CollectivePermute:
  case Opcode::RaggedAllToAll:
  case Opcode::Recv:
  case Opcode::ReduceScatter:
  case Opcode::Send:
    return true;
  default:
    return false;
  }
}

std::pair<Opcode, Phase> opcodeFromName(StringRef name) {
  static const llvm::StringMap<Opcode> table = [] {
    llvm::StringMap<Opcode> opcodes;
#define TANDEM_HLO_OPCODE(Id, Name) opcodes[Name] = Opcode::Id;
#include "tandem/Import/HloNames.def"
    return opcodes;
  }();
  Phase phase = Phase::None;
  if (name.consume_back("-start"))
    phase = Phase::Start;
  else if (name.consume_back("-update"))
    phase = Phase::Update;
  else if (name.consume_back("-done"))
    phase = Phase::Done;
  auto found = table.find(name);
  const Opcode base = found == table.end() ? Opcode::Unknown : found->second;
  if (phase == Phase::None && (base == Opcode::Send || base == Opcode::Recv))
    phase = Phase::Start;
  return {base, phase};
}

// ---- modules

std::pair<size_t, size_t> Module::lineAndColumn(const char *position) const {
  const size_t offset = std::min<size_t>(position - text.data(), text.size());
  const StringRef before = StringRef(text).take_front(offset);
  const size_t lastBreak = before.rfind('\n');
  return {before.count('\n') + 1, lastBreak == StringRef::npos ? offset + 1 : offset - lastBreak};
}

Computation *Module::addComputation(StringRef name) {
  storage.push_back(std::make_unique<Computation>());
  computations.push_back(storage.back().get());
  computations.back()->name = name;
  return computations.back();
}

} // namespace tandem::hlo
