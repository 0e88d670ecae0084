// What every backend of collectives must do: every kind, element type,
// reduction and dimension against a naive reference written from StableHLO's
// definitions, groups in any rank order, several operands, empty arrays, order
// checks and missing devices.
#include <cmath>
#include <complex>
#include <cstring>
#include <mutex>
#include <numeric>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "runtime/base/SmallFloat.h"
#include "tandem/Runtime/HostArray.h"
#include "tests/conformance/Backends.h"

namespace tandem::runtime {
namespace {

using namespace program;

struct Failure {
  PendingCollective pending;
  int64_t other;
  uint32_t otherDevice;
};

class Observer : public CollectiveObserver {
public:
  void collectiveFailed(const PendingCollective &pending, int64_t other,
                        uint32_t otherDevice) override {
    std::lock_guard lock(mutex);
    failures.push_back({pending, other, otherDevice});
  }
  std::mutex mutex;
  std::vector<Failure> failures;
};

// A join that counts its completion.
struct CountedJoin : CollectiveJoin {
  CountedJoin() {
    complete = [](CollectiveJoin *join) { ++static_cast<CountedJoin *>(join)->completions; };
  }
  int completions = 0;
  std::vector<void *> pointers;
};

std::unique_ptr<TensorTypeT> tensorType(DType dtype, std::vector<int64_t> dims) {
  auto type = std::make_unique<TensorTypeT>();
  type->dtype = dtype;
  type->dims = std::move(dims);
  return type;
}

using Groups = std::vector<std::vector<uint32_t>>;

std::unique_ptr<CollectiveOpT> makeOp(CollectiveKind kind, const Groups &groups) {
  auto op = std::make_unique<CollectiveOpT>();
  op->kind = kind;
  op->wire_bytes = 100;
  for (const std::vector<uint32_t> &devices : groups) {
    auto group = std::make_unique<GroupT>();
    group->devices = devices;
    op->groups.push_back(std::move(group));
  }
  return op;
}

// Adds an operand and the result type that the kind implies.
void addOperand(CollectiveOpT &op, DType dtype, std::vector<int64_t> dims) {
  int64_t size = op.groups.empty() ? 1 : static_cast<int64_t>(op.groups[0]->devices.size());
  std::vector<int64_t> result = dims;
  if (op.kind == CollectiveKind::AllGather)
    result[op.dimension] *= size;
  if (op.kind == CollectiveKind::ReduceScatter || op.kind == CollectiveKind::AllToAll)
    result[op.dimension] /= size;
  if (op.kind == CollectiveKind::AllToAll)
    result[op.concat_dimension] *= size;
  op.operand_types.push_back(tensorType(dtype, std::move(dims)));
  op.result_types.push_back(tensorType(dtype, std::move(result)));
}

// ---- the reference: element by element
// ---------------------------------------------------------

double toDouble(DType dtype, const std::byte *p) {
  auto read = [&]<typename T>(T) {
    T value;
    std::memcpy(&value, p, sizeof(T));
    return value;
  };
  switch (dtype) {
  case DType::BF16:
    return bf16ToFloat(read(uint16_t()));
  case DType::F16:
    return f16ToFloat(read(uint16_t()));
  case DType::F32:
    return read(float());
  case DType::F64:
    return read(double());
  default:
    return f8ToFloat(read(uint8_t()), float8Format(dtype));
  }
}

void fromDouble(DType dtype, double value, std::byte *p) {
  auto write = [&](auto bits) { std::memcpy(p, &bits, sizeof(bits)); };
  switch (dtype) {
  case DType::BF16:
    return write(floatToBf16(static_cast<float>(value)));
  case DType::F16:
    return write(floatToF16(static_cast<float>(value)));
  case DType::F32:
    return write(static_cast<float>(value));
  case DType::F64:
    return write(value);
  default:
    return write(floatToF8(static_cast<float>(value), float8Format(dtype)));
  }
}

// Bits of the type, sign-extended where signed.
int64_t toInteger(DType dtype, const std::byte *p) {
  int bits = dtype == DType::I2 || dtype == DType::UI2   ? 2
             : dtype == DType::I4 || dtype == DType::UI4 ? 4
                                                         : static_cast<int>(dtypeBytes(dtype)) * 8;
  uint64_t value = 0;
  std::memcpy(&value, p, static_cast<size_t>(dtypeBytes(dtype)));
  value <<= 64 - bits;
  return isSigned(dtype) ? static_cast<int64_t>(value) >> (64 - bits)
                         : static_cast<int64_t>(value >> (64 - bits));
}

double reduceReal(Reduction reduction, double a, double b) {
  switch (reduction) {
  case Reduction::Add:
    return a + b;
  case Reduction::Mul:
    return a * b;
  case Reduction::Min:
    return std::isnan(a) || std::isnan(b) ? NAN : a < b || (a == b && std::signbit(a)) ? a : b;
  default:
    return std::isnan(a) || std::isnan(b) ? NAN : a > b || (a == b && !std::signbit(a)) ? a : b;
  }
}

uint64_t reduceInteger(Reduction reduction, DType dtype, int64_t a, int64_t b) {
  uint64_t ua = static_cast<uint64_t>(a), ub = static_cast<uint64_t>(b);
  if (dtype == DType::I1) {
    bool or_ = ua | ub, and_ = ua & ub;
    switch (reduction) {
    case Reduction::Add:
    case Reduction::Max:
    case Reduction::Or:
      return or_;
    case Reduction::Xor:
      return ua ^ ub;
    default:
      return and_;
    }
  }
  switch (reduction) {
  case Reduction::Add:
    return ua + ub;
  case Reduction::Mul:
    return ua * ub;
  case Reduction::Min:
    return isSigned(dtype) ? static_cast<uint64_t>(std::min(a, b)) : std::min(ua, ub);
  case Reduction::Max:
    return isSigned(dtype) ? static_cast<uint64_t>(std::max(a, b)) : std::max(ua, ub);
  case Reduction::And:
    return ua & ub;
  case Reduction::Or:
    return ua | ub;
  default:
    return ua ^ ub;
  }
}

void reduceElement(const CollectiveOpT &op, DType dtype, const std::vector<const std::byte *> &in,
                   std::byte *out) {
  if (isComplex(dtype)) {
    auto run = [&]<typename T>(T) {
      std::complex<T> sum, next;
      std::memcpy(&sum, in[0], sizeof(sum));
      for (size_t i = 1; i < in.size(); ++i) {
        std::memcpy(&next, in[i], sizeof(next));
        sum = op.reduction == Reduction::Add ? sum + next : sum * next;
      }
      std::memcpy(out, &sum, sizeof(sum));
    };
    return dtype == DType::C64 ? run(float()) : run(double());
  }
  if (isFloat(dtype)) {
    // Rounds to the accumulation type after every step.
    double sum = toDouble(dtype, in[0]);
    for (size_t i = 1; i < in.size(); ++i) {
      sum = reduceReal(op.reduction, sum, toDouble(dtype, in[i]));
      std::byte rounded[8];
      fromDouble(op.accumulate, sum, rounded);
      sum = toDouble(op.accumulate, rounded);
    }
    return fromDouble(dtype, sum, out);
  }
  uint64_t value = static_cast<uint64_t>(toInteger(dtype, in[0]));
  std::byte bytes[8];
  for (size_t i = 1; i < in.size(); ++i) {
    std::memcpy(bytes, &value, 8);
    value = reduceInteger(op.reduction, dtype, toInteger(dtype, bytes), toInteger(dtype, in[i]));
  }
  std::memcpy(bytes, &value, 8);
  // Sub-byte results are extended as their type says.
  int64_t extended = toInteger(dtype, bytes);
  std::memcpy(out, &extended, static_cast<size_t>(dtypeBytes(dtype)));
}

int64_t linear(const std::vector<int64_t> &dims, const std::vector<int64_t> &index) {
  int64_t result = 0;
  for (size_t d = 0; d < dims.size(); ++d)
    result = result * dims[d] + index[d];
  return result;
}

// The value of one result element of one rank.
void referenceElement(const CollectiveOpT &op, size_t operand, const std::vector<int64_t> &index,
                      size_t rank, const std::vector<const std::byte *> &inputs, std::byte *out) {
  const TensorTypeT &type = *op.operand_types[operand];
  size_t unit = static_cast<size_t>(dtypeBytes(type.dtype));
  auto at = [&](size_t from, const std::vector<int64_t> &i) {
    return inputs[from] + static_cast<size_t>(linear(type.dims, i)) * unit;
  };
  std::vector<int64_t> source = index;
  size_t dimension = static_cast<size_t>(op.dimension);
  size_t from = 0;
  switch (op.kind) {
  case CollectiveKind::AllReduce:
  case CollectiveKind::ReduceScatter: {
    if (op.kind == CollectiveKind::ReduceScatter)
      source[dimension] += static_cast<int64_t>(rank) * op.result_types[operand]->dims[dimension];
    std::vector<const std::byte *> values;
    for (size_t i = 0; i < inputs.size(); ++i)
      values.push_back(at(i, source));
    return reduceElement(op, type.dtype, values, out);
  }
  case CollectiveKind::AllGather:
    from = static_cast<size_t>(source[dimension] / type.dims[dimension]);
    source[dimension] %= type.dims[dimension];
    break;
  case CollectiveKind::AllToAll: {
    size_t concat = static_cast<size_t>(op.concat_dimension);
    int64_t piece = type.dims[dimension] / static_cast<int64_t>(inputs.size());
    int64_t width = concat == dimension ? piece : type.dims[concat];
    from = static_cast<size_t>(source[concat] / width);
    source[concat] %= width;
    source[dimension] += static_cast<int64_t>(rank) * piece;
    break;
  }
  default: // broadcast
    break;
  }
  std::memcpy(out, at(from, source), unit);
}

// ---- running
// ----------------------------------------------------------------------------------

class Collectives : public testing::TestWithParam<size_t> {
protected:
  void SetUp() override {
    CollectiveFixtureEntry entry = allCollectiveFixtures()[GetParam()];
    if (std::string reason = entry.skipReason(); !reason.empty())
      GTEST_SKIP() << entry.name << ": " << reason;
    fixture = entry.make();
  }

