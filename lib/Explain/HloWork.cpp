// Prices instructions of HLO modules one by one.
#include "tandem/Explain/HloWork.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

namespace tandem {

using hlo::Computation;
using hlo::Instruction;
using hlo::Opcode;
using hlo::Phase;
using hlo::Shape;

namespace {

constexpr size_t kPermuteWithDestinations = 4; // operands of an in-place permute

bool isSlicer(Opcode op) {
  return op == Opcode::Slice || op == Opcode::DynamicSlice || op == Opcode::Gather;
}

// Bytes moved in the buffer per byte of update; 0: not an update.
int64_t updateWeight(Opcode op) {
  return op == Opcode::DynamicUpdateSlice ? 1 : op == Opcode::Scatter ? 2 : 0;
}

bool isPlain(const Instruction &i) { return i.phase == Phase::None; }

const Shape *firstLeaf(const Shape &shape) {
  std::vector<const Shape *> leaves;
  appendLeaves(shape, leaves);
  return leaves.empty() ? nullptr : leaves.front();
}

// The instruction behind bitcasts.
const Instruction *strip(const Instruction *i) {
  while (HloWork::isAlias(i->base) && isPlain(*i) && !i->operands.empty())
    i = i->operands[0];
  return i;
}

// The instructions behind the elements of the result.
std::vector<const Instruction *> outputsOf(const Computation &computation) {
  const Instruction *root = strip(computation.root);
  if (root->base != Opcode::Tuple)
    return {root};
  std::vector<const Instruction *> outputs;
  for (const Instruction *operand : root->operands)
    outputs.push_back(strip(operand));
  return outputs;
}

const Instruction *updateOf(const Instruction &i) {
  return i.operands[i.base == Opcode::Scatter ? (i.operands.size() + 1) / 2 : 1];
}

// Integers of `"key":["1","0"]` or `"key":{"n":"4"}` in a backend config.
std::optional<std::vector<int64_t>> configIntegers(llvm::StringRef config, llvm::StringRef key) {
  size_t at = config.find(key);
  if (at == llvm::StringRef::npos)
    return std::nullopt;
  llvm::StringRef rest = config.drop_front(at + key.size());
  rest = rest.take_until([](char c) { return c == ']' || c == '}'; });
  std::vector<int64_t> numbers;
  while (!rest.empty()) {
    rest = rest.drop_until([](char c) { return llvm::isDigit(c); });
    llvm::StringRef digits = rest.take_while([](char c) { return llvm::isDigit(c); });
    int64_t number;
    if (digits.empty() || digits.getAsInteger(10, number))
      break;
    numbers.push_back(number);
    rest = rest.drop_front(digits.size());
  }
  return numbers;
}

bool isElementwise(const Instruction &i) {
  switch (i.base) {
  case Opcode::AllGather:
  case Opcode::AllReduce:
  case Opcode::AllToAll:
  case Opcode::Async:
  case Opcode::Broadcast:
  case Opcode::Call:
  case Opcode::Cholesky:
  case Opcode::CollectiveBroadcast:
  case Opcode::CollectivePermute:
  case Opcode::Concatenate:
  case Opcode::Conditional:
  case Opcode::Convolution:
  case Opcode::Copy:
  case Opcode::CustomCall:
  case Opcode::Dot:
  case Opcode::DynamicSlice:
  case Opcode::DynamicUpdateSlice:
  case Opcode::Fft:
  case Opcode::Fusion:
  case Opcode::Gather:
  case Opcode::Infeed:
  case Opcode::Iota:
  case Opcode::Outfeed:
  case Opcode::Pad:
  case Opcode::RaggedAllToAll:
  case Opcode::RaggedDot:
  case Opcode::Recv:
  case Opcode::Reduce:
  case Opcode::ReduceScatter:
  case Opcode::ReduceWindow:
  case Opcode::Reverse:
  case Opcode::Rng:
  case Opcode::RngBitGenerator:
  case Opcode::Scatter:
  case Opcode::SelectAndScatter:
  case Opcode::Send:
  case Opcode::Slice:
  case Opcode::Sort:
  case Opcode::TopK:
  case Opcode::Transpose:
  case Opcode::TriangularSolve:
  case Opcode::While:
  case Opcode::Scan:
    return false;
  default:
    return true;
  }
}

} // namespace

bool HloWork::isAlias(Opcode op) {
  return op == Opcode::Bitcast || op == Opcode::Reshape || op == Opcode::OptBarrier ||
         op == Opcode::AddDependency;
}

bool HloWork::isFree(Opcode op) {
  return isAlias(op) || op == Opcode::Parameter || op == Opcode::Constant || op == Opcode::Tuple ||
         op == Opcode::GetTupleElement || op == Opcode::AfterAll;
}

const Computation *HloWork::fused(const Instruction &i) {
  bool runs = i.base == Opcode::Fusion || i.base == Opcode::Async ||
              (i.base == Opcode::Call && i.phase == Phase::Start);
  return runs ? i.callee("calls") : nullptr;
}

const HloWork::Instructions &HloWork::users(const Instruction &instruction) {
  if (!std::exchange(haveUsers[instruction.parent], true))
    for (const Instruction *user : instruction.parent->instructions)
      for (const Instruction *operand : user->operands) {
        Instructions &list = userLists[operand];
        if (list.empty() || list.back() != user)
          list.push_back(user);
      }
  return userLists[&instruction];
}

HloWork::Chain HloWork::updateChain(const Instruction *i) {
  Chain chain;
  while (updateWeight(i->base) && isPlain(*i)) {
    chain.moved += updateWeight(i->base) * updateOf(*i)->shape->byteSize();
    chain.ops.push_back(i);
    i = strip(i->operands[0]);
  }
  if (chain.ops.empty() || i->base != Opcode::Parameter)
    return {};
  chain.parameter = i;
  return chain;
}

HloWork::Flops HloWork::flops(const Instruction &i) {
  Flops total;
  if (i.base == Opcode::Fusion || i.base == Opcode::Call || i.base == Opcode::Map ||
      i.base == Opcode::Async) {
    for (llvm::StringRef key : {"calls", "to_apply"})
      for (const Computation *c : i.called(key))
        for (const Instruction *inner : c->instructions) {
          Flops more = flops(*inner);
          total.flops += more.flops;
          total.picoseconds += more.picoseconds;
        }
    return total;
  }
  bool isCall = i.base == Opcode::CustomCall;
  if (i.operands.size() < 2 || (i.base != Opcode::Dot && i.base != Opcode::Convolution && !isCall))
    return total;
  const Shape *out = firstLeaf(*i.shape), *lhs = i.operands[0]->shape, *rhs = i.operands[1]->shape;
  auto count = [&](hlo::DType type, int64_t flops) {
    total.flops = flops;
    total.picoseconds = picosecondsFor(flops, target.matmulRate(hlo::nameOf(type)));
  };
  if (auto *dims = i.get<const hlo::ConvDims *>("dim_labels")) {
    size_t feature = dims->kernel.find('o');
    if (out && feature < rhs->dims.size())
      count(lhs->dtype, 2 * out->elementCount() * rhs->elementCount() /
                            std::max<int64_t>(1, rhs->dims[feature]));
    return total;
  }
  std::vector<int64_t> contracted;
  if (i.base == Opcode::Dot) {
    llvm::append_range(contracted, i.ints("lhs_contracting_dims"));
  } else {
    auto dims = configIntegers(i.backendConfig(), "lhs_contracting_dimensions");
    if (!dims) {
      ++warnings["custom-call " + i.word("custom_call_target").str() + " costed by bytes only"];
      return total;
    }
    contracted = *dims;
  }
  if (!out)
    return total;
  hlo::DType type = hlo::bitsOf(rhs->dtype) > hlo::bitsOf(lhs->dtype) ? rhs->dtype : lhs->dtype;
  int64_t flops = (hlo::isComplex(type) ? 8 : 2) * out->elementCount();
  for (int64_t dim : contracted)
    if (dim < lhs->rank())
      flops *= lhs->dims[dim];
  count(type, flops);
  return total;
}

std::vector<std::pair<int64_t, int64_t>> HloWork::inPlace(const Instruction &i) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (updateWeight(i.base) && isPlain(i))
    return {{0, 0}};
  if (i.base == Opcode::AllReduce) {
    for (size_t k = 0; k < i.operands.size(); ++k)
      pairs.push_back({k, k});
    return pairs;
  }
  for (const hlo::Alias &alias : i.get<llvm::ArrayRef<hlo::Alias>>("output_to_operand_aliasing"))
    pairs.push_back({alias.parameter, alias.outputIndex.empty() ? 0 : alias.outputIndex[0]});
  if (const Computation *c = fused(i))
    for (auto [k, output] : llvm::enumerate(outputsOf(*c)))
      if (Chain chain = updateChain(output); chain.parameter)
        pairs.push_back({chain.parameter->parameter, k});
  return pairs;
}