  // Runs ops[0] on all devices, in a shuffled order of arrival, and compares
  // with the reference.
  void check(std::unique_ptr<CollectiveOpT> op, uint32_t devices, bool inPlace = false) {
    std::vector<std::unique_ptr<CollectiveOpT>> ops;
    ops.push_back(std::move(op));
    const CollectiveOpT &c = *ops[0];
    SCOPED_TRACE(absl::StrCat(collectiveKindName(c.kind), " ",
                              describeType(c.operand_types[0]->dtype, c.operand_types[0]->dims),
                              " ", EnumNameReduction(c.reduction), " dimension ", c.dimension, " ",
                              c.concat_dimension));
    auto session = fixture->backend().load(ops, devices, observer);
    ASSERT_TRUE(session.ok()) << session.status();
    size_t operands = c.operand_types.size();
    std::vector<CountedJoin> joins(devices);
    std::vector<std::vector<HostArray>> inputs(devices), outputs(devices);
    for (uint32_t device = 0; device < devices; ++device) {
      for (size_t i = 0; i < operands; ++i) {
        inputs[device].push_back(randomArray(*c.operand_types[i]));
        outputs[device].push_back(
            HostArray::zeros(c.result_types[i]->dtype, c.result_types[i]->dims));
        std::fill(outputs[device][i].bytes.begin(), outputs[device][i].bytes.end(),
                  std::byte{0x5A});
      }
    }
    std::vector<std::vector<HostArray>> originals = inputs;
    for (uint32_t device = 0; device < devices; ++device) {
      CountedJoin &join = joins[device];
      join.device = device;
      for (HostArray &array : inputs[device])
        join.pointers.push_back(array.bytes.data());
      for (HostArray &array : inPlace ? inputs[device] : outputs[device])
        join.pointers.push_back(array.bytes.data());
      join.operands = join.pointers.data();
      join.results = join.pointers.data() + operands;
      join.arrivalNanoseconds = WorkerPool::now();
    }
    std::vector<uint32_t> order(devices);
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), random);
    (*session)->begin();
    fixture->runUntilIdle([&] {
      for (uint32_t device : order)
        (*session)->join(&joins[device]);
    });
    EXPECT_TRUE(observer.failures.empty());
    EXPECT_TRUE((*session)->pending().empty());
    for (uint32_t device = 0; device < devices; ++device) {
      EXPECT_EQ(joins[device].completions, 1);
      EXPECT_GE(joins[device].endNanoseconds, joins[device].transferNanoseconds);
      for (size_t i = 0; i < operands; ++i)
        checkResult(c, i, device, originals, inPlace ? inputs[device][i] : outputs[device][i]);
    }
  }

  HostArray randomArray(const TensorTypeT &type) {
    HostArray array = HostArray::zeros(type.dtype, type.dims);
    size_t unit = static_cast<size_t>(dtypeBytes(type.dtype));
    for (size_t i = 0; i < array.bytes.size(); i += unit) {
      std::byte *p = array.bytes.data() + i;
      double value = static_cast<double>(static_cast<int>(random() % 65)) / 8 - 4;
      if (isFloat(type.dtype)) {
        fromDouble(type.dtype, random() % 50 == 0 ? NAN : random() % 20 == 0 ? -0.0 : value, p);
      } else if (type.dtype == DType::C64) {
        fromDouble(DType::F32, value, p);
        fromDouble(DType::F32, value / 3, p + 4);
      } else if (type.dtype == DType::C128) {
        fromDouble(DType::F64, value, p);
        fromDouble(DType::F64, value / 3, p + 8);
      } else {
        uint64_t bits = static_cast<uint64_t>(random()) << 32 | random();
        if (type.dtype == DType::I1)
          bits &= 1;
        int64_t extended = toInteger(type.dtype, reinterpret_cast<std::byte *>(&bits));
        std::memcpy(p, &extended, unit);
      }
    }
    return array;
  }

  void checkResult(const CollectiveOpT &c, size_t operand, uint32_t device,
                   const std::vector<std::vector<HostArray>> &inputs, const HostArray &got) {
    const TensorTypeT &type = *c.result_types[operand];
    size_t unit = static_cast<size_t>(dtypeBytes(type.dtype));
    std::vector<const std::byte *> ofGroup;
    size_t rank = 0;
    for (const auto &group : c.groups) {
      auto position = std::find(group->devices.begin(), group->devices.end(), device);
      if (position == group->devices.end())
        continue;
      rank = static_cast<size_t>(position - group->devices.begin());
      for (uint32_t member : group->devices)
        ofGroup.push_back(inputs[member][operand].bytes.data());
    }
    HostArray want = HostArray::zeros(type.dtype, type.dims);
    if (c.kind == CollectiveKind::CollectivePermute) {
      for (const auto &pair : c.pairs)
        if (pair->target == device)
          want = inputs[pair->source][operand];
    } else {
      std::vector<int64_t> index(type.dims.size(), 0);
      for (int64_t i = 0, count = want.size(); i < count; ++i) {
        referenceElement(c, operand, index, rank, ofGroup,
                         want.bytes.data() + static_cast<size_t>(i) * unit);
        for (size_t d = index.size(); d-- > 0 && ++index[d] == type.dims[d];)
          index[d] = 0;
      }
    }
    for (int64_t i = 0, count = want.size(); i < count; ++i) {
      const std::byte *a = got.bytes.data() + static_cast<size_t>(i) * unit;
      const std::byte *b = want.bytes.data() + static_cast<size_t>(i) * unit;
      if (std::memcmp(a, b, unit) == 0)
        continue;
      bool bothNan = isFloat(type.dtype) && std::isnan(toDouble(type.dtype, a)) &&
                     std::isnan(toDouble(type.dtype, b));
      ASSERT_TRUE(bothNan) << "device " << device << " operand " << operand << " element " << i;
    }
  }