int64_t HloWork::readBytes(const Instruction &value,
                           llvm::ArrayRef<const Instruction *> inPlaceOps) {
  int64_t total = 0, full = value.shape->byteSize();
  for (const Instruction *user : users(value)) {
    bool onlyFirst =
        user->operands[0] == &value && !llvm::is_contained(user->operands.drop_front(), &value);
    const Computation *inner = fused(*user);
    if (isAlias(user->base))
      total += readBytes(*user, inPlaceOps);
    else if (isSlicer(user->base) && onlyFirst)
      total += user->shape->byteSize();
    else if (user->base == Opcode::Tuple || (onlyFirst && llvm::is_contained(inPlaceOps, user)))
      continue;
    else if (inner) {
      for (const Instruction *parameter : inner->parameters)
        if (parameter && user->operands[parameter->parameter] == &value)
          total += readBytes(*parameter, {});
    } else
      return full;
  }
  return std::min(total, full);
}

// Device bytes, host bytes.
std::pair<int64_t, int64_t> HloWork::traffic(const Instruction &i) {
  std::pair<int64_t, int64_t> moved{0, 0};
  auto add = [&](const Shape &shape, int64_t bytes) {
    (shape.onHost() ? moved.second : moved.first) += bytes;
  };
  auto addLeaves = [&](const Shape &shape) {
    std::vector<const Shape *> leaves;
    appendLeaves(shape, leaves);
    for (const Shape *leaf : leaves)
      add(*leaf, leaf->byteSize());
  };
  if (const Computation *c = fused(i)) {
    std::vector<const Instruction *> outputs = outputsOf(*c);
    Instructions inPlaceOps;
    std::vector<Chain> chains;
    for (const Instruction *output : outputs) {
      chains.push_back(updateChain(output));
      llvm::append_range(inPlaceOps, chains.back().ops);
    }
    for (const Instruction *parameter : c->parameters)
      if (parameter)
        add(*parameter->shape, readBytes(*parameter, inPlaceOps));
    for (size_t k = 0; k < outputs.size(); ++k)
      add(*outputs[k]->shape,
          chains[k].parameter ? chains[k].moved : outputs[k]->shape->byteSize());
    return moved;
  }
  if ((isSlicer(i.base) || updateWeight(i.base)) && isPlain(i)) {
    const Shape &buffer = *i.operands[0]->shape;
    add(buffer, isSlicer(i.base) ? i.shape->byteSize()
                                 : updateWeight(i.base) * updateOf(i)->shape->byteSize());
    for (const Instruction *operand : i.operands.drop_front())
      add(*operand->shape, operand->shape->byteSize());
    if (isSlicer(i.base))
      add(*i.shape, i.shape->byteSize());
    return moved;
  }
  for (const Instruction *operand : i.operands)
    addLeaves(*operand->shape);
  const Shape *result = i.shape;
  if (i.phase == Phase::Start && result->isTuple() && result->elements.size() > 1)
    result = result->elements[i.base == Opcode::Copy ? 0 : 1];
  if (i.base == Opcode::CustomCall) {
    // Bytes behind the first element are workspace.
    std::vector<const Shape *> leaves;
    appendLeaves(*result, leaves);
    for (auto [k, leaf] : llvm::enumerate(leaves))
      if (k == 0 || (leaf->dtype != hlo::DType::S8 && leaf->dtype != hlo::DType::U8))
        add(*leaf, leaf->byteSize());
  } else {
    addLeaves(*result);
  }
  return moved;
}

ItemCost HloWork::compute(const Instruction &i) {
  ItemCost cost;
  if (isFree(i.base) || i.word("custom_call_target") == "AllocateBuffer")
    return cost;
  if (i.base == Opcode::Unknown)
    ++warnings["unknown op " + i.opcode.str()];
  Flops matrix = flops(i);
  auto [device, host] = traffic(i);
  cost.isKernel = true;
  cost.flops = matrix.flops;
  cost.matmulPicoseconds = matrix.picoseconds;
  cost.memoryBytes = device;
  cost.hostBytes = host;
  cost.picoseconds = target.launchPicoseconds +
                     std::max({matrix.picoseconds, picosecondsFor(device, target.memoryRate()),
                               picosecondsFor(host, target.hostRate())});
  const Computation *c = fused(i);
  cost.isCopy =
      i.base == Opcode::Copy || (c && llvm::all_of(outputsOf(*c), [](const Instruction *output) {
                                   return output->base == Opcode::Copy &&
                                          strip(output->operands[0])->base == Opcode::Parameter;
                                 }));
  if (cost.isCopy) {
    const Shape *shape = i.phase == Phase::Start ? firstLeaf(*i.shape) : i.shape;
    cost.copyBytes = shape ? shape->byteSize() : 0;
  }
  return cost;
}