  std::unique_ptr<CollectiveFixture> fixture;
  Observer observer;
  std::mt19937 random{11};
};

const Groups kTwoGroups = {{0, 2, 4}, {5, 3, 1}}; // the second against the order of devices

TEST_P(Collectives, everyReductionOfEveryType) {
  for (int d = 0; d < kNumDTypes; ++d) {
    DType dtype = static_cast<DType>(d);
    for (int r = 1; r <= static_cast<int>(Reduction::MAX); ++r) {
      Reduction reduction = static_cast<Reduction>(r);
      bool bitwise = reduction >= Reduction::And;
      bool ordered = reduction == Reduction::Min || reduction == Reduction::Max;
      if ((bitwise && !isInteger(dtype)) || (ordered && isComplex(dtype)))
        continue;
      std::vector<DType> accumulates = {dtype};
      if (isFloat(dtype) && dtypeBytes(dtype) < 4)
        accumulates = {dtype, DType::F32, DType::F64};
      for (DType accumulate : accumulates) {
        auto op = makeOp(CollectiveKind::AllReduce, kTwoGroups);
        op->reduction = reduction;
        op->accumulate = accumulate;
        addOperand(*op, dtype, {7, 5});
        check(std::move(op), 6);
      }
    }
  }
}

TEST_P(Collectives, accumulationTypeChangesTheSum) {
  // 256 + 1 = 256 in bf16 when every step rounds, and 256 + 1 + 1 + ... = 258
  // in f32.
  for (auto [accumulate, expected] :
       {std::pair{DType::BF16, 256.0f}, std::pair{DType::F32, 258.0f}}) {
    auto op = makeOp(CollectiveKind::AllReduce, {{0, 1, 2}});
    op->reduction = Reduction::Add;
    op->accumulate = accumulate;
    addOperand(*op, DType::BF16, {});
    std::vector<std::unique_ptr<CollectiveOpT>> ops;
    ops.push_back(std::move(op));
    auto session = fixture->backend().load(ops, 3, observer);
    ASSERT_TRUE(session.ok());
    uint16_t in[3] = {floatToBf16(256), floatToBf16(1), floatToBf16(1)}, out[3] = {};
    std::vector<CountedJoin> joins(3);
    (*session)->begin();
    fixture->runUntilIdle([&] {
      for (uint32_t device = 0; device < 3; ++device) {
        joins[device].device = device;
        joins[device].pointers = {&in[device], &out[device]};
        joins[device].operands = joins[device].pointers.data();
        joins[device].results = joins[device].pointers.data() + 1;
        (*session)->join(&joins[device]);
      }
    });
    for (uint16_t value : out)
      EXPECT_EQ(bf16ToFloat(value), expected);
  }
}

TEST_P(Collectives, moreElementsThanAChunk) {
  auto op = makeOp(CollectiveKind::AllReduce, {{0, 1}, {2, 3}});
  op->reduction = Reduction::Add;
  op->accumulate = DType::F32;
  addOperand(*op, DType::F32, {5003});
  check(std::move(op), 4);
}

TEST_P(Collectives, gatherScatterAndSplitAlongEveryDimension) {
  for (DType dtype : {DType::I8, DType::BF16, DType::F32, DType::I64, DType::C128}) {
    for (int64_t dimension = 0; dimension < 3; ++dimension) {
      auto gather = makeOp(CollectiveKind::AllGather, kTwoGroups);
      gather->dimension = dimension;
      addOperand(*gather, dtype, {2, 3, 5});
      check(std::move(gather), 6);

      auto scatter = makeOp(CollectiveKind::ReduceScatter, kTwoGroups);
      scatter->dimension = dimension;
      scatter->reduction = Reduction::Add;
      scatter->accumulate = dtype;
      addOperand(*scatter, dtype, {6, 3, 9});
      check(std::move(scatter), 6);

      for (int64_t concat = 0; concat < 3; ++concat) {
        auto exchange = makeOp(CollectiveKind::AllToAll, kTwoGroups);
        exchange->dimension = dimension;
        exchange->concat_dimension = concat;
        addOperand(*exchange, dtype, {6, 3, 9});
        check(std::move(exchange), 6);
      }
    }
  }
}

TEST_P(Collectives, permutes) {
  for (const std::vector<std::pair<uint32_t, uint32_t>> &pairs :
       {std::vector<std::pair<uint32_t, uint32_t>>{{0, 1}, {1, 2}, {2, 3}, {3, 0}}, // ring
        {{0, 3}, {3, 0}, {1, 1}},                                                   // swap, self
        {{2, 0}},                                                                   // one
        {}}) {
    for (bool inPlace : {false, true}) {
      auto op = makeOp(CollectiveKind::CollectivePermute, {});
      for (auto [source, target] : pairs) {
        auto pair = std::make_unique<PairT>();
        pair->source = source;
        pair->target = target;
        op->pairs.push_back(std::move(pair));
      }
      addOperand(*op, DType::F32, {3, 2});
      check(std::move(op), 4, inPlace);
    }
  }
}