std::optional<HloWork::Collective> HloWork::collective(const Instruction &i) {
  const Instruction *head = &i;
  if (i.base == Opcode::Async && i.callee("calls"))
    head = i.callee("calls")->root;
  Collective result;
  switch (head->base) {
  case Opcode::AllGather:
    result.kind = CollectiveKind::AllGather;
    break;
  case Opcode::AllReduce:
    result.kind = CollectiveKind::AllReduce;
    break;
  case Opcode::ReduceScatter:
    result.kind = CollectiveKind::ReduceScatter;
    break;
  case Opcode::AllToAll:
  case Opcode::RaggedAllToAll:
    result.kind = CollectiveKind::AllToAll;
    break;
  case Opcode::CollectivePermute:
  case Opcode::Send:
  case Opcode::Recv:
    result.kind = CollectiveKind::Permute;
    break;
  case Opcode::CollectiveBroadcast:
    result.kind = CollectiveKind::Broadcast;
    break;
  default:
    return std::nullopt;
  }
  result.name = head->opcode;
  for (llvm::StringRef suffix : {"-start", "-done"})
    result.name.consume_back(suffix);
  llvm::ArrayRef<Instruction *> operands = head->operands;
  if (head->base == Opcode::Send || head->base == Opcode::RaggedAllToAll ||
      (head->base == Opcode::CollectivePermute && operands.size() == kPermuteWithDestinations))
    operands = operands.take_front(1);
  result.operands = static_cast<int64_t>(operands.size());
  bool moves = true;
  if (result.kind == CollectiveKind::Permute) {
    auto pairs = head->get<hlo::Pairs>("source_target_pairs").pairs;
    moves = pairs.empty() || llvm::any_of(pairs, [](auto p) { return p.first != p.second; });
    for (auto [source, destination] : pairs)
      result.groups.push_back({source, destination});
  } else {
    int64_t devices = module.partitions() * module.replicas();
    if (auto *groups = head->get<const hlo::ReplicaGroups *>("replica_groups"))
      result.groups = groups->expand(devices);
    if (result.groups.empty() || result.groups.front().empty()) {
      result.groups.assign(1, {});
      for (int64_t id = 0; id < devices; ++id)
        result.groups[0].push_back(id);
    }
  }
  result.shape = shapeOf(target, result.kind, result.groups);
  std::vector<const Shape *> leaves;
  if (head->base == Opcode::Recv) {
    if (const Shape *data = firstLeaf(*head->shape))
      leaves.push_back(data);
  } else {
    for (const Instruction *operand : operands)
      appendLeaves(*operand->shape, leaves);
  }
  int64_t gathered = result.kind == CollectiveKind::AllGather ? result.shape.size : 1;
  for (const Shape *leaf : leaves) {
    result.bytes += leaf->byteSize() * gathered;
    if (head->base != Opcode::Send)
      result.wireBytes[hlo::nameOf(leaf->dtype)] +=
          moves ? wireBytesOf(result.kind, leaf->byteSize() * gathered, result.shape.size) : 0;
  }
  if (head->base == Opcode::Send)
    return result; // its wire and time count at the recv
  CollectivePrice price = priceOf(target, result.kind, moves ? result.bytes : 0, result.shape);
  result.picoseconds = price.picoseconds;
  result.algorithm = price.algorithm;
  return result;
}