TEST_P(Collectives, broadcastComesFromTheFirstRank) {
  for (bool inPlace : {false, true}) {
    auto op = makeOp(CollectiveKind::CollectiveBroadcast, {{3, 1}, {0, 2}});
    addOperand(*op, DType::F16, {4});
    check(std::move(op), 4, inPlace);
  }
}

TEST_P(Collectives, allReduceInPlace) {
  auto op = makeOp(CollectiveKind::AllReduce, kTwoGroups);
  op->reduction = Reduction::Add;
  op->accumulate = DType::F32;
  addOperand(*op, DType::F32, {3000});
  check(std::move(op), 6, /*inPlace=*/true);
}

TEST_P(Collectives, severalOperandsOfDifferentTypes) {
  auto op = makeOp(CollectiveKind::AllReduce, {{0, 1, 2}});
  op->reduction = Reduction::Max;
  op->accumulate = DType::F32;
  addOperand(*op, DType::F32, {4, 3});
  addOperand(*op, DType::F32, {});
  addOperand(*op, DType::BF16, {2000});
  check(std::move(op), 3);
  auto gather = makeOp(CollectiveKind::AllGather, {{2, 0, 1}});
  addOperand(*gather, DType::I32, {4});
  addOperand(*gather, DType::F64, {1, 2});
  check(std::move(gather), 3);
}

TEST_P(Collectives, emptyArraysAndGroupsOfOne) {
  auto empty = makeOp(CollectiveKind::AllReduce, {{0, 1}});
  empty->reduction = Reduction::Add;
  empty->accumulate = DType::F32;
  addOperand(*empty, DType::F32, {0, 3});
  check(std::move(empty), 2);
  auto exchange = makeOp(CollectiveKind::AllToAll, {{0, 1}});
  exchange->concat_dimension = 1;
  addOperand(*exchange, DType::F32, {2, 0});
  check(std::move(exchange), 2);
  auto alone = makeOp(CollectiveKind::AllGather, {{0}, {1}});
  addOperand(*alone, DType::F32, {3});
  check(std::move(alone), 2);
}

// Two ops over one group and a third over other groups, many times: slots are
// reused.
TEST_P(Collectives, longSequencesStayInOrder) {
  constexpr uint32_t kDevices = 4;
  constexpr int kRounds = 200;
  std::vector<std::unique_ptr<CollectiveOpT>> ops;
  for (const Groups &groups :
       {Groups{{0, 1, 2, 3}}, Groups{{3, 2, 1, 0}}, Groups{{0, 1}, {2, 3}}}) {
    ops.push_back(makeOp(CollectiveKind::AllReduce, groups));
    ops.back()->reduction = Reduction::Add;
    addOperand(*ops.back(), DType::I32, {});
  }
  auto session = fixture->backend().load(ops, kDevices, observer);
  ASSERT_TRUE(session.ok());
  struct Walker : CollectiveJoin {
    CollectiveSession *session;
    int32_t in, out;
    void *operandPointer = &in, *resultPointer = &out;
    int round = 0;
    int64_t total = 0;
  };
  std::vector<Walker> walkers(kDevices);
  for (uint32_t device = 0; device < kDevices; ++device) {
    Walker &walker = walkers[device];
    walker.session = session->get();
    walker.device = device;
    walker.in = static_cast<int32_t>(device) + 1;
    walker.operands = &walker.operandPointer;
    walker.results = &walker.resultPointer;
    walker.complete = [](CollectiveJoin *join) {
      Walker &self = *static_cast<Walker *>(join);
      self.total += self.out;
      if (++self.round == kRounds)
        return self.session->leave(self.device);
      self.op = static_cast<uint32_t>(self.round % 3);
      self.session->join(&self);
    };
  }
  (*session)->begin();
  fixture->runUntilIdle([&] {
    for (Walker &walker : walkers)
      (*session)->join(&walker);
  });
  EXPECT_TRUE(observer.failures.empty());
  int64_t world = 2 * (kRounds / 3) + std::min(kRounds % 3, 2), pairs = kRounds / 3;
  EXPECT_EQ(walkers[0].total, 10 * world + 3 * pairs);
  EXPECT_EQ(walkers[3].total, 10 * world + 7 * pairs);
}