std::vector<std::pair<int64_t, int64_t>> HloWork::mayTakeOver(const Instruction &i) {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  if (isElementwise(i) && !isFree(i.base) && i.shape->isArray()) {
    for (size_t k = 0; k < i.operands.size(); ++k)
      if (!i.operands[k]->shape->isTuple())
        pairs.push_back({k, 0});
    return pairs;
  }
  const Computation *c = fused(i);
  llvm::StringRef kind = i.word("kind");
  if (i.base != Opcode::Fusion || i.phase != Phase::None || (kind != "kLoop" && kind != "kInput") ||
      !c)
    return pairs;
  llvm::DenseMap<const Instruction *, int64_t> results;
  for (auto [k, output] : llvm::enumerate(outputsOf(*c)))
    results.try_emplace(output, k);
  for (const Instruction *parameter : c->parameters) {
    if (!parameter || !parameter->shape->isArray())
      continue;
    std::vector<const Instruction *> todo{parameter};
    llvm::DenseMap<const Instruction *, bool> seen;
    std::vector<int64_t> reached;
    bool fits = true;
    while (fits && !todo.empty()) {
      const Instruction *inner = todo.back();
      todo.pop_back();
      if (std::exchange(seen[inner], true) || inner->base == Opcode::Tuple ||
          inner->base == Opcode::Reduce)
        continue;
      if (inner != parameter && (!isElementwise(*inner) || inner->shape->elementCount() !=
                                                               parameter->shape->elementCount())) {
        fits = false;
        break;
      }
      if (auto it = results.find(inner); it != results.end())
        reached.push_back(it->second);
      llvm::append_range(todo, users(*inner));
    }
    if (fits)
      for (int64_t result : reached)
        pairs.push_back({parameter->parameter, result});
  }
  return pairs;
}