class CollectiveErrors : public Collectives {
protected:
  // Two all-reduces over all devices.
  void load(uint32_t devices) {
    std::vector<uint32_t> all(devices);
    std::iota(all.begin(), all.end(), 0);
    for (int i = 0; i < 2; ++i) {
      ops.push_back(makeOp(CollectiveKind::AllReduce, {all}));
      ops.back()->reduction = Reduction::Add;
      addOperand(*ops.back(), DType::I32, {});
    }
    auto loaded = fixture->backend().load(ops, devices, observer);
    ASSERT_TRUE(loaded.ok());
    session = std::move(*loaded);
    session->begin();
    joins = std::vector<CountedJoin>(devices);
    for (uint32_t device = 0; device < devices; ++device) {
      joins[device].device = device;
      joins[device].pointers = {&value, &value};
      joins[device].operands = joins[device].pointers.data();
      joins[device].results = joins[device].pointers.data() + 1;
    }
  }
  void join(uint32_t device, uint32_t op) {
    joins[device].op = op;
    session->join(&joins[device]);
  }

  std::vector<std::unique_ptr<CollectiveOpT>> ops;
  std::unique_ptr<CollectiveSession> session;
  std::vector<CountedJoin> joins;
  int32_t value = 0;
};

TEST_P(CollectiveErrors, anotherOpThanTheOthers) {
  load(3);
  fixture->runUntilIdle([&] {
    join(0, 0);
    join(2, 0);
    join(1, 1);
  });
  ASSERT_EQ(observer.failures.size(), 1u);
  const Failure &failure = observer.failures[0];
  EXPECT_EQ(failure.pending.op, 0u);
  EXPECT_THAT(failure.pending.arrived, testing::ElementsAre(0, 2));
  EXPECT_THAT(failure.pending.missing, testing::ElementsAre(1));
  EXPECT_EQ(failure.other, 1);
  EXPECT_EQ(failure.otherDevice, 1u);
  EXPECT_EQ(joins[0].completions, 0);
}

TEST_P(CollectiveErrors, deviceLeavesBeforeAndAfterTheOthersArrive) {
  for (bool before : {false, true}) {
    observer.failures.clear();
    ops.clear();
    load(3);
    fixture->runUntilIdle([&] {
      if (before)
        session->leave(1);
      join(0, 1);
      join(2, 1);
      if (!before)
        session->leave(1);
    });
    ASSERT_FALSE(observer.failures.empty());
    const Failure &failure = observer.failures.back();
    EXPECT_EQ(failure.pending.op, 1u);
    EXPECT_EQ(failure.other, -1);
    EXPECT_THAT(failure.pending.missing, testing::Contains(1));
    EXPECT_EQ(joins[0].completions, 0);
  }
}

TEST_P(CollectiveErrors, pendingTellsWhoIsMissingAndBeginForgets) {
  load(3);
  fixture->runUntilIdle([&] { join(1, 0); });
  std::vector<PendingCollective> pending = session->pending();
  ASSERT_EQ(pending.size(), 1u);
  EXPECT_THAT(pending[0].arrived, testing::ElementsAre(1));
  EXPECT_THAT(pending[0].missing, testing::ElementsAre(0, 2));
  session->begin();
  EXPECT_TRUE(session->pending().empty());
  fixture->runUntilIdle([&] {
    for (uint32_t device = 0; device < 3; ++device)
      join(device, 1);
  });
  EXPECT_TRUE(observer.failures.empty());
  EXPECT_EQ(joins[1].completions, 1);
}

std::string fixtureName(const testing::TestParamInfo<size_t> &info) {
  return allCollectiveFixtures()[info.param].name;
}

INSTANTIATE_TEST_SUITE_P(Backends, Collectives,
                         testing::Range(size_t{0}, allCollectiveFixtures().size()), fixtureName);
INSTANTIATE_TEST_SUITE_P(Backends, CollectiveErrors,
                         testing::Range(size_t{0}, allCollectiveFixtures().size()), fixtureName);

} // namespace
} // namespace tandem::runtime