std::optional<int64_t> HloWork::tripCount(const Instruction &loop) {
  auto known = configIntegers(loop.backendConfig(), "known_trip_count");
  if (known && !known->empty())
    return known->front();
  // A counter that is compared with a constant: condition `element k < n`, body `element k + s`.
  const Computation *condition = loop.callee("condition"), *body = loop.callee("body");
  if (!condition || !body || loop.operands.empty())
    return std::nullopt;
  auto through = [](const Instruction *i) {
    for (;;) {
      if ((i->base == Opcode::Copy || i->base == Opcode::Bitcast || i->base == Opcode::Convert ||
           i->base == Opcode::Reshape) &&
          i->operands.size() == 1)
        i = i->operands[0];
      else
        return i;
    }
  };
  auto constant = [&](const Instruction *i) -> std::optional<int64_t> {
    i = through(i);
    if (i->base != Opcode::Constant || !i->literal || i->literal->elided || !i->shape->isArray() ||
        i->shape->rank() || hlo::isFloat(i->shape->dtype) || i->literal->bytes.size() > 8)
      return std::nullopt;
    uint64_t bits = 0;
    for (size_t k = 0; k < i->literal->bytes.size(); ++k)
      bits |= static_cast<uint64_t>(static_cast<uint8_t>(i->literal->bytes[k])) << (8 * k);
    if (size_t width = i->literal->bytes.size() * 8; width < 64 && hlo::isSigned(i->shape->dtype))
      return static_cast<int64_t>(bits << (64 - width)) >> (64 - width);
    return static_cast<int64_t>(bits);
  };
  auto element = [&](const Instruction *i) -> std::optional<int64_t> {
    i = through(i);
    if (i->base != Opcode::GetTupleElement || i->operands[0]->base != Opcode::Parameter)
      return std::nullopt;
    return i->integer("index");
  };
  // One fusion or call deep: (computation's root, its arguments).
  auto open = [&](const Instruction *i, llvm::ArrayRef<Instruction *> &arguments) {
    i = through(i);
    const Computation *c = i->base == Opcode::Fusion ? i->callee("calls")
                           : i->base == Opcode::Call ? i->callee("to_apply")
                                                     : nullptr;
    if (!c)
      return i;
    arguments = i->operands;
    return through(c->root);
  };
  auto outer = [&](const Instruction *i, llvm::ArrayRef<Instruction *> arguments) {
    i = through(i);
    bool inside = i->base == Opcode::Parameter && !arguments.empty() &&
                  i->parameter < static_cast<int64_t>(arguments.size());
    return inside ? static_cast<const Instruction *>(arguments[i->parameter]) : i;
  };
  llvm::ArrayRef<Instruction *> arguments;
  const Instruction *test = open(condition->root, arguments);
  if (test->base != Opcode::Compare)
    return std::nullopt;
  llvm::StringRef direction = test->word("direction");
  const Instruction *a = outer(test->operands[0], arguments),
                    *b = outer(test->operands[1], arguments);
  if (constant(a)) {
    std::swap(a, b);
    direction = direction == "LT"   ? "GT"
                : direction == "GT" ? "LT"
                : direction == "LE" ? "GE"
                : direction == "GE" ? "LE"
                                    : direction;
  }
  auto index = element(a);
  auto limit = constant(b);
  const Instruction *init = loop.operands[0], *root = body->root;
  if (!index || !limit || init->base != Opcode::Tuple || root->base != Opcode::Tuple ||
      *index >= static_cast<int64_t>(init->operands.size()))
    return std::nullopt;
  auto start = constant(init->operands[*index]);
  llvm::ArrayRef<Instruction *> stepArguments;
  const Instruction *add = open(root->operands[*index], stepArguments);
  if (!start || (add->base != Opcode::Add && add->base != Opcode::Subtract))
    return std::nullopt;
  const Instruction *x = outer(add->operands[0], stepArguments),
                    *y = outer(add->operands[1], stepArguments);
  if (add->base == Opcode::Add && constant(x))
    std::swap(x, y);
  auto stepped = element(x);
  auto step = constant(y);
  if (!stepped || *stepped != *index || !step || !*step)
    return std::nullopt;
  int64_t by = add->base == Opcode::Add ? *step : -*step, span = *limit - *start;
  if (direction != "NE" && (direction == "LT" || direction == "LE") != (by > 0))
    return std::nullopt;
  auto floorDiv = [](int64_t n, int64_t d) {
    return n / d - ((n % d != 0) && ((n < 0) != (d < 0)));
  };
  bool inclusive = direction == "LE" || direction == "GE";
  return std::max<int64_t>(0, inclusive ? floorDiv(span, by) + 1 : -floorDiv(-span, by));
}

} // namespace tandem
